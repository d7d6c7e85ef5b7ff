import { svgProblem } from '#language/check/svg-markup.ts';
import t from 'tap';
import { aLayer, aTemplate, problemsOf } from '../fixtures/template-documents.ts';

const svg = (inside: string, attributes = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

t.test('markup that the renderer cannot read is refused with the reason and the position', (t) => {
  const wrong: [markup: string, problem: string | RegExp][] = [
    [
      svg('<text>a&nbsp;b</text>', 'viewBox="0 0 9 9"'),
      /undefined entity \(write &#160; in place of &nbsp;\), at line 1, column \d+$/,
    ],
    [svg('<text>\nFish & chips</text>'), /XML: a bare &, written &amp;, at line 2, column \d+$/],
    [svg('<rect width=10 height="10"/>'), /unquoted attribute value, at line 1/],
    [svg('<rect width="1" width="2"/>'), /duplicate attribute: width/],
    ['<svg viewBox="0 0 9 9"><use xlink:href="#a"/></svg>', /unbound namespace prefix: "xlink"/],
    [svg('<text>a\u0001b</text>'), /disallowed character/],
    [svg('<text>a\uFFFEb</text>'), /disallowed character/],
    [svg('<text>a&#1;b</text>'), /malformed character entity/],
    [svg('') + svg(''), /only one root/],
    [`${svg('')} after`, /text data outside of root node/],
    [svg('<!-- a -- b -->'), /malformed comment/],
    [svg('<text>]]></text>'), /is disallowed in char data/],
    ['<svg xmlns="https://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', /^is no SVG: its xmlns is /],
    ['<svg viewBox="0 0 0 10"/>', /^has a viewBox that leaves nothing to draw/],
    ['<svg viewBox="0,0,10,0.0"/>', /^has a viewBox that leaves nothing to draw/],
    ['<svg width="0" height="10"/>', /^has a width that leaves nothing to draw/],
    ['<svg width="5" height="0px" viewBox="0 0 9 9"/>', /^has a height that leaves/],
    ['<svg viewBox="0 0 1e9 1e9"/>', /^has a viewBox that leaves nothing to draw/],
  ];
  for (const [markup, problem] of wrong) {
    t.match(svgProblem(markup), problem, markup.slice(0, 120));
    t.match(
      problemsOf(aTemplate({ layers: [aLayer('svg', { svg: markup })] })),
      [/^layers\[0\]\.svg (is|has) /],
      'when it is saved',
    );
  }
  t.end();
});
