#!/usr/bin/env bash
# A link that ends in an underscore loses it in Markdown.
#
# Versions   marked 18.2.1, remark-gfm 4.0.1 with remark 15.0.1, markdown-it 15.0.3, linkify-html 4.3.3, Node.js 22
# Guess      A link that is written plainly ends at the space behind it. A full stop may belong to the sentence; signs of
#            base64url (`-`, `_`) belong to the link.
# Behaviour  marked and remark-gfm, which follow GitHub's rules, take an underscore at the end for emphasis, and leave it out
#            of the link. markdown-it and linkify-html keep it. All four keep `-` and `=`.
# Harm       Random keys and signatures of 15, 18 or 24 bytes end in `_` once in 64 in base64url. Those links are refused, for
#            a few customers, in notices and chats that read Markdown.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages marked@18.2.1 remark@15.0.1 remark-gfm@4.0.1 remark-html@16.0.1 markdown-it@15.0.3 \
  linkify-html@4.3.3 linkifyjs@4.3.3

cat >program.mjs <<'PROGRAM'
import linkifyHtml from 'linkify-html';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { remark } from 'remark';
import gfm from 'remark-gfm';
import remarkHtml from 'remark-html';

const readers = {
  marked: (text) => marked.parse(text),
  'remark-gfm': (text) => String(remark().use(gfm).use(remarkHtml).processSync(text)),
  'markdown-it': (text) => new MarkdownIt({ linkify: true }).render(text),
  'linkify-html': (text) => linkifyHtml(text),
};
for (const signature of ['q8Zk_', 'q8Zk-', 'q8Zk=', 'q8_k'])
  for (const [name, read] of Object.entries(readers)) {
    const [, link] = /href="([^"]*)"/u.exec(read(`See https://example.com/i.png?s=${signature} today`));
    console.log(`${signature}, ${name}: ${link}`);
  }
PROGRAM

run_and_compare program.mjs <<'SEEN'
q8Zk_, marked: https://example.com/i.png?s=q8Zk
q8Zk_, remark-gfm: https://example.com/i.png?s=q8Zk
q8Zk_, markdown-it: https://example.com/i.png?s=q8Zk_
q8Zk_, linkify-html: https://example.com/i.png?s=q8Zk_
q8Zk-, marked: https://example.com/i.png?s=q8Zk-
q8Zk-, remark-gfm: https://example.com/i.png?s=q8Zk-
q8Zk-, markdown-it: https://example.com/i.png?s=q8Zk-
q8Zk-, linkify-html: https://example.com/i.png?s=q8Zk-
q8Zk=, marked: https://example.com/i.png?s=q8Zk=
q8Zk=, remark-gfm: https://example.com/i.png?s=q8Zk=
q8Zk=, markdown-it: https://example.com/i.png?s=q8Zk=
q8Zk=, linkify-html: https://example.com/i.png?s=q8Zk=
q8_k, marked: https://example.com/i.png?s=q8_k
q8_k, remark-gfm: https://example.com/i.png?s=q8_k
q8_k, markdown-it: https://example.com/i.png?s=q8_k
q8_k, linkify-html: https://example.com/i.png?s=q8_k
SEEN
