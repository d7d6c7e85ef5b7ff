#!/usr/bin/env bash
# The names of a CSV that is made from an XLSX are addresses and pieces of JSON.
#
# Versions   exceljs 4.4.0, xlsx (SheetJS) 0.18.5, Node.js 22
# Guess      The CSV of a sheet has the text that each cell shows, as in office programs and SheetJS.
# Behaviour  exceljs writes the target of a cell with a link in place of its text. A cell with formatted text, such as a
#            name of which one letter is bold, becomes the JSON of the object that exceljs keeps for it.
# Harm       An XLSX is converted for a list. Excel makes a link of each address that is typed, so emails start with
#            `mailto:`, a column of linked names has no names, and the greeting reads {"richText":…
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages exceljs@4.4.0 xlsx@0.18.5

cat >program.cjs <<'PROGRAM'
const { Workbook } = require('exceljs');
const { read, utils } = require('xlsx');

async function run() {
  const written = new Workbook();
  const sheet = written.addWorksheet('Names');
  sheet.addRow(['plain', 'link', 'email', 'bold letter']);
  sheet.addRow([
    'Anna',
    { text: 'Anna', hyperlink: 'https://example.com/anna' },
    { text: 'anna@example.com', hyperlink: 'mailto:anna@example.com' },
    { richText: [{ font: { bold: true }, text: 'A' }, { text: 'nna' }] },
  ]);
  const file = await written.xlsx.writeBuffer();
  const workbook = new Workbook();
  await workbook.xlsx.load(file);
  console.log(`exceljs:\n${await workbook.csv.writeBuffer()}`);
  console.log(`SheetJS:\n${utils.sheet_to_csv(read(file).Sheets.Names)}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
exceljs:
plain,link,email,bold letter
Anna,https://example.com/anna,mailto:anna@example.com,"{""richText"":[{""font"":{""bold"":true},""text"":""A""},{""text"":""nna""}]}"
SheetJS:
plain,link,email,bold letter
Anna,Anna,anna@example.com,Anna
SEEN
