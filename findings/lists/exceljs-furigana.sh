#!/usr/bin/env bash
# A Japanese name in an XLSX becomes its pronunciation.
#
# Versions   exceljs 4.4.0, fflate 0.8.2 (writes the ZIP), Node.js 22
# Guess      Both readers of exceljs give the text of a cell. Its pronunciation (`rPh`, furigana, which Excel in Japan
#            stores with typed names) is left out, as ECMA-376 part 1, 18.4.6 keeps it apart from the text.
# Behaviour  The reader of streams gives the last piece of the pronunciation in place of the name, for shared and for
#            inline strings. The reader of whole files leaves it out of shared strings, and appends it to the `text` of
#            inline ones.
# Harm       An email to 東京太郎 greets タロウ. The cell is a plain string, so no check of types sees it.
# Seen       whole file: 東京太郎, 山田ヤマダ
#            stream: タロウ, ヤマダ
source "$(dirname "$0")/../finding.sh"
install_packages exceljs@4.4.0 fflate@0.8.2

cat >program.cjs <<'PROGRAM'
const { writeFileSync } = require('node:fs');
const { strToU8, zipSync } = require('fflate');
const { Workbook, stream } = require('exceljs');

const base = 'http://schemas.openxmlformats.org';
const main = `${base}/spreadsheetml/2006/main`;
const office = `${base}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = (list) =>
  `<Relationships xmlns="${base}/package/2006/relationships">${list
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const name = '<t>東京太郎</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><rPh sb="2" eb="4"><t>タロウ</t></rPh>';
const other = '<t>山田</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh>';
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
  'xl/sharedStrings.xml': `<sst xmlns="${main}" count="1" uniqueCount="1"><si>${name}</si></sst>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c></row>
<row r="2"><c r="A2" t="inlineStr"><is>${other}</is></c></row></sheetData></worksheet>`,
};
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(head + xml)]);
writeFileSync('names.xlsx', zipSync(Object.fromEntries(files)));

async function run() {
  const workbook = new Workbook();
  await workbook.xlsx.readFile('names.xlsx');
  const whole = [1, 2].map((row) => workbook.worksheets[0].getCell(row, 1).text);
  const streamed = [];
  const reader = new stream.xlsx.WorkbookReader('names.xlsx', { sharedStrings: 'cache', worksheets: 'emit' });
  for await (const sheet of reader) for await (const row of sheet) streamed.push(row.getCell(1).text);
  console.log(`whole file: ${whole.join(', ')}`);
  console.log(`stream: ${streamed.join(', ')}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
whole file: 東京太郎, 山田ヤマダ
stream: タロウ, ヤマダ
SEEN
