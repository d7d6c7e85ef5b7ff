/** The law of base renders where one value changes pixels far away: buffers that grow, and images that only the defaults show. */
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { drawInTurn, firstDifference } from '../helpers/both-ways.ts';
import type { BothWays } from '../helpers/both-ways.ts';
import { readImage, validTemplate } from '../helpers/render.ts';

const variables = [{ name: 'text', type: 'text', value: 'A' }];
const inputs = ['A', 'Ab', 'Wilh', 'x'].map((text) => ({ values: { text }, images: {} }));

/** Of images drawn both ways: how many were drawn over a base render, and how many of these are not the same. */
async function compare(drawn: readonly BothWays[]): Promise<{ spliced: number; other: number }> {
  const count = { spliced: 0, other: 0 };
  for (const { whole, spliced } of drawn) {
    if (whole === undefined || spliced === undefined) continue;
    count.spliced += 1;
    if ((await firstDifference(whole, spliced)) !== -1) count.other += 1;
  }
  return count;
}

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

t.test(
  'curves in a layer with effects that grows are the same over a base render as whole',
  async (t) => {
    let compared = 0;
    const property = fc.asyncProperty(
      effects,
      fc.constantFrom('#fff', 'none'),
      fc.constantFrom('center', 'right'),
      fc.constantFrom(1 as const, 2 as const, 3 as const),
      fc.tuple(offset, offset),
      async (effect, background, align, scale, [dx, dy]) => {
        const box = { x: 10 + dx, y: 10, width: 290, height: 80 };
        const layers = [
          { id: 'text', type: 'text', ...box, fontSize: 40, text: '{{text}}', align },
          {
            id: 'ellipse',
            type: 'ellipse',
            x: 330 + dy,
            y: 120,
            width: 150,
            height: 180.3,
            fill: '#f62',
            rotation: 15,
          },
          {
            id: 'still',
            type: 'text',
            x: 320,
            y: 300,
            width: 250,
            height: 60,
            text: 'Still words',
            fontSize: 30 + dy,
            rotation: 5,
          },
        ];
        const frame = { x: 3.3 + dx, y: 5.7, width: 590, height: 380 };
        const group = { id: 'group', type: 'group', ...frame, ...effect, layers };
        const size = { width: 600, height: 400, background };
        const document = { format: 1, name: 'grown', ...size, variables, layers: [group] };
        const [before = { values: {}, images: {} }, ...later] = inputs;
        const settings = { format: 'png', scale } as const;
        const drawn = await drawInTurn(validTemplate(document), before, later, settings);
        const { spliced, other } = await compare(drawn);
        compared += spliced;
        t.equal(other, 0, JSON.stringify({ effect, background, align, scale, dx, dy }));
      },
    );
    // One that differed when a grown group was painted again in part.
    const grown = { filter: { brightness: 1.2 }, rotation: 10 };
    const examples: [Record<string, unknown>, string, string, 1 | 2 | 3, [number, number]][] = [
      [grown, '#fff', 'right', 3, [0.521, 0.986]],
    ];
    await fc.assert(property, { numRuns: extent(2, 12), examples });
    t.ok(compared > 2, `${compared} images are drawn over a base render`);
  },
);

/** Standard deviations over 135 device pixels, of which the engine makes a smaller image. */
const strong = [
  { width: 1600, height: 1500, background: 'none', scale: 1, effect: { blur: 140 } },
  { width: 520, height: 500, background: '#fff', scale: 3, effect: { blur: 48 } },
  {
    width: 800,
    height: 750,
    background: '#fff',
    scale: 2,
    effect: { shadow: { blur: 145, color: '#000', x: 5 } },
  },
] as const;

t.test('a strong blur of a layer that grows is the same over a base render as whole', async (t) => {
  let all = 0;
  for (const { width, height, background, scale, effect } of strong.slice(0, extent(2, 3))) {
    const px = 1 / scale;
    const row = { y: 10 * px, height: 60 * px };
    const words = { text: '{{text}}', fontSize: 50 * px, align: 'right' };
    const layers = [
      { id: 'rect', type: 'rect', x: width * 0.6, width: width * 0.3, ...row, fill: '#f62' },
      { id: 'text', type: 'text', x: width * 0.3, width: width * 0.2, ...row, ...words },
    ];
    const frame = { x: 0, y: 0, width, height: 100 * px };
    const group = { id: 'group', type: 'group', ...frame, ...effect, layers };
    const size = { width, height, background };
    const document = { format: 1, name: 'strong', ...size, variables, layers: [group] };
    const [before = { values: {}, images: {} }, ...later] = inputs;
    const settings = { format: 'png', scale } as const;
    const drawn = await drawInTurn(validTemplate(document), before, later.slice(0, 2), settings);
    const { spliced, other } = await compare(drawn);
    t.equal(other, 0, JSON.stringify({ effect, background, scale }));
    all += spliced;
  }
  // A slow machine draws the largest ones whole: over a base render they may take 500 ms.
  t.ok(all > 0, `${all} images are drawn over a base render`);
});

t.test('an image is as sharp over a base render whose defaults would show many more', async (t) => {
  const images = { lines: await readImage('test/golden/images/lines.png') };
  const image = { type: 'image', src: 'lines', y: 0 };
  // Each is cut out of 2.5 MP: thirty of them are more than one render may decode.
  const strips = Array.from({ length: 30 }, (_, index) => ({
    ...image,
    id: `strip-${index}`,
    x: 410 + index * 4,
    width: 3,
    height: 1600,
    visibleWhen: { variable: 'strips', equals: 'true' },
  }));
  const document = {
    format: 1,
    name: 'strips',
    width: 600,
    height: 400,
    background: '#fff',
    variables: [...variables, { name: 'strips', type: 'boolean', value: 'true' }],
    layers: [
      { ...image, id: 'main', x: 0, width: 400, height: 300 },
      ...strips,
      { id: 'text', type: 'text', x: 10, y: 320, width: 300, height: 60, text: '{{text}}' },
    ],
  };
  const [before, ...later] = inputs.map(({ values }) => ({
    values: { ...values, strips: 'false' },
    images,
  }));
  if (before === undefined) throw new RangeError('an image is asked for');
  for (const format of ['png', 'jpeg'] as const) {
    const settings = { format, scale: 1 } as const;
    const drawn = await drawInTurn(validTemplate(document), before, later, settings);
    const { spliced, other } = await compare(drawn);
    t.equal(other, 0, format);
    t.ok(spliced > 0, `${spliced} images are drawn over a base render`);
  }
});
