/** The response where the page of a render request fails: the best available image in place of an error. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { extensionOf } from '#language/formats.ts';
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
import { linkNotes, substituteReply } from './answer.ts';
import { admitRender } from './draw.ts';
import type { LinkReading, RenderService, RenderPage } from './get-render.ts';
import { isImageRequest, audienceHeaders } from './image-request.ts';
import { checkLinkAuth } from './link/auth.ts';
import { linkReader } from './link/reading.ts';
import type { Render } from './cache.ts';
import { withReader } from './moment.ts';
import { defaultOrderForReader, RenderOrder } from './order.ts';
import type { OrderRules } from './order.ts';
import { findTemplate, parseRenderPath, repairOptions } from './request.ts';
import type { RenderOptions } from './request.ts';
import type { ResolvedValues } from './values.ts';
import type { Handler } from '../http/server.ts';

/** What an image may stand for: not 401 and 404, which say that there is no image to be had under this link. */
const coveredCodes: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'OVERLOADED',
  'QUARANTINED',
  'STORAGE_UNAVAILABLE',
  'TIMEOUT',
  'INTERNAL',
]);

/** A reader gets the defaults of images that fail. */
const defaultsForImages: OrderRules = { onImageError: 'default' };

/** Rendering a default takes milliseconds; a reader who already met an error does not wait for a slow one. */
const defaultTimeoutMs = 2000;

/** Plain grey cards, 600 × 314, in every format: the last resort. */
const cards = Object.fromEntries(
  renderFormats.map((format) => [format, readCard(`card.${extensionOf(format)}`)]),
) as Record<RenderFormat, Uint8Array>;

/** What a failed request asked for, as far as it could be read. */
interface FailedRequest {
  exchange: Exchange;
  error: unknown;
  template: PublishedTemplate;
  options: RenderOptions;
  /** With texts cut to their limits, and defaults for what is wrong; read when needed. */
  values: () => ResolvedValues;
  service: RenderService;
}

/**
 * The image in place of a covered error, for whom the template's `onError` gives one: 200, and `X-Render-Error` names the
 * code. After BAD_REQUEST it is the render without what was wrong; else, or if that fails too, the template's default
 * render, or a plain card. Under overload nothing is rendered, and the answer is no promise. Undefined where the error stays
 * one. `link` holds what the page has read before it failed, and only the rest is read here. Throws UNAUTHORIZED for a
 * link that is not authorized, and what finding the template throws.
 */
export function coverError(
  error: unknown,
  exchange: Exchange,
  link: LinkReading,
  service: RenderService,
): Reply | Promise<Reply> | undefined {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  if (!coveredCodes.has(code)) return undefined;
  // Its default image could need a fetch, which is what a loop must not have.
  if (exchange.isLooped) return undefined;
  const { path = parseRenderPath(exchange.parameter), query = parseQuery(exchange.query) } = link;
  const template =
    link.template ??
    usable(() => findTemplate(service.templates, path, query)) ??
    service.templates.findPublished(path.uid);
  if (template === undefined || !isCovered(template, exchange)) return undefined;
  // The page failed before it came to this: a broken option must not open a closed template.
  if (link.template === undefined) checkLinkAuth(template, exchange, service.organizations);
  const values = (): ResolvedValues =>
    link.values ??
    linkReader({ ...link, hops: 1 }).values(template, query, service.tables, () => undefined);
  let options = link.options ?? repairOptions(path, query, template);
  // The page failed before it knew its reader, who sees a countdown of their own here, too.
  if (link.values === undefined && code === 'BAD_REQUEST') {
    options = withReader(options, template, values(), exchange, service.firstOpens);
  }
  const request = { exchange, error, template, options, values, service };
  // No promise and no timer either: refusing must stay cheaper than rendering.
  if (code === 'OVERLOADED') {
    return toReply(
      request,
      usable(() => service.cache.findNewest(defaultOrderOf(request))),
    );
  }
  return bestRender(request).then((render) => toReply(request, render));
}

/** Whether the template answers this request with an image where it fails. */
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

