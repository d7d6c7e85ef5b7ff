/** The law of base renders where one value changes pixels far away: buffers that grow, and images that only the defaults show. */
import * as fc from 'fast-check';
import t from 'tap';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { extent } from '../helpers/extent.ts';
import { drawInTurn, requireSame } from '../helpers/both-ways.ts';
import { readImage, validTemplate } from '../helpers/render.ts';

const variables = [{ name: 'text', type: 'text', value: 'A' }];
const before = { values: { text: 'A' }, images: {} };
const later = ['Ab', 'Wilh', 'x'].map((text) => ({ values: { text }, images: {} }));

const effects = fc.constantFrom<Record<string, unknown>[]>(
  { opacity: 0.5 },
  { opacity: 0.7, rotation: 45 },
  { filter: { contrast: 2 } },
  { filter: { brightness: 1.2 }, rotation: 10 },
  { blendMode: 'multiply' },
  { blur: 0.5, rotation: 33.3 },
  { shadow: { x: 3, y: -5, blur: 12, color: '#0008' } },
);
const offset = fc.integer({ min: 1, max: 999 }).map((thousandths) => thousandths / 1000);

t.test('curves in a growing layer with effects are the same over a base render', async (t) => {
  let compared = 0;
  const property = fc.asyncProperty(
    effects,
    fc.constantFrom('#fff', 'none'),
    fc.constantFrom('center', 'right'),
    fc.constantFrom(1 as const, 2 as const, 3 as const),
    fc.tuple(offset, offset),
    async (effect, background, align, scale, [dx, dy]) => {
      const text = { x: 10 + dx, y: 10, width: 290, height: 80, fontSize: 40, text: '{{text}}' };
      const ellipse = { x: 330 + dy, y: 120, width: 150, height: 180.3, fill: '#f62' };
      const still = { x: 320, y: 300, width: 250, height: 60, text: 'Still words' };
      const layers = [
        aLayer('text', { id: 'text', ...text, align }),
        aLayer('ellipse', { id: 'ellipse', ...ellipse, rotation: 15 }),
        aLayer('text', { id: 'still', ...still, fontSize: 30 + dy, rotation: 5 }),
      ];
      const frame = { x: 3.3 + dx, y: 5.7, width: 590, height: 380 };
      const document = aTemplate({
        width: 600,
        height: 400,
        background,
        variables,
        layers: [aLayer('group', { id: 'group', ...frame, ...effect, layers })],
      });
      const settings = { format: 'png', scale } as const;
      const drawn = await drawInTurn(validTemplate(document), before, later, settings);
      const title = JSON.stringify({ effect, background, align, scale, dx, dy });
      compared += await requireSame(t, drawn, title);
    },
  );
  // One that differed when a grown group was painted again in part.
  const grown = { filter: { brightness: 1.2 }, rotation: 10 };
  const example: Parameters<typeof property.run>[0] = [grown, '#fff', 'right', 3, [0.521, 0.986]];
  await fc.assert(property, { numRuns: extent(2, 12), examples: [example] });
  t.ok(compared > 2, `${compared} images are drawn over a base render`);
});

const shadow = { blur: 145, color: '#000', x: 5 };
/** Standard deviations over 135 device pixels, of which the engine makes a smaller image. */
const strong = [
  { width: 1600, height: 1500, background: 'none', scale: 1, effect: { blur: 140 } },
  { width: 520, height: 500, background: '#fff', scale: 3, effect: { blur: 48 } },
  { width: 800, height: 750, background: '#fff', scale: 2, effect: { shadow } },
] as const;

t.test('a strong blur of a layer that grows is the same over a base render as whole', async (t) => {
  let all = 0;
  for (const { width, height, background, scale, effect } of strong.slice(0, extent(2, 3))) {
    const px = 1 / scale;
    const row = { y: 10 * px, height: 60 * px };
    const words = { text: '{{text}}', fontSize: 50 * px, align: 'right' };
    const layers = [
      aLayer('rect', { x: width * 0.6, width: width * 0.3, ...row, fill: '#f62' }),
      aLayer('text', { id: 'text', x: width * 0.3, width: width * 0.2, ...row, ...words }),
    ];
    const group = aLayer('group', { id: 'group', width, height: 100 * px, ...effect, layers });
    const document = aTemplate({ width, height, background, variables, layers: [group] });
    const settings = { format: 'png', scale } as const;
    const drawn = await drawInTurn(validTemplate(document), before, later.slice(0, 2), settings);
    all += await requireSame(t, drawn, JSON.stringify({ effect, background, scale }));
  }
  // A slow machine draws the largest ones whole: over a base render they may take 500 ms.
  t.ok(all > 0, `${all} images are drawn over a base render`);
});

t.test('an image is as sharp over a base render whose defaults would show many more', async (t) => {
  const images = { lines: await readImage('test/golden/images/lines.png') };
  // Each is cut out of 2.5 MP: thirty of them are more than one render may decode.
  const strips = Array.from({ length: 30 }, (_, index) => {
    const visibleWhen = { variable: 'strips', equals: 'true' };
    const box = { x: 410 + index * 4, width: 3, height: 1600 };
    return aLayer('image', { id: `strip-${index}`, src: 'lines', ...box, visibleWhen });
  });
  const document = aTemplate({
    width: 600,
    height: 400,
    background: '#fff',
    variables: [...variables, aVariable('strips', 'boolean', 'true')],
    layers: [
      aLayer('image', { src: 'lines', width: 400, height: 300 }),
      ...strips,
      aLayer('text', { id: 'text', x: 10, y: 320, width: 300, height: 60, text: '{{text}}' }),
    ],
  });
  const withoutStrips = ({ values }: typeof before) => {
    return { values: { ...values, strips: 'false' }, images };
  };
  const [first, others] = [withoutStrips(before), later.map(withoutStrips)];
  for (const format of ['png', 'jpeg'] as const) {
    const settings = { format, scale: 1 } as const;
    const drawn = await drawInTurn(validTemplate(document), first, others, settings);
    const compared = await requireSame(t, drawn, format);
    t.ok(compared > 0, `${compared} images are drawn over a base render`);
  }
});
