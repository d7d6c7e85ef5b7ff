/** The template document as a TypeBox schema. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { bindableSchema } from './bindable.ts';
import { layerSchemas } from './layers.ts';
import type { Layer } from './layers.ts';
import { choice, closed, ColorFill } from './paint.ts';
import type { ColorFill as ColorFillValue } from './paint.ts';
import { templateLimits } from '../limits/template-limits.ts';
import { defaultFormat, eitherOf, outputFormats } from '../formats.ts';
import { renderFormats } from '#wire/render-job.ts';

/** `85 JPEG, 82 WebP`: of the formats that lose. */
const defaultQualities = Object.values(outputFormats)
  .flatMap(({ name, isLossless, defaultQuality }) =>
    isLossless ? [] : [`${defaultQuality} ${name}`],
  )
  .join(', ');

const variableTypes = ['text', 'image', 'color', 'number', 'boolean'] as const;

/** Options of links that a template may forbid. */
const linkOptionNames = ['format', 'scale', 'quality'] as const;

export const Variable = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[^{}]*$',
      description: '1 to 128 characters without { and }, as they stand in the link',
    }),
    type: choice([...variableTypes], `one of ${variableTypes.join(', ')}`),
    value: Type.String({
      maxLength: 8000,
      description: 'the default, as a link would give it, at most 8,000 characters',
    }),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: templateLimits.valueCodePointsMax,
        description: `characters that a text may have, 1 to ${templateLimits.valueCodePointsMax}; a longer one answers 400`,
        default: templateLimits.valueCodePointsMax,
      }),
    ),
    min: Type.Optional(
      Type.Number({
        description: 'a number, the smallest that is allowed; a smaller one answers 400',
        default: -templateLimits.numberMax,
      }),
    ),
    max: Type.Optional(
      Type.Number({
        description: 'a number, the largest that is allowed; a larger one answers 400',
        default: templateLimits.numberMax,
      }),
    ),
    whenEmpty: Type.Optional(
      choice(
        ['default', 'empty'],
        'what an empty value or an unmerged tag draws: default or empty (nothing)',
        'default',
      ),
    ),
  },
  closed,
);

/** Any word: a wrong one is told with the right ones, and layers are checked one by one. */
const layerType = Type.String({ description: `one of ${Object.keys(layerSchemas).join(', ')}` });

/** The document without its layers' insides, which `checkTemplate` checks one by one for clear errors. */
export const TemplateShell = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({ maxLength: 2048, description: 'for editors, at most 2,048 characters' }),
    ),
    format: Type.Literal(1, { description: '1, the version of this language' }),
    name: Type.String({ minLength: 1, maxLength: 200, description: '1 to 200 characters' }),
    width: Type.Integer({
      minimum: 1,
      maximum: templateLimits.sidePxMax,
      description: `a whole number of design pixels from 1 to ${templateLimits.sidePxMax}`,
      unit: 'px',
    }),
    height: Type.Integer({
      minimum: 1,
      maximum: templateLimits.sidePxMax,
      description: `a whole number of design pixels from 1 to ${templateLimits.sidePxMax}`,
      unit: 'px',
    }),
    background: Type.Optional(
      bindableSchema(
        Type.Union([Type.Literal('none'), ...ColorFill.anyOf], {
          description: 'a colour (#rrggbb), a gradient or none',
          default: 'none',
        }),
      ),
    ),
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
        description: 'a BCP 47 tag',
        default: 'en',
      }),
    ),
    fonts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 8,
        description: 'at most 8 font families, tried after a layer’s own',
        role: 'font',
      }),
    ),
    output: Type.Optional(
      Type.Object(
        {
          format: Type.Optional(choice([...renderFormats], eitherOf(renderFormats), defaultFormat)),
          quality: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100,
              description: 'a whole number, 1 to 100',
              absent: defaultQualities,
            }),
          ),
        },
        { ...closed, description: 'the file that a link without an extension or option gives' },
      ),
    ),
    linkAuth: Type.Optional(
      choice(['open', 'signed', 'key'], 'open, signed or key: what a link must carry', 'open'),
    ),
    linkOptions: Type.Optional(
      Type.Array(choice([...linkOptionNames], 'format, scale or quality'), {
        maxItems: linkOptionNames.length,
        description:
          'options that a link may use, at most 3: any of format (_format and the extension), scale and quality; another one answers 400',
        default: [...linkOptionNames],
      }),
    ),
    onError: Type.Optional(
      choice(
        ['auto', 'image', 'json'],
        'auto, image or json: what a link that fails answers',
        'auto',
      ),
    ),
    onImageError: Type.Optional(
      choice(
        ['error', 'default'],
        'error or default: what happens if an image cannot be loaded',
        'error',
      ),
    ),
    maxAgeSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: 'seconds that a link without _version may be cached, 0 to 31536000',
        unit: 's',
        default: 300,
      }),
    ),
    variables: Type.Array(Variable, {
      maxItems: templateLimits.variablesMax,
      description: `at most ${templateLimits.variablesMax} variables`,
    }),
    layers: Type.Array(Type.Object({ type: layerType }), {
      maxItems: templateLimits.layersMax,
      description: `at most ${templateLimits.layersMax} layers`,
    }),
  },
  closed,
);

export type Variable = Static<typeof Variable>;
export type LinkOption = (typeof linkOptionNames)[number];
export type VariableType = Variable['type'];
/** A whole template document, validated; bound properties are still bindings. */
export type Template = Omit<Static<typeof TemplateShell>, 'layers' | 'background'> & {
  /** A colour, a gradient, or the word none. */
  background?: ColorFillValue;
  layers: Layer[];
};