function toReply({ template, options, error }: FailedRequest, render: Render | undefined): Reply {
  const { code = 'INTERNAL', ...trace } = errorTrace(error);
  const { bytes, format, warnings } = render ?? {
    bytes: cards[options.format],
    format: options.format,
    warnings: [],
  };
  return {
    ...substituteReply(template.uid, format, bytes, { code, warnings }),
    code,
    ...trace,
    notes: linkNotes(template),
  };
}

/** The first of the images that can be had; never rejects. */
async function bestRender(request: FailedRequest): Promise<Render | undefined> {
  try {
    const repaired = isRepairable(request.error) ? await repairedRender(request) : undefined;
    return repaired ?? (await defaultRender(request));
  } catch {
    // Whatever is wrong with the default, the card remains; the first error is the one that is logged.
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

/** The image that was asked for, with texts cut to their limits and defaults for what failed; undefined if it fails too. */
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

/** The template's default render, kept or rendered now. */
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

/** Of the options the format counts, and who opens the link: the default at its own size is likely to be kept already. */
function defaultOrderOf({ template, options, values }: FailedRequest): RenderOrder {
  return defaultOrderForReader(template, options, values, defaultsForImages);
}

/**
 * A render whose failed images are defaults, from memory or made now. Its flight is the readers' alone: a program that
 * asks for the same values meanwhile must get the error.
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

/** A service that is too slow must not be asked for another image, nor a document that has just ended a process. */
function mayRenderDefault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  const isRefused = ['QUARANTINED', 'TIMEOUT'].includes(error.code);
  return !isRefused && error.reason !== 'lost';
}

function readCard(name: string): Uint8Array {
  return readFileSync(packagePath(`data/fallback/${name}`));
}

/**
 * The answer where a render request fails: an image for those who get one (`coverError`), else the error of the render
 * shape and `Server-Timing: cache;desc=error, total;dur=12.3`. Without `link` it is always the error.
 */
export type Recover = (
  thrown: unknown,
  exchange: Exchange,
  link: LinkReading | undefined,
) => Reply | Promise<Reply>;

/**
 * `tell` makes an error of the API of what a store throws. In one function: an error that is caught and thrown again and
 * again takes a third of the time of a refusal.
 */
export function createRecovery(service: RenderService, tell: (error: unknown) => unknown): Recover {
  const refusals = new RefusalPace();
  return (thrown, exchange, link) => {
    const error = tell(thrown);
    try {
      const cover = link && coverError(error, exchange, link, service);
      const reply = cover ?? timedError(error, exchange, link?.template);
      return reply instanceof Promise || reply.code !== 'OVERLOADED' ? reply : refusals.pace(reply);
    } catch (failed) {
      return timedError(tell(failed), exchange, link?.template);
    }
  };
}

/** `page`, where it fails with the answer of `recover`. */
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
  template: PublishedTemplate | undefined,
): Reply {
  const totalMs = performance.now() - startedMs;
  const timing = `cache;desc=error, total;dur=${totalMs.toFixed(1)}`;
  // A cache that keeps errors against `no-store` must not give a program's to a reader.
  const headers = ['Server-Timing', timing, 'Vary', audienceHeaders];
  const reply = errorReply(error, 'render', requestId, headers);
  return template === undefined ? reply : { ...reply, notes: linkNotes(template) };
}

// Slows down clients that ask again as soon as they are refused: refusing them would take the processor from rendering.

/** Refusals answered at once: 2,000 a second, some 60 µs of the main thread each (measured). */
const atOnceMax = 200;
const windowMs = 100;

/** Until the others are answered. Longer, and floods that do not wait would use up all 10,000 connections. */
const holdMs = 1000;

/** One a service. Whatever the flood, a refusal is answered at once or after `holdMs`. */
export class RefusalPace {
  #windowEndMs = 0;
  #left = 0;

  /** The refusal, now or later. */
  pace(refusal: Reply): Reply | Promise<Reply> {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + windowMs;
      this.#left = atOnceMax;
    }
    this.#left -= 1;
    if (this.#left >= 0) return refusal;
    return new Promise((resolve) => setTimeout(resolve, holdMs, refusal));
  }
}
