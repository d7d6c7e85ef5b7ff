/** What a text layer and its spans may say, as TypeBox schemas. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { flag, layerBase, pathData, size } from './layer-base.ts';
import { choice, closed, Color, ColorFill, Stroke, withDefault } from './paint.ts';

const fontFamily = Type.String({ minLength: 1, maxLength: 100, description: 'a font family' });
const fontTag = '^[A-Za-z0-9]{4}$';

/** How letters look: of a layer, or of one span of it. */
const textStyle = {
  fontFamily: Type.Optional(
    Type.Union([fontFamily, Type.Array(fontFamily, { minItems: 1, maxItems: 8 })], {
      description:
        'a font family of 1 to 100 characters, or a list of 1 to 8 in the order in which a character is looked for',
      role: 'font',
      default: 'Inter',
    }),
  ),
  fontSize: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 2000,
      description: 'design pixels, 1 to 2000',
      unit: 'px',
      default: 16,
    }),
  ),
  fontWeight: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'a whole number from 1 to 1000',
      default: 400,
    }),
  ),
  fontStyle: Type.Optional(choice(['normal', 'italic'], 'normal or italic', 'normal')),
  fontFeatures: Type.Optional(
    Type.Record(
      Type.String({ pattern: fontTag }),
      Type.Integer({ minimum: 0, maximum: 99, description: 'a whole number from 0 to 99' }),
      { ...closed, maxProperties: 16, description: 'at most 16 OpenType features: {"tnum": 1}' },
    ),
  ),
  fontVariations: Type.Optional(
    Type.Record(
      Type.String({ pattern: fontTag }),
      Type.Number({ minimum: -10_000, maximum: 10_000, description: 'a number' }),
      {
        ...closed,
        maxProperties: 8,
        description: 'at most 8 axes of a variable font: {"wght": 650}',
      },
    ),
  ),
  fill: Type.Optional(withDefault(ColorFill, '#000000')),
  letterSpacing: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 400,
      description: 'design pixels, -100 to 400',
      unit: 'px',
      default: 0,
    }),
  ),
  wordSpacing: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 400,
      description: 'design pixels, -100 to 400',
      unit: 'px',
      default: 0,
    }),
  ),
  underline: Type.Optional(flag('a line below')),
  strike: Type.Optional(flag('a line through')),
  background: Type.Optional(Color),
  transform: Type.Optional(
    choice(
      ['none', 'uppercase', 'lowercase', 'capitalize'],
      'none, uppercase, lowercase or capitalize',
      'none',
    ),
  ),
};

const text = Type.String({
  maxLength: 8000,
  description: 'text of at most 8,000 characters; {{name}} takes a value',
});

const TextSpan = Type.Object({ text, ...textStyle }, closed);

export const TextLayer = Type.Object(
  {
    type: Type.Literal('text', { description: 'text in lines, or along a path' }),
    ...layerBase,
    text: Type.Optional(text),
    spans: Type.Optional(
      Type.Array(TextSpan, { minItems: 1, maxItems: 50, description: '1 to 50 spans' }),
    ),
    ...textStyle,
    lineHeight: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 4,
        description: 'a multiple of the font size, 0.5 to 4',
        unit: '×',
        default: 1.2,
      }),
    ),
    align: Type.Optional(
      choice(
        ['left', 'center', 'right', 'justify', 'start', 'end'],
        'left, center, right, justify, start or end',
        'start',
      ),
    ),
    verticalAlign: Type.Optional(
      choice(['top', 'middle', 'bottom'], 'top, middle or bottom', 'top'),
    ),
    direction: Type.Optional(choice(['auto', 'ltr', 'rtl'], 'auto, ltr or rtl', 'auto')),
    overflow: Type.Optional(
      choice(
        ['shrink', 'grow', 'ellipsis', 'clip', 'visible'],
        'shrink, grow, ellipsis, clip or visible',
        'shrink',
      ),
    ),
    minSize: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 2000,
        description: 'smallest font size of a shrink, design pixels',
        unit: 'px',
        absent: 'half of the font size',
      }),
    ),
    maxLines: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'a whole number from 1 to 200',
        absent: 'as many as the box holds',
      }),
    ),
    balance: Type.Optional(flag('lines of about equal length')),
    stroke: Type.Optional(Stroke),
    linePill: Type.Optional(
      Type.Object(
        {
          fill: Color,
          paddingX: Type.Optional(
            withDefault(size('left and right of the line, design pixels'), 0),
          ),
          paddingY: Type.Optional(withDefault(size('above and below the line, design pixels'), 0)),
          cornerRadius: Type.Optional(withDefault(size('design pixels'), 0)),
        },
        { ...closed, description: 'a ground behind each line: its fill, padding and corners' },
      ),
    ),
    path: Type.Optional(pathData),
  },
  closed,
);

export type TextSpan = Static<typeof TextSpan>;
export type TextLayer = Static<typeof TextLayer>;
