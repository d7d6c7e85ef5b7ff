/** Generates documents near the limits of what the thread that answers does for a link, and links that make the most of them. */
import * as fc from 'fast-check';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { fits } from './fitting.ts';
import { formats, letters, long } from './front-texts.ts';
import { sizesOf } from './parts.ts';
import type { Values } from './parts.ts';

/** A valid document, and the values and options of a link. */
export interface FrontCase {
  document: Template;
  values: Record<string, string>;
  options: Record<string, string>;
}

const texts = ['v0', 'v1', 'v2'];
const images = ['p0', 'p1', 'p2', 'p3'];
/** `{{name}}`, now and then with formats. */
const binding = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...names),
      fc.array(fc.constantFrom(...formats), { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([name, used, isPlain]) => `{{${[name, ...(isPlain ? [] : used)].join('|')}}}`);
const live = ['countdown.seconds', 'countdown.totalSeconds', 'countdown.days', 'now', 'client'];
const named = [...texts, 'n', 'd', ...live, 'item.t', 'item.d', 'item.n', 'item.number'];

const question = fc
  .tuple(
    fc.constantFrom(
      'v0',
      'v1',
      'n',
      'd',
      'p0',
      'countdown.seconds',
      'countdown.days',
      'now',
      'client',
      'item.t',
      'item.d',
      'item.p',
    ),
    binding(named),
    fc.constantFrom(1, 8, 50),
    fc.constantFrom('', 'x', '2026-01-', '1'),
    fc.record({
      ignoreCase: fc.boolean(),
      isBound: fc.boolean(),
      isNot: fc.boolean(),
      orders: fc.boolean(),
    }),
  )
  .map(([variable, bound, count, word, { ignoreCase, isBound, isNot, orders }]) => {
    const oneOf = Array.from({ length: count }, (_, index) =>
      isBound ? `${word}${index}${bound}` : `${word}${index + 1}`,
    );
    const asked = orders ? { variable, greaterThan: bound } : { variable, oneOf, ignoreCase };
    return isNot ? { not: asked } : asked;
  });
const conditions = fc
  .tuple(question, fc.constantFrom(1, 5, 8), fc.constantFrom('all', 'any'))
  .map(([asked, count, joined]) => [
    { [joined]: Array<unknown>(count).fill(asked) },
    ...Array<unknown>(count - 1).fill(asked),
  ]);

const address = fc.oneof(
  fc.constantFrom(...images).map((name) => `{{${name}}}`),
  fc.constant('{{item.p}}'),
  fc
    .tuple(binding(named), fc.constantFrom(1, 4, 20))
    .map(([bound, count]) => `https://images.invalid/${bound.repeat(count)}.png`),
  fc.constant('data:image/png,0'),
);

const layer = fc
  .record(
    {
      type: fc.constantFrom('image', 'image', 'image', 'text', 'rect', 'qr'),
      src: address,
      text: fc
        .tuple(binding(named), fc.constantFrom(1, 3, 20))
        .map(([bound, count]) => bound.repeat(count)),
      visibleWhen: conditions,
      opacity: fc.constantFrom('{{n|range:0,9,0,1}}', 1),
      width: fc.constantFrom(9, '{{n}}'),
    },
    { requiredKeys: ['type', 'src', 'text', 'width'] },
  )
  .map(({ type, src, text, ...rest }): Values => {
    if (type === 'image') return { type, src, ...rest };
    if (type === 'text') return { type, text, fontFamily: 'Inter', fontSize: 5, ...rest };
    if (type === 'qr') return { type, value: text, ...rest };
    return { type, fill: '#f00', ...rest };
  });

/** How often each layer stands in the document, and in what. */
const group = fc.record({
  layer,
  count: fc.constantFrom(1, 7, 40, 200, 490),
  holder: fc.constantFrom('canvas', 'canvas', 'group', 'stack', 'repeat'),
  items: fc.constantFrom(20, 200),
});

function build(
  groups: readonly (typeof group extends fc.Arbitrary<infer Group> ? Group : never)[],
  scale: number,
): Values[] {
  return groups
    .map(({ layer: one, count, holder, items }, at) => {
      const isPlaced = holder === 'canvas' || holder === 'group';
      const layers = Array.from({ length: Math.max(1, Math.floor(count * scale)) }, (_, index) => ({
        id: `l${at}-${index}`,
        ...(isPlaced ? { x: index, y: 0 } : {}),
        height: 9,
        ...one,
      }));
      const box = { id: `h${at}`, x: 0, y: 0, width: 64, height: 64, layers };
      const repeat = { list: 'items', max: Math.ceil(items * scale) };
      if (holder === 'repeat') return [{ ...box, type: 'stack', direction: 'row', repeat }];
      if (holder === 'canvas') return outsideOfItems(layers);
      if (holder === 'group') return outsideOfItems([{ ...box, type: 'group' }]);
      return outsideOfItems([{ ...box, type: 'stack', direction: 'row' }]);
    })
    .flat();
}

/** The layers with variables of the template in place of those of an item. */
function outsideOfItems(layers: readonly Values[]): Values[] {
  const text = JSON.stringify(layers)
    .replaceAll('item.number', 'n')
    .replaceAll('item.t', 'v2')
    .replaceAll('item.p', 'p3');
  return JSON.parse(text.replaceAll(/item\.([dn])/g, '$1')) as Values[];
}

const animation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(1, 2, 60, 120)
      .map((frames) => ({ animation: { type: 'countdown', frames } })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(2, 20, 100), long).map(([count, text]) => ({
      animation: {
        type: 'values',
        frames: Array.from({ length: count }, (_, index) => ({
          seconds: 0.1,
          values: { n: String(index % 9), v0: `${index}${text.slice(0, 200)}` },
        })),
      },
    })),
  },
);

