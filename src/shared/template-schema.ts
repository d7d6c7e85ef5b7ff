/** The template document as a TypeBox schema, and the limits that keep every render affordable. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { bindableSchema } from './bindable-schemas.ts';
import type { Layer } from './layer-schemas.ts';
import { choice, closed, ColorFill } from './paint-schemas.ts';
import type { ColorFill as ColorFillValue } from './paint-schemas.ts';

/** Limits of a document, so that no template can cost more than a render is meant to (units in the names). */
export const templateLimits = {
  documentBytesMax: 256 * 1024,
  sidePxMax: 4096,
  /** Device pixels after scale. 16 MP are 64 MB of RGBA. */
  pixelsMax: 16 * 1024 * 1024,
  /** Counted through all groups. */
  layersMax: 500,
  /** Groups within groups. */
  nestingMax: 8,
  /**
   * Painting of all layers, in blurred device pixels at the largest scale (see `paintCost`): some 5 s. A
   * banner of 1200 x 630 at scale 3 has 7 million, so 58 blurs or 117 gradients all over it.
   */
  paintCostMax: 400_000_000,
  variablesMax: 200,
  /** Code points of one value: a layout of longer text takes over 50 ms. */
  valueCodePointsMax: 2000,
  /** Line breaks of one value: each is a paragraph to lay out. */
  valueLineBreaksMax: 100,
} as const;

const variableTypes = ['text', 'image', 'color', 'number', 'boolean'] as const;

export const Variable = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[^{}]*$',
      description: 'as it stands in the link: 1 to 128 characters without { and }',
    }),
    type: choice([...variableTypes], `one of ${variableTypes.join(', ')}`),
    value: Type.String({ maxLength: 8000, description: 'the default' }),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: templateLimits.valueCodePointsMax,
        description: 'code points that a text may have; a longer one answers 400',
      }),
    ),
    min: Type.Optional(Type.Number({ description: 'smallest number; a smaller one answers 400' })),
    max: Type.Optional(Type.Number({ description: 'largest number; a larger one answers 400' })),
    whenEmpty: Type.Optional(
      choice(
        ['default', 'empty'],
        'what an empty value or an unmerged tag draws: default or empty (nothing)',
      ),
    ),
  },
  closed,
);

/** The document without its layers' insides, which `checkTemplate` checks one by one for clear errors. */
export const TemplateShell = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 2048, description: 'for editors' })),
    format: Type.Literal(1, { description: '1, the version of this language' }),
    name: Type.String({ minLength: 1, maxLength: 200, description: '1 to 200 characters' }),
    width: Type.Integer({
      minimum: 1,
      maximum: templateLimits.sidePxMax,
      description: `a whole number of design pixels from 1 to ${templateLimits.sidePxMax}`,
    }),
    height: Type.Integer({
      minimum: 1,
      maximum: templateLimits.sidePxMax,
      description: `a whole number of design pixels from 1 to ${templateLimits.sidePxMax}`,
    }),
    background: Type.Optional(
      bindableSchema(
        Type.Union([Type.Literal('none'), ...ColorFill.anyOf], {
          description: 'a colour (#rrggbb), a gradient or none; default none',
        }),
      ),
    ),
    lang: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', description: 'a BCP 47 tag' }),
    ),
    fonts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 8,
        description: 'at most 8 font families, tried after a layer’s own',
      }),
    ),
    output: Type.Optional(
      Type.Object(
        {
          format: Type.Optional(choice(['png', 'jpeg', 'webp', 'avif'], 'png, jpeg, webp or avif')),
          quality: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100, description: 'a whole number, 1 to 100' }),
          ),
        },
        closed,
      ),
    ),
    linkAuth: Type.Optional(choice(['open', 'signed', 'key'], 'open, signed or key')),
    onError: Type.Optional(choice(['json', 'image'], 'json or image')),
    onImageError: Type.Optional(choice(['error', 'default'], 'error or default')),
    maxAgeSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: 'seconds that a link without _version may be cached, 0 to 31536000',
      }),
    ),
    variables: Type.Array(Variable, {
      maxItems: templateLimits.variablesMax,
      description: `at most ${templateLimits.variablesMax} variables`,
    }),
    layers: Type.Array(Type.Object({ type: Type.String() }), {
      maxItems: templateLimits.layersMax,
      description: `at most ${templateLimits.layersMax} layers`,
    }),
  },
  closed,
);

export type Variable = Static<typeof Variable>;
export type VariableType = Variable['type'];
/** A whole template document, validated; bound properties are still bindings. */
export type Template = Omit<Static<typeof TemplateShell>, 'layers' | 'background'> & {
  /** A colour, a gradient, or the word none. */
  background?: ColorFillValue;
  layers: Layer[];
};
