/** The template document as a TypeBox schema. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { LinkAuth, LinkOptions } from './access.ts';
import { bindableSchema } from './bindable.ts';
import { Clock } from './clock.ts';
import { Animation } from './animation.ts';
import { layerSchemas } from './layers.ts';
import type { Layer } from './layers.ts';
import { BrandLinks } from './brand.ts';
import { inSection } from './notes.ts';
import { Size } from './sizes.ts';
import { choice, closed, ColorFill } from './paint.ts';
import type { ColorFill as ColorFillValue } from './paint.ts';
import { templateLimits } from '../limits/template-limits.ts';
import { defaultFormat, outputFormats } from '../formats.ts';
import { emptyWords } from '../bind/merge-tags.ts';
import { renderFormats } from '#wire/render-job.ts';
import { tableSourcePattern } from '../values/table-source.ts';

/** Default qualities of the lossy formats: `85 JPEG, 82 WebP`. */
const defaultQualities = Object.values(outputFormats)
  .flatMap(({ name, isLossless, defaultQuality }) =>
    isLossless ? [] : [`${defaultQuality} ${name}`],
  )
  .join(', ');

const fieldTypes = ['text', 'image', 'color', 'number', 'boolean', 'date'] as const;
const variableTypes = [...fieldTypes, 'list'] as const;

/** JSON pattern of a language tag (BCP 47). */
export const languagePattern = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$';

/** A field of a list. Layers that repeat bind it as `{{item.name}}`. */
const ListField = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^{}|.]*$',
      expected: 'a text of 1 to 64 characters without {, }, | and .',
      description: 'as it stands in an item',
    }),
    type: choice([...fieldTypes]),
    value: Type.String({
      maxLength: 2000,
      description: 'the default, for items without the field',
    }),
  },
  closed,
);

/** An item of a list: its values by field. */
const ListItem = Type.Record(
  Type.String(),
  Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean()], {
    expected: 'a text, a number or a boolean',
  }),
  { maxProperties: templateLimits.listFieldsMax, content: 'values by field' },
);

export const Variable = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[^{}]*$',
      expected: 'a text of 1 to 128 characters without { and }',
      description: 'as it stands in the link',
    }),
    type: choice([...variableTypes]),
    value: Type.Union(
      [
        Type.String({ maxLength: 8000 }),
        Type.Array(ListItem, { maxItems: templateLimits.listItemsMax, content: 'items' }),
      ],
      {
        expected: 'a text of at most 8,000 characters, for a list an array of at most 200 items',
        description: 'the default, as a link would give it',
      },
    ),
    from: Type.Optional(
      Type.String({
        maxLength: 400,
        pattern: tableSourcePattern,
        expected:
          'a text of at most 400 characters: table, key and column, such as members.{{id}}.points',
        description:
          'the cell of a data table that the value comes from; a link cannot give the value then',
      }),
    ),
    fields: Type.Optional(
      Type.Array(ListField, {
        minItems: 1,
        maxItems: templateLimits.listFieldsMax,
        content: 'fields',
        absent: 'none; a list needs them',
      }),
    ),
    maxLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: templateLimits.valueCodePointsMax,
        description: 'characters that a text may have; a longer one answers 400',
        default: templateLimits.valueCodePointsMax,
      }),
    ),
    min: Type.Optional(
      Type.Number({
        description: 'the smallest that is allowed; a smaller one answers 400',
        default: -templateLimits.numberMax,
      }),
    ),
    max: Type.Optional(
      Type.Number({
        description: 'the largest that is allowed; a larger one answers 400',
        default: templateLimits.numberMax,
      }),
    ),
    whenEmpty: Type.Optional(
      choice(['default', 'empty'], 'default', {
        description: 'what an empty value or an unmerged tag draws; empty is nothing',
      }),
    ),
  },
  closed,
);

/** Accepts any text: `checkTemplate` checks each layer, and lists the known types for an unknown one. */
const layerType = Type.String({ expected: `one of ${Object.keys(layerSchemas).join(', ')}` });

