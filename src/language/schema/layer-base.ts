/** What every kind of layer may say: its box, effects, clip and conditions, as TypeBox schemas. */
import { uidSchemaPattern } from '../uid.ts';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { SchemaNotes } from './notes.ts';
import { Border, choice, closed, CornerRadius, Filter, Shadow, withDefault } from './paint.ts';

/** Blend modes of CSS Compositing 1. */
export const blendModes = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
] as const;

/** A coordinate in design pixels. */
export const length = (description: string): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: -16384, maximum: 16384, description, unit: 'px' });
/** A width, a height or a radius in design pixels. */
export const size = (
  description: string,
  notes: SchemaNotes = {},
): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: 16384, description, unit: 'px', ...notes });
/** A switch, and where it stands when it is absent. */
export const flag = (description: string, standard = false): ReturnType<typeof Type.Boolean> =>
  Type.Boolean({ description, default: standard });
/** Lines and curves as SVG writes them. */
export const pathData = Type.String({
  maxLength: 16384,
  pattern: '^[MmLlHhVvCcSsQqTtAaZz0-9eE+\\-., \\n]*$',
  description: 'SVG path data, at most 16,384 characters, design pixels',
});
const comparable = (description: string): ReturnType<typeof Type.String> =>
  Type.String({
    maxLength: 2000,
    description: `${description} text of at most 2,000 characters; {{name}} takes a value`,
  });

/** When a layer shows: every named condition must hold. `greaterThan` and `lessThan` compare numbers. */
const Condition = Type.Object(
  {
    variable: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'a variable of the template',
    }),
    set: Type.Optional(Type.Boolean({ description: 'true: the value is not empty; false: it is' })),
    equals: Type.Optional(comparable('the value is this')),
    notEquals: Type.Optional(comparable('the value is not this')),
    oneOf: Type.Optional(
      Type.Array(comparable('the value may be this'), {
        minItems: 1,
        maxItems: 50,
        description: '1 to 50 texts, one of which the value is',
      }),
    ),
    greaterThan: Type.Optional(Type.Number({ description: 'a number below the value' })),
    lessThan: Type.Optional(Type.Number({ description: 'a number above the value' })),
  },
  closed,
);

/** Cuts a layer to a shape. Lengths are design pixels from the layer's own top left corner. */
const Clip = Type.Object(
  {
    shape: choice(['rect', 'ellipse', 'path'], 'rect, ellipse or path'),
    x: Type.Optional(withDefault(length('left edge from that of the layer, design pixels'), 0)),
    y: Type.Optional(withDefault(length('top edge from that of the layer, design pixels'), 0)),
    width: Type.Optional(size('design pixels', { absent: 'as wide as the layer' })),
    height: Type.Optional(size('design pixels', { absent: 'as high as the layer' })),
    cornerRadius: Type.Optional(CornerRadius),
    path: Type.Optional(pathData),
  },
  { ...closed, description: 'a shape that cuts the layer: rect, ellipse or path' },
);

/** What every layer has. Lengths are design pixels from the top left corner of the canvas or group. */
export const layerBase = {
  id: Type.String({
    pattern: uidSchemaPattern,
    description: '1 to 64 letters, digits, - or _, unique in the template',
  }),
  name: Type.Optional(
    Type.String({ maxLength: 200, description: 'for people, at most 200 characters' }),
  ),
  x: length('left edge, design pixels'),
  y: length('top edge, design pixels'),
  width: size('design pixels'),
  height: size('design pixels'),
  rotation: Type.Optional(
    Type.Number({
      minimum: -360,
      maximum: 360,
      description: 'degrees clockwise about the centre, -360 to 360',
      unit: '°',
      default: 0,
    }),
  ),
  opacity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1', default: 1 }),
  ),
  blendMode: Type.Optional(choice([...blendModes], 'a CSS blend mode', 'normal')),
  visible: Type.Optional(flag('false hides the layer', true)),
  visibleWhen: Type.Optional(
    Type.Union([Condition, Type.Array(Condition, { maxItems: 8 })], {
      description: 'a condition (an object), or a list of up to 8 that must all hold',
      role: 'conditions',
    }),
  ),
  shadow: Type.Optional(
    Type.Union([Shadow, Type.Array(Shadow, { maxItems: 4 })], {
      description: 'a shadow (an object), or a list of up to 4 of them, the first on top',
    }),
  ),
  blur: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 200,
      description: 'standard deviation, design pixels',
      unit: 'px',
      default: 0,
    }),
  ),
  filter: Type.Optional(Filter),
  clip: Type.Optional(Clip),
  mask: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'the id of another layer in the same group, whose alpha cuts this one',
      role: 'mask',
    }),
  ),
  border: Type.Optional(Border),
  cornerRadius: Type.Optional(CornerRadius),
};

export type Condition = Static<typeof Condition>;
export type Clip = Static<typeof Clip>;
