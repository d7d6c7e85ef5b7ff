#!/usr/bin/env bash
# The title of an event from Outlook is "[object Object]".
#
# Versions   node-ical 0.26.1, ical.js 2.2.1, Node.js 22
# Guess      `summary` is the text of SUMMARY. A language beside it (RFC 5545, 3.2.10), which Outlook writes, does not
#            change its type.
# Behaviour  node-ical gives a text without parameters, and an object of `params` and `val` with any. So does `location`.
#            ical.js gives the text.
# Harm       A countdown or an invitation says "[object Object]" for calendars from Outlook, and is right for others.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages node-ical@0.26.1 ical.js@2.2.1

cat >program.mjs <<'PROGRAM'
import ical from 'node-ical';
import ICAL from 'ical.js';

const event = (summary) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//example//EN',
    'BEGIN:VEVENT',
    'UID:1@example.com',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20261127T180000Z',
    summary,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
for (const summary of ['SUMMARY:Sommerfest', 'SUMMARY;LANGUAGE=de:Sommerfest']) {
  const ours = Object.values(ical.sync.parseICS(event(summary))).find(({ type }) => type === 'VEVENT');
  const other = new ICAL.Component(ICAL.parse(event(summary))).getFirstSubcomponent('vevent');
  console.log(`${summary}: node-ical ${ours.summary}, ical.js ${other.getFirstPropertyValue('summary')}`);
}
PROGRAM

run_and_compare program.mjs <<'SEEN'
SUMMARY:Sommerfest: node-ical Sommerfest, ical.js Sommerfest
SUMMARY;LANGUAGE=de:Sommerfest: node-ical [object Object], ical.js Sommerfest
SEEN
