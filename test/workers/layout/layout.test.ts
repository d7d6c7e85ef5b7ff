import t from 'tap';
import type { DisplayItem } from '../../../workers/display-list.ts';
import type { SceneLayout } from '../../../workers/layout/layout.ts';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { readImage, validTemplate } from '../../helpers/render.ts';
import * as fc from 'fast-check';
import type { Layer } from '#language/schema/layers.ts';
import { frameOutline, toRadii } from '../../../workers/layout/shape-layer.ts';
import { textScene } from '../../helpers/text.ts';

const { bindScene } = await import('../../../workers/bind-scene.ts');
const { svgText } = await import('../../../workers/text/missing.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');

const images = new Map([['photo', await readImage('test/golden/images/photo.jpg')]]);

function layoutOf(...layers: unknown[]): SceneLayout {
  return layoutScene(bindScene(validTemplate(aTemplate({ layers })), new Map()), images);
}

t.test('a text that grows takes its border, clip and middle along', async (t) => {
  const text = { x: 5, y: 5, width: 90, height: 20, fontSize: 20, text: 'three\nshort\nlines' };
  const frame = { border: { color: '#f00', width: 1 }, clip: { shape: 'ellipse' } };
  const heights = (overflow: string): unknown[] => {
    const [item] = layoutOf(aLayer('text', { ...text, ...frame, overflow })).displayList.items;
    return [item?.box.height, item?.clip?.rect.height];
  };
  t.same(heights('grow'), [72, 72], 'three lines of 24');
  t.same(heights('visible'), [20, 20]);
});

t.test('a layer whose mask is hidden is left out with a warning', async (t) => {
  const { displayList, warnings, degraded } = layoutOf(
    aLayer('rect', { mask: 'm' }),
    aLayer('rect', { id: 'm', visible: false }),
  );
  t.same(displayList.items, []);
  t.same(warnings, [
    { code: 'LAYER_SKIPPED', layer: 'a', detail: 'its mask "m" is not drawn beside it' },
  ]);
  t.notOk(degraded, 'it is what the template says');
});

t.test('an image that is not there degrades the render, an empty one does not', async (t) => {
  const missing = layoutOf(
    aLayer('image', { src: 'https://example.com/a.png' }),
    aLayer('rect', { id: 'b', fill: { image: 'https://example.com/b.png' } }),
  );
  t.equal(missing.degraded, true);
  t.match(missing.warnings, [
    { code: 'IMAGE_FAILED', layer: 'a' },
    { code: 'IMAGE_FAILED', layer: 'b' },
  ]);
  const empty = layoutOf(
    aLayer('image', { src: ' ' }),
    aLayer('rect', { id: 'b', fill: { image: '' } }),
  );
  t.match(empty, { degraded: false, warnings: [] });
});

t.test('a source is found whatever white space stands around it', async (t) => {
  const { displayList, degraded } = layoutOf(
    aLayer('image', { src: ' photo ' }),
    aLayer('rect', { id: 'b', fill: { image: ' photo\n' } }),
  );
  t.notOk(degraded);
  const content = { image: { request: { source: 'photo' } } };
  t.match(displayList.items, [{ content }, { content }]);
});

t.test('colours of an svg are replaced however they are written', async (t) => {
  const svg =
    '<svg viewBox="0 0 1 1" fill="#ABC" stroke="currentColor" color="#aabbcc"><use href="#abc" fill="url(#abc)"/>#abcdef</svg>';
  const { displayList } = layoutOf(
    aLayer('svg', { svg, colors: { '#aabbcc': '#111111', currentColor: '#222222' } }),
  );
  t.match(displayList.items[0]?.content, {
    svg: '<svg viewBox="0 0 1 1" fill="#111111" stroke="#222222" color="#111111"><use href="#abc" fill="url(#abc)"/>#abcdef</svg>',
  });
});

t.test('frames of an animation take over what no frame changes', async (t) => {
  const document = aTemplate({
    variables: [{ name: 'seconds', type: 'text', value: '59' }],
    layers: [
      aLayer('image', { id: 'ground', src: 'photo' }),
      aLayer('group', { id: 'card', layers: [aLayer('rect', { id: 'paper' })] }),
      aLayer('text', { id: 'seconds', text: '{{seconds}}' }),
    ],
  });
  const template = validTemplate(document);
  const frameItems = new WeakMap();
  const itemsOf = (seconds: string): readonly DisplayItem[] => {
    const scene = bindScene(template, new Map([['seconds', seconds]]));
    return layoutScene(scene, images, frameItems).displayList.items;
  };
  const first = itemsOf('59');
  const second = itemsOf('58');
  const isTaken = second.map((item, index) => item === first[index]);
  t.same(isTaken, [true, true, false], 'an image is decoded once for all frames');
  t.end();
});

const box = { x: 10, y: 20, width: 100, height: 50 };

t.test('radii never meet, and keep their proportions', async () => {
  const length = fc.double({ min: 0, max: 8192, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(length, length, length, length),
      length,
      length,
      (radii, width, height) => {
        const [a, b, c, d] = toRadii(radii, { x: 0, y: 0, width, height });
        const near = 1e-6;
        return Math.max(a + b, c + d) <= width + near && Math.max(b + c, d + a) <= height + near;
      },
    ),
  );
});

t.test('round corners frame what does not round itself', async (t) => {
  const framed = (type: string, properties = {}): unknown =>
    frameOutline(aLayer(type, { cornerRadius: 5, ...properties }) as unknown as Layer, box);
  for (const type of ['group', 'svg', 'qr', 'barcode']) {
    t.same(framed(type), { kind: 'rect', rect: box, radii: [5, 5, 5, 5] }, type);
    t.equal(framed(type, { cornerRadius: undefined }), undefined);
  }
  for (const type of ['rect', 'image', 'text', 'star']) t.equal(framed(type), undefined, type);
});

const root = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">';

function svgOf(text: string): string {
  return `${root}<text x="5" y="45" font-size="40" font-family="Inter" fill="#f00">${text}</text></svg>`;
}

t.test('text is distinguished from markup', async (t) => {
  const says = (inside: string, text: string): void => {
    t.equal(svgText(`${root}${inside}</svg>`), text, inside);
  };
  says('<text>a<tspan x="&gt;">b</tspan> &amp;&#233;&#x1F389;</text><rect/>', 'ab &é🎉');
  says('<title>no</title><text a="é>">one</text><g><s:text>two</s:text></g>', 'onetwo');
  says('<text><![CDATA[<b>]]></text><!-- <text>no</text> --><textPath>no</textPath>', '<b>');
  says('<text/>', '');
  says('<text>&nope; &#xFFFFFF;', '');
});

t.test('what no font can draw in an SVG is a warning', async (t) => {
  const warningsOf = (svg: string): unknown => {
    const layers = [aLayer('svg', { id: 'art', svg }) as never];
    return layoutScene({ ...textScene(), layers }, new Map()).warnings;
  };
  t.same(warningsOf(svgOf('Ag é Я ש ह ก 骨 🎉 👨‍👩‍👧 1️⃣ 🇩🇪 ★')), []);
  t.match(warningsOf(svgOf('a\u{13080}b&#xA000;')), [
    { code: 'GLYPH_MISSING', layer: 'art', detail: 'no installed font has U+13080, U+A000' },
  ]);
});
