/**
 * Generates documents near the limits of the template language, and the requests that make the most of them. Without SVG
 * layers, which are drawn in a process of their own.
 */
import * as fc from 'fast-check';
import { blendModes } from '#shared/layer-base.ts';
import { barcodeKinds } from '#shared/layer-schemas.ts';
import type { RenderFormat, RenderScale } from '#shared/render-job.ts';
import { renderFormats, renderScales } from '#shared/render-job.ts';

type Values = Record<string, unknown>;

/** One document and one way to ask for its image. */
export interface LawCase {
  document: Values;
  /** By variable, as a link gives them. */
  values: Record<string, string>;
  /** How it is asked for: a preview with its report, the publishing of its default image, or a link. */
  by: 'preview' | 'publish' | 'link';
  format: RenderFormat;
  quality: number;
  scale: RenderScale;
}

/** Rather small or at an end of the range, so that many documents are accepted and many are near a limit. */
function extreme(min: number, max: number): fc.Arbitrary<number> {
  const span = max - min;
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.integer({ min: 0, max: 1000 }).map((part) => min + span * (part / 1000) ** 3),
    },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 0, max: 1000 }).map((part) => min + span * (part / 1000)),
    },
    { weight: 2, arbitrary: fc.constantFrom(min, max) },
  );
}

/** A number of a property, or one that the link gives. */
const bound = (numbers: fc.Arbitrary<number>): fc.Arbitrary<number | string> =>
  fc.oneof({ weight: 7, arbitrary: numbers }, { weight: 1, arbitrary: fc.constant('{{number}}') });

const color = fc.constantFrom('#f00', '#0f08', '#12345680', '#ffffff01', '{{color}}');
const fixture = fc.constantFrom('photo', 'noise', 'ring', '{{photo}}');
const wordTexts = [
  'Wm',
  'abcdefgh ',
  '漢鬱',
  '🙂👩‍👩‍👧',
  'مرحبا ',
  'क्षत्रिय ',
  '﷽',
  'A\u0301\u0302\u0303',
  'i ',
  '\u{1242b}',
];
const text = fc.oneof(
  fc.constantFrom('Hello', '{{text}}', '{{text}}{{text}}'),
  fc
    .tuple(fc.constantFrom(...wordTexts), extreme(1, 900))
    .map(([word, times]) => word.repeat(Math.ceil(times / word.length))),
);

/** Path data of `segments` random lines or curves within `reach`. */
function pathOf(segments: number, reach: number, kind: string, seed: number): string {
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
function comb(teeth: number, height: number): string {
  return `M0 0${Array.from({ length: teeth }, (_, index) => `l.3 ${index % 2 === 0 ? height : -height}`).join('')}Z`;
}

const path = fc.oneof(
  fc
    .tuple(extreme(1, 2500), extreme(10, 100_000), fc.constantFrom('L', 'Q', 'C'), fc.nat())
    .map(([segments, reach, kind, seed]) => pathOf(Math.ceil(segments), reach, kind, seed)),
  fc
    .tuple(extreme(1, 1500), extreme(1, 4000))
    .map(([teeth, height]) => comb(Math.ceil(teeth), Math.ceil(height))),
  fc.constantFrom('M0 0L1000000 -1000000', 'M0 0A300 200 30 1 1 5 5', 'M0 0'),
);

const stops = fc.array(fc.record({ offset: fc.double({ min: 0, max: 1, noNaN: true }), color }), {
  minLength: 2,
  maxLength: 16,
});
const gradient = fc
  .tuple(fc.constantFrom('linear', 'radial', 'conic'), stops)
  .map(([kind, colors]) => ({ gradient: kind, stops: colors }));
const fill = fc.oneof(color, gradient);
const shapeFill = fc.oneof(
  fill,
  fixture.map((image) => ({ image })),
);

const optional = <Value>(value: fc.Arbitrary<Value>, freq = 1): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq });

const stroke = fc
  .record({
    color,
    width: bound(extreme(0, 400)),
    dash: optional(fc.array(extreme(0.1, 200), { minLength: 1, maxLength: 8 })),
    cap: optional(fc.constantFrom('butt', 'round', 'square')),
    join: optional(fc.constantFrom('miter', 'round', 'bevel')),
  })
  .map(present);
const shadow = fc
  .record({
    x: optional(extreme(-200, 200)),
    y: optional(extreme(-200, 200)),
    blur: optional(bound(extreme(0, 200))),
    color,
  })
  .map(present);
const filter = fc
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
const clip = fc.oneof(
  fc.constant({ shape: 'ellipse' }),
  extreme(0, 400).map((cornerRadius) => ({ shape: 'rect', cornerRadius })),
  path.map((data) => ({ shape: 'path', path: data })),
);

