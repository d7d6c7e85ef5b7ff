/** Each layer type as a TypeBox schema: types, units, bounds and defaults. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { withSizes } from './sizes.ts';
import type { BySize } from './sizes.ts';
import { flag, layerEffects, layerFrame, pathData } from './layer-base.ts';
import { inSection } from './notes.ts';
import { choice, closed, Color, Fill, fourNumbers, Stroke, withDefault } from './paint.ts';
import { ImageLayer } from './image.ts';
import { StackLayer } from './stack.ts';
import { TextLayer } from './text.ts';

const shapePaint = {
  ...inSection('fill', { fill: Type.Optional(Fill) }),
  ...inSection('stroke', { stroke: Type.Optional(Stroke) }),
};
const RectLayer = Type.Object(
  {
    type: Type.Literal('rect', { description: 'a rectangle' }),
    ...layerFrame,
    ...shapePaint,
    ...layerEffects,
  },
  closed,
);
const EllipseLayer = Type.Object(
  {
    type: Type.Literal('ellipse', { description: 'an ellipse in its box' }),
    ...layerFrame,
    ...shapePaint,
    ...layerEffects,
  },
  closed,
);
const PolygonLayer = Type.Object(
  {
    type: Type.Literal('polygon', { description: 'a regular polygon in its box' }),
    ...layerFrame,
    ...inSection('shape', { sides: Type.Integer({ minimum: 3, maximum: 64 }) }),
    ...shapePaint,
    ...layerEffects,
  },
  closed,
);
const StarLayer = Type.Object(
  {
    type: Type.Literal('star', { description: 'a star in its box' }),
    ...layerFrame,
    ...inSection('shape', {
      points: Type.Integer({ minimum: 3, maximum: 64 }),
      innerRadius: Type.Optional(
        Type.Number({
          minimum: 0.05,
          maximum: 1,
          description: 'part of the outer radius',
          default: 0.5,
        }),
      ),
    }),
    ...shapePaint,
    ...layerEffects,
  },
  closed,
);
const viewPosition = Type.Number({ minimum: -1e6, maximum: 1e6, description: 'a position' });
const viewSize = Type.Number({ minimum: 0.001, maximum: 1e6, description: 'a size' });
const PathLayer = Type.Object(
  {
    type: Type.Literal('path', { description: 'a shape of lines and curves' }),
    ...layerFrame,
    ...inSection('drawing', {
      path: pathData,
      viewBox: Type.Optional(
        fourNumbers([viewPosition, viewPosition, viewSize, viewSize], {
          content: 'numbers',
          description: '[left, top, width, height] in the path’s space, which fill the box',
          absent: 'design pixels',
        }),
      ),
    }),
    ...shapePaint,
    ...layerEffects,
  },
  closed,
);
const arrow = choice(['none', 'triangle', 'open', 'circle'], 'none');
const LineLayer = Type.Object(
  {
    type: Type.Literal('line', { description: 'a line from corner to corner of its box' }),
    ...layerFrame,
    ...inSection('position', {
      rising: Type.Optional(
        flag('from bottom left to top right instead of top left to bottom right'),
      ),
    }),
    ...inSection('stroke', {
      stroke: Stroke,
      startArrow: Type.Optional(arrow),
      endArrow: Type.Optional(arrow),
    }),
    ...layerEffects,
  },
  closed,
);

/**
 * Maximum bytes of an Aztec code. Its encoder takes 0.1 ms a byte, so no layer takes over 50 ms. A rail ticket has
 * about 350.
 */
export const aztecBytesMax = 400;

/** Maximum characters of a code's value, literal or bound. Longer codes are not practical to scan. */
export const codeLengthMax = { qr: 2000, barcode: 500 } as const;

const codeColors = {
  color: Type.Optional(withDefault(Color, '#000000')),
  background: Type.Optional(withDefault(Color, '#ffffff')),
};
const QrLayer = Type.Object(
  {
    type: Type.Literal('qr', { description: 'a QR code' }),
    ...layerFrame,
    ...inSection('code', {
      value: Type.String({
        maxLength: codeLengthMax.qr,
        description: 'what is encoded; {{name}} takes a value',
      }),
      ...codeColors,
      errorCorrection: Type.Optional(
        choice(['L', 'M', 'Q', 'H'], 'M', { description: '7, 15, 25 or 30 % may be damaged' }),
      ),
      quietZone: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 16,
          description: 'empty modules around it',
          default: 4,
        }),
      ),
    }),
    ...layerEffects,
  },
  closed,
);

