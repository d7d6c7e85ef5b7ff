#!/usr/bin/env bash
# A deadline in the hour of a change of clocks is a different moment in each library.
#
# Versions   luxon 3.7.2, dayjs 1.11.23, moment-timezone 0.6.6, date-fns-tz 3.2.0, Node.js 22
# Guess      A time that the clocks skip is moved behind the gap, and one that they show twice is the first of both, as
#            RFC 5545, 3.3.5, and Temporal ("compatible") have it, in every library and zone.
# Behaviour  For the hour that comes twice, moment-timezone takes the first, and luxon and dayjs the second. date-fns-tz
#            takes the second in Berlin and the first in New York. In the gap, date-fns-tz moves to the time before.
# Harm       An offer that ends at 2:30 in the night of a change ends an hour earlier in the image than in the shop, if
#            the two use different libraries. None raises an error.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages luxon@3.7.2 dayjs@1.11.23 moment-timezone@0.6.6 date-fns-tz@3.2.0 date-fns@4.4.0

cat >program.cjs <<'PROGRAM'
process.env.TZ = 'UTC';
const dayjs = require('dayjs');
dayjs.extend(require('dayjs/plugin/utc'));
dayjs.extend(require('dayjs/plugin/timezone'));
const { DateTime } = require('luxon');
const moment = require('moment-timezone');
const { fromZonedTime } = require('date-fns-tz');

const times = [
  ['skipped', 'Europe/Berlin', '2026-03-29T02:30'],
  ['skipped', 'America/New_York', '2026-03-08T02:30'],
  ['twice', 'Europe/Berlin', '2026-10-25T02:30'],
  ['twice', 'America/New_York', '2026-11-01T01:30'],
];
for (const [kind, zone, time] of times) {
  const moments = {
    luxon: DateTime.fromISO(time, { zone }).toJSDate(),
    dayjs: dayjs.tz(time, zone).toDate(),
    'moment-timezone': moment.tz(time, zone).toDate(),
    'date-fns-tz': fromZonedTime(time, zone),
  };
  const list = Object.entries(moments).map(([name, date]) => `${name} ${date.toISOString().slice(11, 16)}Z`);
  console.log(`${kind}, ${zone} ${time}: ${list.join(', ')}`);
}
PROGRAM

run_and_compare program.cjs <<'SEEN'
skipped, Europe/Berlin 2026-03-29T02:30: luxon 01:30Z, dayjs 01:30Z, moment-timezone 01:30Z, date-fns-tz 00:30Z
skipped, America/New_York 2026-03-08T02:30: luxon 07:30Z, dayjs 07:30Z, moment-timezone 07:30Z, date-fns-tz 06:30Z
twice, Europe/Berlin 2026-10-25T02:30: luxon 01:30Z, dayjs 01:30Z, moment-timezone 00:30Z, date-fns-tz 01:30Z
twice, America/New_York 2026-11-01T01:30: luxon 06:30Z, dayjs 06:30Z, moment-timezone 05:30Z, date-fns-tz 05:30Z
SEEN
