/** Documents with many sizes, near the limits of a document: what is checked or derived must not count once a size. */
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';
import type { FrontCase } from './front-documents.ts';
import { many, sizesOf } from './parts.ts';
import type { Values } from './parts.ts';

const { sizesMax } = templateLimits;

/** A property of each size that differs from that of the design. */
function inSizes(make: (index: number) => Values): Values {
  return { bySize: Object.fromEntries(many(sizesMax, (index) => [`s${index}`, make(index)])) };
}

const box = (index: number): Values => ({ x: index, y: index, width: 9 + index, height: 9 });
const names = many(templateLimits.variablesMax - 2, (index) => `t${index}`);
const variables = [
  { name: 'v', type: 'text', value: 'x' },
  { name: 'n', type: 'number', value: '1' },
  ...names.map((name) => ({ name, type: 'text', value: 'x', maxLength: 2 })),
];

function sized(layers: Values[], parts: Values = {}): FrontCase {
  const document = aTemplate({
    width: 64,
    height: 64,
    ...sizesOf(sizesMax),
    variables,
    layers,
    ...parts,
  });
  return { document: document as unknown as Template, values: {}, options: { _format: 'png' } };
}

const image = (index: number, parts: Values): Values =>
  aLayer('image', { id: `i${index}`, src: '', ...parts });
const text = (index: number, parts: Values): Values =>
  aLayer('text', { id: `t${index}`, fontFamily: 'Inter', fontSize: 9, ...parts });

/** Conditions of many values. */
const compared = sized(
  many(480, (index) =>
    image(index, { visibleWhen: { variable: 'v', oneOf: many(34, (at) => `value ${at}`) } }),
  ),
);

/** Texts of many spans with conditions, which each size gives another box. */
const spans = sized(
  many(25, (index) =>
    text(index, {
      ...inSizes(box),
      spans: many(50, (at) => ({
        text: `{{${names[(index * 7 + at) % names.length]}}}`,
        fontSize: 9,
        visibleWhen: { variable: 'v', equals: 'x' },
      })),
    }),
  ),
);

/** Layers whose boxes bind a value in each size. */
const bound = sized(
  many(150, (index) =>
    text(index, {
      text: `{{${names[index]}}}`,
      ...inSizes((at) => ({ ...box(at), x: '{{n|range:0,9,0,1}}' })),
    }),
  ),
);

/** Markup, which a size may move. */
const drawings = sized(
  many(50, (index) =>
    aLayer('svg', {
      ...inSizes(box),
      id: `g${index}`,
      svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${'<rect x="1" y="2" width="3" height="4" fill="red"/>'.repeat(70)}</svg>`,
    }),
  ),
);

/** Groups in groups, and a list in them. */
const nested = sized(
  many(40, (index) =>
    many(templateLimits.nestingMax, (at) => at).reduce<Values>(
      (inner, at) => aLayer('group', { ...inSizes(box), id: `${index}-${at}`, layers: [inner] }),
      image(index, { visibleWhen: { variable: 'v', notEquals: 'x'.repeat(200) } }),
    ),
  ),
);

/** Long texts in conditions. */
const longTexts = sized(
  many(110, (index) => image(index, { visibleWhen: { variable: 'v', equals: 'x'.repeat(1900) } })),
);

export const sizedCases: readonly FrontCase[] = [
  compared,
  spans,
  bound,
  drawings,
  nested,
  longTexts,
];
