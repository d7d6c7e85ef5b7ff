#!/usr/bin/env bash
# An address such as "Main Street 12" becomes 1 December 2001.
#
# Versions   csv-parse 7.0.3, Node.js 22
# Guess      `cast_date: true` makes dates of fields that are dates, and leaves names and addresses.
# Behaviour  A field is a date if `Date.parse` takes it. V8 skips unknown words before a number from 1 to 12, and takes it
#            for a month of 2001. Larger numbers and other endings stay text, so the rows of one column differ in type.
# Harm       An image says "Sat Dec 01 2001" where the street should stand, in the rows with a small number alone.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages csv-parse@7.0.3

cat >program.cjs <<'PROGRAM'
const { parse } = require('csv-parse/sync');

process.env.TZ = 'UTC';
const fields = ['2026-11-27', 'Main Street 12', 'Main Street 13', 'Suite 5', 'Table 7, window', 'Mark 7', 'Elm 3b'];
for (const field of fields) {
  const [[value]] = parse(`"${field}"`, { cast: true, cast_date: true });
  console.log(`${field}: ${value instanceof Date ? value.toISOString().slice(0, 10) : 'text'}`);
}
PROGRAM

run_and_compare program.cjs <<'SEEN'
2026-11-27: 2026-11-27
Main Street 12: 2001-12-01
Main Street 13: text
Suite 5: 2001-05-01
Table 7, window: text
Mark 7: 2001-03-07
Elm 3b: text
SEEN
