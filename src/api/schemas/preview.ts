/** Bodies of `POST /v1/preview`. */
import { uidSchemaPattern } from '#language/uid.ts';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { formatNames } from '#language/formats.ts';
import { renderScales } from '#wire/render-job.ts';

/** `template`, or `uid` with `version` or without (the draft). */
export const PreviewRequest = Type.Object(
  {
    template: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'a template document' }),
    ),
    uid: Type.Optional(
      Type.String({
        pattern: uidSchemaPattern,
        description: 'a template of the organization, in place of a document',
      }),
    ),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'of the template `uid`; absent: its draft' }),
    ),
    values: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'by the names of variables: texts, addresses and colours as strings, numbers, booleans as true or false; null counts as left out',
        },
      ),
    ),
    format: Type.Optional(
      Type.Enum([...formatNames], {
        description: `one of ${formatNames.join(', ')}; default: the template's`,
      }),
    ),
    quality: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'of formats that lose' }),
    ),
    scale: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: renderScales.length,
        description: 'device pixels a design pixel',
      }),
    ),
    layers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'ids: only these layers, on a transparent ground (PNG unless WebP or AVIF is asked for)',
      }),
    ),
    onImageError: Type.Optional(
      Type.Enum(['error', 'default'], {
        description:
          'what an image that cannot be had leads to; default: as the template says. With `default` a warning says what a link would answer',
      }),
    ),
    inline: Type.Optional(
      Type.Boolean({ description: 'whether the report contains the image as a data: URL' }),
    ),
  },
  { additionalProperties: false },
);
export type PreviewRequest = Static<typeof PreviewRequest>;

const Warning = Type.Object({
  code: Type.String(),
  layer: Type.Optional(Type.String({ description: 'id of the layer, where one is concerned' })),
  detail: Type.String({ description: 'one sentence' }),
});

const Box = Type.Object({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
});

const LayerReportResponse = Type.Object({
  id: Type.String(),
  group: Type.Optional(Type.String({ description: 'id of the group that it is in' })),
  type: Type.String(),
  box: Type.Object(
    { ...Box.properties, rotation: Type.Number() },
    { description: 'design pixels of the canvas, and degrees clockwise about its centre' },
  ),
  text: Type.Optional(
    Type.Object({
      text: Type.String({ description: 'as bound, before it was cut to fit' }),
      lines: Type.Array(
        Type.Object({
          text: Type.String(),
          x: Type.Number(),
          y: Type.Number({ description: 'of the baseline' }),
          width: Type.Number(),
        }),
      ),
      fontSize: Type.Number({ description: 'after shrinking, design pixels' }),
      overflow: Type.Enum(['none', 'overflows', 'truncated']),
      cut: Type.Optional(Type.String({ description: 'the end of the text that is not drawn' })),
      missingGlyphs: Type.Array(Type.String()),
      contrast: Type.Optional(
        Type.Number({
          description: 'least contrast with what is behind the letters, 1 to 21 (WCAG 2.2)',
        }),
      ),
    }),
  ),
  image: Type.Optional(
    Type.Object({
      source: Type.String(),
      naturalWidth: Type.Number(),
      naturalHeight: Type.Number(),
      placed: Box,
      upscaled: Type.Boolean({ description: 'drawn with more device pixels than the file has' }),
    }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), detail: Type.String() })),
});

/** The answer to `Accept: application/json`. */
export const PreviewReportResponse = Type.Object({
  format: Type.String(),
  width: Type.Integer({ description: 'device pixels' }),
  height: Type.Integer({ description: 'device pixels' }),
  scale: Type.Integer(),
  bytes: Type.Integer({ description: 'of the image' }),
  degraded: Type.Boolean({ description: 'a part is not what the template asks for: never kept' }),
  drawn: Type.Enum(['whole', 'plan']),
  layers: Type.Array(LayerReportResponse, { description: 'in paint order' }),
  warnings: Type.Array(Warning),
  ignoredValues: Type.Array(Type.String(), { description: 'names of values that no variable has' }),
  timings: Type.Object(
    {},
    { additionalProperties: Type.Number(), description: 'milliseconds of each stage' },
  ),
  image: Type.Optional(Type.String({ description: 'data: URL, when `inline` asks for it' })),
});
