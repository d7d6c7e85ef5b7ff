/** What the layers of a template are in a new size at first. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { arrangeInSize } from '../../src/studio/state/arrangement/arrange-size.ts';
import { addSize, viewOf } from '../../src/studio/state/sizes.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from '../property/template-arbitrary.ts';
import { flaws } from './arrangement-flaws.ts';

/** The document with a size whose layers are arranged. */
function withSize(template: Template, width: number, height: number): Template {
  const draft = structuredClone(template);
  const size = { name: 'new', width, height };
  addSize(draft, size);
  arrangeInSize(draft, size);
  return draft;
}

function checked(document: object): Template {
  const valid = checkTemplate(document);
  if (!valid.ok) throw new Error(`the template is not valid: ${JSON.stringify(valid.problems)}`);
  return valid.template;
}

t.test('what spans the canvas spans the size, and the rest is scaled about its middle', (t) => {
  const box = { type: 'rect', fill: '#000000' } as const;
  const layers = [
    { ...box, id: 'ground', x: 0, y: 0, width: 400, height: 200 },
    { ...box, id: 'bar', x: 0, y: 180, width: 400, height: 20 },
    { ...box, id: 'mark', x: 100, y: 50, width: 40, height: 40 },
    {
      type: 'text',
      id: 'title',
      x: 20,
      y: 100,
      width: 'hug',
      height: 'hug',
      text: 'Hi',
      fontSize: 40,
    },
    {
      type: 'stack',
      id: 'list',
      x: 200,
      y: 60,
      width: 100,
      height: 'hug',
      gap: 10,
      padding: [4, 8, 4, 8],
      layers: [{ ...box, id: 'item', width: 'fill', height: 20 }],
    },
  ];
  const document = { format: 1, name: 'Sizes', width: 400, height: 200, variables: [], layers };
  const template = checked(document);
  const arranged = withSize(template, 200, 400);
  t.match(viewOf(arranged, 'new').layers, [
    { x: 0, y: 0, width: 200, height: 400 },
    { x: 0, y: 390, width: 200, height: 10 },
    { x: 50, y: 175, width: 20, height: 20 },
    { x: 10, y: 200, width: 'hug', height: 'hug', fontSize: 20 },
    { x: 100, y: 180, width: 50, gap: 5, padding: [2, 4, 2, 4], layers: [{ height: 10 }] },
  ]);
  t.strictSame(
    viewOf(arranged, undefined).layers.map(({ x, y }) => [x, y]),
    [
      [0, 0],
      [0, 180],
      [100, 50],
      [20, 100],
      [200, 60],
    ],
  );
  t.strictSame(
    withSize(template, 400, 200).layers,
    template.layers,
    'in a size of the same sides nothing differs',
  );
  t.end();
});

/** A wide document: a text on the left, an image with a fade at the right edge. */
const besideEachOther = {
  format: 1,
  name: 'Columns',
  width: 1200,
  height: 400,
  variables: [{ name: 'length', type: 'number', value: '9' }],
  layers: [
    { id: 'ground', type: 'rect', x: 0, y: 0, width: 1200, height: 400, fill: '#ffffff' },
    { id: 'photo', type: 'image', x: 720, y: 0, width: 480, height: 400, src: 'photo' },
    { id: 'fade', type: 'rect', x: 720, y: 0, width: 120, height: 400, fill: '#ffffff' },
    { id: 'title', type: 'text', x: 60, y: 100, width: 480, height: 80, text: 'Hi', fontSize: 40 },
    {
      id: 'list',
      type: 'stack',
      x: 60,
      y: 200,
      width: 480,
      height: 'hug',
      gap: 10,
      layers: [
        { id: 'line', type: 'text', width: 'fill', height: 'hug', text: 'Hi', fontSize: 20 },
      ],
    },
  ],
};

t.test('two columns of a wide canvas are stacked on a tall one', (t) => {
  const story = (extra: object): Template['layers'] => {
    const document = checked({ ...besideEachOther, ...extra });
    return viewOf(withSize(document, 1080, 1920), 'new').layers;
  };
  const ground = { id: 'ground', x: 0, y: 0, width: 1080, height: 1920 };
  t.match(story({}), [
    ground,
    { id: 'photo', x: 0, y: 853, width: 1080, height: 1067 },
    { id: 'fade', x: 0, y: 853, width: 270, height: 1067 },
    { id: 'title', x: 108, y: 246.67, width: 864, height: 144, fontSize: 72 },
    { id: 'list', x: 108, y: 426.67, width: 864, gap: 18, layers: [{ fontSize: 36 }] },
  ]);
  t.match(
    story({ lang: 'ar' }),
    [
      ground,
      { id: 'photo', x: 0, y: 0, width: 1080, height: 1067 },
      { id: 'fade', x: 0, y: 0, width: 270, height: 1067 },
      { id: 'title', x: 108, y: 1313.33, fontSize: 72 },
      { id: 'list', x: 108, y: 1493.33 },
    ],
    'the first to read on top',
  );
  t.match(
    viewOf(withSize(checked(besideEachOther), 1080, 1350), 'new').layers,
    [
      {},
      { x: 0, y: 600, width: 1080, height: 750 },
      { x: 0, width: 270 },
      { x: 180, fontSize: 60 },
    ],
    'an image is cropped where the height is short',
  );
  t.end();
});

