/** The response to a failed render request: the best available image in place of an error. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { defaultFormat, extensionOf } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import { Deadline } from '../foundation/deadline.ts';
import type { ErrorCode } from '../foundation/errors.ts';
import { AppError } from '../foundation/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseQuery } from '../http/query.ts';
import { errorTrace, errorReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { substituteReply } from './answer.ts';
import { admitRender } from './draw.ts';
import type { LinkReading, RenderService, RenderPage } from './get-render.ts';
import { isImageRequest, audienceHeaders } from './image-request.ts';
import { checkLinkAuth } from './link/auth.ts';
import { linkNotes } from './link/notes.ts';
import { linkReader } from './link/reading.ts';
import { RefusalPace } from './link/refusal-pace.ts';
import type { Render } from './cache.ts';
import { withReader } from './moment.ts';
import { defaultOrderForReader, RenderOrder } from './order.ts';
import type { OrderRules } from './order.ts';
import { findTemplate, parseRenderPath, repairOptions } from './request.ts';
import type { RenderOptions, RenderPath } from './request.ts';
import type { ResolvedValues } from './values.ts';
import type { Handler } from '../http/server.ts';

/** Errors that an image may replace: not 401 and 404, which mean that the link has no image. */
const coveredCodes: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'OVERLOADED',
  'QUARANTINED',
  'STORAGE_UNAVAILABLE',
  'TIMEOUT',
  'INTERNAL',
]);

/** Readers get defaults in place of images that fail. */
const defaultsForImages: OrderRules = { onImageError: 'default' };

/** Time-out for the default image, in ms. Usually it takes milliseconds, and the request has failed once already. */
const defaultTimeoutMs = 2000;

/** Plain grey cards, 600 × 314, in every format: the last resort. */
const cards = Object.fromEntries(
  renderFormats.map((format) => [format, readCard(`card.${extensionOf(format)}`)]),
) as Record<RenderFormat, Uint8Array>;

/** A failed request, as far as it could be read. */
interface FailedRequest {
  exchange: Exchange;
  error: unknown;
  link: LinkReading;
  template: PublishedTemplate;
  options: RenderOptions;
  /** With texts cut to their limits, and defaults for invalid values; read when needed. */
  values: () => ResolvedValues;
  service: RenderService;
}

/**
 * The image in place of a covered error, if the template's `onError` allows one: 200, and `X-Render-Error` has the
 * code. After a repairable error it is the render with defaults for invalid values. Otherwise, or if that fails, it is
 * the template's default render or a plain card. After OVERLOADED it renders nothing and returns no promise. Undefined
 * if the error is not covered. `link` has the parts that the page has read; the rest is read here. Throws UNAUTHORIZED,
 * and the errors of reading the path and of finding the template.
 */
export function coverError(
  error: unknown,
  exchange: Exchange,
  link: LinkReading,
  service: RenderService,
): Reply | Promise<Reply> | undefined {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  if (!coveredCodes.has(code)) return undefined;
  // The default image could need a fetch, and a loop must not cause one.
  if (exchange.isLooped) return undefined;
  const { path = parseRenderPath(exchange.parameter) } = link;
  // Its document may not be read now, and has not been.
  if (error instanceof AppError && error.reason === 'share')
    return unreadCard(error, exchange, path);
  const sent = link.query ?? parseQuery(exchange.query);
  const template =
    link.template ??
    usable(() => findTemplate(service.templates, path, sent)) ??
    service.templates.findPublished(path.uid);
  if (template === undefined || !isCovered(template, exchange)) return undefined;
  // The page failed before this check: an invalid option must not open a closed template.
  const query = link.template
    ? sent
    : checkLinkAuth(template, exchange, sent, service.organizations);
  const values = (): ResolvedValues =>
    link.values ??
    linkReader({ ...link, hops: 1 }).values(template, query, service.tables, (link.notes = {}));
  let options = link.options ?? repairOptions(path, query, template);
  // The page failed before it read the contact, whose countdown this image must show too.
  if (link.values === undefined && code === 'BAD_REQUEST') {
    options = withReader(options, template, values(), exchange, service.firstOpens);
  }
  const request = { exchange, error, link, template, options, values, service };
  // Without a promise or a timer: a refusal must be cheaper than a render.
  if (code === 'OVERLOADED') {
    const newest = usable(() => service.cache.findNewest(defaultOrderOf(request)));
    return toReply(request, newest);
  }
  return bestRender(request).then((render) => toReply(request, render));
}

/** The card, if the request is made to show an image. */
function unreadCard(error: AppError, exchange: Exchange, path: RenderPath): Reply | undefined {
  if (!isImageRequest(exchange)) return undefined;
  return substituteFor(error, path.uid, cardOf(path.format ?? defaultFormat));
}

/** Whether the template gives an image in place of an error to this request. */
function isCovered(template: PublishedTemplate, exchange: Exchange): boolean {
  const { onError = 'auto' } = template.document;
  return onError === 'image' || (onError === 'auto' && isImageRequest(exchange));
}

/** The value of `read`, unless it throws an error of the API. */
function usable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function toReply({ link, template, options, error }: FailedRequest, render?: Render): Reply {
  const reply = substituteFor(error, template.uid, render ?? cardOf(options.format));
  return { ...reply, notes: linkNotes(template, link.notes) };
}

