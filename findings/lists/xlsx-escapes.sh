#!/usr/bin/env bash
# The stream reader of exceljs leaves `_x000D_` in names with a line break.
#
# Versions   exceljs 4.4.0, read-excel-file 9.3.17, xlsx (SheetJS) 0.18.5, fflate 0.8.2 (writes the ZIP), Node.js 22
# Guess      `_x000D_` in a string is the character U+000D (ECMA-376 part 1, 22.9.2.19, ST_Xstring), and `_x005F_` an
#            underscore, in every reader. Excel writes both.
# Behaviour  exceljs has two readers that differ: the reader of streams never decodes, and the reader of whole files
#            decodes shared strings and leaves inline ones. read-excel-file and SheetJS decode all.
# Harm       An address that an export with line breaks of Windows made is drawn as "Elm Street 1_x000D_". It appears when
#            a list grows and its program changes to the stream.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages exceljs@4.4.0 fflate@0.8.2 read-excel-file@9.3.17 xlsx@0.18.5

cat >program.cjs <<'PROGRAM'
const { writeFileSync } = require('node:fs');
const { strToU8, zipSync } = require('fflate');
const { Workbook, stream } = require('exceljs');
const { readSheet } = require('read-excel-file/node');
const { readFile, utils } = require('xlsx');

const base = 'http://schemas.openxmlformats.org';
const main = `${base}/spreadsheetml/2006/main`;
const office = `${base}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = (list) =>
  `<Relationships xmlns="${base}/package/2006/relationships">${list
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const text = '<t xml:space="preserve">Elm Street 1_x000D_\nBerlin_x005F_2</t>';
const parts = {
  '[Content_Types].xml': `<Types xmlns="${base}/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>
<Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/></Types>`,
  '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Names" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ]),
  'xl/sharedStrings.xml': `<sst xmlns="${main}" count="1" uniqueCount="1"><si>${text}</si></sst>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is>${text}</is></c></row></sheetData></worksheet>`,
};
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(head + xml)]);
writeFileSync('names.xlsx', zipSync(Object.fromEntries(files)));
const show = (reader, values) => console.log(`${reader}: ${values.map((value) => JSON.stringify(value)).join(', ')}`);

async function run() {
  const workbook = new Workbook();
  await workbook.xlsx.readFile('names.xlsx');
  show('exceljs, whole file', ['A1', 'B1'].map((name) => workbook.worksheets[0].getCell(name).text));
  const reader = new stream.xlsx.WorkbookReader('names.xlsx', { sharedStrings: 'cache', worksheets: 'emit' });
  for await (const sheet of reader)
    for await (const row of sheet) show('exceljs, stream', [1, 2].map((at) => row.getCell(at).text));
  show('read-excel-file', (await readSheet('names.xlsx'))[0]);
  show('SheetJS', utils.sheet_to_json(readFile('names.xlsx').Sheets.Names, { header: 1 })[0]);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
exceljs, whole file: "Elm Street 1\r\nBerlin_2", "Elm Street 1_x000D_\nBerlin_x005F_2"
exceljs, stream: "Elm Street 1_x000D_\nBerlin_x005F_2", "Elm Street 1_x000D_\nBerlin_x005F_2"
read-excel-file: "Elm Street 1\r\nBerlin_2", "Elm Street 1\r\nBerlin_2"
SheetJS: "Elm Street 1\r\nBerlin_2", "Elm Street 1\r\nBerlin_2"
SEEN
