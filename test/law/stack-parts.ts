/** Generates stacks near the limits: texts that hug and fill, stacks in one another, items of long lists. */
import * as fc from 'fast-check';
import { effects, extreme, fill, leaf, optional, present, textLayer, wordTexts } from './parts.ts';
import type { Values } from './parts.ts';

/** Texts that change with the item and the link, and that formats make longer or shorter. */
const itemTexts = fc.constantFrom(
  '{{item.title}}',
  '{{item.number}}. {{item.title | title}} {{item.price | currency:EUR}}',
  '{{text | upper}}',
  '{{number | plural:one,# item,other,# items}}',
  '{{text | name | truncate:400}}',
  '{{text | name | title | name | truncate:1999 | name}}',
);

/** A layer that a stack sizes: numbers, words and limits on both axes. */
function childOf(content: fc.Arbitrary<Values>, canHug: boolean): fc.Arbitrary<Values> {
  const side = fc.oneof(
    extreme(0, 4000),
    fc.constant('fill'),
    ...(canHug ? [fc.constant('hug'), fc.constant('hug')] : []),
  );
  const limit = optional(extreme(0, 2000), 4);
  return fc
    .tuple(content, fc.record({ width: side, height: side }), fc.tuple(limit, limit, limit, limit))
    .map(([layer, sizes, [minWidth, maxWidth, minHeight, maxHeight]]) => {
      const { x: _x, y: _y, isMasked: _isMasked, ...rest } = layer;
      const limits = {
        ...(typeof sizes.width === 'string' ? { minWidth, maxWidth } : {}),
        ...(typeof sizes.height === 'string' ? { minHeight, maxHeight } : {}),
      };
      return present({ ...rest, ...sizes, ...limits });
    });
}

const stackText = fc
  .tuple(
    textLayer(),
    itemTexts,
    optional(fc.array(fc.constantFrom(...wordTexts), { minLength: 1, maxLength: 4 }), 4),
    fc.boolean(),
    optional(fc.constant(false), 4),
  )
  .map(([{ path: _path, ...layer }, bound, shorter, binds, wrap]) =>
    present({
      ...layer,
      wrap,
      ...(binds ? { text: bound } : {}),
      alternatives: shorter?.map((word) => word.repeat(80)),
    }),
  );

const stackProperties = fc
  .record({
    type: fc.constant('stack'),
    direction: fc.constantFrom('row', 'column'),
    gap: optional(extreme(0, 400)),
    padding: optional(fc.oneof(extreme(0, 400), fc.constant([1, 200, 3, 40]))),
    align: optional(fc.constantFrom('start', 'center', 'end', 'stretch')),
    justify: optional(fc.constantFrom('start', 'center', 'end', 'between')),
    wrap: optional(fc.boolean()),
    shrink: optional(fc.constantFrom('each', 'together')),
    fill: optional(fill),
  })
  .map(({ wrap, ...stack }) =>
    present({ ...stack, wrap: stack.direction === 'row' ? wrap : undefined }),
  );

const stackInStack = fc.letrec<{ stack: Values; child: Values }>((tie) => ({
  child: fc.oneof(
    { maxDepth: 7, depthSize: 'medium' },
    { weight: 4, arbitrary: childOf(stackText, true) },
    { weight: 1, arbitrary: childOf(leaf, false) },
    { weight: 2, arbitrary: childOf(tie('stack'), true) },
  ),
  stack: fc
    .tuple(stackProperties, optional(effects, 4), fc.array(tie('child'), { maxLength: 5 }))
    .map(([stack, effect, layers]) => ({ ...effect, ...stack, layers })),
})).stack;

/** One child many times: each is measured, and again when the others take its space. */
const crowded = fc
  .tuple(stackProperties, childOf(stackText, true), extreme(2, 300))
  .map(([stack, child, times]) => ({
    ...stack,
    layers: Array.from({ length: Math.ceil(times) }, () => ({ ...child })),
  }));

/** Stacks in stacks that all hug one text: each asks the next for its size. */
const deep = fc
  .tuple(fc.integer({ min: 1, max: 8 }), stackProperties, childOf(stackText, true))
  .map(([depth, stack, child]) => {
    let inner: Values = child;
    for (let level = 1; level < depth; level += 1) {
      inner = { ...stack, width: 'hug', height: 'hug', layers: [inner, { ...child }] };
    }
    return { ...stack, layers: [inner] };
  });

const side = fc.oneof(extreme(1, 4000), fc.constant('hug'));

/** A stack on the canvas that repeats its layers for each item of the list, once at least. */
export const stackLayer: fc.Arbitrary<Values> = fc
  .tuple(
    fc.oneof(stackInStack, crowded, deep),
    fc.record({ width: side, height: side }),
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) },
      { weight: 1, arbitrary: extreme(1, 200) },
    ),
  )
  .map(([stack, sizes, max]) => ({
    ...stack,
    x: 0,
    y: 0,
    ...sizes,
    repeat: { list: 'items', max: Math.ceil(max) },
  }));

/** A list that a link gives: some items or as many as there may be, with short and long texts. */
export const items: fc.Arbitrary<string> = fc
  .tuple(extreme(0, 200), fc.constantFrom(...wordTexts), extreme(1, 60))
  .map(([count, word, length]) =>
    JSON.stringify(
      Array.from({ length: Math.floor(count) }, (_, index) => ({
        title: word.repeat(Math.ceil(length / word.length)),
        price: `${index}.90`,
      })),
    ),
  );