type Substitute = Pick<Render, 'format' | 'warnings'> & { bytes: Uint8Array };

function cardOf(format: RenderFormat): Substitute {
  return { bytes: cards[format], format, warnings: [] };
}

/** The image in place of an error, with the error for the log. */
function substituteFor(
  error: unknown,
  uid: string,
  { bytes, format, warnings }: Substitute,
): Reply {
  const { code = 'INTERNAL', ...trace } = errorTrace(error);
  return { ...substituteReply(uid, format, bytes, { code, warnings }), code, ...trace };
}

/** The first image that can be rendered; undefined for the card. Never rejects. */
async function bestRender(request: FailedRequest): Promise<Render | undefined> {
  try {
    const repaired = isRepairable(request.error) ? await repairedRender(request) : undefined;
    return repaired ?? (await defaultRender(request));
  } catch {
    // After any error the card is sent; the log gets the first error.
    return undefined;
  }
}

/**
 * Shorter values and other images can correct a bad request, but not one whose image is too expensive. Defaults can
 * replace images that are refused because others like them ended processes.
 */
function isRepairable(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'QUARANTINED') return error.reason === 'caller-images';
  return error.code === 'BAD_REQUEST' && error.reason !== 'cost';
}

/** The requested image with texts cut to their limits and defaults for failed parts; undefined if it fails too. */
async function repairedRender({
  exchange,
  template,
  options,
  values,
  service,
}: FailedRequest): Promise<Render | undefined> {
  const order = new RenderOrder(template, options, values(), defaultsForImages);
  try {
    return await renderForReader(order, service, exchange.deadline);
  } catch {
    return undefined;
  }
}

/** The template's default render, cached or rendered now. */
async function defaultRender(request: FailedRequest): Promise<Render | undefined> {
  const { error, service } = request;
  // The template may have no such format.
  const kept = usable(() => service.cache.find(defaultOrderOf(request).key));
  if (kept !== undefined || !mayRenderDefault(error)) return kept;
  const deadline = new Deadline(performance.now() + defaultTimeoutMs);
  return renderForReader(defaultOrderOf(request), service, deadline).finally(() =>
    deadline.clear(),
  );
}

/** The default order with the format and the reader of the link; the default at scale 1 is probably cached. */
function defaultOrderOf({ template, options, values }: FailedRequest): RenderOrder {
  return defaultOrderForReader(template, options, values, defaultsForImages);
}

/**
 * A render with defaults for failed images, cached or made now. Its flight is separate: a concurrent request of a
 * program for the same key must get the error.
 */
async function renderForReader(
  order: RenderOrder,
  service: RenderService,
  deadline: Deadline,
): Promise<Render> {
  const kept = service.cache.find(order.key);
  if (kept !== undefined) return kept;
  const flightKey = `${order.key} for readers`;
  const { value } = await service.flights.run(flightKey, deadline, () =>
    admitRender(order, service, deadline),
  );
  return value;
}

/** Whether to render the default: not after a timeout, nor for a document that has just ended a process. */
function mayRenderDefault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  return !['QUARANTINED', 'TIMEOUT'].includes(error.code) && error.reason !== 'lost';
}

function readCard(name: string): Uint8Array {
  return readFileSync(packagePath(`data/fallback/${name}`));
}

/**
 * Returns the response to a failed render request: an image if `coverError` gives one, else the error of the render
 * shape and `Server-Timing: cache;desc=error, total;dur=12.3`. Without `link` it is always the error.
 */
export type Recover = (
  thrown: unknown,
  exchange: Exchange,
  link: LinkReading | undefined,
) => Reply | Promise<Reply>;

/**
 * `tell` converts an error of a store to an error of the API. All in one function: catching and throwing an error
 * repeatedly takes a third of the time of a refusal.
 */
export function createRecovery(service: RenderService, tell: (error: unknown) => unknown): Recover {
  const refusals = new RefusalPace();
  return (thrown, exchange, link) => {
    const error = tell(thrown);
    try {
      const cover = link && coverError(error, exchange, link, service);
      const reply = cover ?? timedError(error, exchange, link);
      return reply instanceof Promise || reply.code !== 'OVERLOADED' ? reply : refusals.pace(reply);
    } catch (failed) {
      return timedError(tell(failed), exchange, link);
    }
  };
}

/** Returns a handler of `page` that answers its errors by `recover`. */
export function withRecovery(page: RenderPage, recover: Recover): Handler {
  return (exchange) => {
    const link: LinkReading = {};
    try {
      const reply = page(exchange, link);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => recover(error, exchange, link));
    } catch (error) {
      return recover(error, exchange, link);
    }
  };
}

function timedError(
  error: unknown,
  { requestId, startedMs }: Exchange,
  { template, notes }: LinkReading = {},
): Reply {
  const timing = `cache;desc=error, total;dur=${(performance.now() - startedMs).toFixed(1)}`;
  // A cache that stores errors despite `no-store` must not serve the error of a program to a reader.
  const headers = ['Server-Timing', timing, 'Vary', audienceHeaders];
  const reply = errorReply(error, 'render', requestId, headers);
  return template === undefined ? reply : { ...reply, notes: linkNotes(template, notes) };
}
