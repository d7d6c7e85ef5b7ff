#!/usr/bin/env bash
# Names of a product feed or an export in XML keep their character references.
#
# Versions   fast-xml-parser 5.12.1, xml2js 0.6.2, saxes 6.0.0, Node.js 22
# Guess      `&#252;` is ü for every XML parser: XML 1.0, 4.4, has it included, and no declaration is needed. The names of
#            HTML, such as `&uuml;`, are an error.
# Behaviour  fast-xml-parser decodes the five names of XML, and leaves references by number as they stand, in texts and
#            attributes, without an error. They are decoded with `htmlEntities: true`, which sounds like HTML.
# Harm       Writers of XML in ASCII write each letter so. The image says "M&#252;ller" to each customer whose name has
#            an umlaut, while tests with Anna pass.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages fast-xml-parser@5.12.1 xml2js@0.6.2 saxes@6.0.0

cat >program.cjs <<'PROGRAM'
const { XMLParser } = require('fast-xml-parser');
const { parseString } = require('xml2js');
const { SaxesParser } = require('saxes');

const document = '<?xml version="1.0" encoding="US-ASCII"?>\n<p n="&#x141;ukasz">M&#252;ller &amp; Co</p>';
const show = (parser, attribute, text) => console.log(`${parser}: ${attribute}, ${text}`);

const options = { ignoreAttributes: false };
const { p } = new XMLParser(options).parse(document);
show('fast-xml-parser', p['@_n'], p['#text']);
const { p: html } = new XMLParser({ ...options, htmlEntities: true }).parse(document);
show('fast-xml-parser, htmlEntities', html['@_n'], html['#text']);
parseString(document, { async: false }, (error, result) => show('xml2js', result.p.$.n, result.p._));
const saxes = new SaxesParser();
let [attribute, text] = ['', ''];
saxes.on('opentag', (tag) => (attribute = tag.attributes.n));
saxes.on('text', (piece) => (text += piece.trim()));
saxes.write(document).close();
show('saxes', attribute, text);
PROGRAM

run_and_compare program.cjs <<'SEEN'
fast-xml-parser: &#x141;ukasz, M&#252;ller & Co
fast-xml-parser, htmlEntities: Łukasz, Müller & Co
xml2js: Łukasz, Müller & Co
saxes: Łukasz, Müller & Co
SEEN