/** What any layer may say, most of it absent in most. */
const effects = fc
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
const someEffects = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Values>({}) },
  { weight: 2, arbitrary: effects as fc.Arbitrary<Values> },
);

const place = fc.record({
  x: fc.integer({ min: -300, max: 400 }),
  y: fc.integer({ min: -300, max: 400 }),
  width: extreme(1, 4000),
  height: extreme(1, 4000),
});

const leaf: fc.Arbitrary<Values> = fc
  .tuple(
    place,
    someEffects,
    fc.oneof(
      fc.record({
        type: fc.constantFrom('rect', 'ellipse'),
        fill: optional(shapeFill),
        stroke: optional(stroke),
      }),
      fc.record({
        type: fc.constant('polygon'),
        sides: fc.integer({ min: 3, max: 64 }),
        fill: optional(shapeFill),
        stroke: optional(stroke),
      }),
      fc.record({
        type: fc.constant('star'),
        points: fc.integer({ min: 3, max: 64 }),
        fill: optional(shapeFill),
        stroke: optional(stroke),
      }),
      fc.record({
        type: fc.constant('path'),
        path,
        fill: optional(shapeFill),
        stroke: optional(stroke),
      }),
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
  .map(([box, effect, own]) => ({ ...box, ...effect, ...present(own) }));

function textLayer(): fc.Arbitrary<Values> {
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
    })
    .map(present);
}

const { layers } = fc.letrec<{ layers: Values[]; layer: Values }>((tie) => ({
  layers: fc.array(tie('layer'), { maxLength: 4 }),
  layer: fc.oneof(
    { maxDepth: 8, depthSize: 'medium' },
    { weight: 5, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc
        .tuple(place, effects as fc.Arbitrary<Values>, tie('layers'))
        .map(([box, effect, inner]) => ({ ...box, ...effect, type: 'group', layers: inner })),
    },
  ),
}));

/** One layer many times: what is cheap once is not always cheap 500 times. */
const repeated = fc
  .tuple(leaf, extreme(2, 500))
  .map(([layer, times]) => Array.from({ length: Math.ceil(times) }, () => ({ ...layer })));
/** Groups within groups, all with the same effects. */
const nested = fc
  .tuple(fc.integer({ min: 1, max: 8 }), effects as fc.Arbitrary<Values>, leaf, place)
  .map(([depth, effect, inner, box]) => {
    let list: Values[] = [inner];
    for (let level = 0; level < depth; level += 1) {
      list = [{ ...box, ...effect, type: 'group', layers: list }];
    }
    return list;
  });

const box = { x: 0, y: 0, width: 1200, height: 630 };

/** Layers of one kind, each a little different, so that no cache helps. */
function several(layer: fc.Arbitrary<Values>, least: number, most: number): fc.Arbitrary<Values[]> {
  return fc
    .tuple(layer, extreme(least, most))
    .map(([one, times]) =>
      Array.from({ length: Math.ceil(times) }, (_, index) => ({
        ...one,
        x: Number(one['x'] ?? 0) + index,
      })),
    );
}

