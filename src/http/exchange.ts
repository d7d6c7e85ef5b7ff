/** One request as the service keeps it: everything is copied out of the parser before its handler returns. */
import { randomBytes } from 'node:crypto';
import type { HttpRequest } from 'uWebSockets.js';
import { Deadline } from '../deadline.ts';

/** Random part of this process's request ids: eight characters, so that two processes do not share ids. */
const processId = randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '0');
let requestCount = 0;

/** The next request id, `req_` and letters and digits: unique in the process, and not guessable to another one. */
export function nextRequestId(): string {
  requestCount += 1;
  return `req_${processId}${requestCount.toString(36).padStart(6, '0')}`;
}

/**
 * What is known of a request. The parser's own object dies when the handler returns, so nothing here refers to it.
 * `path` and `query` are raw: not decoded, the query without its `?`.
 */
export class Exchange {
  readonly requestId: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The raw value of the route's parameter, or an empty string. */
  readonly parameter: string;
  readonly ifNoneMatch: string;
  readonly apiKey: string;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly deadline: Deadline;
  /** True once the caller has gone: nothing may be sent any more. */
  isAborted = false;
  /** Called when the caller leaves while an answer is being written. */
  onAborted: (() => void) | undefined = undefined;

  constructor(request: HttpRequest, hasParameter: boolean, timeoutMs: number) {
    this.requestId = nextRequestId();
    this.method = request.getMethod().toUpperCase();
    this.path = request.getUrl();
    // Whatever its type says: undefined for a URL without `?`.
    const query: string | undefined = request.getQuery();
    this.query = query ?? '';
    this.parameter = hasParameter ? (request.getParameter(0) ?? '') : '';
    this.ifNoneMatch = request.getHeader('if-none-match');
    this.apiKey = request.getHeader('x-api-key');
    this.startedMs = performance.now();
    this.deadline = new Deadline(this.startedMs + timeoutMs);
  }

  /** HEAD is answered as GET, without the body. */
  get isHead(): boolean {
    return this.method === 'HEAD';
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
