/** What every kind of layer may say: its box, effects, clip and conditions, as TypeBox schemas. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Border, choice, closed, CornerRadius, Filter, Shadow } from './paint-schemas.ts';

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
  Type.Number({ minimum: -16384, maximum: 16384, description });
/** A width, a height or a radius in design pixels. */
export const size = (description: string): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: 16384, description });
/** A switch. */
export const flag = (description: string): ReturnType<typeof Type.Boolean> =>
  Type.Boolean({ description });
/** Lines and curves as SVG writes them. */
export const pathData = Type.String({
  maxLength: 16384,
  pattern: '^[MmLlHhVvCcSsQqTtAaZz0-9eE+\\-., \\n]*$',
  description: 'SVG path data, at most 16,384 characters',
});
const comparable = Type.String({ maxLength: 2000 });

/** When a layer shows: every named condition must hold. `greaterThan` and `lessThan` compare numbers. */
const Condition = Type.Object(
  {
    variable: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'a variable of the template',
    }),
    set: Type.Optional(flag('true: the value is not empty; false: it is')),
    equals: Type.Optional(comparable),
    notEquals: Type.Optional(comparable),
    greaterThan: Type.Optional(Type.Number({ description: 'a number' })),
    lessThan: Type.Optional(Type.Number({ description: 'a number' })),
  },
  closed,
);

/** Cuts a layer to a shape. Lengths are design pixels from the layer's own top left corner. */
const Clip = Type.Object(
  {
    shape: choice(['rect', 'ellipse', 'path'], 'rect, ellipse or path'),
    x: Type.Optional(length('default 0')),
    y: Type.Optional(length('default 0')),
    width: Type.Optional(size("default: the layer's width")),
    height: Type.Optional(size("default: the layer's height")),
    cornerRadius: Type.Optional(CornerRadius),
    path: Type.Optional(pathData),
  },
  closed,
);

/** What every layer has. Lengths are design pixels from the top left corner of the canvas or group. */
export const layerBase = {
  id: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'unique in the template: 1 to 64 letters, digits, - or _',
  }),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'for people' })),
  x: length('left edge, design pixels'),
  y: length('top edge, design pixels'),
  width: size('design pixels'),
  height: size('design pixels'),
  rotation: Type.Optional(
    Type.Number({
      minimum: -360,
      maximum: 360,
      description: 'degrees clockwise about the centre, -360 to 360',
    }),
  ),
  opacity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
  ),
  blendMode: Type.Optional(choice([...blendModes], 'a CSS blend mode')),
  visible: Type.Optional(flag('false hides the layer')),
  visibleWhen: Type.Optional(
    Type.Union([Condition, Type.Array(Condition, { maxItems: 8 })], {
      description: 'a condition, or up to 8 that must all hold',
    }),
  ),
  shadow: Type.Optional(
    Type.Union([Shadow, Type.Array(Shadow, { maxItems: 4 })], {
      description: 'a shadow, or up to 4 of them, the first on top',
    }),
  ),
  blur: Type.Optional(
    Type.Number({ minimum: 0, maximum: 200, description: 'standard deviation, design pixels' }),
  ),
  filter: Type.Optional(Filter),
  clip: Type.Optional(Clip),
  mask: Type.Optional(
    Type.String({ maxLength: 64, description: 'the id of a layer whose alpha cuts this one' }),
  ),
  border: Type.Optional(Border),
  cornerRadius: Type.Optional(CornerRadius),
};

export type Condition = Static<typeof Condition>;
export type Clip = Static<typeof Clip>;
