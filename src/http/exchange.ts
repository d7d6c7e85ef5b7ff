/** One request. The fields that the service needs are copied from the parser before its handler returns. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Deadline, turnNowMs } from '../foundation/deadline.ts';
import { ifNoneMatchName } from './body/framing.ts';
import { saveBody } from './body/upload.ts';
import type { Upload } from './body/upload.ts';
import { namesLoop } from '../foundation/product.ts';
import type { BodyLimit, RequestBody } from './body/request-body.ts';
import type { ClientAddresses, OriginReader } from './request-origin.ts';
import { nextRequestNumber, requestIdOf } from './response-head.ts';
import type { CacheState, Reply } from './reply.ts';

/** Positions of the parameters in the paths of a route. */
export interface ParameterPositions {
  /** Index of the first parameter's first character; −1 for a route without parameters. */
  start: number;
  /**
   * Index of each parameter among the segments of the path split at `/`, counting the empty one before the first `/`.
   */
  segments: readonly number[];
}

/**
 * The data of a request. The parser's object is invalid after the handler returns; `outliveHandler` releases it. `path`
 * and `query` are raw: not decoded, the query without its `?`.
 */
export class Exchange {
  /** Number of the request in this process; its id derives from it. */
  readonly number: number;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly ifNoneMatch: string;
  /** The time at which the event loop received the request, on the clock of `performance.now()`. */
  readonly startedMs: number;
  /** True once the client has disconnected: nothing may be sent any more. */
  isAborted = false;
  /** Called if the client disconnects while a response is being written. */
  onAborted: (() => void) | undefined = undefined;
  /** The organization whose data the response contains; empty while none is known. */
  organizationUid = '';
  /** The body, if the request has one. */
  body: RequestBody | undefined = undefined;
  readonly #positions: ParameterPositions;
  readonly #server: ExchangeServer;
  #deadline: Deadline | undefined;
  #request: HttpRequest | undefined;
  #response: HttpResponse | undefined;
  #headers: ReadonlyMap<string, string> | undefined;
  #url: string | undefined;

  constructor(
    request: HttpRequest,
    response: HttpResponse,
    method: string,
    positions: ParameterPositions,
    server: ExchangeServer,
  ) {
    this.number = nextRequestNumber();
    this.method = method;
    this.path = request.getUrl();
    // Undefined for a URL without `?`, although its type says otherwise.
    const query: string | undefined = request.getQuery();
    this.query = query ?? '';
    this.ifNoneMatch = request.getHeader(ifNoneMatchName);
    this.startedMs = turnNowMs();
    this.#server = server;
    this.#positions = positions;
    this.#request = request;
    this.#response = response;
  }

  get requestId(): string {
    return requestIdOf(this.number);
  }

  /** Created at the first read: a response from memory needs none. */
  get deadline(): Deadline {
    this.#deadline ??= new Deadline(this.startedMs + this.#server.timeoutMs);
    return this.#deadline;
  }

  /** Clears the deadline when the response is known. */
  endDeadline(): void {
    this.#deadline?.clear();
  }

  /** The network of the client, for limits. The response must be open. */
  networkOf(response: HttpResponse): string {
    return this.#server.addresses.networkOf(response.getRemoteAddress(), this.forwardedFor);
  }

  /** HEAD is handled as GET, without the body of the response. */
  get isHead(): boolean {
    return this.method === 'HEAD';
  }

  /** The raw value of the route's first parameter, or an empty string. */
  get parameter(): string {
    const { start } = this.#positions;
    if (start === -1) return '';
    const end = this.path.indexOf('/', start);
    return this.path.slice(start, end === -1 ? undefined : end);
  }

  /** The raw values of the route's parameters, in order: not decoded and not validated. */
  get parameters(): readonly string[] {
    const segments = this.path.split('/');
    return this.#positions.segments.map((index) => segments[index] ?? '');
  }

  /** Path and query as sent; without a `?` if the query is empty. */
  get url(): string {
    this.#url ??= this.query === '' ? this.path : `${this.path}?${this.query}`;
    return this.#url;
  }

  /** The header `X-API-Key`, or the token of `Authorization: Bearer`. */
  get apiKey(): string {
    return this.#header('x-api-key') || bearerToken(this.#header('authorization'));
  }

  /** The header `If-Match`, or an empty string. */
  get ifMatch(): string {
    return this.#header('if-match');
  }

  /** The header `Idempotency-Key`, or an empty string. */
  get idempotencyKey(): string {
    return this.#header('idempotency-key');
  }

  /** The header `Content-Type` as sent, with parameters, or an empty string. */
  get contentType(): string {
    return this.#header('content-type');
  }

  /** The header `Accept`, or an empty string. */
  get accept(): string {
    return this.#header('accept');
  }

  /** The header `Sec-Fetch-Dest`, or an empty string. */
  get fetchDestination(): string {
    return this.#header('sec-fetch-dest');
  }