const list = fc.tuple(fc.constantFrom(2, 20, 200), letters).map(([count, letter]) =>
  Array.from({ length: count }, (_, index) => ({
    t: letter.repeat(Math.floor(1000 / count / letter.length)),
    d: '2026-03-03',
    n: String(index),
    p: `data:,${index}`,
  })),
);

const document = fc.record({
  groups: fc.array(group, { minLength: 1, maxLength: 3 }),
  moving: animation,
  defaults: fc.tuple(long, long, long),
  items: list,
  alt: binding(texts),
  sizes: fc.constantFrom(0, 0, 8).map(sizesOf),
});

const fields = [
  { name: 't', type: 'text', value: '' },
  { name: 'd', type: 'date', value: '2026-01-01' },
  { name: 'n', type: 'number', value: '1' },
  { name: 'p', type: 'image', value: '' },
];

/** The document with as many layers as its limits allow; undefined for one that is refused with any number. */
function fit({
  groups,
  moving,
  defaults,
  items,
  alt,
  sizes,
}: typeof document extends fc.Arbitrary<infer Parts> ? Parts : never): Template | undefined {
  for (let scale = 1; scale > 0.001; scale /= 2) {
    const layers = build(groups, scale);
    const whole = {
      format: 1,
      name: 'front',
      width: 64,
      height: 64,
      onImageError: 'default',
      alt,
      clock: { until: '2031-01-01T00:00', zone: 'Europe/Berlin' },
      ...moving,
      ...sizes,
      variables: [
        ...texts.map((name, index) => ({ name, type: 'text', value: defaults[index] })),
        ...images.map((name) => ({ name, type: 'image', value: '' })),
        { name: 'n', type: 'number', value: '1' },
        { name: 'd', type: 'date', value: '2026-05-05' },
        { name: 'items', type: 'list', fields, value: items },
      ],
      layers,
    };
    const checked = fits(whole) ? checkTemplate(whole) : undefined;
    if (checked?.ok === true) return checked.template;
  }
  return undefined;
}

/** Valid cases of a seed; `count` is how many are generated, of which some are refused with any number of layers. */
export function frontCases(count: number, seed: number): FrontCase[] {
  return fc.sample(cases, { numRuns: count, seed }).filter((each) => each !== undefined);
}

const cases: fc.Arbitrary<FrontCase | undefined> = fc
  .record({
    parts: document,
    given: fc.record(
      {
        v0: long,
        v1: long,
        n: fc.constantFrom('1', '7'),
        d: fc.constantFrom('2026-05-06', 'today'),
        p: fc.constantFrom('data:,', 'data:image/png;base64,', 'https://images.invalid/'),
        items: list,
      },
      { requiredKeys: ['p'] },
    ),
    options: fc.record(
      {
        _frames: fc.constantFrom('2', '60', '120'),
        _format: fc.constantFrom('gif', 'png', 'gif'),
        _scale: fc.constantFrom('1', '2'),
        _lang: fc.constantFrom('de', 'ar', 'tr'),
      },
      { requiredKeys: ['_format'] },
    ),
  })
  .map(({ parts, given: { p, items, ...given }, options }) => {
    const found = fit(parts);
    if (found === undefined) return undefined;
    const values = {
      ...given,
      ...Object.fromEntries(images.map((name, index) => [name, `${p}${index}`])),
      ...(items === undefined ? {} : { items: JSON.stringify(items) }),
    };
    return { document: found, values, options };
  });
