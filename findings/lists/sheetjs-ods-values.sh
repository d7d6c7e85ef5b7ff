#!/usr/bin/env bash
# Cells of an ODS file that have a value and no paragraph are lost.
#
# Versions   xlsx (SheetJS) 0.18.5, fflate 0.8.2 (writes the ZIP), Node.js 22; Gnumeric 1.12.55 gives all values
# Guess      The value of a cell is its attribute (`office:value`, `office:string-value`, `office:date-value`). The
#            paragraph beside it is how a program showed it, and OpenDocument 1.2, 9.1.4, lets it be absent.
# Behaviour  SheetJS loses all but texts where the element is closed at once, `<table:table-cell … />`, and the texts alone
#            where it is opened and closed, which is the same XML. No error is raised.
# Harm       Programs that write ODS without drawing it leave the paragraph out. A name or a price is then empty, in a
#            file that LibreOffice and Gnumeric show in full.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages xlsx@0.18.5 fflate@0.8.2

cat >program.cjs <<'PROGRAM'
const { strToU8, zipSync } = require('fflate');
const { read } = require('xlsx');

const media = 'application/vnd.oasis.opendocument.spreadsheet';
const names = 'urn:oasis:names:tc:opendocument:xmlns';
const values = {
  text: 'office:value-type="string" office:string-value="Anna"',
  number: 'office:value-type="float" office:value="19.9"',
  price: 'office:value-type="currency" office:currency="EUR" office:value="19.9"',
  percentage: 'office:value-type="percentage" office:value="0.5"',
  date: 'office:value-type="date" office:date-value="2026-11-27"',
  logical: 'office:value-type="boolean" office:boolean-value="true"',
};
const row = (end) =>
  `<table:table-row>${Object.values(values).map((value) => `<table:table-cell ${value}${end}`).join('')}</table:table-row>`;
const ends = ['/>', '></table:table-cell>', '><text:p>shown</text:p></table:table-cell>'];
const parts = {
  'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${names}:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="${media}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  'content.xml': `<office:document-content xmlns:office="${names}:office:1.0" xmlns:table="${names}:table:1.0"
xmlns:text="${names}:text:1.0" office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Names">
${ends.map(row).join('')}
</table:table></office:spreadsheet></office:body></office:document-content>`,
};
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(head + xml)]);
const file = zipSync({ mimetype: [strToU8(media), { level: 0 }], ...Object.fromEntries(files) });
const sheet = read(file, { cellDates: true }).Sheets.Names;
const show = (cell) => (cell === undefined ? 'lost' : (cell.v?.toISOString?.().slice(0, 10) ?? String(cell.v)));
for (const [at, type] of Object.keys(values).entries()) {
  const [closed, opened, paragraph] = [1, 2, 3].map((line) => show(sheet[`${'ABCDEF'[at]}${line}`]));
  console.log(`${type}: closed at once ${closed}; opened and closed ${opened}; with a paragraph ${paragraph}`);
}
PROGRAM

run_and_compare program.cjs <<'SEEN'
text: closed at once Anna; opened and closed lost; with a paragraph Anna
number: closed at once lost; opened and closed 19.9; with a paragraph 19.9
price: closed at once lost; opened and closed 19.9; with a paragraph 19.9
percentage: closed at once lost; opened and closed 0.5; with a paragraph 0.5
date: closed at once lost; opened and closed 2026-11-27; with a paragraph 2026-11-27
logical: closed at once lost; opened and closed true; with a paragraph true
SEEN
