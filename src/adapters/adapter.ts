/** Shared code of the adapters, which answer calls in the shape of another service through Platen's API. */
import type { Static, TSchema } from 'typebox';
import { createWebhookSecret } from '../mailings/mailings.ts';
import type { MessagePoster } from '../mailings/mailings.ts';
import { answerOnce } from '../api/request/idempotency.ts';
import { parseBody } from '../api/request/input.ts';
import { toApiError } from '../api/request/store-errors.ts';
import { PlatenClient, PlatenError } from '../client/platen-client.ts';
import { requireValidKey } from '../http/api-key.ts';
import type { KeyHolders } from '../http/api-key.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonReply } from '../http/reply.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Handler } from '../http/server.ts';
import { AppError } from '../foundation/errors.ts';
import { OrganizationSlots } from '../foundation/organization-slots.ts';
import { organizationShares } from '../foundation/thread-shares.ts';
import { ImageError } from '../images/image-error.ts';
import type { IdempotencyStore } from '../store/idempotency-store.ts';
import type { ShortLinkStore } from '../store/short-link-store.ts';
import type { TemplateStore } from '../store/template-store.ts';

export interface AdapterParts {
  /** The address of the internal server, which only this process calls. */
  innerUrl: () => string;
  publicUrl: (exchange: Exchange) => string;
  poster: Pick<MessagePoster, 'checkUrl' | 'post'>;
  organizations: KeyHolders<{ uid: string }>;
  shortLinks: Pick<ShortLinkStore, 'findLink'>;
  templates: Pick<TemplateStore, 'hasTemplate'>;
  idempotency: IdempotencyStore;
}

/** A rendered image behind a short link, whose token is the id of the image in the other service's answers. */
export interface AdaptedImage {
  id: string;
  /** The address of the service. */
  base: string;
  width: number;
  height: number;
}

/** An image of an earlier call. Its size is not stored. */
export type FoundImage = Pick<AdaptedImage, 'id' | 'base'>;

/** The link to an image, with the extension of a format. */
export function linkTo({ id, base }: FoundImage, extension: string): string {
  return `${base}/r/${id}${extension}`;
}

/** The routes of another service's images: one makes them, the other shows one of an earlier call. */
export function imageRoutes(
  parts: AdapterParts,
  { name, path }: Pick<Route, 'name' | 'path'>,
  create: Handler,
  show: (image: FoundImage) => object,
): Route[] {
  const shared = { name, errorShape: 'adapter' } as const;
  return [
    { ...shared, path, bodyBytesMax, post: create },
    {
      ...shared,
      path: `${path}/:id`,
      get: (exchange) => withMessages(async () => jsonReply(200, show(findImage(parts, exchange)))),
    },
  ];
}

/** Upper bound of a body in bytes: names and texts of a template. */
const bodyBytesMax = 256 * 1024;

/** Bounds concurrent webhooks of adapters; further calls with one are refused. A stalled host holds a slot for 15 s. */
const webhookSlots = new OrganizationSlots({
  what: 'webhooks are being sent',
  organizationMax: 25,
  countMax: 100,
  reason: 'webhooks',
});
const webhookTimeoutMs = 15_000;

/**
 * Handles calls with a body of `schema`, once for each `Idempotency-Key`. The body is read only with a valid API key.
 * Errors of the API keep their status.
 */
export function adapted<Schema extends TSchema>(
  { organizations, idempotency }: AdapterParts,
  schema: Schema,
  answer: (body: Static<Schema>, exchange: Exchange) => Promise<Reply>,
): Handler {
  return async (exchange) => {
    const uid = requireOrganization(organizations, exchange);
    const handle = async (): Promise<Reply> => {
      const body = await exchange.readBody();
      await organizationShares.take(uid, body.length);
      return answer(parseBody(schema, body), exchange);
    };
    return withMessages(() =>
      exchange.idempotencyKey === '' ? handle() : answerOnce(exchange, uid, idempotency, handle),
    );
  };
}

/** Returns the uid of the organization of a call, and counts the call as its. Throws UNAUTHORIZED. */
function requireOrganization(
  organizations: AdapterParts['organizations'],
  exchange: Exchange,
): string {
  const { uid } = requireValidKey(exchange.apiKey, organizations);
  exchange.organizationUid = uid;
  return uid;
}

/** Renders a template with values as PNG, which the links of both services name, and stores them behind a short link. */
export async function renderImage(
  { innerUrl, publicUrl }: AdapterParts,
  exchange: Exchange,
  template: string,
  values: Record<string, unknown>,
): Promise<AdaptedImage> {
  const client = new PlatenClient({ baseUrl: innerUrl(), apiKey: exchange.apiKey });
  const made = await client.renderJson(template, {
    values,
    format: 'png',
    response: 'url',
    short: true,
  });
  const id = /\/r\/([\w-]+)/.exec(made.url)?.[1] ?? '';
  return { id, base: publicUrl(exchange), width: made.width, height: made.height };
}

/** Finds an earlier image of the organization. Throws UNAUTHORIZED, and NOT_FOUND for an unknown id. */
function findImage(
  { organizations, shortLinks, templates, publicUrl }: AdapterParts,
  exchange: Exchange,
): FoundImage {
  const organizationUid = requireOrganization(organizations, exchange);
  const { parameter: id } = exchange;
  const link = shortLinks.findLink(id);
  if (link === undefined || !templates.hasTemplate(organizationUid, link.uid)) {
    throw new AppError('NOT_FOUND', 'Image not found');
  }
  return { id, base: publicUrl(exchange) };
}

/**
 * Makes an image, and sends the answer also to the webhook of the body: one attempt, without waiting for it. The
 * address and the slot are checked first, so that an image whose webhook is refused is not made.
 */
export async function makeWithWebhook<Answer extends { id: string; value: object }>(
  { organizations, poster }: Pick<AdapterParts, 'organizations' | 'poster'>,
  { apiKey }: Exchange,
  url: string | undefined,
  make: () => Promise<Answer>,
): Promise<Answer> {
  if (url === undefined) return make();
  checkAddress(poster, url);
  const giveBack = webhookSlots.take(organizations.findByKey(apiKey)?.uid ?? '');
  try {
    const made = await make();
    const payload = JSON.stringify(made.value);
    const message = { id: made.id, url, secret: createWebhookSecret(), payload };
    const signal = AbortSignal.timeout(webhookTimeoutMs);
    void poster
      .post(message, Date.now(), signal)
      .catch(() => undefined)
      .finally(giveBack);
    return made;
  } catch (error) {
    giveBack();
    throw error;
  }
}

function checkAddress(poster: Pick<MessagePoster, 'checkUrl'>, url: string): void {
  try {
    poster.checkUrl(url);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const message = `The address of the webhook ${error.message}`;
    throw new AppError('BAD_REQUEST', message, { reason: 'webhook' });
  }
}

/** Converts errors of the API to the shape of both services, which all other errors have by the routes. */
async function withMessages(answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof PlatenError)) throw toApiError(error);
    const { status, message, details, retryAfterSeconds } = error;
    const retry = retryAfterSeconds === undefined ? {} : { 'Retry-After': `${retryAfterSeconds}` };
    return jsonReply(status === 0 ? 503 : status, { message, errors: details }, retry);
  }
}