/** What took a service down once: each is cheap in small and has no end in large. */
const attacks: fc.Arbitrary<Values[]> = fc.oneof(
  // Strong effects in one another, whose buffers grow.
  fc
    .tuple(fc.integer({ min: 2, max: 8 }), extreme(10, 200), optional(shadow))
    .map(([depth, blur, cast]) => {
      let list: Values[] = [{ ...box, type: 'rect', fill: '#ff000080' }];
      for (let level = 0; level < depth; level += 1) {
        list = [present({ ...box, type: 'group', blur, shadow: cast, layers: list })];
      }
      return list;
    }),
  // Wide strokes of many letters.
  several(
    fc
      .tuple(
        fc.constantFrom(...wordTexts),
        fc.integer({ min: 100, max: 2000 }),
        extreme(4, 80),
        extreme(4, 400),
      )
      .map(([word, codePoints, fontSize, width]) => ({
        ...box,
        type: 'text',
        text: word.repeat(Math.floor(codePoints / [...word].length)),
        fontSize,
        stroke: { color: '#f008', width },
      })),
    1,
    8,
  ),
  // Long paths that cut text, images or gradients.
  fc.tuple(path, fc.constantFrom('text', 'rect', 'image'), fill).map(([data, type, paint]) => [
    {
      ...box,
      type,
      clip: { shape: 'path', path: data },
      ...{
        text: { text: 'Wm'.repeat(500), fill: paint },
        rect: { fill: paint },
        image: { src: 'photo' },
      }[type],
    },
  ]),
  // Dashes of long and wide lines.
  several(
    fc
      .tuple(path, extreme(1, 400), extreme(0.1, 400), fc.constantFrom('butt', 'round', 'square'))
      .map(([data, width, dash, cap]) => ({
        ...box,
        type: 'path',
        path: data,
        stroke: { color: '#00f', width, dash: [dash], cap },
      })),
    1,
    12,
  ),
  // Small layers with large effects.
  several(
    fc
      .tuple(fc.array(shadow, { minLength: 1, maxLength: 4 }), extreme(20, 200), optional(filter))
      .map(([casts, blur, look]) =>
        present({
          x: 5,
          y: 50,
          width: 40,
          height: 29,
          type: 'rect',
          fill: '#123',
          shadow: casts,
          blur,
          filter: look,
        }),
      ),
    1,
    20,
  ),
  // Many texts, each at a size of its own.
  fc
    .tuple(extreme(20, 500), fc.constantFrom(...wordTexts), fc.constantFrom(0, 0.37))
    .map(([count, word, step]) =>
      Array.from({ length: Math.ceil(count) }, (_, index) => ({
        ...box,
        y: index,
        type: 'text',
        text: word.repeat(4),
        fontSize: 12 + index * step,
      })),
    ),
  // Transparent, blended and masked layers all over the canvas.
  several(
    fc
      .tuple(fc.constantFrom(...blendModes), fill, stroke, optional(fc.constant(true)))
      .map(([blendMode, paint, line, isMasked]) =>
        present({
          ...box,
          width: 4096,
          height: 4096,
          type: 'ellipse',
          opacity: 0.5,
          blendMode,
          fill: paint,
          stroke: line,
          isMasked,
        }),
      ),
    1,
    100,
  ),
  // Large images with what is done to their pixels.
  several(
    fc
      .tuple(
        fixture,
        optional(filter),
        extreme(100, 8000),
        optional(fc.constant({ dark: '#000', light: '#fff' })),
      )
      .map(([src, look, width, duotone]) =>
        present({
          ...box,
          width,
          height: width,
          type: 'image',
          src,
          filter: look,
          duotone,
          rotation: 3,
        }),
      ),
    1,
    40,
  ),
);

/** Ids, and masks beside what they cut. */
function complete(list: readonly Values[], prefix: string): Values[] {
  return list.map(({ isMasked, ...layer }, index) => {
    const id = `${prefix}${index}`;
    const mask = isMasked === true && index > 0 ? { mask: `${prefix}${index - 1}` } : {};
    const inner = layer['layers'] as Values[] | undefined;
    const children = inner === undefined ? {} : { layers: complete(inner, `${id}-`) };
    return { ...layer, id, ...mask, ...children };
  });
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** From small images to the largest; most are as large as a banner. */
const canvas = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      width: fc.integer({ min: 1, max: 600 }),
      height: fc.integer({ min: 1, max: 600 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ width: 1200, height: 630 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { width: 1365, height: 1365 },
      { width: 2048, height: 2048 },
      { width: 4096, height: 1024 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ width: 4096, height: 4096 }, { width: 3600, height: 3600 }),
  },
);

const output = fc.record({
  format: fc.constantFrom(...renderFormats),
  quality: fc.constantFrom(1, 50, 82, 100),
});

export const lawCases: fc.Arbitrary<LawCase> = fc
  .record({
    size: canvas,
    background: fc.oneof(fc.constant('none'), fill),
    layers: fc.oneof(
      { weight: 3, arbitrary: layers },
      { weight: 2, arbitrary: repeated },
      { weight: 2, arbitrary: nested },
      { weight: 4, arbitrary: attacks },
    ),
    output: optional(output),
    by: fc.constantFrom('preview' as const, 'publish' as const, 'link' as const),
    format: fc.constantFrom(...renderFormats),
    quality: fc.constantFrom(1, 60, 85, 100),
    scale: fc.constantFrom(...renderScales),
    number: fc.constantFrom('0', '1', '25', '200', '360', '400', '2000', '1e9'),
    fraction: fc.constantFrom('0', '0.3', '1'),
    text: text.filter((each) => !each.includes('{{')),
  })
  .map(
    ({
      size,
      background,
      layers: list,
      output: file,
      number,
      fraction,
      text: value,
      ...asked
    }) => ({
      document: {
        format: 1,
        name: 'law',
        ...size,
        background,
        ...(file === undefined ? {} : { output: file }),
        variables: [
          { name: 'number', type: 'number', value: '1' },
          { name: 'fraction', type: 'number', value: '0.5' },
          { name: 'color', type: 'color', value: '#0a78' },
          { name: 'text', type: 'text', value: 'Alex' },
          { name: 'photo', type: 'image', value: 'photo' },
        ],
        layers: complete(list, 'l'),
      },
      values: { number, fraction, color: '#00ff0080', text: value },
      ...asked,
    }),
  );
