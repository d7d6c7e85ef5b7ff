/** One request as the service keeps it: what is needed is copied out of the parser before its handler returns. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Deadline } from '../foundation/deadline.ts';
import { turnNowMs } from '../foundation/clocks.ts';
import { ifNoneMatchName } from './body/request-body.ts';
import { namesLoop } from '../foundation/cdn-loop.ts';
import type { RequestBody } from './body/request-body.ts';
import type { OriginReader } from './request-origin.ts';
import { nextRequestNumber, requestIdOf } from './response-head.ts';
import type { CacheState, Reply } from './reply.ts';

/** Where the parameters stand in the paths of a route. */
export interface ParameterPlaces {
  /** Character at which the first one begins; −1 for a route without one. */
  start: number;
  /** Index of each among the segments of the path split at `/`, the empty one before the first `/` included. */
  segments: readonly number[];
}

/**
 * What is known of a request. The parser's own object dies when the handler returns; `outliveHandler` lets go of it.
 * `path` and `query` are raw: not decoded, the query without its `?`.
 */
export class Exchange {
  /** Which request of this process it is; its id is made of it. */
  readonly number: number;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly ifNoneMatch: string;
  /** When it was found among those that had arrived, on the clock of `performance.now()`. */
  readonly startedMs: number;
  /** True once the caller has gone: nothing may be sent any more. */
  isAborted = false;
  /** Called when the caller leaves while an answer is being written. */
  onAborted: (() => void) | undefined = undefined;
  /** The body, of a request that has one. */
  body: RequestBody | undefined = undefined;
  readonly #places: ParameterPlaces;
  readonly #server: ExchangeServer;
  #deadline: Deadline | undefined;
  #request: HttpRequest | undefined;
  #response: HttpResponse | undefined;
  #headers: LateHeaders | undefined;
  #url: string | undefined;

  constructor(
    request: HttpRequest,
    response: HttpResponse,
    method: string,
    places: ParameterPlaces,
    server: ExchangeServer,
  ) {
    this.number = nextRequestNumber();
    this.method = method;
    this.path = request.getUrl();
    // Whatever its type says: undefined for a URL without `?`.
    const query: string | undefined = request.getQuery();
    this.query = query ?? '';
    this.ifNoneMatch = request.getHeader(ifNoneMatchName);
    this.startedMs = turnNowMs();
    this.#server = server;
    this.#places = places;
    this.#request = request;
    this.#response = response;
  }

  get requestId(): string {
    return requestIdOf(this.number);
  }

  /** Made when it is first asked for: an answer from memory has none. */
  get deadline(): Deadline {
    this.#deadline ??= new Deadline(this.startedMs + this.#server.timeoutMs);
    return this.#deadline;
  }

  /** The answer is known: nothing is waited for any more. */
  endDeadline(): void {
    this.#deadline?.clear();
  }

  /** HEAD is answered as GET, without the body. */
  get isHead(): boolean {
    return this.method === 'HEAD';
  }

  /** The raw value of the route's first parameter, or an empty string. */
  get parameter(): string {
    const { start } = this.#places;
    if (start === -1) return '';
    const end = this.path.indexOf('/', start);
    return this.path.slice(start, end === -1 ? undefined : end);
  }

  /** The raw values of the route's parameters, in order: not decoded, and whatever the caller wrote. */
  get parameters(): readonly string[] {
    const segments = this.path.split('/');
    return this.#places.segments.map((index) => segments[index] ?? '');
  }

  /** Path and query as sent; without a `?` when the query is empty. */
  get url(): string {
    this.#url ??= this.query === '' ? this.path : `${this.path}?${this.query}`;
    return this.#url;
  }

  /** The header `X-API-Key`; read when it is first asked for, because most requests are answered without. */
  get apiKey(): string {
    return this.#late.apiKey;
  }

  /** The header `If-Match`, or an empty string. */
  get ifMatch(): string {
    return this.#late.ifMatch;
  }

  /** The header `Content-Type` as sent, parameters included, or an empty string. */
  get contentType(): string {
    return this.#late.contentType;
  }

  /** The header `Accept`, or an empty string. */
  get accept(): string {
    return this.#late.accept;
  }

  /** The header `Sec-Fetch-Dest`, or an empty string. */
  get fetchDestination(): string {
    return this.#late.fetchDestination;
  }

