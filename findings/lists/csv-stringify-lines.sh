#!/usr/bin/env bash
# A postal address of two lines breaks the CSV that csv-stringify writes for Windows.
#
# Versions   csv-stringify 6.9.0, csv-parse 7.0.3, papaparse 5.7.1, Node.js 22
# Guess      A field with a line break is quoted (RFC 4180, 2.6), whatever ends the records. csv-parse is of the same
#            project and reads what csv-stringify writes.
# Behaviour  With `record_delimiter: 'windows'` a line feed alone is not quoted, and with `'unix'` it is. csv-parse
#            takes the first line feed for the end of a record and refuses the file. In a file whose first row has
#            no line break, Papa Parse and csv-parse give the address as it was.
# Harm       The file breaks with the data: the list of one customer is read, the list of the next is refused, or its
#            first row loses what follows the line break. Cells of Excel have line feeds alone (Alt+Enter).
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages csv-stringify@6.9.0 csv-parse@7.0.3 papaparse@5.7.1

cat >program.cjs <<'PROGRAM'
const { stringify } = require('csv-stringify/sync');
const { parse } = require('csv-parse/sync');
const { parse: papaParse } = require('papaparse');

const rows = [['Elm Street 1\nBerlin', 'Anna']];
const visible = (text) => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
console.log(`unix: ${visible(stringify(rows, { record_delimiter: 'unix' }))}`);
console.log(`windows: ${visible(stringify(rows, { record_delimiter: 'windows' }))}`);
const file = stringify([...rows, ['Oak Street 2', 'Ben']], { record_delimiter: 'windows' });
try {
  console.log(`csv-parse: ${JSON.stringify(parse(file))}`);
} catch (error) {
  console.log(`csv-parse: ${error.message}`);
}
console.log(`papaparse: ${JSON.stringify(papaParse(file).data)}`);
const later = stringify([['street', 'name'], ...rows], { record_delimiter: 'windows' });
console.log(`csv-parse, later row: ${JSON.stringify(parse(later)[1])}`);
console.log(`papaparse, later row: ${JSON.stringify(papaParse(later).data[1])}`);
PROGRAM

run_and_compare program.cjs <<'SEEN'
unix: "Elm Street 1\nBerlin",Anna\n
windows: Elm Street 1\nBerlin,Anna\r\n
csv-parse: Invalid Record Length: expect 1, got 2 on line 3
papaparse: [["Elm Street 1"],["Berlin","Anna\r"],["Oak Street 2","Ben\r"],[""]]
csv-parse, later row: ["Elm Street 1\nBerlin","Anna"]
papaparse, later row: ["Elm Street 1\nBerlin","Anna"]
SEEN