/** The document without the properties of its layers. `checkTemplate` checks each layer separately for clear errors. */
export const TemplateShell = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 2048, description: 'for editors' })),
    format: Type.Literal(1, { description: 'the version of this language' }),
    brand: Type.Optional(BrandLinks),
    ...inSection('canvas', {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      width: Type.Integer({
        minimum: 1,
        maximum: templateLimits.sidePxMax,
        unit: 'px',
      }),
      height: Type.Integer({
        minimum: 1,
        maximum: templateLimits.sidePxMax,
        unit: 'px',
      }),
      background: Type.Optional(
        bindableSchema(
          Type.Union([Type.Literal('none'), ...ColorFill.anyOf], {
            expected: 'a colour (#rrggbb), a gradient or none',
            default: 'none',
          }),
        ),
      ),
      alt: Type.Optional(
        Type.String({
          maxLength: templateLimits.altCodePointsMax,
          isBindable: true,
          description:
            'what the image says, for those who do not see it; {{name}} in it is replaced by values; empty for an ornament',
          absent: 'its texts in order',
        }),
      ),
    }),
    ...inSection('animation', { animation: Type.Optional(Animation) }),
    sizes: Type.Optional(
      Type.Array(Size, {
        minItems: 1,
        maxItems: templateLimits.sizesMax,
        content: 'sizes',
        description: 'further canvases of the design; without _size a link has width and height',
        absent: 'none',
      }),
    ),
    ...inSection('clock', { clock: Type.Optional(Clock) }),
    ...inSection('language', {
      lang: Type.Optional(
        Type.String({
          pattern: languagePattern,
          expected: 'a BCP 47 tag',
          default: 'en',
        }),
      ),
      fonts: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: 8,
          content: 'font families',
          description: 'tried after those of a layer',
          role: 'font',
        }),
      ),
      missingGlyph: Type.Optional(
        choice(['box', 'drop', 'default'], 'box', {
          description:
            'what stands for a character that no font has: a box, nothing, or the default in place of its whole value',
        }),
      ),
    }),
    ...inSection('output', {
      output: Type.Optional(
        Type.Object(
          {
            format: Type.Optional(choice([...renderFormats], defaultFormat)),
            quality: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 100,
                absent: defaultQualities,
              }),
            ),
          },
          { ...closed, description: 'the file that a link without an extension or option gives' },
        ),
      ),
    }),
    ...inSection('links', {
      linkAuth: Type.Optional(LinkAuth),
      linkOptions: Type.Optional(LinkOptions),
      emptyWords: Type.Optional(
        Type.Array(choice([...emptyWords]), {
          maxItems: emptyWords.length,
          content: 'words',
          description:
            'values that count as empty, in small or capital letters: what programs write for a missing value',
          default: [],
        }),
      ),
      onError: Type.Optional(
        choice(['auto', 'image', 'json'], 'auto', {
          description: 'what a link that fails answers',
        }),
      ),
      onImageError: Type.Optional(
        choice(['error', 'default'], 'error', {
          description: 'what happens if an image cannot be loaded',
        }),
      ),
      maxAgeSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 31_536_000,
          description: 'how long a link without _version may be cached',
          unit: 's',
          default: 300,
        }),
      ),
    }),
    variables: Type.Array(Variable, {
      maxItems: templateLimits.variablesMax,
      content: 'variables',
    }),
    layers: Type.Array(Type.Object({ type: layerType }), {
      maxItems: templateLimits.layersMax,
      content: 'layers',
    }),
  },
  closed,
);

type AnyVariable = Static<typeof Variable>;
/** A variable with one value. */
export type ScalarVariable = Omit<AnyVariable, 'type' | 'value' | 'fields'> & {
  type: (typeof fieldTypes)[number];
  value: string;
};
/** A variable with a list of items; `checkMeaning` requires its fields. */
export type ListVariable = Pick<AnyVariable, 'name' | 'whenEmpty' | 'from'> & {
  type: 'list';
  value: Static<typeof ListItem>[];
  fields: ListField[];
};
export type Variable = ScalarVariable | ListVariable;
export type ListField = Static<typeof ListField>;
export type VariableType = Variable['type'];
/** A whole template document, validated. Bound properties still hold their bindings. */
export type Template = Omit<Static<typeof TemplateShell>, 'layers' | 'background' | 'variables'> & {
  variables: Variable[];
  /** A colour, a gradient, or the word none. */
  background?: ColorFillValue;
  layers: Layer[];
};
