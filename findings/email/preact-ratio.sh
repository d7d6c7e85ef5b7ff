#!/usr/bin/env bash
# An image that React gives its proportions loses them in Preact.
#
# Versions   preact 11.2.0 with preact-render-to-string 6.8.2, react and react-dom 19.3.1, Node.js 22
# Guess      `style={{ aspectRatio: 2 }}` is "aspect-ratio:2" in both: Preact knows the properties without a unit, as React
#            does, and is right for lineHeight, zoom, flexGrow or gridRow.
# Behaviour  Preact writes "2px" for aspectRatio, scale and WebkitLineClamp, which browsers ignore, since it knows the
#            properties by a pattern of their names. A number as a text ('2') is right.
# Harm       A banner has no height until its image is there, or a name is not cut to three lines. No warning is written.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages preact@11.2.0 preact-render-to-string@6.8.2 react@19.3.1 react-dom@19.3.1

cat >program.cjs <<'PROGRAM'
const { h } = require('preact');
const { renderToString } = require('preact-render-to-string');
const { createElement } = require('react');
const { renderToStaticMarkup } = require('react-dom/server');

for (const style of [{ lineHeight: 2 }, { zoom: 2 }, { gridRow: 2 }, { aspectRatio: 2 }, { scale: 2 }, { WebkitLineClamp: 2 }])
  console.log(`react: ${renderToStaticMarkup(createElement('p', { style }))} preact: ${renderToString(h('p', { style }))}`);
PROGRAM

run_and_compare program.cjs <<'SEEN'
react: <p style="line-height:2"></p> preact: <p style="line-height:2;"></p>
react: <p style="zoom:2"></p> preact: <p style="zoom:2;"></p>
react: <p style="grid-row:2"></p> preact: <p style="grid-row:2;"></p>
react: <p style="aspect-ratio:2"></p> preact: <p style="aspect-ratio:2px;"></p>
react: <p style="scale:2"></p> preact: <p style="scale:2px;"></p>
react: <p style="-webkit-line-clamp:2"></p> preact: <p style="-webkit-line-clamp:2px;"></p>
SEEN