/** Symbologies of the barcode layer, by their names in bwip-js. */
export const barcodeKinds = [
  'code128',
  'code39',
  'ean13',
  'ean8',
  'upca',
  'interleaved2of5',
  'datamatrix',
  'pdf417',
  'azteccode',
] as const;

const BarcodeLayer = Type.Object(
  {
    type: Type.Literal('barcode', { description: 'a barcode or matrix code' }),
    ...layerFrame,
    ...inSection('code', {
      kind: choice([...barcodeKinds]),
      value: Type.String({
        maxLength: codeLengthMax.barcode,
        description: 'what is encoded; {{name}} takes a value',
      }),
      ...codeColors,
      quietZone: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 40,
          description: 'empty modules beside it',
          absent: 'what its kind asks for',
        }),
      ),
    }),
    ...layerEffects,
  },
  closed,
);

const SvgLayer = Type.Object(
  {
    type: Type.Literal('svg', { description: 'a drawing in SVG' }),
    ...layerFrame,
    ...inSection('markup', {
      svg: Type.String({ maxLength: 65_536, description: 'SVG markup', isBindable: false }),
    }),
    ...inSection('drawing', {
      colors: Type.Optional(
        Type.Record(Type.String({ pattern: '^(#[0-9a-fA-F]{3,8}|currentColor)$' }), Color, {
          ...closed,
          maxProperties: 32,
          content: 'colours of the markup and what stands for them',
          description: '{"#000000": "#ff0000"}',
        }),
      ),
    }),
    ...layerEffects,
  },
  closed,
);

/** A group without its children, which are checked separately for precise paths. */
const GroupLayer = Type.Object(
  {
    type: Type.Literal('group', {
      description: 'layers that are moved, turned and blended as one',
    }),
    ...layerFrame,
    layers: Type.Array(Type.Object({ type: Type.String() }), { maxItems: 500, content: 'layers' }),
    ...layerEffects,
  },
  closed,
);

/** Each layer type's schema, by its `type`. */
export const layerSchemas = {
  text: withSizes('text', TextLayer),
  image: withSizes('image', ImageLayer),
  rect: withSizes('rect', RectLayer),
  ellipse: withSizes('ellipse', EllipseLayer),
  polygon: withSizes('polygon', PolygonLayer),
  star: withSizes('star', StarLayer),
  path: withSizes('path', PathLayer),
  line: withSizes('line', LineLayer),
  qr: withSizes('qr', QrLayer),
  barcode: withSizes('barcode', BarcodeLayer),
  svg: withSizes('svg', SvgLayer),
  group: withSizes('group', GroupLayer),
  stack: withSizes('stack', StackLayer),
} as const;

export type ImageLayer = Static<typeof ImageLayer>;
export type RectLayer = Static<typeof RectLayer>;
export type EllipseLayer = Static<typeof EllipseLayer>;
export type PolygonLayer = Static<typeof PolygonLayer>;
export type StarLayer = Static<typeof StarLayer>;
export type PathLayer = Static<typeof PathLayer>;
export type LineLayer = Static<typeof LineLayer>;
export type QrLayer = Static<typeof QrLayer>;
export type BarcodeLayer = Static<typeof BarcodeLayer>;
export type SvgLayer = Static<typeof SvgLayer>;
export type GroupLayer = Omit<Static<typeof GroupLayer>, 'layers'> & { layers: Layer[] };
export type StackLayer = Omit<Static<typeof StackLayer>, 'layers'> & { layers: Layer[] };
/** A layer with children. */
export type ParentLayer = GroupLayer | StackLayer;
type LeafType = Exclude<keyof typeof layerSchemas, ParentLayer['type']>;
type Layers = { [Type in LeafType]: Static<(typeof layerSchemas)[Type]> };
export type Layer = (Layers[keyof Layers] | ParentLayer) & BySize;
