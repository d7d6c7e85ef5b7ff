/** A reply as plain data: headers for caches, and the two error shapes of the specification. */
import { errorText } from '#wire/error-text.ts';
import type { ErrorCode } from '../foundation/errors.ts';
import { AppError } from '../foundation/errors.ts';
import { refuseLineFeeds } from './response-head.ts';
import type { ReadyHead } from './response-head.ts';

// Cache-Control values and the comparison of entity tags (RFC 9110 section 13.1.2, RFC 9111).

/** Errors and everything that belongs to one organization. */
export const noStore = 'no-store';

/** A render that is not what the template asks for: short, so that the right one comes soon (contract, success). */
export const degradedCacheControl = 'public, max-age=15';

/** An image in place of an error: for this reader alone, and briefly, because others with the link get the error. */
export const substituteCacheControl = 'private, max-age=15';

/** Seconds that a link without `_version` may be kept, unless its template says otherwise (contract, success). */
const maxAgeSecondsDefault = 300;

/** What the caching of a finished render depends on. */
interface RenderCaching {
  /** Asked for by `_version`: these pixels never change. */
  isPinned: boolean;
  /** The template's own setting. */
  maxAgeSeconds: number | undefined;
  /** Only its holder of a key may see it: shared caches must not keep it. */
  isPrivate: boolean;
}

/** The `Cache-Control` of a render that is as its template asks. */
export function renderCacheControl(caching: RenderCaching): string {
  const scope = caching.isPrivate ? 'private' : 'public';
  if (caching.isPinned) return `${scope}, max-age=31536000, immutable`;
  const seconds = caching.maxAgeSeconds ?? maxAgeSecondsDefault;
  // A designer who writes 0 wants every reader to see the newest: a day of staleness would undo that.
  if (seconds === 0) return `${scope}, max-age=0, must-revalidate`;
  return `${scope}, max-age=${seconds}, stale-while-revalidate=86400`;
}

/** A `Cache-Control` among headers. */
const maxAgePattern = /^((?:public|private), max-age=)(\d+).*/;

/**
 * The same headers for an answer that nobody may show in `secondsLeft` any more: fresh for no longer, and never shown
 * stale. Without it a shared cache would answer a link for a day after it has expired, or for a year when it is pinned.
 */
export function limitCaching(headers: readonly string[], secondsLeft: number): readonly string[] {
  return headers.map((text) =>
    text.replace(
      maxAgePattern,
      (_, start: string, seconds: string) => `${start}${Math.min(Number(seconds), secondsLeft)}`,
    ),
  );
}

/**
 * Whether an `If-None-Match` header names `etag` (with its quotes), by weak comparison. A quote cannot
 * stand inside a tag, so a plain search for the quoted tag is exact: lists, `W/` and spaces need no parsing.
 */
export function matchesETag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  // What nearly all callers send.
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.includes(etag.slice(etag.indexOf('"'))) || ifNoneMatch.trim() === '*';
}

// Replies.

/** How a render came about, for the log and the metrics. */
export type CacheState = 'alias' | 'hit' | 'revalidated' | 'shared' | 'miss' | 'fallback';

/**
 * An answer. Nothing of the caller's goes into `headers`: the addon does not check them for line feeds.
 * `headers` is flat (name, value, name, value …) and may be shared between replies: nobody changes it.
 */
export interface Reply {
  status: number;
  headers: readonly string[];
  /** Status and headers of an answer that is sent often; `headers` are empty then. */
  head?: ReadyHead;
  /** Absent for 204, 304 and redirects. The receiver only reads it. */
  body?: Uint8Array | string;
  /** Ends the connection after the answer. */
  closes?: boolean;
  cacheState?: CacheState;
  /** Of an error, also of one that a picture stands in for. */
  code?: ErrorCode;
  /** One word for the log and the metrics: why this is an error, or a picture without one of its images. */
  cause?: string;
  /** Private text for the log. */
  detail?: string;
  /** Further fields of the request's line in the log: words and numbers of this code, nothing of a caller's. */
  notes?: Readonly<Record<string, string | number>>;
}

/** Which of the specification's error bodies a route answers with. */
export type ErrorShape = 'render' | 'organization';

/** Headers of every answer that is no image. */
const jsonHeaders: readonly string[] = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  noStore,
  'X-Content-Type-Options',
  'nosniff',
];

/** Headers of an answer without a body. */
const emptyHeaders: readonly string[] = ['Cache-Control', noStore];

/**
 * A JSON answer that nobody may keep. `headers` are further ones, by name (`ETag`, `Location`). Throws for a line
 * feed in one of them.
 */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: withHeaders(jsonHeaders, headers), body: JSON.stringify(value) };
}

/** An answer without a body that nobody may keep, as 204. `headers` as in `jsonReply`. */
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
 * The answer of an error: its public sentence, and `cause` and `detail` for the log. What is no `AppError`
 * is a bug: 500 INTERNAL, and its text goes to the log only. `further` are headers of this code's own making. The render shape is readable from other
 * origins, as the image would have been.
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
  const body =
    shape === 'render'
      ? { error: { code, message, requestId } }
      : { error: message, ...(known?.details === undefined ? {} : { details: known.details }) };
  return {
    status: known?.status ?? 500,
    headers: [...errorHeaders(known, shape), ...further],
    body: JSON.stringify(body),
    ...errorTrace(error),
  };
}

/** What the log and the metrics are told of an error: its code, one word why, and private text where there is some. */
export function errorTrace(error: unknown): Pick<Reply, 'code' | 'cause' | 'detail'> {
  if (!(error instanceof AppError)) {
    return { code: 'INTERNAL', cause: 'bug', detail: errorText(error) };
  }
  const { code, detail, reason: cause = code.toLowerCase() } = error;
  return detail === undefined ? { code, cause } : { code, cause, detail };
}

/** Answers of the render shape are readable from other origins. */
const renderErrorHeaders: readonly string[] = [...jsonHeaders, 'Access-Control-Allow-Origin', '*'];

function errorHeaders(error: AppError | undefined, shape: ErrorShape): string[] {
  const headers = [...(shape === 'render' ? renderErrorHeaders : jsonHeaders)];
  if (error?.retryAfterSeconds !== undefined) {
    headers.push('Retry-After', String(error.retryAfterSeconds));
  }
  if (error?.allow !== undefined) headers.push('Allow', error.allow);
  return headers;
}