t.test('layers that form no two columns are scaled with the canvas', (t) => {
  const { layers } = besideEachOther;
  const [ground, photo, fade, title, list] = layers;
  const bar = { id: 'bar', type: 'rect', x: 0, y: 360, width: 1200, height: 40 };
  const mark = { id: 'mark', type: 'rect', x: 600, y: 100, width: 60, height: 60 };
  const cases: Record<string, object[]> = {
    'a width of the content': [ground, photo, title, { ...list, width: 'hug' }],
    'a width of a variable': [ground, photo, title, { ...mark, x: 60, width: '{{length}}' }],
    'a layer across both columns': [...layers, bar],
    'a third column': [...layers, mark],
    'a narrow column': [ground, { ...photo, x: 1000, width: 200 }, title],
    'a layer that leaves the canvas': [ground, { ...photo, y: -20 }, title],
    'a turned layer': [ground, { ...photo, rotation: 10 }, title],
    'a masked layer': [ground, { ...photo, mask: 'fade' }, fade, title],
    'a fade beside other layers at the edge': [...layers, { ...mark, x: 900 }],
  } as Record<string, object[]>;
  for (const [reason, each] of Object.entries(cases)) {
    const arranged = viewOf(
      withSize(checked({ ...besideEachOther, layers: each }), 1080, 1920),
      'new',
    );
    t.match(
      arranged.layers.find(({ id }) => id === 'title'),
      { x: 54, fontSize: 36 },
      reason,
    );
  }
  const short = viewOf(withSize(checked(besideEachOther), 1080, 1300), 'new');
  t.match(short.layers[3], { x: 54, fontSize: 36 }, 'a size that is hardly tall');
  t.end();
});

t.test('layers of two columns neither leave the canvas nor cover each other', (t) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const drawn = fc.record({
    type: fc.constantFrom('rect', 'text', 'stack', 'ellipse', 'group'),
    across: fc.tuple(share, share),
    down: fc.tuple(share, share),
    isWide: fc.boolean(),
    isHigh: fc.boolean(),
  });
  const column = fc.array(drawn, { minLength: 1, maxLength: 5 });
  const side = fc.integer({ min: 200, max: 2000 });
  const margin = fc.constantFrom(0, 40);
  let stacked = 0;
  const columns = fc.tuple(column, column);
  const law = fc.property(columns, margin, side, side, side, (both, inset, height, width, tall) => {
    const middle = 1100;
    const spans = [
      [inset, middle - 60],
      [middle + 60, 2 * middle - inset],
    ] as const;
    const layers = both.flatMap((each, index) => {
      const [left = 0, right = 0] = spans[index] ?? [];
      return each.map((values, at) => layerOf(values, `l${index}-${at}`, left, right, height));
    });
    const document = checked({ ...besideEachOther, width: 2 * middle, height, layers });
    const arranged = withSize(document, width, tall);
    t.strictSame(flaws(document, arranged), []);
    const [before, after] = [document, viewOf(arranged, 'new')].map(({ layers: [first] }) => first);
    const scale = Math.min(width / document.width, tall / height);
    if (Number(after?.height) > Number(before?.height) * scale + 1) stacked += 1;
  });
  fc.assert(law, { numRuns: extent(300, 3000), seed: 1 });
  t.ok(stacked > 20, `${stacked} documents are stacked`);
  t.end();
});

interface Drawn {
  type: string;
  across: readonly [number, number];
  down: readonly [number, number];
  isWide: boolean;
  isHigh: boolean;
}

/** A layer between two sides of the canvas; the values are parts of the space. */
function layerOf(drawn: Drawn, id: string, left: number, right: number, height: number): object {
  const between = ([one, two]: readonly [number, number], start: number, end: number) => {
    const [from, to] = [one, two].toSorted((a, b) => a - b);
    return [
      start + Math.floor((from ?? 0) * (end - start)),
      start + Math.ceil((to ?? 0) * (end - start)),
    ];
  };
  const [x = 0, far = 0] = drawn.isWide ? [left, right] : between(drawn.across, left, right);
  const [y = 0, bottom = 0] = drawn.isHigh ? [0, height] : between(drawn.down, 0, height);
  const box = { id, type: drawn.type, x, y, width: far - x, height: bottom - y };
  if (drawn.type === 'text') return { ...box, text: 'Hi', fontSize: 30 };
  if (drawn.type === 'stack' || drawn.type === 'group') return { ...box, layers: [] };
  return { ...box, fill: '#000000' };
}

t.test('the service takes every start in a story or a banner', (t) => {
  const folder = join(import.meta.dirname, '../../data/templates');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => each.endsWith('.json'))) {
    const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Template;
    const isWide = template.width > template.height;
    const arranged = withSize(template, 1080, isWide ? 1920 : 400);
    t.equal(checkTemplate(arranged).ok, true, file);
    t.strictSame(flaws(template, arranged), [], file);
  }
  t.end();
});

t.test('the service takes what is arranged of any template', (t) => {
  const side = fc.integer({ min: 1, max: 4096 });
  fc.assert(
    fc.property(sizedTemplates, side, side, (values, width, height) => {
      const valid = checkTemplate(JSON.parse(JSON.stringify(values)));
      fc.pre(valid.ok);
      if (!valid.ok) return;
      const arranged = checkTemplate(withSize(valid.template, width, height));
      t.strictSame(arranged.ok ? [] : arranged.problems, []);
    }),
    { numRuns: extent(40, 150) },
  );
  t.end();
});
