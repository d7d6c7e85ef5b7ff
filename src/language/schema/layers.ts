/** What each kind of layer may say, as TypeBox schemas: types, units, bounds and defaults. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { flag, layerBase, pathData } from './layer-base.ts';
import {
  choice,
  closed,
  Color,
  Fill,
  fourNumbers,
  ImageSource,
  Stroke,
  withDefault,
} from './paint.ts';
import { TextLayer } from './text.ts';

const ImageLayer = Type.Object(
  {
    type: Type.Literal('image', { description: 'an image' }),
    ...layerBase,
    src: ImageSource,
    fit: Type.Optional(
      choice(
        ['cover', 'contain', 'fill', 'none', 'scale-down'],
        'cover, contain, fill, none or scale-down',
        'cover',
      ),
    ),
    focusX: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'part of the image that stays in sight, or where a smaller one lies, 0 left … 1 right',
        default: 0.5,
      }),
    ),
    focusY: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'part of the image that stays in sight, or where a smaller one lies, 0 top … 1 bottom',
        default: 0.5,
      }),
    ),
    smartCrop: Type.Optional(flag('cover only: keeps what draws the eye')),
    flipX: Type.Optional(flag('mirrors left and right')),
    flipY: Type.Optional(flag('mirrors top and bottom')),
    tint: Type.Optional(Color),
    duotone: Type.Optional(
      Type.Object(
        { dark: Color, light: Color },
        { ...closed, description: 'the colours that black and white become' },
      ),
    ),
  },
  closed,
);

const shapePaint = { fill: Type.Optional(Fill), stroke: Type.Optional(Stroke) };
const RectLayer = Type.Object(
  { type: Type.Literal('rect', { description: 'a rectangle' }), ...layerBase, ...shapePaint },
  closed,
);
const EllipseLayer = Type.Object(
  {
    type: Type.Literal('ellipse', { description: 'an ellipse in its box' }),
    ...layerBase,
    ...shapePaint,
  },
  closed,
);
const PolygonLayer = Type.Object(
  {
    type: Type.Literal('polygon', { description: 'a regular polygon in its box' }),
    ...layerBase,
    ...shapePaint,
    sides: Type.Integer({ minimum: 3, maximum: 64, description: 'a whole number from 3 to 64' }),
  },
  closed,
);
const StarLayer = Type.Object(
  {
    type: Type.Literal('star', { description: 'a star in its box' }),
    ...layerBase,
    ...shapePaint,
    points: Type.Integer({ minimum: 3, maximum: 64, description: 'a whole number from 3 to 64' }),
    innerRadius: Type.Optional(
      Type.Number({
        minimum: 0.05,
        maximum: 1,
        description: 'part of the outer radius, 0.05 to 1',
        default: 0.5,
      }),
    ),
  },
  closed,
);
const viewPlace = Type.Number({
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'a position',
});
const viewSize = Type.Number({ minimum: 0.001, maximum: 1_000_000, description: 'a size' });
const PathLayer = Type.Object(
  {
    type: Type.Literal('path', { description: 'a shape of lines and curves' }),
    ...layerBase,
    ...shapePaint,
    path: pathData,
    viewBox: Type.Optional(
      fourNumbers([viewPlace, viewPlace, viewSize, viewSize], {
        description:
          'a list of 4 numbers: [left, top, width, height] in the path’s space, which fill the box',
        absent: 'design pixels',
      }),
    ),
  },
  closed,
);
const arrow = choice(
  ['none', 'triangle', 'open', 'circle'],
  'none, triangle, open or circle',
  'none',
);
const LineLayer = Type.Object(
  {
    type: Type.Literal('line', { description: 'a line from corner to corner of its box' }),
    ...layerBase,
    stroke: Stroke,
    rising: Type.Optional(
      flag('from bottom left to top right instead of top left to bottom right'),
    ),
    startArrow: Type.Optional(arrow),
    endArrow: Type.Optional(arrow),
  },
  closed,
);

/** Bytes of an Aztec code: its encoder takes 0.1 ms for each, so no layer takes over 50 ms. A rail ticket has some 350. */
export const aztecBytesMax = 400;

/** Characters of a code's value, literal or bound: a longer one is no code that anybody scans. */
export const codeLengthMax = { qr: 2000, barcode: 500 } as const;

const codeColors = {
  color: Type.Optional(withDefault(Color, '#000000')),
  background: Type.Optional(withDefault(Color, '#ffffff')),
};
const QrLayer = Type.Object(
  {
    type: Type.Literal('qr', { description: 'a QR code' }),
    ...layerBase,
    value: Type.String({
      maxLength: codeLengthMax.qr,
      description: 'what is encoded, at most 2,000 characters; {{name}} takes a value',
    }),
    ...codeColors,
    errorCorrection: Type.Optional(
      choice(['L', 'M', 'Q', 'H'], 'L, M, Q or H: 7, 15, 25 or 30 % may be damaged', 'M'),
    ),
    quietZone: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16,
        description: 'empty modules around it, 0 to 16',
        default: 4,
      }),
    ),
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
    ...layerBase,
    kind: choice([...barcodeKinds], `one of ${barcodeKinds.join(', ')}`),
    value: Type.String({
      maxLength: codeLengthMax.barcode,
      description: 'what is encoded, at most 500 characters; {{name}} takes a value',
    }),
    ...codeColors,
    quietZone: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 40,
        description: 'empty modules beside it, 0 to 40',
        absent: 'what its kind asks for',
      }),
    ),
  },
  closed,
);

const SvgLayer = Type.Object(
  {
    type: Type.Literal('svg', { description: 'a drawing in SVG' }),
    ...layerBase,
    svg: Type.String({
      maxLength: 65_536,
      description: 'SVG markup, at most 65,536 characters',
      isBindable: false,
    }),
    colors: Type.Optional(
      Type.Record(Type.String({ pattern: '^(#[0-9a-fA-F]{3,8}|currentColor)$' }), Color, {
        ...closed,
        maxProperties: 32,
        description:
          'at most 32 colours of the markup and what stands for them: {"#000000": "#ff0000"}',
      }),
    ),
  },
  closed,
);

/** The group's own schema; its children are checked one by one, for clear paths. */
const GroupLayer = Type.Object(
  {
    type: Type.Literal('group', {
      description: 'layers that are moved, turned and blended as one',
    }),
    ...layerBase,
    layers: Type.Array(Type.Object({ type: Type.String() }), {
      maxItems: 500,
      description: 'at most 500 layers',
    }),
  },
  closed,
);

/** Each layer type's schema, by its `type`. */
export const layerSchemas = {
  text: TextLayer,
  image: ImageLayer,
  rect: RectLayer,
  ellipse: EllipseLayer,
  polygon: PolygonLayer,
  star: StarLayer,
  path: PathLayer,
  line: LineLayer,
  qr: QrLayer,
  barcode: BarcodeLayer,
  svg: SvgLayer,
  group: GroupLayer,
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
/** Each layer type's values, by its `type`. */
type Layers = {
  [Type in Exclude<keyof typeof layerSchemas, 'group'>]: Static<(typeof layerSchemas)[Type]>;
};
export type Layer = Layers[keyof Layers] | GroupLayer;
