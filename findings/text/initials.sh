#!/usr/bin/env bash
# The initial of the Japanese name 𠮷田 is half a character in template engines of emails.
#
# Versions   liquidjs 10.30.1, nunjucks 3.2.4, Node.js 22
# Guess      `first`, `slice`, `truncate`, `size` and `reverse` count characters, as Jinja does in Python, and Liquid 5.4.0
#            in Ruby (size 4, reversed 郎太田𠮷).
# Behaviour  liquidjs counts code points in `slice` and `truncate`, and UTF-16 units in `first`, `size` and `split`, within
#            one template. nunjucks counts units everywhere. 𠮷 (U+20BB7), 𠮟 or 𡈽 are two units.
# Harm       An avatar with initials shows a sign of replacement. In a link, `encodeURIComponent` refuses the half.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages liquidjs@10.30.1 nunjucks@3.2.4

cat >program.mjs <<'PROGRAM'
import { Liquid } from 'liquidjs';
import nunjucks from 'nunjucks';

const name = '𠮷田太郎';
const visible = (text) => JSON.stringify(text);
const liquid = new Liquid();
for (const filter of ['slice: 0', 'truncate: 2, ""', 'first', 'split: "" | first', 'split: "" | reverse | join: ""', 'size'])
  console.log(`liquidjs ${filter}: ${visible(liquid.parseAndRenderSync(`{{ name | ${filter} }}`, { name }))}`);
for (const filter of ['first', 'truncate(1, true, "")', 'reverse', 'length'])
  console.log(`nunjucks ${filter}: ${visible(nunjucks.renderString(`{{ name | ${filter} }}`, { name }))}`);
try {
  encodeURIComponent(nunjucks.renderString('{{ name | first }}', { name }));
} catch (error) {
  console.log(error.message);
}
PROGRAM

run_and_compare program.mjs <<'SEEN'
liquidjs slice: 0: "𠮷"
liquidjs truncate: 2, "": "𠮷田"
liquidjs first: "\ud842"
liquidjs split: "" | first: "\ud842"
liquidjs split: "" | reverse | join: "": "郎太田\udfb7\ud842"
liquidjs size: "5"
nunjucks first: "\ud842"
nunjucks truncate(1, true, ""): "\ud842"
nunjucks reverse: "郎太田\udfb7\ud842"
nunjucks length: "5"
URI malformed
SEEN
