/** Lets pages of listed origins call the API of organizations from a browser (Fetch standard, CORS protocol). */
import { varyBy } from './body/content-encoding.ts';
import type { AppError } from '../foundation/errors.ts';
import type { Exchange } from './exchange.ts';
import { emptyReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { PathEntry } from './route.ts';

/** Headers that a call may have beside those that every page may send. */
const requestHeaders = 'X-API-Key, Content-Type, If-Match, If-None-Match';

/** Headers of an answer that a page may read beside those that it always may. */
const exposedHeaders = 'Allow, ETag, Location, Retry-After, X-Render-Warnings, X-Request-Id';

/** Seconds that a browser may keep the answer to a preflight: the most that Chromium keeps it. */
const preflightSeconds = 7200;

const allowOriginName = 'Access-Control-Allow-Origin';

/**
 * The rules of one server. Keys travel in a header, which no page can send without a preflight, so there are no
 * credentials to allow. Without listed origins nothing changes: a browser then keeps other origins out.
 */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /**
   * The answer to a preflight from a listed origin, whatever it asks for: the browser compares. Undefined for anything
   * else. `refusal` is what speaks against the request where there are no such rules. The render route is among them, for templates that ask for a key.
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

  /** The same answer, readable for its origin if that is listed; one that is open to all stays as it is. */
  share(exchange: Exchange, reply: Reply): Reply {
    if (this.#origins.size === 0 || reply.head !== undefined) return reply;
    if (!exchange.path.startsWith('/v1/') || reply.headers.includes(allowOriginName)) return reply;
    const headers = varyBy(reply.headers, 'Origin');
    // From the list, so that nothing of the caller's goes into a header.
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
