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

/** The document with a size whose layers are arranged. */
function withSize(template: Template, width: number, height: number): Template {
  const draft = structuredClone(template);
  const size = { name: 'new', width, height };
  addSize(draft, size);
  arrangeInSize(draft, size);
  return draft;
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
  const checked = checkTemplate(document);
  if (!checked.ok) throw new Error('the template is not valid');
  const arranged = withSize(checked.template, 200, 400);
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
    withSize(checked.template, 400, 200).layers,
    checked.template.layers,
    'in a size of the same sides nothing differs',
  );
  t.end();
});

t.test('the service takes every start in a story or a banner', (t) => {
  const folder = join(import.meta.dirname, '../../data/templates');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => each.endsWith('.json'))) {
    const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Template;
    const isWide = template.width > template.height;
    const arranged = withSize(template, 1080, isWide ? 1920 : 400);
    t.equal(checkTemplate(arranged).ok, true, file);
  }
  t.end();
});

t.test('the service takes what is arranged of any template', (t) => {
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
  t.end();
});
