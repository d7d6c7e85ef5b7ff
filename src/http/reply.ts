/** A reply as plain data: headers for caches, and the two error shapes of the specification. */
import { errorText } from '#wire/error-text.ts';
import type { ErrorCode } from '../foundation/errors.ts';
import { AppError } from '../foundation/errors.ts';
import { refuseLineFeeds } from './response-head.ts';
import type { ReadyHead } from './response-head.ts';

// Cache-Control values and the comparison of entity tags (RFC 9110 section 13.1.2, RFC 9111).

/** For errors and for all data of one organization. */
export const noStore = 'no-store';

/** For a degraded render: short, so that the correct one follows soon. */
const degradedCacheControl = 'public, max-age=15';

/** For an image in place of an error: private and short, because programs with the same link get the error. */
export const substituteCacheControl = 'private, max-age=15';

/** Seconds that a link without `_version` is fresh, unless its template sets another value. */
const maxAgeSecondsDefault = 300;

/** The inputs of a finished render's caching. */
interface RenderCaching {
  /** Requested with `_version`: these pixels never change. */
  isPinned: boolean;
  /** The setting of the template. */
  maxAgeSeconds: number | undefined;
  /** Only the holder of a key may see it: shared caches must not store it. */
  isPrivate: boolean;
  /** Values come from data tables, whose rows change. */
  readsTables: boolean;
  isDegraded: boolean;
}

/** The `Cache-Control` of a render. */
export function renderCacheControl(caching: RenderCaching): string {
  const scope = caching.isPrivate ? 'private' : 'public';
  // A pinned version fixes the design, not the rows of tables.
  if (caching.readsTables) {
    const seconds = caching.isDegraded ? 0 : (caching.maxAgeSeconds ?? 0);
    return `${scope}, max-age=${seconds}, must-revalidate`;
  }
  if (caching.isDegraded) return degradedCacheControl;
  if (caching.isPinned) return `${scope}, max-age=31536000, immutable`;
  const seconds = caching.maxAgeSeconds ?? maxAgeSecondsDefault;
  // A designer who sets 0 wants every request to get the newest image: a day of staleness would defeat that.
  if (seconds === 0) return `${scope}, max-age=0, must-revalidate`;
  return `${scope}, max-age=${seconds}, stale-while-revalidate=86400`;
}

/** A `Cache-Control` value with `max-age`. */
const maxAgePattern = /^((?:public|private), max-age=)(\d+)(, must-revalidate)?.*/;

/**
 * Limits the caching of a response that expires in `msLeft`: it is fresh for no longer, and never served stale.
 * Otherwise a shared cache would serve an expired link for a day longer, or for a year if its version is pinned.
 * `max-age` has whole seconds, so it ends up to a second early. Rounding up would show an image that is over.
 */
export function limitCaching(headers: readonly string[], msLeft: number): readonly string[] {
  const secondsLeft = Math.max(0, Math.floor(msLeft / 1000));
  return headers.map((text) =>
    text.replace(
      maxAgePattern,
      (_, start: string, seconds: string, strict = '') =>
        `${start}${Math.min(Number(seconds), secondsLeft)}${strict}`,
    ),
  );
}

/** Makes the headers of a client-specific response private, because many shared caches ignore `Vary`. */
export function forOneClient(headers: readonly string[]): readonly string[] {
  const privateHeaders = headers.map((text) => text.replace(/^public(?=, max-age=)/, 'private'));
  return [...privateHeaders, 'Vary', 'User-Agent'];
}

/**
 * Whether an `If-None-Match` header contains `etag` (with its quotes), by weak comparison. A tag cannot contain a
 * quote, so a search for the quoted tag is exact: lists, `W/` and spaces need no parsing.
 */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  // The header of nearly all clients.
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.includes(etag.slice(etag.indexOf('"'))) || ifNoneMatch.trim() === '*';
}

// Replies.

/** The origin of a render, for the log and the metrics. */
export type CacheState = 'alias' | 'hit' | 'revalidated' | 'shared' | 'warm' | 'miss' | 'fallback';

/** Fields of a line of the log: words and numbers of this code, no text of the client. */
export type ReplyNotes = Readonly<Record<string, string | number>>;

