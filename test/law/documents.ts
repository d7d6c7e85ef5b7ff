/** Generates documents near the limits of the template language, and the requests that make the most of them. */
import * as fc from 'fast-check';
import type { RenderFormat, RenderScale } from '#wire/render-job.ts';
import { renderFormats, renderScales } from '#wire/render-job.ts';
import { attacks } from './attacks.ts';
import { hostileFonts } from './hostile-fonts.ts';
import {
  effects,
  extreme,
  fill,
  leaf as plainLeaf,
  optional,
  position,
  someEffects,
  text,
  textLayer,
} from './parts.ts';
import type { Values } from './parts.ts';
import { motions, movingAttacks, stepVariable } from './moving-parts.ts';
import type { Motion } from './moving-parts.ts';
import { fitting } from './fitting.ts';
import { items, stackLayer } from './stack-parts.ts';
import { svgAttack, svgLayer } from './svg-parts.ts';

/** One document and one way to ask for its image. */
export interface LawCase {
  document: Values;
  /** By variable, as a link gives them. */
  values: Record<string, string>;
  /**
   * How it is asked for: a preview with its report, the publishing of its default image, a link, and the page of a PDF or
   * the proof of a row, as a campaign asks for them.
   */
  by: 'preview' | 'publish' | 'link' | 'pdf' | 'proof';
  /** The size of the document; its own width and height if absent. */
  size?: string | undefined;
  format: RenderFormat;
  quality: number;
  scale: RenderScale;
  /** It is asked for as an animation, with so many frames if that is a number. */
  animated?: boolean;
  frames?: number | undefined;
}

/** Letters of the organization's fonts, which may have any shape. */
const organizationFontText: fc.Arbitrary<Values> = fc
  .tuple(
    position,
    someEffects,
    textLayer(),
    fc.constantFrom(...hostileFonts.keys()),
    fc.constantFrom('a', 'b', 'ab', 'c', 'abc '),
    extreme(1, 900),
  )
  .map(([box, effect, properties, fontFamily, word, times]) => {
    return { ...box, ...effect, ...properties, fontFamily, text: word.repeat(Math.ceil(times)) };
  });

const leaf: fc.Arbitrary<Values> = fc.oneof(
  { weight: 10, arbitrary: plainLeaf },
  { weight: 1, arbitrary: organizationFontText },
  {
    weight: 1,
    arbitrary: fc
      .tuple(position, someEffects, svgLayer)
      .map(([box, effect, properties]) => ({ ...box, ...effect, ...properties })),
  },
);

