/** One request as the service keeps it: what is needed is copied out of the parser before its handler returns. */
import { randomBytes } from 'node:crypto';
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { Deadline } from '../deadline.ts';

/** Random part of this process's request ids: eight characters, so that two processes do not share ids. */
const processId = randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '0');

/** The last two digits of a request's number to the base 36, made once: most of an id is that of the one before. */
const lastDigits = Array.from({ length: 36 ** 2 }, (_, index) =>
  index.toString(36).padStart(2, '0'),
);
let firstDigits = '';
let requestCount = 0;

/** The next request id, `req_` and letters and digits: unique in the process, and not guessable to another one. */
function nextRequestId(): string {
  requestCount += 1;
  const index = requestCount % lastDigits.length;
  if (index === 0 || firstDigits === '') {
    const block = Math.floor(requestCount / lastDigits.length);
    firstDigits = `req_${processId}${block.toString(36).padStart(4, '0')}`;
  }
  return firstDigits + (lastDigits[index] ?? '');
}

/**
 * What is known of a request. The parser's own object dies when the handler returns; `outliveHandler` lets go of it.
 * `path` and `query` are raw: not decoded, the query without its `?`.
 */
export class Exchange {
  readonly requestId: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly ifNoneMatch: string;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly deadline: Deadline;
  /** True once the caller has gone: nothing may be sent any more. */
  isAborted = false;
  /** Called when the caller leaves while an answer is being written. */
  onAborted: (() => void) | undefined = undefined;
  readonly #parameterStart: number;
  #request: HttpRequest | undefined;
  #apiKey: string | undefined;
  #url: string | undefined;

  /** `parameterStart` is where the route's parameter begins in the path; −1 for a route without one. */
  constructor(request: HttpRequest, parameterStart: number, timeoutMs: number) {
    this.requestId = nextRequestId();
    const method = request.getMethod();
    this.method = method === 'get' ? 'GET' : method.toUpperCase();
    this.path = request.getUrl();
    // Whatever its type says: undefined for a URL without `?`.
    const query: string | undefined = request.getQuery();
    this.query = query ?? '';
    this.ifNoneMatch = request.getHeader('if-none-match');
    this.startedMs = performance.now();
    this.deadline = new Deadline(this.startedMs + timeoutMs);
    this.#parameterStart = parameterStart;
    this.#request = request;
  }

  /** HEAD is answered as GET, without the body. */
  get isHead(): boolean {
    return this.method === 'HEAD';
  }

  /** The raw value of the route's parameter, or an empty string. */
  get parameter(): string {
    if (this.#parameterStart === -1) return '';
    const end = this.path.indexOf('/', this.#parameterStart);
    return this.path.slice(this.#parameterStart, end === -1 ? undefined : end);
  }

  /** Path and query as sent; without a `?` when the query is empty. */
  get url(): string {
    this.#url ??= this.query === '' ? this.path : `${this.path}?${this.query}`;
    return this.#url;
  }

  /** The header `X-API-Key`; read when it is first asked for, because most requests are answered without. */
  get apiKey(): string {
    this.#apiKey ??= this.#request?.getHeader('x-api-key') ?? '';
    return this.#apiKey;
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
    this.#apiKey = this.apiKey;
    this.#request = undefined;
    response.onAborted(() => {
      this.isAborted = true;
      this.onAborted?.();
    });
  }
}

/**
 * True when a request announces a body. On GET and HEAD that is an attempt to smuggle a second request
 * past a proxy that reads the length differently; such a connection is closed after the answer.
 */
export function announcesBody(request: HttpRequest): boolean {
  const length = request.getHeader('content-length');
  return (length !== '' && length !== '0') || request.getHeader('transfer-encoding') !== '';
}
