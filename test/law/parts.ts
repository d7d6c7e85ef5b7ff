/** Generates the parts of documents: layers of each kind with properties from harmless to extreme. */
import * as fc from 'fast-check';
import { blendModes } from '#language/schema/layer-base.ts';
import { barcodeKinds } from '#language/schema/layers.ts';

export type Values = Record<string, unknown>;

/** Rather small or at an end of the range, so that many documents are accepted and many are near a limit. */
export function extreme(min: number, max: number): fc.Arbitrary<number> {
  const span = max - min;
  const share = fc.integer({ min: 0, max: 1000 }).map((part) => part / 1000);
  return fc.oneof(
    { weight: 3, arbitrary: share.map((part) => min + span * part ** 3) },
    { weight: 2, arbitrary: share.map((part) => min + span * part) },
    { weight: 2, arbitrary: fc.constantFrom(min, max) },
  );
}

/** A number of a property, or one that the link gives. */
export const bound = (numbers: fc.Arbitrary<number>): fc.Arbitrary<number | string> =>
  fc.oneof({ weight: 7, arbitrary: numbers }, { weight: 1, arbitrary: fc.constant('{{number}}') });

export const color = fc.constantFrom('#f00', '#0f08', '#12345680', '#ffffff01', '{{color}}');
export const fixture = fc.constantFrom(
  'photo',
  'noise',
  'heavy',
  'avif',
  'webp',
  'png',
  'flat',
  'ring',
  'alpha',
  'damaged',
  '{{photo}}',
);
export const wordTexts = [
  'Wm',
  'abcdefgh ',
  '漢鬱',
  '🙂👩‍👩‍👧',
  'مرحبا ',
  'क्षत्रिय ',
  '﷽',
  'A\u0301\u0302\u0303',
  'i ',
  'Donaudampfschifffahrt ',
  '「」。',
  'a\tb\t',
  'ab\n',
  '\u{1242b}',
];
export const text = fc.oneof(
  fc.constantFrom('Hello', '{{text}}', '{{text}}{{text}}'),
  fc
    .tuple(fc.constantFrom(...wordTexts), extreme(1, 900))
    .map(([word, times]) => word.repeat(Math.ceil(times / word.length))),
);

/** Path data of `segments` random lines or curves within `reach`. */
export function pathOf(segments: number, reach: number, kind: string, seed: number): string {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.round(((state >>> 8) / 2 ** 24) * reach);
  };
  const numbers = { L: 2, Q: 4, C: 6 }[kind] ?? 2;
  let data = 'M0 0';
  for (let index = 0; index < segments; index += 1) {
    data += kind + Array.from({ length: numbers }, next).join(' ');
  }
  return `${data}Z`.length > 16_384
    ? `${data.slice(0, 16_300).replace(/[LQC][^LQC]*$/, '')}Z`
    : `${data}Z`;
}

/** Thin teeth beside one another: each row crosses all of them. */
export function comb(teeth: number, height: number): string {
  return `M0 0${Array.from({ length: teeth }, (_, index) => `l.3 ${index % 2 === 0 ? height : -height}`).join('')}Z`;
}

export const path = fc.oneof(
  fc
    .tuple(extreme(1, 2500), extreme(10, 100_000), fc.constantFrom('L', 'Q', 'C'), fc.nat())
    .map(([segments, reach, kind, seed]) => pathOf(Math.ceil(segments), reach, kind, seed)),
  fc
    .tuple(extreme(1, 1500), extreme(1, 4000))
    .map(([teeth, height]) => comb(Math.ceil(teeth), Math.ceil(height))),
  fc.constantFrom('M0 0L1000000 -1000000', 'M0 0A300 200 30 1 1 5 5', 'M0 0'),
);

const stop = fc.record({ offset: fc.double({ min: 0, max: 1, noNaN: true }), color });
export const stops = fc.array(stop, { minLength: 2, maxLength: 16 });
export const gradient = fc
  .tuple(fc.constantFrom('linear', 'radial', 'conic'), stops)
  .map(([kind, colors]) => ({ gradient: kind, stops: colors }));
export const fill = fc.oneof(color, gradient);
const imageFill = fixture.map((image) => ({ image }));
export const shapeFill = fc.oneof(fill, imageFill);

export const optional = <Value>(
  value: fc.Arbitrary<Value>,
  freq = 1,
): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined, freq });

export const stroke = fc
  .record({
    color,
    width: bound(extreme(0, 400)),
    dash: optional(fc.array(extreme(0.1, 200), { minLength: 1, maxLength: 8 })),
    cap: optional(fc.constantFrom('butt', 'round', 'square')),
    join: optional(fc.constantFrom('miter', 'round', 'bevel')),
  })
  .map(present);
export const shadow = fc
  .record({
    x: optional(extreme(-200, 200)),
    y: optional(extreme(-200, 200)),
    blur: optional(bound(extreme(0, 200))),
    color,
  })
  .map(present);
