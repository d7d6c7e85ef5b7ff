/** Where a template asks for it, a reader gets a picture instead of an error. */
import { readFileSync } from 'node:fs';
import type { RenderFormat } from '#shared/render-job.ts';
import { Deadline } from '../deadline.ts';
import type { ErrorCode } from '../errors.ts';
import { AppError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseQuery } from '../http/query.ts';
import { errorTrace } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import { fallbackReply } from './answer.ts';
import { defaultOrder } from './default-order.ts';
import { drawRender } from './draw.ts';
import type { RenderService } from './get-render.ts';
import type { Render } from './render-cache.ts';
import { checkLinkAuth } from './link-auth.ts';
import { defaultOptions, findTemplate, parseRenderPath, resolveOptions } from './render-request.ts';
import type { RenderOptions } from './render-request.ts';

/** What a picture may stand for (contract, errors): not 401 and 404, which say that there is no such picture. */
const coveredCodes: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'OVERLOADED',
  'QUARANTINED',
  'STORAGE_UNAVAILABLE',
  'TIMEOUT',
  'INTERNAL',
]);

/** Drawing a default takes milliseconds; a reader who already met an error does not wait for a slow one. */
const defaultTimeoutMs = 2000;

/** Plain grey cards, 600 × 314, in every format: the last resort. */
const cards: Record<RenderFormat, Uint8Array> = {
  png: readCard('card.png'),
  jpeg: readCard('card.jpg'),
  webp: readCard('card.webp'),
  avif: readCard('card.avif'),
};

/**
 * The answer in place of a covered error, where the template says `onError: "image"`: 200 with its default picture, or
 * with a plain card when that cannot be had either; `X-Render-Error` names the code. Undefined where an error stays one.
 * Throws UNAUTHORIZED for a link that may not ask, and what looking for the template does.
 */
export function coverError(
  error: unknown,
  exchange: Exchange,
  service: RenderService,
): Promise<Reply> | undefined {
  const code = error instanceof AppError ? error.code : 'INTERNAL';
  if (!coveredCodes.has(code)) return undefined;
  // Its default image could need a fetch, which is what a loop must not have.
  if (exchange.isLooped) return undefined;
  const path = parseRenderPath(exchange.parameter);
  const newest = service.templates.findPublished(path.uid);
  // Thousands of refusals a second end here: only a link to another version is worth reading again.
  const hasVersion = /_|%5f/i.test(exchange.query);
  if (!hasVersion && newest?.document.onError !== 'image') return undefined;
  const query = parseQuery(exchange.query);
  const template = usable(() => findTemplate(service.templates, path, query)) ?? newest;
  if (template?.document.onError !== 'image') return undefined;
  // The page may have failed before it came to this: a broken option must not open a closed template.
  checkLinkAuth(template, exchange, service.organizations);
  // Of the options only the format counts: the default picture at its own size is likely to be kept already.
  const format = usable(() => resolveOptions(path, query, template))?.format ?? path.format;
  // In the template's own format where that one is not to be had.
  const options =
    usable(() => defaultOptions({ ...path, format }, template)) ??
    defaultOptions({ ...path, format: undefined }, template);
  return defaultRender(template, options, error, service).then((render) => ({
    ...fallbackReply(path.uid, options.format, render?.bytes ?? cards[options.format], code),
    ...errorTrace(error),
  }));
}

/** What a part of the link says, unless that part is what is wrong with it. */
function usable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The template's default picture, kept or drawn; undefined when it cannot be had in time. */
async function defaultRender(
  template: PublishedTemplate,
  options: RenderOptions,
  error: unknown,
  service: RenderService,
): Promise<Render | undefined> {
  try {
    const order = defaultOrder(template, options);
    const cached = service.cache.find(order.key);
    if (cached !== undefined || !mayDrawDefault(error)) return cached;
    const deadline = new Deadline(performance.now() + defaultTimeoutMs);
    const { value } = await service.flights
      .run(order.key, deadline, (shared) => drawRender(order, service, shared))
      .finally(() => deadline.clear());
    return value;
  } catch {
    // Whatever is wrong with the default, the card remains; the first error is the one that is logged.
    return undefined;
  }
}

/** A service that is too busy must not be asked for another image, nor a document that has just ended a process. */
function mayDrawDefault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  const isRefused = ['OVERLOADED', 'QUARANTINED', 'TIMEOUT'].includes(error.code);
  return !isRefused && error.reason !== 'lost';
}

function readCard(name: string): Uint8Array {
  return readFileSync(new URL(`../../data/fallback/${name}`, import.meta.url));
}
