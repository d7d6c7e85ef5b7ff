/** The laws of moved boxes: a valid document stays valid, and the valid copy of another one moves with it. */
import * as fc from 'fast-check';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { moveBoxes } from '#language/check/box-changes.ts';
import { validCopy } from '#language/check/valid-copy.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
import { extent } from '../helpers/extent.ts';
import { sizedTemplates } from './template-arbitrary.ts';
import { changes, itself, unfinish } from './unfinished-arbitrary.ts';

/** New numbers for the boxes of layers, within the bounds of the format. */
const boxes = fc.array(
  fc.record({
    x: fc.double({ min: -16_384, max: 16_384, noNaN: true }),
    y: fc.integer({ min: -16_384, max: 16_384 }),
    width: fc.integer({ min: 0, max: 16_384 }),
    height: fc.double({ min: 0, max: 16_384, noNaN: true }),
    rotation: fc.integer({ min: -360, max: 360 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function move(layers: readonly Layer[], numbers: readonly object[]): Layer[] {
  return layers.map((layer, index) => {
    const changed = Object.entries(numbers[index % numbers.length] ?? {}).filter(
      ([name]) => typeof Reflect.get(layer, name) === 'number',
    );
    const inside = 'layers' in layer ? { layers: move(layer.layers, numbers) } : {};
    return { ...layer, ...Object.fromEntries(changed), ...inside };
  });
}

/** Changes the boxes of layers in their overrides alone. */
function moveInSizes(layers: readonly Layer[], numbers: readonly object[]): Layer[] {
  return layers.map((layer, index) => {
    const next = Object.entries(numbers[index % numbers.length] ?? {});
    const sizes = Object.entries(layer.bySize ?? {}).map(([size, overrides]) => {
      const changed = next.filter(([name]) => typeof overrides[name] === 'number');
      return [size, { ...overrides, ...Object.fromEntries(changed) }] as const;
    });
    const bySize = sizes.length === 0 ? {} : { bySize: Object.fromEntries(sizes) };
    const inside = 'layers' in layer ? { layers: moveInSizes(layer.layers, numbers) } : {};
    return { ...layer, ...bySize, ...inside };
  });
}

t.test('a valid document stays valid when boxes of its layers change', async (t) => {
  fc.assert(
    fc.property(sizedTemplates, boxes, (values, numbers) => {
      const valid = values as Template;
      fc.pre(checkTemplate(valid).ok && valid.layers.length > 0);
      for (const change of [move, moveInSizes]) {
        const moved = { ...valid, layers: change(valid.layers, numbers) };
        t.equal(moveBoxes(moved, itself(valid))?.document, moved);
        t.match(checkTemplate(moved), { ok: true });
      }
    }),
    { numRuns: extent(60, 400) },
  );
});

t.test('the valid copy of a document moves with it as a whole check moves it', async (t) => {
  let moves = 0;
  fc.assert(
    fc.property(sizedTemplates, changes, boxes, (values, steps, numbers) => {
      const valid = values as Template;
      fc.pre(checkTemplate(valid).ok && valid.layers.length > 0);
      const typed = structuredClone(valid);
      unfinish(typed, steps);
      const copy = validCopy(typed, itself(valid));
      const moved = { ...typed, layers: move(typed.layers, numbers) };
      const quick = validCopy(moved, copy);
      if (quick.problems.length === 0 || quick.problems !== copy.problems) return;
      moves += 1;
      t.match(checkTemplate(quick.document), { ok: true });
      const whole = validCopy(moved, itself(valid));
      // Some repairs restore all layers, with their boxes.
      const isRestored = JSON.stringify(whole.document.layers) === JSON.stringify(valid.layers);
      if (isRestored) return;
      t.strictSame(quick.document, whole.document);
      t.strictSame(quick.problems, whole.problems);
    }),
    { numRuns: extent(100, 600) },
  );
  t.ok(moves > 20, `${moves} unfinished documents were not checked again`);
});

t.test('the copy of an unfinished document moves in a size', async (t) => {
  const tall = (x: number): object => ({ bySize: { tall: { x } } });
  const kept = { variables: [], sizes: [{ name: 'tall', width: 9, height: 20 }] };
  const documentWith = (change: object): Template => {
    const layers = [aLayer('rect', { fill: '#ffffff', ...change })];
    return aTemplate({ ...kept, layers }) as unknown as Template;
  };
  const valid = documentWith(tall(1));
  const copy = validCopy(documentWith({ ...tall(1), fill: '#f' }), itself(valid));
  const moved = moveBoxes(documentWith({ ...tall(5), fill: '#f' }), copy);
  t.strictSame(moved?.document, documentWith(tall(5)));
  const others = [{ tall: { x: 1, y: 2 } }, { wide: { x: 1 } }].map((bySize) => ({ bySize }));
  for (const other of [tall(16_385), ...others]) {
    t.equal(moveBoxes(documentWith(other), itself(valid)), undefined, JSON.stringify(other));
  }
});

t.test('any other change is checked', async (t) => {
  const layer = aLayer('rect', { fill: '#ffffff' });
  const valid = aTemplate({ layers: [layer] });
  const changed = [{ x: 16_385 }, { x: NaN }, { width: -1 }, { width: 'hug' }, { fill: '#' }];
  const others = [
    { ...valid, width: 8 },
    { ...valid, alt: 'a' },
    { ...valid, layers: [] },
    { ...valid, layers: [{ ...layer, mask: 'b' }] },
    ...changed.map((change) => ({ ...valid, layers: [{ ...layer, ...change }] })),
  ];
  for (const other of others) {
    const [now, before] = [other, valid] as unknown as [Template, Template];
    t.equal(moveBoxes(now, itself(before)), undefined, JSON.stringify(other));
  }
});
