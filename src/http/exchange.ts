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
  /** The time at which the event loop found it, on the clock of `performance.now()`. */
  readonly startedMs: number;
  /** True once the client has disconnected: nothing may be sent any more. */
  isAborted = false;
  /** Called if the client disconnects while a response is being written. */
  onAborted: (() => void) | undefined = undefined;
  /** The organization whose data the answer shows; empty while none is known. */
  organizationUid = '';
  /** The body, if the request has one. */
  body: RequestBody | undefined = undefined;
  readonly #positions: ParameterPositions;
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

  /** The header `X-API-Key`, or the token of `Authorization: Bearer`; read at the first use, because most responses do not need it. */
  get apiKey(): string {
    return this.#late.apiKey;
  }

  /** The header `If-Match`, or an empty string. */
  get ifMatch(): string {
    return this.#late.ifMatch;
  }

  /** The header `Idempotency-Key`, or an empty string. */
  get idempotencyKey(): string {
    return this.#late.idempotencyKey;
  }

  /** The header `Content-Type` as sent, with parameters, or an empty string. */
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

  /** The header `User-Agent`, or an empty string. Read alone, because each response from memory needs it. */
  get userAgent(): string {
    return this.#headers?.userAgent ?? this.#request?.getHeader('user-agent') ?? '';
  }

  /** The header `Accept-Encoding`, or an empty string. */
  get acceptEncoding(): string {
    return this.#late.acceptEncoding;
  }

  /** The header `X-Forwarded-For` as sent, or an empty string: an untrusted client may have written it. */
  get forwardedFor(): string {
    return this.#late.forwardedFor;
  }

  /** The header `Origin`, or an empty string. */
  get origin(): string {
    return this.#late.origin;
  }

  /** Scheme, host and port at which the client reached the service; undefined if `Host` is not a valid host. */
  get requestOrigin(): string | undefined {
    return this.#late.requestOrigin;
  }

  /** The header `Access-Control-Request-Method` of a preflight, or an empty string. */
  get preflightMethod(): string {
    return this.#late.preflightMethod;
  }

  /** Whether a Platen service sent the request to fetch an image: its `CDN-Loop` (RFC 8586) names one. */
  get isLooped(): boolean {
    return this.#late.cdnLoop !== '' && namesLoop(this.#late.cdnLoop);
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
   * Copies the fields that were not read yet, and watches for a disconnect from now on. Must be called before the
   * handler returns unless the response is complete by then: otherwise the addon ends the process. Responses from
   * memory avoid its cost.
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

/** The services of the server that an exchange needs. */
export interface ExchangeServer {
  /** The deadline of each request. */
  timeoutMs: number;
  originOf: OriginReader;
  addresses: Pick<ClientAddresses, 'networkOf'>;
}

/** Headers that responses from memory do not need. */
interface LateHeaders {
  apiKey: string;
  ifMatch: string;
  idempotencyKey: string;
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

/** Empty for other schemes, such as those of a proxy. */
function bearerToken(authorization = ''): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

function readLateHeaders(
  request: HttpRequest | undefined,
  response: HttpResponse | undefined,
  { originOf }: ExchangeServer,
): LateHeaders {
  return {
    apiKey: request?.getHeader('x-api-key') || bearerToken(request?.getHeader('authorization')),
    ifMatch: request?.getHeader('if-match') ?? '',
    idempotencyKey: request?.getHeader('idempotency-key') ?? '',
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
