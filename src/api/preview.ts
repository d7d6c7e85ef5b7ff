/** `POST /v1/preview`: renders a document, a draft or a version with values, as an image or as a report. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { frameValues } from '#language/animation/frames.ts';
import { eitherOf } from '#language/formats.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { walkLayers } from '#language/layer-tree.ts';
import type { Template } from '#language/schema/template.ts';
import { previewScales, renderScales } from '#wire/render-job.ts';
import { liveClients } from '#wire/render-moment.ts';
import { uidSchemaPattern } from '#language/uid.ts';
import type { RenderParts } from '../render/draw.ts';
import {
  drawPreview,
  resolvePreviewOptions,
  PreviewDocuments,
  previewTemplate,
} from '../publish/preview.ts';
import { toQuery } from '../render/json-values.ts';
import { RenderOrder } from '../render/order.ts';
import { requireVariables } from '../render/values.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { sizeNames, templateInSize } from '../store/template-sizes.ts';
import type { KeyHolder } from '../store/organizations/api-key-store.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type { TableLookup } from '../render/table-values.ts';
import { jsonBody } from './declaration.ts';
import { endpoint } from './endpoint.ts';
import { imageReply, linkFailureOf, reportContent, reportReply } from './preview-report.ts';
import type { ReportFacts } from './preview-report.ts';
import { imageContent } from './render.ts';
import { refuseNewCells } from './request/holder.ts';
import { badBody } from './request/input.ts';
import { findDocument, requireDocument } from './request/preview-document.ts';
import type { PreviewDocument } from '../publish/preview.ts';
import type { WantedDocument } from './request/preview-document.ts';
import { closed, renderOptions, TemplateDocument } from './shared-schemas.ts';

/** Services that the endpoint needs. */
export interface PreviewParts extends Pick<RenderParts, 'pool' | 'loader' | 'fonts'> {
  templates: Pick<TemplateStore, 'findDocument' | 'findFonts'>;
  tables: TableLookup;
}

/** Upper bound of the body in bytes: a document with any indentation, and values for all its variables. */
const bodyBytesMax = 1536 * 1024;

/** The steps of a document of more characters are in separate turns of the event loop. */
const separateTurnCharacters = 32 * 1024;

/** `template`, or `uid` with `version` or without (the draft). */
const PreviewRequest = Type.Object(
  {
    template: Type.Optional(TemplateDocument),
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
    ...renderOptions,
    scale: Type.Optional(
      Type.Enum([...previewScales, ...renderScales], {
        description: 'device pixels a design pixel; below 1 for what is shown smaller than it is',
      }),
    ),
    layers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: templateLimits.layersMax,
        description:
          'ids: only these layers, on a transparent ground (PNG unless WebP or AVIF is asked for)',
      }),
    ),
    frame: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: templateLimits.framesMax - 1,
        description: 'the index of one frame of the animation, which is drawn as a still',
      }),
    ),
    now: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'the time of the render, for templates that show it: a date, in the zone of the template unless it says its own; default: the time of the request',
      }),
    ),
    firstOpen: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'when an `evergreen` countdown began: a date, as `now`; default: the time of the render, so that the whole duration is left',
      }),
    ),
    client: Type.Optional(
      Type.Enum([...liveClients], {
        description: 'the kind of client that asks, for templates whose content depends on it',
      }),
    ),
    onImageError: Type.Optional(
      Type.Enum(['error', 'default'], {
        description:
          'what an image that cannot be had leads to; default: as the template says. With `default` a warning says what a link would answer',
      }),
    ),
    contrast: Type.Optional(
      Type.Boolean({
        description: 'false: the report has no contrasts, and comes earlier',
        default: true,
      }),
    ),
    inline: Type.Optional(
      Type.Boolean({ description: 'whether the report contains the image as a data: URL' }),
    ),
  },
  { ...closed, $id: 'PreviewRequest' },
);
type PreviewRequest = Static<typeof PreviewRequest>;

/** A person who drags a layer sends 60 a second, and an organization's share of the thread allows no more than these. */
const previewRate = { what: 'previews', countMax: 3000, windowSeconds: 10 };

