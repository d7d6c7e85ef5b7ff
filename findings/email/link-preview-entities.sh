#!/usr/bin/env bash
# The link of a preview image changes on its way: "&copy=2" becomes "©=2".
#
# Versions   unfurl.js 6.4.0, open-graph-scraper 6.12.0, Node.js 22
# Guess      `og:image` is decoded once, as HTML says: `&amp;` is an ampersand, and the link is as the page means it.
# Behaviour  unfurl.js decodes what its parser has decoded, as text and not as an attribute: parameters named copy, reg,
#            section, para, times, lang, not or curren change, and so do titles that speak of code. open-graph-scraper is
#            right.
# Harm       The preview asks for another image, or a signed link is refused. Other parameters of the same link are right.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages unfurl.js@6.4.0 open-graph-scraper@6.12.0

cat >program.cjs <<'PROGRAM'
const { createServer } = require('node:http');
const { once } = require('node:events');
const scrape = require('open-graph-scraper');
const { unfurl } = require('unfurl.js');

const page = `<!doctype html><html><head><meta charset="utf-8"><title>Offer</title>
<meta property="og:title" content="Write &amp;amp; for an ampersand"><meta property="og:type" content="website">
<meta property="og:image" content="https://example.com/i.png?name=Anna&amp;copy=2&amp;section=3&amp;lang=de"></head></html>`;
async function run() {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(page));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { open_graph: preview } = await unfurl(`http://127.0.0.1:${server.address().port}/`);
  server.close();
  const { result } = await scrape({ html: page });
  console.log(`unfurl.js: ${decodeURIComponent(preview.images[0].url)}, ${preview.title}`);
  console.log(`open-graph-scraper: ${result.ogImage[0].url}, ${result.ogTitle}`);
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
unfurl.js: https://example.com/i.png?name=Anna©=2§ion=3&lang=de, Write & for an ampersand
open-graph-scraper: https://example.com/i.png?name=Anna&copy=2&section=3&lang=de, Write &amp; for an ampersand
SEEN
