/** The properties of every layer: its box, effects, clip and conditions, as TypeBox schemas. */
import { uidSchemaPattern } from '../uid.ts';
import { Type } from 'typebox';
import type { Static, TArray, TNumber, TObject, TSchema, TString } from 'typebox';
import { BrandLinks } from './brand.ts';
import { inSection } from './notes.ts';
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
  Type.Number({ minimum: -16384, maximum: 16384, unit: 'px', description });
/** A width, a height or a radius in design pixels. */
export const size = (
  notes: SchemaNotes & { description?: string } = {},
): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: 16384, unit: 'px', ...notes });
/** A boolean, and its value when it is absent. */
export const flag = (description: string, standard = false): ReturnType<typeof Type.Boolean> =>
  Type.Boolean({ description, default: standard });
/** SVG path data. */
export const pathData = Type.String({
  maxLength: 16384,
  pattern: '^[MmLlHhVvCcSsQqTtAaZz0-9eE+\\-., \\n]*$',
  description: 'SVG path data in design pixels',
});
const comparable = (description: string): ReturnType<typeof Type.String> =>
  Type.String({
    maxLength: 2000,
    description: `${description}; {{name}} takes a value`,
  });

/** A number, or a text: a date, `now`, `today`, or the binding of a variable. */
const bound = (description: string): ReturnType<typeof Type.Union<[TNumber, TString]>> =>
  Type.Union([Type.Number(), Type.String({ maxLength: 2000 })], {
    expected: 'a number, or a text of at most 2,000 characters: a date, now, today or {{name}}',
    description,
  });

/** A condition on one variable. `greaterThan` and `lessThan` compare numbers and dates. */
const VariableCondition = Type.Object(
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
        content: 'texts',
        description: 'the value is one of them',
      }),
    ),
    ignoreCase: Type.Optional(
      flag('equals, notEquals and oneOf take capitals and small letters for the same'),
    ),
    greaterThan: Type.Optional(bound('below the value')),
    lessThan: Type.Optional(bound('above the value')),
  },
  { ...closed, expected: 'a condition (an object)' },
);

/** `all`, `any` and `not` over conditions of one kind. */
function joined<Inner extends TSchema>(
  inner: Inner,
): [TObject<{ all: TArray<Inner> }>, TObject<{ any: TArray<Inner> }>, TObject<{ not: Inner }>] {
  const list = (description: string): TArray<Inner> =>
    Type.Array(inner, { minItems: 1, maxItems: 8, content: 'conditions', description });
  return [
    Type.Object({ all: list('all hold') }, closed),
    Type.Object({ any: list('at least one holds') }, closed),
    Type.Object({ not: inner }, closed),
  ];
}

const expected = 'a condition (an object), or all, any or not';
/** Conditions within `all`, `any` or `not`, which nest at most two levels deep. */
const InnerCondition = Type.Union([VariableCondition, ...joined(VariableCondition)], { expected });
const Condition = Type.Union([VariableCondition, ...joined(InnerCondition)], { expected });

/** The conditions under which a layer or span is visible. */
export const visibleWhen = Type.Optional(
  Type.Union(
    [
      ...Condition.anyOf,
      Type.Array(Condition, { maxItems: 8, content: 'conditions that must all hold' }),
    ],
    { role: 'conditions' },
  ),
);

/** Cuts a layer to a shape. Lengths are design pixels from the top left corner of the layer. */
const Clip = Type.Object(
  {
    shape: choice(['rect', 'ellipse', 'path']),
    x: Type.Optional(withDefault(length('left edge from that of the layer'), 0)),
    y: Type.Optional(withDefault(length('top edge from that of the layer'), 0)),
    width: Type.Optional(size({ absent: 'as wide as the layer' })),
    height: Type.Optional(size({ absent: 'as high as the layer' })),
    cornerRadius: Type.Optional(CornerRadius),
    path: Type.Optional(pathData),
  },
  { ...closed, description: 'a shape that cuts the layer' },
);

/** A width or a height: a number, `hug` for the size of the content, or `fill` for the space left in a stack. */
const flexibleSize = Type.Union([size(), choice(['hug', 'fill'])], {
  expected: 'a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks)',
  unit: 'px',
});
const sizeLimit = size({ description: 'limits a size that hugs or fills', absent: 'no limit' });

/**
 * The base properties of every layer. Lengths are design pixels from the top left corner of the canvas or group. A
 * stack positions its layers: they have no x and y (`check/stack-rules.ts`).
 */
export const layerFrame = {
  id: Type.String({
    pattern: uidSchemaPattern,
    expected: 'a text of 1 to 64 letters, digits, - or _, unique in the template',
  }),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'for people' })),
  brand: Type.Optional(BrandLinks),
  locked: Type.Optional(flag('the studio’s canvas leaves the layer alone; images are the same')),
  ...inSection('position', {
    x: Type.Optional(length('left edge')),
    y: Type.Optional(length('top edge')),
    width: flexibleSize,
    height: flexibleSize,
    minWidth: Type.Optional(sizeLimit),
    maxWidth: Type.Optional(sizeLimit),
    minHeight: Type.Optional(sizeLimit),
    maxHeight: Type.Optional(sizeLimit),
    rotation: Type.Optional(
      Type.Number({
        minimum: -360,
        maximum: 360,
        description: 'clockwise about the centre',
        unit: '°',
        default: 0,
      }),
    ),
  }),
};

/** The effects of every layer. They follow the layer's other properties, in editors too. */
export const layerEffects = {
  ...inSection('shape', {
    cornerRadius: Type.Optional(CornerRadius),
  }),
  ...inSection('stroke', {
    border: Type.Optional(Border),
  }),
  ...inSection('effects', {
    opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
    blendMode: Type.Optional(
      choice([...blendModes], 'normal', { description: 'a CSS blend mode' }),
    ),
    shadow: Type.Optional(
      Type.Union([
        Shadow,
        Type.Array(Shadow, { maxItems: 4, content: 'shadows, the first on top' }),
      ]),
    ),
    blur: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 200,
        description: 'standard deviation',
        unit: 'px',
        default: 0,
      }),
    ),
    filter: Type.Optional(Filter),
  }),
  ...inSection('clip', {
    clip: Type.Optional(Clip),
    mask: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'the id of another layer in the same group, whose alpha cuts this one',
        role: 'mask',
      }),
    ),
  }),
  ...inSection('visibility', {
    visible: Type.Optional(flag('false hides the layer', true)),
    visibleWhen,
  }),
};

export type VariableCondition = Static<typeof VariableCondition>;
export type Condition = Static<typeof Condition>;
export type Clip = Static<typeof Clip>;