export const preview = endpoint(
  {
    id: 'preview',
    route: 'preview',
    method: 'post',
    path: '/v1/preview',
    rate: previewRate,
    tag: 'Preview',
    summary: 'Preview a template',
    description:
      'Draws a document, or a draft or version of a stored template, with values: the same pixels as its link would give. With `Accept: application/json` it answers a report instead: box, lines, final font size, overflow and warnings of each layer.',
    scope: 'read',
    embed: 'edit',
    headers: {
      Accept: {
        description: '`application/json` asks for the report.',
        schema: { type: 'string' },
      },
    },
    body: jsonBody(
      'What to draw: `template`, or `uid` with `version` or without.',
      PreviewRequest,
      { uid: 'hello', values: { name: 'Amanda' } },
    ),
    bodyBytesMax,
    answers: {
      200: {
        description: 'The image, or the report.',
        content: { ...imageContent, ...reportContent },
      },
    },
    errors: {
      400: 'The body, the document or a value is not valid: `details` has each problem.',
      404: 'No such template or version in the organization.',
      503: 'Too much is waiting; `Retry-After` says when to come back.',
      504: 'The render did not finish before its deadline.',
    },
    clientCall:
      "const { bytes } = await platen.preview({ uid: 'hello', values: { name: 'Amanda' } })",
    errorShape: 'organization',
  },
  (parts: PreviewParts) => {
    const documents = new PreviewDocuments();
    return async (exchange, { holder, readBody }) => {
      const wantsReport = exchange.accept.includes('application/json');
      const body = await readBody();
      const found = findDocument(parts.templates, holder.uid, body);
      const isLarge = found.json.length > separateTurnCharacters;
      if (isLarge) await nextTurn();
      const document = await requireDocument(documents, holder.uid, found);
      if (isLarge) await nextTurn();
      const { order, ...facts } = toOrder(parts, holder, document, found.fontDigests, body);
      if (isLarge) await nextTurn();
      const { layers, contrast: hasContrast = true } = body;
      const jobOptions = {
        ...(layers === undefined ? {} : { layers }),
        ...(wantsReport ? { wantsReport, hasContrast } : {}),
      };
      const drawn = await drawPreview(order, jobOptions, parts, exchange.deadline);
      return wantsReport
        ? reportReply(order, drawn, facts, body.inline === true)
        : imageReply(order, drawn);
    };
  },
);

function toOrder(
  { templates, tables }: PreviewParts,
  holder: KeyHolder,
  { template: document, documentJson }: PreviewDocument,
  fontDigests: WantedDocument['fontDigests'],
  body: PreviewRequest,
): { order: RenderOrder } & ReportFacts {
  if (body.template !== undefined) refuseNewCells(holder, document, templates);
  const fonts = templates.findFonts(holder.uid, document, fontDigests);
  const template = requireSize(
    previewTemplate(holder.uid, document, documentJson, fonts),
    body.size,
  );
  const { query, ignored, problems } = toQuery({ ...body.values }, template);
  const resolved = resolvePreviewOptions(body, template.document);
  const {
    options,
    frame: { values: ofFrame, ...moment },
    problems: wrongOptions,
  } = resolved;
  const unknownLayers = findUnknownLayers(body.layers ?? [], document);
  const wrong = [...problems, ...wrongOptions, ...unknownLayers];
  if (wrong.length > 0) throw badBody(wrong, 'body');
  const values = frameValues(
    { values: requireVariables(template, query, tables) },
    { values: ofFrame },
  );
  const { onImageError } = body;
  const rules = onImageError === undefined ? {} : { onImageError };
  const asDesigned = new RenderOrder(template, options, values, rules);
  // The deadline of a countdown is the one at the first frame of the file, for each frame.
  const order =
    body.frame === undefined
      ? asDesigned
      : new RenderOrder(template, { ...asDesigned.options, ...moment }, values, rules);
  return { order, ignored, linkFailure: linkFailureOf(document) };
}

/** Returns the template in the size that the body names. Throws BAD_REQUEST for an unknown size. */
function requireSize(template: PublishedTemplate, size: string | undefined): PublishedTemplate {
  const sized = size === undefined ? template : templateInSize(template, size);
  if (sized !== undefined) return sized;
  const names = sizeNames(template);
  const expected = names.length === 0 ? 'none: the template has no sizes' : eitherOf(names);
  const message = `is ${JSON.stringify(size)}, expected ${expected}`;
  throw badBody([{ path: 'size', message }], 'body');
}

function findUnknownLayers(
  wanted: readonly string[],
  document: Template,
): { path: string; message: string }[] {
  if (wanted.length === 0) return [];
  const ids = new Set(Array.from(walkLayers(document.layers), ([, { id }]) => id));
  return wanted.flatMap((id, index) =>
    ids.has(id)
      ? []
      : [{ path: `layers[${index}]`, message: 'names no layer, expected the id of one' }],
  );
}
