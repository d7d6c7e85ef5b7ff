/** The answers of a preview: the image, or a report with the box, text and warnings of each layer. */
import { base64Reply } from '../http/base64-body.ts';
import { Type } from 'typebox';
import type { Template } from '#language/schema/template.ts';
import { zonedText } from '#language/values/zoned-time.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import { outputFormats } from '#language/formats.ts';
import { jsonReply, noStore } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { DrawnOrder } from '../render/draw.ts';
import { imageWarnings, nameWarnings, warningsHeader } from '../render/warnings.ts';
import { json } from './declaration.ts';
import type { JobImages } from '../render/images/job-images.ts';
import type { RenderOrder } from '../render/order.ts';
import type { RenderOptions } from '../render/request.ts';
import { stageTimes, timingText } from '../scheduling/stats.ts';

const Warning = Type.Object({
  code: Type.String(),
  layer: Type.Optional(Type.String({ description: 'id of the layer, where one is concerned' })),
  detail: Type.String({ description: 'one sentence' }),
  linkStatus: Type.Optional(
    Type.Integer({ description: 'status of a link to this image, if the link would fail' }),
  ),
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
      fallbackFonts: Type.Optional(
        Type.Array(Type.String(), {
          description: 'families that draw letters which the first family lacks, in their order',
        }),
      ),
      contrast: Type.Optional(
        Type.Number({
          description: 'least contrast with what is behind the letters, 1 to 21 (WCAG 2.2)',
        }),
      ),
      contrastMin: Type.Optional(
        Type.Number({ description: 'contrast that the letters need, if they have less' }),
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

/** The body of the answer to `Accept: application/json`. */
const PreviewReportResponse = Type.Object(
  {
    format: Type.String(),
    width: Type.Integer({ description: 'device pixels' }),
    height: Type.Integer({ description: 'device pixels' }),
    scale: Type.Number({ description: 'device pixels a design pixel' }),
    bytes: Type.Integer({ description: 'of the image' }),
    degraded: Type.Boolean({ description: 'a part is not what the template asks for: never kept' }),
    drawn: Type.Enum(['whole', 'plan']),
    layers: Type.Array(LayerReportResponse, { description: 'in paint order' }),
    warnings: Type.Array(Warning),
    clock: Type.Optional(
      Type.Object(
        {
          now: Type.String({ description: 'time of the render' }),
          until: Type.Optional(Type.String({ description: 'end of the countdown' })),
        },
        {
          description: 'ISO 8601 with the offset of the zone, of a template that changes with time',
        },
      ),
    ),
    ignoredValues: Type.Array(Type.String(), {
      description: 'names of values that no variable has',
    }),
    timings: Type.Object(
      {},
      { additionalProperties: Type.Number(), description: 'milliseconds of each stage' },
    ),
    image: Type.Optional(Type.String({ description: 'data: URL, when `inline` asks for it' })),
  },
  { $id: 'PreviewReportResponse' },
);

const reportExample = {
  format: 'png',
  width: 400,
  height: 200,
  scale: 1,
  bytes: 3756,
  degraded: false,
  drawn: 'whole',
  layers: [
    {
      id: 'greeting',
      type: 'text',
      box: { x: 20, y: 32, width: 360, height: 136, rotation: 0 },
      text: {
        text: 'Hello, Amanda!',
        lines: [{ text: 'Hello, Amanda!', x: 34.4, y: 115.9, width: 331.3 }],
        fontSize: 44,
        overflow: 'none',
        missingGlyphs: [],
        contrast: 13.31,
      },
      warnings: [],
    },
  ],
  warnings: [],
  ignoredValues: [],
  timings: { queue: 0.1, layout: 1.2, paint: 0.4, encode: 0.9 },
};

/** A report as the content of an answer. */
export const reportContent = json(PreviewReportResponse, reportExample);

/** Facts of a report beside the image and its layers. */
export interface ReportFacts {
  /** Names of values without a variable. */
  ignored: readonly string[];
  /** The answer of a link if an image fails; undefined if the link answers the same image as the preview. */
  linkFailure: string | undefined;
}

export function reportReply(
  { options, template }: RenderOrder,
  { images, outcome, waits }: DrawnOrder,
  { ignored, linkFailure }: ReportFacts,
  inline: boolean,
): Reply {
  const { bytes, widthPx, heightPx, drawn, report = [] } = outcome;
  const failures =
    linkFailure === undefined ? imageWarnings(images) : linkErrors(images, linkFailure);
  const layers = report.map((layer) => ({
    ...layer,
    warnings: [
      ...failures
        .filter((failure) => failure.layer === layer.id)
        .map(({ code, detail }) => ({ code, detail })),
      ...layer.warnings,
    ],
  }));
  const type = outputFormats[options.format].mediaType;
  const facts = {
    format: options.format,
    width: widthPx,
    height: heightPx,
    scale: options.scale,
    bytes: bytes.length,
    degraded: outcome.degraded || failures.length > 0,
    drawn,
    layers,
    warnings: [
      ...failures.map((warning) => ({
        ...publicWarning(warning),
        ...(linkFailure === undefined ? {} : { linkStatus: 400 }),
      })),
      ...outcome.warnings.map(publicWarning),
    ],
    ...clockOf(options, template.document.clock?.zone),
    ignoredValues: ignored,
    timings: stageTimes(outcome, waits),
  };
  if (!inline) return jsonReply(200, facts);
  return base64Reply(facts, { name: 'image', prefix: `data:${type};base64,`, bytes });
}

/** The clock of a report, by the zone rules of the service; empty for an image without a time. */
function clockOf(
  { timeMs, untilMs }: RenderOptions,
  zone: string | undefined,
): { clock?: { now: string; until?: string } } {
  if (timeMs === undefined) return {};
  const until = untilMs === undefined ? {} : { until: zonedText(untilMs, zone) };
  return { clock: { now: zonedText(timeMs, zone), ...until } };
}

function publicWarning({
  code,
  layer,
  detail,
}: RenderWarning): Pick<RenderWarning, 'code' | 'layer' | 'detail'> {
  return { code, ...(layer === undefined ? {} : { layer }), detail };
}

/** The answer of a link to `document` if an image fails; undefined if no request gets an error. */
export function linkFailureOf({ onImageError, onError = 'auto' }: Template): string | undefined {
  if (onImageError === 'default' || onError === 'image') return undefined;
  const failure = 'the link would answer 400';
  return onError === 'auto' ? `${failure} to programs, and this image to readers` : failure;
}

/** A warning for each image that would make a link fail, with the sentence of its error. */
function linkErrors({ failedLayers }: JobImages, linkFailure: string): RenderWarning[] {
  return [...failedLayers].map(([layer, sentence]) => {
    return { code: 'IMAGE_FAILED', layer, detail: `${linkFailure}: ${sentence}` };
  });
}

/** Answers the image, with the names of its warnings in a header. */
export function imageReply(
  { options }: RenderOrder,
  { images, outcome, waits }: DrawnOrder,
): Reply {
  const warnings = warningsHeader(nameWarnings([...imageWarnings(images), ...outcome.warnings]));
  return {
    status: 200,
    headers: [
      'Content-Type',
      outputFormats[options.format].mediaType,
      'Cache-Control',
      noStore,
      'X-Content-Type-Options',
      'nosniff',
      'Server-Timing',
      timingText(stageTimes(outcome, waits)),
      ...(warnings === '' ? [] : ['X-Render-Warnings', warnings]),
    ],
    body: outcome.bytes,
  };
}
