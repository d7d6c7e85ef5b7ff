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
import { rect, stack, template, text, valid } from './built-layers.ts';

/** The document with a size whose layers are arranged. */
function withSize(start: Template, width: number, height: number): Template {
  const draft = structuredClone(start);
  const size = { name: 'new', width, height };
  addSize(draft, size);
  arrangeInSize(draft, size);
  return draft;
}

/** The layers in such a size. */
function layersIn(document: unknown, width: number, height: number): Template['layers'] {
  return viewOf(withSize(valid(document), width, height), 'new').layers;
}

t.test('what spans the canvas spans the size, and the rest is scaled about its middle', (t) => {
  const list = { x: 200, y: 60, width: 100, gap: 10, padding: [4, 8, 4, 8] };
  const layers = [
    rect('ground', { x: 0, y: 0, width: 400, height: 200 }),
    rect('bar', { x: 0, y: 180, width: 400 }),
    rect('mark', { x: 100, y: 50, height: 40 }),
    text('title', 'Hi', { x: 20, y: 100, fontSize: 40 }),
    stack('list', [rect('item', { width: 'fill' })], list),
  ];
  const whole = template(layers, { height: 200 });
  const arranged = withSize(whole, 200, 400);
  t.match(viewOf(arranged, 'new').layers, [
    { x: 0, y: 0, width: 200, height: 400 },
    { x: 0, y: 390, width: 200, height: 10 },
    { x: 50, y: 175, width: 20, height: 20 },
    { x: 10, y: 200, width: 'hug', height: 'hug', fontSize: 20 },
    { x: 100, y: 180, width: 50, gap: 5, padding: [2, 4, 2, 4], layers: [{ height: 10 }] },
  ]);
  const positions = ({ layers: all }: Template): unknown[] => all.map(({ x, y }) => [x, y]);
  t.strictSame(positions(viewOf(arranged, undefined)), positions(whole), 'the canvas stays');
  const { layers: same } = withSize(whole, 400, 200);
  t.strictSame(same, whole.layers, 'in a size of the same sides nothing differs');
  t.end();
});

const listBox = { x: 60, y: 200, width: 480, gap: 10 };

/** A wide document: a text on the left, an image with a fade at the right edge. */
const besideEachOther = {
  format: 1,
  name: 'Columns',
  width: 1200,
  height: 400,
  variables: [{ name: 'length', type: 'number', value: '9' }],
  layers: [
    rect('ground', { x: 0, y: 0, width: 1200, height: 400 }),
    { id: 'photo', type: 'image', x: 720, y: 0, width: 480, height: 400, src: 'photo' },
    rect('fade', { x: 720, y: 0, width: 120, height: 400 }),
    text('title', 'Hi', { x: 60, y: 100, width: 480, height: 80, fontSize: 40 }),
    stack('list', [text('line', 'Hi', { width: 'fill', fontSize: 20 })], listBox),
  ],
};

t.test('two columns of a wide canvas are stacked on a tall one', async (t) => {
  const ground = { id: 'ground', x: 0, y: 0, width: 1080, height: 1920 };
  t.match(layersIn(besideEachOther, 1080, 1920), [
    ground,
    { id: 'photo', x: 0, y: 853, width: 1080, height: 1067 },
    { id: 'fade', x: 0, y: 853, width: 270, height: 1067 },
    { id: 'title', x: 108, y: 246.67, width: 864, height: 144, fontSize: 72 },
    { id: 'list', x: 108, y: 426.67, width: 864, gap: 18, layers: [{ fontSize: 36 }] },
  ]);
  // The first to read is on top.
  t.match(layersIn({ ...besideEachOther, lang: 'ar' }, 1080, 1920), [
    ground,
    { id: 'photo', x: 0, y: 0, width: 1080, height: 1067 },
    { id: 'fade', x: 0, y: 0, width: 270, height: 1067 },
    { id: 'title', x: 108, y: 1313.33, fontSize: 72 },
    { id: 'list', x: 108, y: 1493.33 },
  ]);
  const [, photo, fade, title] = layersIn(besideEachOther, 1080, 1350);
  t.match(photo, { x: 0, y: 600, width: 1080, height: 750 }, 'cropped where the height is short');
  t.match(
    [fade, title],
    [
      { x: 0, width: 270 },
      { x: 180, fontSize: 60 },
    ],
  );
});

t.test('layers that form no two columns are scaled with the canvas', async (t) => {
  const { layers } = besideEachOther;
  const [ground, photo, fade, title, list] = layers as object[];
  const bar = rect('bar', { x: 0, y: 360, width: 1200, height: 40 });
  const mark = rect('mark', { x: 600, y: 100, width: 60, height: 60 });
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
  const isTitle = ({ id }: { id: string }): boolean => id === 'title';
  for (const [reason, each] of Object.entries(cases)) {
    const found = layersIn({ ...besideEachOther, layers: each }, 1080, 1920).find(isTitle);
    t.match(found, { x: 54, fontSize: 36 }, reason);
  }
  const short = layersIn(besideEachOther, 1080, 1300).find(isTitle);
  t.match(short, { x: 54, fontSize: 36 }, 'a size that is hardly tall');
});

t.test('the service takes every start in a story or a banner', async (t) => {
  const folder = join(import.meta.dirname, '../../data/templates');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => each.endsWith('.json'))) {
    const start = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Template;
    const isWide = start.width > start.height;
    const arranged = withSize(start, 1080, isWide ? 1920 : 400);
    t.equal(checkTemplate(arranged).ok, true, file);
    t.strictSame(flaws(start, arranged), [], file);
  }
});

t.test('the service takes what is arranged of any template', async (t) => {
  const side = fc.integer({ min: 1, max: 4096 });
  fc.assert(
    fc.property(sizedTemplates, side, side, (values, width, height) => {
      const checked = checkTemplate(JSON.parse(JSON.stringify(values)));
      fc.pre(checked.ok);
      if (!checked.ok) return;
      const arranged = checkTemplate(withSize(checked.template, width, height));
      t.strictSame(arranged.ok ? [] : arranged.problems, []);
    }),
    { numRuns: extent(40, 150) },
  );
});