export const filter = fc
  .record({
    brightness: optional(fc.constantFrom(0.5, 2)),
    contrast: optional(fc.constantFrom(0.5, 2)),
    saturate: optional(fc.constantFrom(0.5, 2)),
    grayscale: optional(fc.constant(0.5)),
    sepia: optional(fc.constant(0.5)),
    invert: optional(fc.constant(0.5)),
    hueRotate: optional(fc.constant(90)),
  })
  .map(present);
export const clip = fc.oneof(
  fc.constant({ shape: 'ellipse' }),
  extreme(0, 400).map((cornerRadius) => ({ shape: 'rect', cornerRadius })),
  path.map((data) => ({ shape: 'path', path: data })),
);

/** What any layer may say, most of it absent in most. */
export const effects = fc
  .record({
    rotation: optional(bound(extreme(-360, 360))),
    opacity: optional(fc.constantFrom(0, 0.5, 0.99, '{{fraction}}')),
    blendMode: optional(fc.constantFrom(...blendModes)),
    shadow: optional(fc.oneof(shadow, fc.array(shadow, { maxLength: 4 }))),
    blur: optional(bound(extreme(0, 200))),
    filter: optional(filter),
    clip: optional(clip),
    border: optional(fc.record({ color, width: extreme(0, 400) })),
    cornerRadius: optional(extreme(0, 500)),
    isMasked: optional(fc.constant(true)),
  })
  .map(present);
/** Few layers have effects at all, as in documents that people make. */
export const someEffects = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Values>({}) },
  { weight: 2, arbitrary: effects },
);

export const position = fc.record({
  x: fc.integer({ min: -300, max: 400 }),
  y: fc.integer({ min: -300, max: 400 }),
  width: extreme(1, 4000),
  height: extreme(1, 4000),
});

/** What a text says of its lines. */
const lineRules = {
  align: optional(fc.constantFrom('center', 'justify', 'end')),
  balance: optional(fc.constant(true), 4),
  hyphenate: optional(fc.constant(true), 2),
  lineBreak: optional(fc.constant('normal'), 4),
  punctuationTrim: optional(fc.constantFrom('adjacent', 'start'), 2),
  firstBaseline: optional(fc.constant('font'), 4),
  paragraphSpacing: optional(extreme(0, 2000), 4),
  tabStops: optional(
    fc.array(
      fc.record({ at: extreme(0, 4000), align: fc.constantFrom('start', 'center', 'end') }),
      { minLength: 1, maxLength: 16 },
    ),
    4,
  ),
};

const corners = fc.integer({ min: 3, max: 64 });
/** How a shape is filled and outlined. */
const paint = { fill: optional(shapeFill), stroke: optional(stroke) };

export const leaf: fc.Arbitrary<Values> = fc
  .tuple(
    position,
    someEffects,
    fc.oneof(
      fc.record({ type: fc.constantFrom('rect', 'ellipse'), ...paint }),
      fc.record({ type: fc.constant('polygon'), sides: corners, ...paint }),
      fc.record({ type: fc.constant('star'), points: corners, ...paint }),
      fc.record({ type: fc.constant('path'), path, ...paint }),
      fc.record({
        type: fc.constant('line'),
        stroke,
        startArrow: optional(fc.constantFrom('triangle', 'open', 'circle')),
      }),
      fc.record({
        type: fc.constant('image'),
        src: fixture,
        fit: optional(fc.constantFrom('cover', 'contain', 'fill', 'none')),
        smartCrop: optional(fc.constant(true)),
        tint: optional(color),
        duotone: optional(fc.constant({ dark: '#000', light: '#fff' })),
      }),
      textLayer(),
      textLayer(),
      fc.record({
        type: fc.constant('qr'),
        value: fc.constantFrom('A', '{{text}}', 'x'.repeat(1500)),
      }),
      fc.record({
        type: fc.constant('barcode'),
        kind: fc.constantFrom(...barcodeKinds),
        value: fc.constantFrom('12345678', '{{text}}', 'A'.repeat(300)),
      }),
    ),
  )
  .map(([box, effect, properties]) => ({ ...box, ...effect, ...present(properties) }));

export function textLayer(): fc.Arbitrary<Values> {
  return fc
    .record({
      type: fc.constant('text'),
      text,
      fontSize: bound(extreme(1, 2000)),
      fontFamily: optional(fc.constantFrom('Inter', 'Caveat', 'Fraunces')),
      fontWeight: optional(fc.constantFrom(400, 700)),
      fill: optional(fill),
      stroke: optional(stroke),
      letterSpacing: optional(extreme(-10, 50)),
      lineHeight: optional(fc.constantFrom(0.5, 1, 2)),
      overflow: optional(fc.constantFrom('shrink', 'visible', 'clip')),
      underline: optional(fc.constant(true)),
      path: optional(path, 4),
      ...lineRules,
    })
    .map(present);
}

export function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The property `sizes` of a document with so many; none for 0. */
export function sizesOf(count: number): Values {
  const sizes = many(count, (index) => ({ name: `s${index}`, width: 64 + index, height: 64 }));
  return count === 0 ? {} : { sizes };
}

export function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
