/** Text layers and their spans as TypeBox schemas. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { flag, layerEffects, layerFrame, pathData, size, visibleWhen } from './layer-base.ts';
import { inSection } from './notes.ts';
import { choice, closed, Color, ColorFill, Stroke, withDefault } from './paint.ts';

const fontFamily = Type.String({ minLength: 1, maxLength: 100, description: 'a font family' });
const fontTag = '^[A-Za-z0-9]{4}$';

/** The style of letters, for a layer or one of its spans. */
const textStyle = {
  fontFamily: Type.Optional(
    Type.Union(
      [
        fontFamily,
        Type.Array(fontFamily, {
          minItems: 1,
          maxItems: 8,
          content: 'font families in the order in which a character is looked for',
        }),
      ],
      { role: 'font', default: 'Inter' },
    ),
  ),
  fontSize: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 2000,
      unit: 'px',
      default: 16,
    }),
  ),
  fontWeight: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 400,
    }),
  ),
  fontStyle: Type.Optional(choice(['normal', 'italic'], 'normal')),
  fontFeatures: Type.Optional(
    Type.Record(Type.String({ pattern: fontTag }), Type.Integer({ minimum: 0, maximum: 99 }), {
      ...closed,
      maxProperties: 16,
      content: 'OpenType features',
      description: '{"tnum": 1}',
    }),
  ),
  fontVariations: Type.Optional(
    Type.Record(
      Type.String({ pattern: fontTag }),
      Type.Number({ minimum: -10_000, maximum: 10_000 }),
      {
        ...closed,
        maxProperties: 8,
        content: 'axes of a variable font',
        description: '{"wght": 650}',
      },
    ),
  ),
  fill: Type.Optional(withDefault(ColorFill, '#000000')),
  letterSpacing: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 400,
      unit: 'px',
      default: 0,
    }),
  ),
  wordSpacing: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 400,
      unit: 'px',
      default: 0,
    }),
  ),
  underline: Type.Optional(flag('a line below')),
  strike: Type.Optional(flag('a line through')),
  background: Type.Optional(Color),
  transform: Type.Optional(choice(['none', 'uppercase', 'lowercase', 'capitalize'], 'none')),
};

const text = Type.String({
  maxLength: 8000,
  description: '{{name}} takes a value',
});

const TextSpan = Type.Object({ text, ...textStyle, visibleWhen }, closed);

const {
  letterSpacing,
  wordSpacing,
  transform,
  underline,
  strike,
  fill,
  fontStyle,
  fontFeatures,
  fontVariations,
  background,
  ...font
} = textStyle;

export const TextLayer = Type.Object(
  {
    type: Type.Literal('text', { description: 'text in lines, or along a path' }),
    ...layerFrame,
    ...inSection('text', {
      text: Type.Optional(text),
      spans: Type.Optional(Type.Array(TextSpan, { minItems: 1, maxItems: 50, content: 'spans' })),
    }),
    ...inSection('type', {
      ...font,
      fill,
      fontStyle,
      align: Type.Optional(choice(['left', 'center', 'right', 'justify', 'start', 'end'], 'start')),
      verticalAlign: Type.Optional(choice(['top', 'middle', 'bottom'], 'top')),
      overflow: Type.Optional(choice(['shrink', 'grow', 'ellipsis', 'clip', 'visible'], 'shrink')),
      minSize: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 2000,
          description: 'smallest font size of a shrink',
          unit: 'px',
          absent: 'half of the font size',
        }),
      ),
      maxLines: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          absent: 'as many as the box holds',
        }),
      ),
      wrap: Type.Optional(flag('false: lines end at line breaks alone', true)),
      alternatives: Type.Optional(
        Type.Array(text, {
          minItems: 1,
          maxItems: 4,
          content: 'texts',
          description:
            'drawn in place of one that does not fit the box at its font size: the first that fits, else the last',
        }),
      ),
      lineHeight: Type.Optional(
        Type.Number({
          minimum: 0.5,
          maximum: 4,
          description: 'a multiple of the font size',
          unit: '×',
          default: 1.2,
        }),
      ),
      paragraphSpacing: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 2000,
          description:
            'between a line break of the text and the next line; shrinks with the letters',
          unit: 'px',
          default: 0,
        }),
      ),
      firstBaseline: Type.Optional(
        choice(['ink', 'font'], 'ink', {
          description: 'ink: letters that would be cut move the lines; font: no letter moves them',
        }),
      ),
      letterSpacing,
      wordSpacing,
      transform,
      underline,
      strike,
      balance: Type.Optional(flag('lines of about equal length')),
      lineBreak: Type.Optional(
        choice(['strict', 'normal'], 'strict', {
          description: 'which Japanese and Chinese characters may begin a line',
        }),
      ),
      punctuationTrim: Type.Optional(
        choice(['none', 'adjacent', 'start'], 'none', {
          description:
            'where full-width punctuation loses its blank half: beside other marks, and at the start of lines',
        }),
      ),
      hyphenate: Type.Optional(flag('long words are parted by the rules of the language')),
    }),
    ...inSection('stroke', {
      stroke: Type.Optional(Stroke),
    }),
    ...inSection('lettering', {
      linePill: Type.Optional(
        Type.Object(
          {
            fill: Color,
            paddingX: Type.Optional(
              withDefault(size({ description: 'left and right of the line' }), 0),
            ),
            paddingY: Type.Optional(
              withDefault(size({ description: 'above and below the line' }), 0),
            ),
            cornerRadius: Type.Optional(withDefault(size(), 0)),
          },
          { ...closed, description: 'a ground behind each line: its fill, padding and corners' },
        ),
      ),
      tabStops: Type.Optional(
        Type.Array(
          Type.Object(
            {
              at: size({ description: 'from the edge at which lines start' }),
              align: Type.Optional(choice(['start', 'center', 'end'], 'start')),
            },
            closed,
          ),
          {
            maxItems: 16,
            content: 'tab stops',
            description: 'where a tab of the text moves on to',
          },
        ),
      ),
      direction: Type.Optional(choice(['auto', 'ltr', 'rtl'], 'auto')),
      fontFeatures,
      fontVariations,
      background,
      path: Type.Optional(pathData),
    }),
    ...layerEffects,
  },
  closed,
);

export type TextSpan = Static<typeof TextSpan>;
export type TextLayer = Static<typeof TextLayer>;
