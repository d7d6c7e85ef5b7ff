#!/usr/bin/env bash
# The plain text of an email in Khmer has spaces inside its sentences.
#
# Versions   html-to-text 10.0.1, Node.js 22
# Guess      Only white space of HTML is collapsed (tab, line feed, form feed, return, space). U+200B, with which Khmer, Thai
#            and Burmese say where a line may break, stays.
# Behaviour  html-to-text counts U+200B as white space, and writes a space for it. In these languages a space is a mark,
#            like a comma. The soft hyphen, U+00A0 and U+3000 stay.
# Harm       The text part that html-to-text makes for a message (as react-email and others do) reads wrongly.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages html-to-text@10.0.1

cat >program.cjs <<'PROGRAM'
const { convert } = require('html-to-text');

const visible = (text) =>
  [...text].map((sign) => (/[\s\u00ad\u200b]/u.test(sign) ? `<${sign.codePointAt(0).toString(16)}>` : sign)).join('');
for (const text of ['សួស្តី\u200bពិភពលោក', 'a\u00adb', 'a\u00a0b', '山田\u3000太郎', 'a \n b'])
  console.log(`${visible(text)} → ${visible(convert(`<p>${text}</p>`))}`);
PROGRAM

run_and_compare program.cjs <<'SEEN'
សួស្តី<200b>ពិភពលោក → សួស្តី<20>ពិភពលោក
a<ad>b → a<ad>b
a<a0>b → a<a0>b
山田<3000>太郎 → 山田<3000>太郎
a<20><a><20>b → a<20>b
SEEN