/**
 * A response. `headers` must contain no text of the client: the addon does not check them for line feeds. `headers` is
 * flat (name, value, name, value …) and may be shared between replies, so it must not be modified.
 */
export interface Reply {
  status: number;
  headers: readonly string[];
  /** Status and headers of a response that is sent often; `headers` are then empty. */
  head?: ReadyHead;
  /** Absent for 204, 304 and redirects. The receiver must not modify it. */
  body?: Uint8Array | string;
  /** A body that is made while it is sent, in place of `body`. */
  stream?: BodyStream;
  /** Closes the connection after the response. */
  closes?: boolean;
  cacheState?: CacheState;
  /** Error code, also of an error that is answered with an image. */
  code?: ErrorCode;
  /** One word for the log and the metrics: the cause of the error, or of a missing source image. */
  cause?: string;
  /** Private text for the log. */
  detail?: string;
  /** Additional fields of the request's log line. The statistics count those of links. */
  notes?: ReplyNotes;
}

/** A body in chunks. Each chunk is read from the stream when the client has received the one before. */
export interface BodyStream {
  /** Bytes of all chunks; absent if they are not known. */
  bytes?: number;
  /** Its `return` is called when the client disconnects. A rejection cuts the response, so that the client notices. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Which error body a route uses: one of the specification, or that of the services whose calls the adapters answer. */
export type ErrorShape = 'render' | 'organization' | 'adapter';

/** Headers of every response that is not an image. */
export const jsonHeaders: readonly string[] = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  noStore,
  'X-Content-Type-Options',
  'nosniff',
];

/** Headers of a response without a body. */
const emptyHeaders: readonly string[] = ['Cache-Control', noStore];

/**
 * A JSON response that must not be cached. `headers` are additional ones, by name (`ETag`, `Location`). Throws if one
 * contains a line feed.
 */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: JSON.stringify(value) };
}

/** A response without a body, such as 204, that must not be cached. `headers` as in `jsonReply`. */
export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: withHeaders(emptyHeaders, headers) };
}

function withHeaders(
  base: readonly string[],
  added: Readonly<Record<string, string>>,
): readonly string[] {
  const list = Object.entries(added).flat();
  if (list.length === 0) return base;
  refuseLineFeeds(list);
  return [...base, ...list];
}

/**
 * The response to an error: its public sentence, and `cause` and `detail` for the log. Any error but an `AppError` is a
 * bug: 500 INTERNAL, with its text only in the log. `further` are headers without text of the client. Other origins may
 * read the render shape, as they may read the image.
 */
export function errorReply(
  error: unknown,
  shape: ErrorShape,
  requestId: string,
  further: readonly string[] = [],
): Reply {
  const known = error instanceof AppError ? error : undefined;
  const code = known?.code ?? 'INTERNAL';
  const message =
    known === undefined || code === 'INTERNAL'
      ? 'Something went wrong on our side; please report the requestId.'
      : known.message;
  const { details } = known ?? {};
  const bodies = {
    render: { error: { code, message, requestId, details } },
    organization: { error: message, details },
    adapter: { message, errors: details },
  };
  return {
    status: known?.status ?? 500,
    headers: [...errorHeaders(known, shape), ...further],
    body: JSON.stringify(bodies[shape]),
    ...errorTrace(error),
  };
}

/** Fields of an error for the log and the metrics: its code, its cause in one word, and private text if any. */
export function errorTrace(error: unknown): Pick<Reply, 'code' | 'cause' | 'detail'> {
  if (!(error instanceof AppError)) {
    return { code: 'INTERNAL', cause: 'bug', detail: errorText(error) };
  }
  const { code, detail, reason: cause = code.toLowerCase() } = error;
  return detail === undefined ? { code, cause } : { code, cause, detail };
}

/** Other origins may read responses of the render shape. */
const renderErrorHeaders: readonly string[] = [...jsonHeaders, 'Access-Control-Allow-Origin', '*'];

function errorHeaders(error: AppError | undefined, shape: ErrorShape): string[] {
  const headers = [...(shape === 'render' ? renderErrorHeaders : jsonHeaders)];
  if (error?.retryAfterSeconds !== undefined) {
    headers.push('Retry-After', String(error.retryAfterSeconds));
  }
  if (error?.allow !== undefined) headers.push('Allow', error.allow);
  return headers;
}
