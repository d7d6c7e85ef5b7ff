/** Text in a template's own SVG: what it says, and what of it can be drawn. */
import t from 'tap';
import { textScene } from '../../helpers/text.ts';
import { decodePixels, drawMissing } from '../../helpers/render.ts';
import { aLayer } from '../../fixtures/template-documents.ts';

const { svgText } = await import('../../../workers/text/missing.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');

const root = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">';

function svgOf(text: string): string {
  return `${root}<text x="5" y="45" font-size="40" font-family="Inter" fill="#f00">${text}</text></svg>`;
}

t.test('text is distinguished from markup', (t) => {
  const says = (inside: string, text: string): void => {
    t.equal(svgText(`${root}${inside}</svg>`), text, inside);
  };
  says('<text>a<tspan x="&gt;">b</tspan> &amp;&#233;&#x1F389;</text><rect/>', 'ab &é🎉');
  says('<title>no</title><text a="é>">one</text><g><s:text>two</s:text></g>', 'onetwo');
  says('<text><![CDATA[<b>]]></text><!-- <text>no</text> --><textPath>no</textPath>', '<b>');
  says('<text/>', '');
  says('<text>&nope; &#xFFFFFF;', '');
  t.end();
});

t.test('what no font can draw in an SVG is a warning', (t) => {
  const warningsOf = (svg: string): unknown => {
    const layers = [aLayer('svg', { id: 'art', svg }) as never];
    return layoutScene({ ...textScene(), layers }, new Map()).warnings;
  };
  t.same(warningsOf(svgOf('Ag é Я ש ह ก 骨 🎉 👨‍👩‍👧 1️⃣ 🇩🇪 ★')), []);
  t.match(warningsOf(svgOf('a\u{13080}b&#xA000;')), [
    { code: 'GLYPH_MISSING', layer: 'art', detail: 'no installed font has U+13080, U+A000' },
  ]);
  t.end();
});

t.test('emoji in an SVG are drawn', async (t) => {
  for (const emoji of ['🎉', '😀', '👍🏽', '👨‍👩‍👧', '🇩🇪']) {
    const drawn = await drawMissing([{ svg: svgOf(emoji), widthPx: 60, heightPx: 60 }]);
    const [file] = drawn.values();
    if (typeof file !== 'object') throw new Error(file);
    const { data } = await decodePixels(file.bytes);
    const inked = data.filter(
      (value: number, index: number) => index % 4 === 3 && value > 127,
    ).length;
    t.ok(inked > 150, `${emoji} has ${inked} pixels`);
  }
});