  /** The header `User-Agent`, or an empty string. */
  get userAgent(): string {
    return this.#late.userAgent;
  }

  /** The header `Accept-Encoding`, or an empty string. */
  get acceptEncoding(): string {
    return this.#late.acceptEncoding;
  }

  /** The header `X-Forwarded-For` as sent, or an empty string: whoever is not trusted may have written it. */
  get forwardedFor(): string {
    return this.#late.forwardedFor;
  }

  /** The header `Origin`, or an empty string. */
  get origin(): string {
    return this.#late.origin;
  }

  /** Scheme, host and port at which the client reached the service; undefined where `Host` is no host. */
  get requestOrigin(): string | undefined {
    return this.#late.requestOrigin;
  }

  /** The header `Access-Control-Request-Method` of a preflight, or an empty string. */
  get preflightMethod(): string {
    return this.#late.preflightMethod;
  }

  /** Whether a service of this kind sent the request, to fetch an image: its `CDN-Loop` (RFC 8586) names one. */
  get isLooped(): boolean {
    return this.#late.cdnLoop !== '' && namesLoop(this.#late.cdnLoop);
  }

  /**
   * The whole body; empty for a request without one. The bytes are the handler's until it has answered. Rejects with
   * PAYLOAD_TOO_LARGE over the route's `bodyBytesMax`, REQUEST_TIMEOUT for a body that stalls, OVERLOADED when all uploads
   * together hold too much, and BAD_REQUEST when the caller leaves.
   */
  readBody(): Promise<Buffer> {
    return this.body === undefined ? Promise.resolve(Buffer.alloc(0)) : this.body.read();
  }

  /** Whether the answer comes, or ends, after the handler has returned. */
  get outlivesHandler(): boolean {
    return this.#request === undefined;
  }

  /**
   * Copies what was not read yet, and notices from now on when the caller leaves. Must be called before the
   * handler returns, unless the answer is complete by then: the addon ends the process otherwise. Answers
   * from memory are spared it.
   */
  outliveHandler(response: HttpResponse): void {
    if (this.#request === undefined) return;
    this.#headers = this.#late;
    this.#request = undefined;
    this.#response = undefined;
    response.onAborted(() => {
      this.isAborted = true;
      this.body?.abort();
      this.onAborted?.();
    });
  }

  get #late(): LateHeaders {
    this.#headers ??= readLateHeaders(this.#request, this.#response, this.#server);
    return this.#headers;
  }
}

/** What an exchange needs of its server. */
export interface ExchangeServer {
  /** The deadline of each request. */
  timeoutMs: number;
  originOf: OriginReader;
}

/** Headers that answers from memory do not need. */
interface LateHeaders {
  apiKey: string;
  ifMatch: string;
  contentType: string;
  accept: string;
  acceptEncoding: string;
  fetchDestination: string;
  userAgent: string;
  forwardedFor: string;
  cdnLoop: string;
  origin: string;
  preflightMethod: string;
  requestOrigin: string | undefined;
}

function readLateHeaders(
  request: HttpRequest | undefined,
  response: HttpResponse | undefined,
  { originOf }: ExchangeServer,
): LateHeaders {
  return {
    apiKey: request?.getHeader('x-api-key') ?? '',
    ifMatch: request?.getHeader('if-match') ?? '',
    contentType: request?.getHeader('content-type') ?? '',
    accept: request?.getHeader('accept') ?? '',
    acceptEncoding: request?.getHeader('accept-encoding') ?? '',
    fetchDestination: request?.getHeader('sec-fetch-dest') ?? '',
    userAgent: request?.getHeader('user-agent') ?? '',
    forwardedFor: request?.getHeader('x-forwarded-for') ?? '',
    cdnLoop: request?.getHeader('cdn-loop') ?? '',
    origin: request?.getHeader('origin') ?? '',
    preflightMethod: request?.getHeader('access-control-request-method') ?? '',
    requestOrigin: request && response && originOf(request, response),
  };
}

// What the log and the metrics are told of a request.

/** What is told of a finished request; `status` 499 means that the caller left before the answer. */
export interface RequestRecord {
  exchange: Exchange;
  route: string;
  status: number;
  ms: number;
  cacheState: CacheState | undefined;
  /** Of an error, also of one that was answered with a picture. */
  code: Reply['code'] | undefined;
  cause: string | undefined;
  detail: string | undefined;
  /** As in `Reply`. */
  notes: Reply['notes'];
}
