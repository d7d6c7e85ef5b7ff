#!/usr/bin/env bash
# A date of an XLSX that is stored as a date is read as a day of July 1905.
#
# Versions   exceljs 4.4.0, read-excel-file 5.8.5, fflate 0.8.2 (writes the ZIP), Node.js 22
# Guess      A cell of the type `d` (ISO 8601, ECMA-376 part 1, 18.18.11; "strict" files of Excel have it) is that date
#            in every reader, or an error.
# Behaviour  exceljs takes the digits before the first hyphen for a number of days since 1900, whatever the date is:
#            each day of 2026 becomes 18 July 1905. Both of its readers do so. read-excel-file gives the date.
# Harm       A countdown or an offer that is taken from the cell is over, and nothing says why: the value is a Date.
# Seen       whole file: 1905-07-18, 1905-07-18
#            stream: 1905-07-18, 1905-07-18
#            read-excel-file: 2026-11-27, 2026-12-24
source "$(dirname "$0")/../finding.sh"
install_packages exceljs@4.4.0 fflate@0.8.2 read-excel-file@5.8.5

cat >program.cjs <<'PROGRAM'
const { writeFileSync } = require('node:fs');
const { strToU8, zipSync } = require('fflate');
const { Workbook, stream } = require('exceljs');
const { default: readExcelFile } = require('read-excel-file/node');

const base = 'http://schemas.openxmlformats.org';
const main = `${base}/spreadsheetml/2006/main`;
const office = `${base}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = (list) =>
  `<Relationships xmlns="${base}/package/2006/relationships">${list
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const cell = (name, date) => `<c r="${name}" s="1" t="d"><v>${date}</v></c>`;
const parts = {
  '[Content_Types].xml': `<Types xmlns="${base}/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Offers" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]),
  // Number format 14 is a date, as Excel writes it beside such a cell.
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>
<row r="1">${cell('A1', '2026-11-27')}${cell('B1', '2026-12-24T18:30:00')}</row></sheetData></worksheet>`,
};
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(head + xml)]);
writeFileSync('offers.xlsx', zipSync(Object.fromEntries(files)));
const day = (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : typeof value);

async function run() {
  const workbook = new Workbook();
  await workbook.xlsx.readFile('offers.xlsx');
  const whole = ['A1', 'B1'].map((name) => day(workbook.worksheets[0].getCell(name).value));
  const streamed = [];
  const reader = new stream.xlsx.WorkbookReader('offers.xlsx', { styles: 'cache', worksheets: 'emit' });
  for await (const sheet of reader)
    for await (const row of sheet) row.eachCell(({ value }) => streamed.push(day(value)));
  const [other] = await readExcelFile('offers.xlsx');
  console.log(`whole file: ${whole.join(', ')}`);
  console.log(`stream: ${streamed.join(', ')}`);
  console.log(`read-excel-file: ${other.map(day).join(', ')}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
whole file: 1905-07-18, 1905-07-18
stream: 1905-07-18, 1905-07-18
read-excel-file: 2026-11-27, 2026-12-24
SEEN