  /** The header `User-Agent`, or an empty string. */
  get userAgent(): string {
    return this.#header('user-agent');
  }

  /** The header `Accept-Encoding`, or an empty string. */
  get acceptEncoding(): string {
    return this.#header('accept-encoding');
  }

  /** The header `X-Forwarded-For` as sent, or an empty string: an untrusted client may have written it. */
  get forwardedFor(): string {
    return this.#header('x-forwarded-for');
  }

  /** The header `Origin`, or an empty string. */
  get origin(): string {
    return this.#header('origin');
  }

  /** Scheme, host and port at which the client reached the service; undefined if `Host` is not a valid host. */
  get requestOrigin(): string | undefined {
    return this.#server.originOf(this.#header('host'), this.#forwardedScheme);
  }

  /** The header `Access-Control-Request-Method` of a preflight, or an empty string. */
  get preflightMethod(): string {
    return this.#header('access-control-request-method');
  }

  /** Whether a Platen service sent the request to fetch an image: its `CDN-Loop` (RFC 8586) names one. */
  get isLooped(): boolean {
    const loop = this.#header('cdn-loop');
    return loop !== '' && namesLoop(loop);
  }

  /**
   * Returns the whole body; empty for a request without one. The bytes belong to the handler until it has answered.
   * Rejects with PAYLOAD_TOO_LARGE above the route's `bodyBytesMax`, REQUEST_TIMEOUT for a body that stalls, OVERLOADED
   * if all uploads together hold too much, and BAD_REQUEST if the client disconnects.
   */
  readBody(): Promise<Buffer> {
    return this.body === undefined ? Promise.resolve(Buffer.alloc(0)) : this.body.read();
  }

  /**
   * Writes the whole body to a new file at `path`. Must be called before the handler waits for anything. Rejects as
   * `readBody` does, and with the error of `limit`; then there is no file.
   */
  saveBody(path: string, limit?: BodyLimit): Promise<Upload> {
    if (limit !== undefined) this.body?.limit(limit);
    return saveBody(this.body, path);
  }

  /** Whether the response starts, or ends, after the handler has returned. */
  get outlivesHandler(): boolean {
    return this.#request === undefined;
  }

  /**
   * Copies the headers that may be read later, and watches for a disconnect from now on. Must be called before the
   * handler returns unless the response is complete by then: otherwise the addon ends the process. Responses from
   * memory avoid its cost.
   */
  outliveHandler(response: HttpResponse): void {
    if (this.#request === undefined) return;
    const headers = new Map<string, string>();
    // In one pass over all headers, because reading each name separately takes longer.
    this.#request.forEach((name, value) => {
      if (lateNames.has(name) && !headers.has(name)) headers.set(name, value);
    });
    if (headers.has(schemeName)) headers.set(schemeName, this.#forwardedScheme);
    this.#headers = headers;
    this.#request = undefined;
    this.#response = undefined;
    response.onAborted(() => {
      this.isAborted = true;
      this.body?.abort();
      this.onAborted?.();
    });
  }

  /** The first header of this name, or an empty string. */
  #header(name: string): string {
    if (this.#request !== undefined) return this.#request.getHeader(name);
    return this.#headers?.get(name) ?? '';
  }

  /** The header `X-Forwarded-Proto`; empty unless a trusted proxy sent the request. */
  get #forwardedScheme(): string {
    const scheme = this.#header(schemeName);
    if (scheme === '' || this.#response === undefined) return scheme;
    const isTrusted = this.#server.addresses.isTrusted(this.#response.getRemoteAddress());
    return isTrusted ? scheme : '';
  }
}

/** The services of the server that an exchange needs. */
export interface ExchangeServer {
  /** The deadline of each request. */
  timeoutMs: number;
  originOf: OriginReader;
  addresses: ClientAddresses;
}

const schemeName = 'x-forwarded-proto';

/** Headers that may be read after the handler has returned. */
const lateNames: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'if-match',
  'idempotency-key',
  'content-type',
  'accept',
  'accept-encoding',
  'sec-fetch-dest',
  'user-agent',
  'x-forwarded-for',
  'cdn-loop',
  'origin',
  'host',
  schemeName,
  'access-control-request-method',
]);

/** The token of a bearer scheme; empty for other schemes, such as those of a proxy. */
function bearerToken(authorization: string): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

// The fields of a request for the log and the metrics.

/** A finished request; `status` 499 means that the client disconnected before the response. */
export interface RequestRecord {
  exchange: Exchange;
  route: string;
  status: number;
  ms: number;
  cacheState: CacheState | undefined;
  /** Error code, also of an error that was answered with an image. */
  code: Reply['code'] | undefined;
  cause: string | undefined;
  detail: string | undefined;
  /** As in `Reply`. */
  notes: Reply['notes'];
}
