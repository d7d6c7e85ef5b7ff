/** The colours, gradients, strokes and shadows of the template language, as TypeBox schemas. */
import { Type } from 'typebox';
import type { Static, TEnum, TLiteral, TNumber, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import type { SchemaNotes } from './notes.ts';

export const closed = { additionalProperties: false } as const;

/**
 * A choice between words. `default` documents the value of an absent property for people and editors. Validation does
 * not fill it in.
 */
export function choice<Words extends string[]>(
  words: [...Words],
  standard?: Words[number],
  notes: SchemaNotes & { description?: string } = {},
): TEnum<Words> {
  return Type.Enum(words, { ...(standard === undefined ? {} : { default: standard }), ...notes });
}

/** A copy of a schema with a default, the value of an absent property. */
export function withDefault<Schema extends TSchema>(schema: Schema, standard: unknown): Schema {
  return { ...schema, default: standard };
}

export const Color = Type.String({
  pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
  expected: 'a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
  role: 'color',
});

const stops = Type.Array(
  Type.Object(
    {
      offset: Type.Number({
        minimum: 0,
        maximum: 1,
        description: '0 is the start, 1 the end',
      }),
      color: Color,
    },
    closed,
  ),
  { minItems: 2, maxItems: 16, content: 'colour stops' },
);
const angle = (standard: number): ReturnType<typeof Type.Number> =>
  Type.Number({
    minimum: -360,
    maximum: 360,
    description: 'as in CSS, 0 up, 90 right',
    unit: '°',
    default: standard,
  });
const center = (side: string): ReturnType<typeof Type.Number> =>
  Type.Number({
    minimum: -1,
    maximum: 2,
    description: `the centre, as a part of the box from its ${side}`,
    default: 0.5,
  });
const kind = <Word extends string>(word: Word, description: string): TLiteral<Word> =>
  Type.Literal(word, { description });

const LinearGradient = Type.Object(
  {
    gradient: kind('linear', 'along a line'),
    angle: Type.Optional(angle(180)),
    stops,
  },
  closed,
);
const RadialGradient = Type.Object(
  {
    gradient: kind('radial', 'from a centre outwards'),
    centerX: Type.Optional(center('left')),
    centerY: Type.Optional(center('top')),
    radius: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 4,
        description: 'where the last stop lies, as a part of half the diagonal of the box',
        default: 1,
      }),
    ),
    stops,
  },
  closed,
);
const ConicGradient = Type.Object(
  {
    gradient: kind('conic', 'round a centre'),
    centerX: Type.Optional(center('left')),
    centerY: Type.Optional(center('top')),
    angle: Type.Optional(angle(0)),
    stops,
  },
  closed,
);
const Gradient = Type.Union([LinearGradient, RadialGradient, ConicGradient]);

export const ImageSource = Type.String({
  // A data: URL of 64 KiB in base64, with its prefix.
  maxLength: 90_000,
  description: 'an image: asset:<id>, an http(s) address, a data: URL or {{variable}}',
  role: 'image',
});

const ImageFill = Type.Object(
  {
    image: ImageSource,
    fit: Type.Optional(choice(['cover', 'contain', 'fill'], 'cover')),
  },
  closed,
);

/** A colour or a gradient. */
export const ColorFill = Type.Union([Color, LinearGradient, RadialGradient, ConicGradient], {
  expected: 'a colour (#rrggbb) or a gradient',
});
/** A colour, a gradient or an image. */
export const Fill = Type.Union([Color, LinearGradient, RadialGradient, ConicGradient, ImageFill], {
  expected: 'a colour (#rrggbb), a gradient or an image fill',
});

export const Stroke = Type.Object(
  {
    color: Color,
    width: Type.Number({
      minimum: 0,
      maximum: 400,
      description: 'width of the line',
      unit: 'px',
    }),
    dash: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.1, maximum: 4096 }), {
        minItems: 1,
        maxItems: 8,
        content: 'lengths of dashes and gaps in turn, design pixels',
        absent: 'solid',
      }),
    ),
    cap: Type.Optional(choice(['butt', 'round', 'square'], 'butt')),
    join: Type.Optional(
      choice(['miter', 'round', 'bevel'], undefined, { absent: 'miter, for texts round' }),
    ),
  },
  { ...closed, description: 'a line: its colour, width, dashes, ends and corners' },
);

export const Border = Type.Object(
  {
    color: Color,
    width: Type.Number({
      minimum: 0,
      maximum: 400,
      description: 'width of the line',
      unit: 'px',
    }),
    position: Type.Optional(
      choice(['inside', 'center', 'outside'], 'inside', { description: 'of the edge of the box' }),
    ),
  },
  { ...closed, description: 'a frame round the box: its colour, width and position' },
);

const shift = (way: string): ReturnType<typeof Type.Number> =>
  Type.Number({
    minimum: -400,
    maximum: 400,
    description: way,
    unit: 'px',
    default: 0,
  });

export const Shadow = Type.Object(
  {
    x: Type.Optional(shift('to the right')),
    y: Type.Optional(shift('down')),
    blur: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 200,
        description: 'blur radius as in CSS',
        unit: 'px',
        default: 0,
      }),
    ),
    color: Color,
  },
  { ...closed, expected: 'a shadow (an object)' },
);

const factor = (zero: string): ReturnType<typeof Type.Number> =>
  Type.Number({
    minimum: 0,
    maximum: 4,
    description: `0 is ${zero}, 1 changes nothing`,
    unit: '×',
    default: 1,
  });
const part = (whole: string): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: 1, description: `1 is ${whole}`, default: 0 });

export const Filter = Type.Object(
  {
    brightness: Type.Optional(factor('black')),
    contrast: Type.Optional(factor('grey')),
    saturate: Type.Optional(factor('without colour')),
    grayscale: Type.Optional(part('all grey')),
    sepia: Type.Optional(part('all brown')),
    invert: Type.Optional(part('a negative')),
    hueRotate: Type.Optional(
      Type.Number({
        minimum: -360,
        maximum: 360,
        description: 'round the wheel of colours',
        unit: '°',
        default: 0,
      }),
    ),
  },
  { ...closed, description: 'changes of colour, in this order, as in CSS' },
);

/** A list of four numbers in the form of draft 2020-12. TypeBox's tuples have the `additionalItems` of older drafts. */
export function fourNumbers(
  prefixItems: readonly [TNumber, TNumber, TNumber, TNumber],
  options?: TSchemaOptions,
): TUnsafe<[number, number, number, number]> {
  const list = { type: 'array', prefixItems, items: false, minItems: 4, maxItems: 4 };
  return Type.Unsafe({ ...list, ...options });
}

const radius = Type.Number({ minimum: 0, maximum: 8192, unit: 'px' });
export const CornerRadius = Type.Union(
  [
    radius,
    fourNumbers([radius, radius, radius, radius], {
      content: 'numbers',
      description: '[top left, top right, bottom right, bottom left]',
    }),
  ],
  { default: 0 },
);

export type Gradient = Static<typeof Gradient>;
export type ColorFill = Static<typeof ColorFill>;
export type ImageFill = Static<typeof ImageFill>;
export type Fill = Static<typeof Fill>;
export type Stroke = Static<typeof Stroke>;
export type Border = Static<typeof Border>;
export type Shadow = Static<typeof Shadow>;
export type Filter = Static<typeof Filter>;
export type CornerRadius = Static<typeof CornerRadius>;
