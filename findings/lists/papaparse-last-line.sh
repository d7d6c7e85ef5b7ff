#!/usr/bin/env bash
# Whether a list is read depends on the line break after its last row.
#
# Versions   papaparse 5.7.1, csvtojson 2.0.14, Node.js 22
# Guess      A delimiter that is guessed is the one that gives each row as many fields as the header, here the semicolon,
#            the tab or the bar. A line break after the last row changes nothing.
# Behaviour  Papa Parse counts the empty rest after the last line break as a row with one field. In a short list of two
#            columns that takes the average under its limit of 1.99 fields, and the comma is taken. csvtojson, with
#            `delimiter: 'auto'`, is right for all of them.
# Harm       A first trial with a few rows divides prices and names at their comma; the long list that follows is right.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages papaparse@5.7.1 csvtojson@2.0.14

cat >program.cjs <<'PROGRAM'
const { parse } = require('papaparse');
const csvtojson = require('csvtojson');

const prices = 'name;price\nAnna;1,50\nBen;3,10\nCara;9,99';
const names = 'name\ttown\nMüller, Anna\tBerlin\nMeier, Ben\tBonn';
const long = `name;price\n${Array.from({ length: 200 }, (_, at) => `Name ${at};${at},50`).join('\n')}`;
async function run() {
  const lists = { prices, 'prices and a line break': `${prices}\n`, names, 'names and a line break': `${names}\n`, 'long list and a line break': `${long}\n` };
  for (const [title, list] of Object.entries(lists)) {
    const [ours] = parse(list, { header: true }).data;
    const [other] = await csvtojson({ delimiter: 'auto' }).fromString(list);
    console.log(`${title}: ${JSON.stringify(ours)}, csvtojson ${JSON.stringify(other)}`);
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
prices: {"name":"Anna","price":"1,50"}, csvtojson {"name":"Anna","price":"1,50"}
prices and a line break: {"name;price":"Anna;1","__parsed_extra":["50"]}, csvtojson {"name":"Anna","price":"1,50"}
names: {"name":"Müller, Anna","town":"Berlin"}, csvtojson {"name":"Müller, Anna","town":"Berlin"}
names and a line break: {"name\ttown":"Müller","__parsed_extra":[" Anna\tBerlin"]}, csvtojson {"name":"Müller, Anna","town":"Berlin"}
long list and a line break: {"name":"Name 0","price":"0,50"}, csvtojson {"name":"Name 0","price":"0,50"}
SEEN
