/** Allows pages of listed origins to call the API of organizations from a browser (Fetch standard, CORS protocol). */
import { varyBy } from './body/content-encoding.ts';
import type { AppError } from '../foundation/errors.ts';
import type { Exchange } from './exchange.ts';
import { emptyReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { PathEntry } from './route.ts';

/** Request headers that a call may have besides the safelisted ones. */
const requestHeaders = 'X-API-Key, Content-Type, Idempotency-Key, If-Match, If-None-Match';

/** Response headers that a page may read besides the safelisted ones. */
const exposedHeaders = 'Allow, ETag, Location, Retry-After, X-Render-Warnings, X-Request-Id';

/** Seconds that a browser may cache a preflight response: Chromium's maximum. */
const preflightSeconds = 7200;

const allowOriginName = 'Access-Control-Allow-Origin';

/**
 * The CORS rules of one server. Keys are in a header, which no page can send without a preflight, so credentials need
 * no permission. Without listed origins the responses do not change: browsers then block other origins.
 */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /**
   * Returns the response to a preflight from a listed origin, for any requested method and headers: the browser
   * compares them. Undefined for anything else. `refusal` is the error that the request gets without these rules.
   * Applies to the render route too, for templates that require a key.
   */
  preflight(
    entry: PathEntry,
    exchange: Exchange,
    refusal: AppError | undefined,
  ): Reply | undefined {
    const { method, origin, preflightMethod } = exchange;
    const isSound = refusal?.code === 'METHOD_NOT_ALLOWED';
    const isPreflight = isSound && method === 'OPTIONS' && preflightMethod !== '';
    if (!isPreflight || !entry.path.startsWith('/v1/') || !this.#origins.has(origin)) {
      return undefined;
    }
    return emptyReply(204, {
      [allowOriginName]: origin,
      'Access-Control-Allow-Methods': entry.allow,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightSeconds),
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
  }

  /**
   * Returns the reply with headers that allow its origin to read it, if the origin is listed. A reply open to all
   * origins does not change.
   */
  share(exchange: Exchange, reply: Reply): Reply {
    if (this.#origins.size === 0 || reply.head !== undefined) return reply;
    if (!exchange.path.startsWith('/v1/') || reply.headers.includes(allowOriginName)) return reply;
    const headers = varyBy(reply.headers, 'Origin');
    // The value comes from the list, so that no header contains text of the client.
    if (!this.#origins.has(exchange.origin)) return { ...reply, headers };
    const shared = [
      allowOriginName,
      exchange.origin,
      'Access-Control-Expose-Headers',
      exposedHeaders,
    ];
    return { ...reply, headers: [...headers, ...shared] };
  }
}
