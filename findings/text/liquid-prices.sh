#!/usr/bin/env bash
# Prices that liquidjs counts differ from those of Liquid.
#
# Versions   liquidjs 10.30.1, Node.js 22
# Guess      Filters of numbers give what Liquid gives. Liquid 5.4.0 (Ruby) counts decimals exactly: 1999.0, 0.3, 0.4, 435,
#            1.01 and 1234567890123456789 for the lines below.
# Behaviour  liquidjs counts in doubles, prints all their digits, and `floor` loses a cent. Its `round: 2` corrects 1.005,
#            so the fault shows in the others alone.
# Harm       A price is drawn as 1998.9999999999998, or as a cent less than in the shop, for some prices only.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages liquidjs@10.30.1

cat >program.mjs <<'PROGRAM'
import { Liquid } from 'liquidjs';

const liquid = new Liquid();
for (const value of [
  '19.99 | times: 100',
  '0.1 | plus: 0.2',
  '8.40 | minus: 8',
  '4.35 | times: 100 | floor',
  '1.005 | round: 2',
  '"1234567890123456789" | plus: 0',
])
  console.log(`${value} → ${liquid.parseAndRenderSync(`{{ ${value} }}`)}`);
PROGRAM

run_and_compare program.mjs <<'SEEN'
19.99 | times: 100 → 1998.9999999999998
0.1 | plus: 0.2 → 0.30000000000000004
8.40 | minus: 8 → 0.40000000000000036
4.35 | times: 100 | floor → 434
1.005 | round: 2 → 1.01
"1234567890123456789" | plus: 0 → 1234567890123456800
SEEN
