#!/usr/bin/env bash
# The loop of an email template stands before its table after the styles are inlined.
#
# Versions   inline-css 4.0.3, juice 11.1.1, handlebars 4.7.9, Node.js 22
# Guess      A program that inlines styles changes `style` attributes, and leaves the tags of the template where they are.
# Behaviour  inline-css reads the template as a browser does: text between the rows of a table moves before it. The loop is
#            then empty, and the row behind it stands once, outside of the loop, with no values. Tags inside of cells stay.
#            juice leaves all where it was.
# Harm       Each customer gets an order with one empty row. The template is valid, and no error is raised.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages inline-css@4.0.3 juice@11.1.1 handlebars@4.7.9

cat >program.cjs <<'PROGRAM'
const { compile } = require('handlebars');
const inlineCss = require('inline-css');
const juice = require('juice');

const template = `<html><head><style>td { color: #123456 }</style></head><body>
<table>{{#each items}}<tr><td>{{name}}</td></tr>{{/each}}</table></body></html>`;
const values = { items: [{ name: 'Tea' }, { name: 'Cups' }] };
const body = (html) => /<body>\s*(.*?)\s*<\/body>/su.exec(html)[1];
async function run() {
  const inlined = { 'inline-css': await inlineCss(template, { url: ' ' }), juice: juice(template) };
  for (const [name, html] of Object.entries(inlined)) {
    console.log(`${name}: ${body(html)}`);
    console.log(`${name}, filled in: ${body(compile(html)(values))}`);
  }
}
void run();
PROGRAM

run_and_compare program.cjs <<'SEEN'
inline-css: {{#each items}}{{/each}}<table><tbody><tr><td style="color: #123456;">{{name}}</td></tr></tbody></table>
inline-css, filled in: <table><tbody><tr><td style="color: #123456;"></td></tr></tbody></table>
juice: <table>{{#each items}}<tr><td style="color: #123456;">{{name}}</td></tr>{{/each}}</table>
juice, filled in: <table><tr><td style="color: #123456;">Tea</td></tr><tr><td style="color: #123456;">Cups</td></tr></table>
SEEN
