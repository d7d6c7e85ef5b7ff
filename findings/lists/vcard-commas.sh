#!/usr/bin/env bash
# Names of contacts keep the signs that vCard puts before commas, and names of old phones their codes.
#
# Versions   vcf 2.1.2, ical.js 2.2.1, Node.js 22
# Guess      A value is the text: `\,`, `\;` and `\n` are decoded (RFC 6350, 3.4), and in vCard 2.1, which phones write and
#            the package says it reads, quoted-printable as well.
# Behaviour  vcf decodes none of them, joins no lines of quoted-printable, and divides a name at an escaped semicolon. The
#            end of a long name becomes a property of its own. ical.js is right for 3.0, and refuses the card of 2.1.
# Harm       The badge of "Müller, Söhne" says "Müller\, Söhne", and that of a contact from a phone "M=C3=BCller".
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages vcf@2.1.2 ical.js@2.2.1

cat >program.mjs <<'PROGRAM'
import ICAL from 'ical.js';
import vCard from 'vcf';

const card = (...lines) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
const cards = {
  '3.0': card('VERSION:3.0', 'N:Müller\\, Söhne;Anna\\; B;;;', 'FN:Anna Müller\\, Söhne', 'NOTE:one\\ntwo'),
  2.1: card(
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Anna;;;',
    'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Anna =',
    'M=C3=BCller',
  ),
};
for (const [version, text] of Object.entries(cards)) {
  for (const [property, , , value] of new vCard().parse(text).toJCard()[1].slice(1))
    console.log(`${version}, vcf, ${property}: ${JSON.stringify(value)}`);
  try {
    for (const [property, , , value] of ICAL.parse(text)[1].slice(1))
      console.log(`${version}, ical.js, ${property}: ${JSON.stringify(value)}`);
  } catch (error) {
    console.log(`${version}, ical.js: ${error.message}`);
  }
}
PROGRAM

run_and_compare program.mjs <<'SEEN'
3.0, vcf, n: ["Müller\\, Söhne","Anna\\"," B","","",""]
3.0, vcf, fn: "Anna Müller\\, Söhne"
3.0, vcf, note: "one\\ntwo"
3.0, ical.js, n: ["Müller, Söhne","Anna; B","","",""]
3.0, ical.js, fn: "Anna Müller, Söhne"
3.0, ical.js, note: "one\ntwo"
2.1, vcf, n: ["M=C3=BCller","Anna","","",""]
2.1, vcf, fn: "Anna ="
2.1, vcf, m=c3=bCller: undefined
2.1, ical.js: invalid line (no token ";" or ":") "M=C3=BCller"
SEEN