const { layers } = fc.letrec<{ layers: Values[]; layer: Values }>((tie) => ({
  layers: fc.array(tie('layer'), { maxLength: 4 }),
  layer: fc.oneof(
    { maxDepth: 8, depthSize: 'medium' },
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: stackLayer },
    {
      weight: 2,
      arbitrary: fc
        .tuple(position, effects, tie('layers'))
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
  .tuple(fc.integer({ min: 1, max: 8 }), effects, leaf, position)
  .map(([depth, effect, inner, box]) => {
    let list: Values[] = [inner];
    for (let level = 0; level < depth; level += 1) {
      list = [{ ...box, ...effect, type: 'group', layers: list }];
    }
    return list;
  });

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

const smallSide = fc.integer({ min: 1, max: 600 });
/** From small images to the largest; most are as large as a banner. */
const canvas = fc.oneof(
  { weight: 4, arbitrary: fc.record({ width: smallSide, height: smallSide }) },
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

/** A further size, with the frame of its layers. */
const sizeName = 'other';
const otherSize = fc.tuple(canvas, position);

/** Layers that have another frame in the size. */
function inSize(list: readonly Values[], frame: Values): Values[] {
  return list.map((layer) =>
    typeof layer['height'] === 'number' && typeof layer['width'] === 'number'
      ? { ...layer, bySize: { [sizeName]: frame } }
      : layer,
  );
}

/** The ids of layers, those in groups too; the layers of a canvas come first. */
function idsOf(list: readonly Values[]): string[] {
  const inner = list.flatMap((layer) => idsOf((layer['layers'] as Values[] | undefined) ?? []));
  return [...list.map(({ id }) => String(id)), ...inner];
}

/** What a document has for its animation; its layers show in the frames that say so. */
function movingParts(still: Values[], motion: Motion | undefined): Values {
  if (motion === undefined) return { layers: still };
  const { animationOf, clock, shownIn } = motion;
  const shown = still.map((layer, index) => {
    const step = shownIn[index % shownIn.length];
    return step === undefined
      ? layer
      : { ...layer, visibleWhen: { variable: stepVariable.name, equals: step } };
  });
  return {
    animation: animationOf(idsOf(still)),
    ...(clock === undefined ? {} : { clock }),
    layers: clock === undefined ? shown : [...shown, secondsLayer],
  };
}

const seconds = { text: '{{countdown.minutes}} {{countdown.seconds}}', fontSize: 80 };
const secondsLayer = {
  id: 'seconds',
  type: 'text',
  x: 0,
  y: 0,
  width: 400,
  height: 200,
  ...seconds,
};

/** A canvas with its layers, and what moves in one of five documents. */
const contents = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      canvasSize: canvas,
      layers: fc.oneof(
        { weight: 3, arbitrary: layers },
        { weight: 2, arbitrary: repeated },
        { weight: 2, arbitrary: nested },
        { weight: 4, arbitrary: attacks },
        { weight: 1, arbitrary: svgAttack },
        { weight: 3, arbitrary: stackLayer.map((stack) => [stack]) },
      ),
      moving: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: motions },
      ),
    }),
  },
  { weight: 1, arbitrary: movingAttacks },
);

/** The variables of every document. */
const variables = [
  { name: 'number', type: 'number', value: '1' },
  { name: 'fraction', type: 'number', value: '0.5' },
  { name: 'color', type: 'color', value: '#0a78' },
  { name: 'text', type: 'text', value: 'Alex' },
  { name: 'photo', type: 'image', value: 'photo' },
  {
    name: 'items',
    type: 'list',
    fields: [
      { name: 'title', type: 'text', value: 'Tea' },
      { name: 'price', type: 'number', value: '1' },
    ],
    value: [{ title: 'Alex' }, {}],
  },
];

export const lawCases: fc.Arbitrary<LawCase> = fc
  .record({
    content: contents,
    other: optional(otherSize, 4),
    background: fc.oneof(fc.constant('none'), fill),
    output: optional(output),
    by: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('preview' as const, 'publish', 'link') },
      { weight: 1, arbitrary: fc.constantFrom('pdf' as const, 'proof') },
    ),
    format: fc.constantFrom(...renderFormats),
    quality: fc.constantFrom(1, 60, 85, 100),
    scale: fc.constantFrom(...renderScales),
    number: fc.constantFrom('0', '1', '25', '200', '360', '400', '2000', '1e9'),
    fraction: fc.constantFrom('0', '0.3', '1'),
    text: text.filter((each) => !each.includes('{{')),
    itemsJson: items,
  })
  .map(
    ({
      content: { canvasSize, layers: list, moving },
      other,
      background,
      output: file,
      number,
      fraction,
      text: value,
      itemsJson,
      ...asked
    }) => ({
      document: fitting(list, (fitted) => ({
        format: 1,
        name: 'law',
        ...canvasSize,
        ...(other === undefined ? {} : { sizes: [{ name: sizeName, ...other[0] }] }),
        background,
        ...(file === undefined ? {} : { output: file }),
        variables: moving === undefined ? variables : [...variables, stepVariable],
        ...movingParts(
          complete(other === undefined ? fitted : inSize(fitted, other[1]), 'l'),
          moving,
        ),
      })),
      size: other === undefined ? undefined : sizeName,
      ...(moving === undefined ? {} : { animated: true, frames: moving.frames }),
      values: { number, fraction, color: '#00ff0080', text: value, items: itemsJson },
      ...asked,
    }),
  );
