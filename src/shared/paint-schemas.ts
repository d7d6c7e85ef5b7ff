/** The colours, gradients, strokes and shadows of the template language, as TypeBox schemas. */
import { Type } from 'typebox';
import type { Static, TEnum } from 'typebox';

export const closed = { additionalProperties: false } as const;

/** A choice between words. */
export function choice<Words extends string[]>(
  words: [...Words],
  description: string,
): TEnum<Words> {
  return Type.Enum(words, { description });
}

export const Color = Type.String({
  pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
  description: 'a colour: #rgb, #rgba, #rrggbb or #rrggbbaa',
});

const stops = Type.Array(
  Type.Object(
    {
      offset: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'a place from 0 (start) to 1 (end)',
      }),
      color: Color,
    },
    closed,
  ),
  { minItems: 2, maxItems: 16, description: '2 to 16 colour stops' },
);
const angle = Type.Optional(
  Type.Number({
    minimum: -360,
    maximum: 360,
    description: 'degrees as in CSS: 0 up, 90 right; default 180 (linear), 0 (conic)',
  }),
);
const center = Type.Number({ minimum: -1, maximum: 2, description: 'a part of the box' });

const LinearGradient = Type.Object({ gradient: Type.Literal('linear'), angle, stops }, closed);
const RadialGradient = Type.Object(
  {
    gradient: Type.Literal('radial'),
    centerX: Type.Optional(center),
    centerY: Type.Optional(center),
    radius: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 4,
        description: 'part of half the diagonal of the box; default 1',
      }),
    ),
    stops,
  },
  closed,
);
const ConicGradient = Type.Object(
  {
    gradient: Type.Literal('conic'),
    centerX: Type.Optional(center),
    centerY: Type.Optional(center),
    angle,
    stops,
  },
  closed,
);
const Gradient = Type.Union([LinearGradient, RadialGradient, ConicGradient]);

export const ImageSource = Type.String({
  // A data: URL of 64 KiB in base64, with room for its beginning.
  maxLength: 90_000,
  description: 'an image: asset:<id>, an http(s) address, a data: URL or {{variable}}',
});

const ImageFill = Type.Object(
  {
    image: ImageSource,
    fit: Type.Optional(choice(['cover', 'contain', 'fill'], 'cover, contain or fill')),
  },
  closed,
);

/** A colour or a gradient. */
export const ColorFill = Type.Union([Color, LinearGradient, RadialGradient, ConicGradient], {
  description: 'a colour (#rrggbb) or a gradient',
});
/** A colour, a gradient or a picture. */
export const Fill = Type.Union([Color, LinearGradient, RadialGradient, ConicGradient, ImageFill], {
  description: 'a colour (#rrggbb), a gradient or an image fill',
});

export const Stroke = Type.Object(
  {
    color: Color,
    width: Type.Number({ minimum: 0, maximum: 400, description: 'design pixels' }),
    dash: Type.Optional(
      Type.Array(Type.Number({ minimum: 0.1, maximum: 4096 }), {
        minItems: 1,
        maxItems: 8,
        description: 'lengths of dashes and gaps, design pixels',
      }),
    ),
    cap: Type.Optional(choice(['butt', 'round', 'square'], 'butt, round or square')),
    join: Type.Optional(choice(['miter', 'round', 'bevel'], 'miter, round or bevel')),
  },
  closed,
);

export const Border = Type.Object(
  {
    color: Color,
    width: Type.Number({ minimum: 0, maximum: 400, description: 'design pixels' }),
    position: Type.Optional(
      choice(['inside', 'center', 'outside'], 'inside (default), center or outside the box'),
    ),
  },
  closed,
);

export const Shadow = Type.Object(
  {
    x: Type.Optional(Type.Number({ minimum: -400, maximum: 400, description: 'design pixels' })),
    y: Type.Optional(Type.Number({ minimum: -400, maximum: 400, description: 'design pixels' })),
    blur: Type.Optional(
      Type.Number({ minimum: 0, maximum: 200, description: 'blur radius as in CSS' }),
    ),
    color: Color,
  },
  closed,
);

const factor = (most: number): ReturnType<typeof Type.Number> =>
  Type.Number({ minimum: 0, maximum: most, description: `a factor from 0 to ${most}` });

export const Filter = Type.Object(
  {
    brightness: Type.Optional(factor(4)),
    contrast: Type.Optional(factor(4)),
    saturate: Type.Optional(factor(4)),
    grayscale: Type.Optional(factor(1)),
    sepia: Type.Optional(factor(1)),
    invert: Type.Optional(factor(1)),
    hueRotate: Type.Optional(Type.Number({ minimum: -360, maximum: 360, description: 'degrees' })),
  },
  closed,
);

const radius = Type.Number({ minimum: 0, maximum: 8192, description: 'design pixels' });
export const CornerRadius = Type.Union([radius, Type.Tuple([radius, radius, radius, radius])], {
  description: 'design pixels: one number, or [top left, top right, bottom right, bottom left]',
});

export type Gradient = Static<typeof Gradient>;
export type ColorFill = Static<typeof ColorFill>;
export type ImageFill = Static<typeof ImageFill>;
export type Fill = Static<typeof Fill>;
export type Stroke = Static<typeof Stroke>;
export type Border = Static<typeof Border>;
export type Shadow = Static<typeof Shadow>;
export type Filter = Static<typeof Filter>;
export type CornerRadius = Static<typeof CornerRadius>;
