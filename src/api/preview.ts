/** `POST /v1/preview`: what a document, a draft or a version looks like with some values, and what is wrong with it. */
import { outputFormats } from '#language/formats.ts';
import { walkLayers } from '#language/check/template-meaning.ts';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../foundation/errors.ts';
import { requireKeyHolder } from '../http/api-key.ts';
import { noStore, jsonReply } from '../http/reply.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DrawnOrder, RenderWorkshop } from '../render/draw.ts';
import { imageWarnings, warningsHeader } from '../render/draw.ts';
import type { JobImages } from '../render/job-images.ts';
import {
  drawPreview,
  resolvePreviewOptions,
  toQuery,
  PreviewDocuments,
  previewTemplate,
} from '../publish/preview.ts';
import { stageTimes, timingText } from '../scheduling/stats.ts';
import { RenderOrder } from '../render/order.ts';
import { resolveVariables } from '../render/values.ts';
import type { OrganizationStore } from '../store/organizations/organization-store.ts';
import { checkDocumentBytes } from '../store/template-document.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type { FontDigests } from '../store/document-references.ts';
import { badBody, createBodyReader } from './request/input.ts';
import { noTemplate } from './request/organization-template.ts';
import { PreviewRequest } from './schemas/preview.ts';

/** What previews need. */
export interface PreviewService extends Pick<RenderWorkshop, 'pool' | 'loader' | 'fonts'> {
  organizations: Pick<OrganizationStore, 'findByKey'>;
  templates: Pick<TemplateStore, 'findDocument' | 'findFonts'>;
}

/** A document, whatever its indentation, and the values of all its variables. */
const bodyBytesMax = 1536 * 1024;

/**
 * 200 with the picture, or with a report of every layer where `Accept` names `application/json`. 400 with each
 * problem of the body, for a value out of its bounds and an image that cannot be had; 404 for a template or a
 * version that the organization does not have; 503 and 504 as for links.
 */
export function previewRoute(service: PreviewService): Route {
  const readBody = createBodyReader(PreviewRequest);
  const documents = new PreviewDocuments();
  return {
    name: 'preview',
    path: '/v1/preview',
    errorShape: 'organization',
    bodyBytesMax,
    async post(exchange) {
      const { uid } = requireKeyHolder(exchange.apiKey, service.organizations, 'read');
      const wantsReport = exchange.accept.includes('application/json');
      const body = await readBody(exchange);
      const wanted = findDocument(service, uid, body);
      const { order, ...told } = toOrder(service, documents, uid, wanted, body);
      const { layers } = body;
      const jobOptions = {
        ...(layers === undefined ? {} : { layers }),
        ...(wantsReport ? { wantsReport } : {}),
      };
      refuseAbandoned(exchange);
      const drawn = await drawPreview(order, jobOptions, service, exchange.deadline);
      return wantsReport
        ? reportReply(order, drawn, told, body.inline === true)
        : imageReply(order, drawn);
    },
  };
}

/** The text of the document in question, the same parsed, and the fonts that a version keeps. */
interface WantedDocument {
  json: string;
  value: unknown;
  fontDigests: FontDigests;
}

function findDocument(
  { templates }: PreviewService,
  organizationUid: string,
  { template, uid, version }: PreviewRequest,
): WantedDocument {
  if ((template === undefined) === (uid === undefined)) {
    const message = 'expected one of "template", a document, and "uid", a template of yours';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  if (uid === undefined) {
    if (version !== undefined) {
      const message = 'stands without "uid", expected beside it';
      throw badBody([{ path: 'version', message }], 'body');
    }
    const json = JSON.stringify(template);
    checkDocumentBytes(json);
    return { json, value: template, fontDigests: null };
  }
  const stored = templates.findDocument(organizationUid, uid, version);
  if (stored === undefined) throw noTemplate();
  const { documentJson: json, fontDigests } = stored;
  return { json, value: JSON.parse(json), fontDigests };
}

/** What a report says beside what was drawn. */
interface ToldBeside {
  /** Names of values that no variable has. */
  ignored: readonly string[];
  /** What a link answers where this preview bears an image that failed; undefined where it bears that, too. */
  linkFailure: string | undefined;
}

function toOrder(
  { templates }: PreviewService,
  documents: PreviewDocuments,
  organizationUid: string,
  { json, value, fontDigests }: WantedDocument,
  body: PreviewRequest,
): { order: RenderOrder } & ToldBeside {
  const checked = documents.check(json, value);
  if (!checked.ok) {
    const problems = checked.problems.map(({ path, message }) => ({
      path: path.startsWith('(') ? 'template' : `template.${path}`,
      message,
    }));
    throw badBody(problems, 'template document');
  }
  const { document } = checked;
  const fonts = templates.findFonts(organizationUid, document, fontDigests);
  const template = previewTemplate(organizationUid, document, json, fonts);
  const { query, ignored, problems } = toQuery({ ...body.values }, template);
  const { options, problems: wrongOptions } = resolvePreviewOptions(body, document);
  const unknownLayers = findUnknownLayers(body.layers ?? [], document);
  const wrong = [...problems, ...wrongOptions, ...unknownLayers];
  if (wrong.length > 0) throw badBody(wrong, 'body');
  const values = resolveVariables(template, query);
  const { onImageError } = body;
  const rules = onImageError === undefined ? {} : { onImageError };
  const order = new RenderOrder(template, options, values, rules);
  return { order, ignored, linkFailure: linkFailureOf(document) };
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

/** An editor that has moved on asks anew: what it left is not worth a thread. */
function refuseAbandoned({ isAborted }: Exchange): void {
  if (isAborted) throw new AppError('BAD_REQUEST', 'The caller has left.', { reason: 'aborted' });
}

function imageReply({ options }: RenderOrder, { images, outcome, waits }: DrawnOrder): Reply {
  const warnings = warningsHeader([...imageWarnings(images), ...outcome.warnings]);
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

function reportReply(
  { options }: RenderOrder,
  { images, outcome, waits }: DrawnOrder,
  { ignored, linkFailure }: ToldBeside,
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
  const image = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
  return jsonReply(200, {
    format: options.format,
    width: widthPx,
    height: heightPx,
    scale: options.scale,
    bytes: bytes.length,
    degraded: outcome.degraded || failures.length > 0,
    drawn,
    layers,
    warnings: [...failures, ...outcome.warnings].map(({ code, layer, detail }) => ({
      code,
      ...(layer === undefined ? {} : { layer }),
      detail,
    })),
    ignoredValues: ignored,
    timings: stageTimes(outcome, waits),
    ...(inline ? { image } : {}),
  });
}

/** Who gets which answer from a link to `document` whose image fails; undefined where nobody gets an error. */
function linkFailureOf({ onImageError, onError = 'auto' }: Template): string | undefined {
  if (onImageError === 'default' || onError === 'image') return undefined;
  const failure = 'the link would answer 400';
  return onError === 'auto' ? `${failure} to programs, and this image to readers` : failure;
}

/** Warnings of images for which a link would fail, with the sentence of its error. */
function linkErrors({ failedLayers }: JobImages, linkFailure: string): RenderWarning[] {
  return [...failedLayers].map(([layer, sentence]) => {
    return { code: 'IMAGE_FAILED', layer, detail: `${linkFailure}: ${sentence}` };
  });
}
