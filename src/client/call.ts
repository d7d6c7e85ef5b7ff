/** One call of the service: address, key, body, deadline, and the error of an answer that is no success. */
import type { RenderValues } from './links.ts';
import { baseOf, queryOf } from './links.ts';

/** Where and as whom a client calls. */
export interface PlatenClientOptions {
  baseUrl: string | URL;
  /** Key of the organization; without one only the endpoints work that need none. */
  apiKey?: string;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Milliseconds that one call may take. Default: 30,000, more than any render. */
  timeoutMs?: number;
}

/** Further settings of one call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** What one call sends. */
export interface Call extends CallOptions {
  query?: RenderValues;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as they are. */
  bytes?: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  contentType?: string;
  accept?: string;
  /** The `cid` that a change is meant for. */
  cid?: string | undefined;
}

const callTimeoutMs = 30_000;

/** Sends a call. Rejects with a `PlatenError` for an answer that is no success, or for none. */
export async function send(
  options: PlatenClientOptions,
  method: string,
  path: string,
  call: Call,
): Promise<Response> {
  const { fetch: ownFetch = globalThis.fetch, timeoutMs = callTimeoutMs } = options;
  const query = queryOf(call.query ?? {});
  const url = `${baseOf(options.baseUrl)}${path}${query === '' ? '' : `?${query}`}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  const init: RequestInit = { method, headers: headersOf(options, call), signal };
  const body = call.body === undefined ? call.bytes : JSON.stringify(call.body);
  let response: Response;
  try {
    response = await ownFetch(url, body === undefined ? init : { ...init, body });
  } catch (cause) {
    if (call.signal?.aborted === true) throw cause;
    throw new PlatenError(`${method} ${url} was not answered: ${String(cause)}`, {
      status: 0,
      cause,
    });
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

function headersOf({ apiKey }: PlatenClientOptions, call: Call): Record<string, string> {
  const type = call.body === undefined ? call.contentType : 'application/json';
  return {
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(call.accept === undefined ? {} : { Accept: call.accept }),
    ...(call.cid === undefined ? {} : { 'If-Match': `"${call.cid}"` }),
  };
}

/** Both error bodies of the service, and whatever a proxy in front of it may have sent instead. */
async function errorOf(response: Response): Promise<PlatenError> {
  const { status, headers } = response;
  const text = await response.text();
  const { error, details } = parseError(text);
  const told = typeof error === 'string' ? { message: error } : error;
  const retryAfter = Number(headers.get('Retry-After') ?? undefined);
  return new PlatenError(told?.message ?? `The service answered ${status}.`, {
    status,
    code: told?.code,
    requestId: told?.requestId ?? headers.get('X-Request-Id') ?? undefined,
    details: details ?? [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

interface ErrorBody {
  error?: string | { code?: string; message?: string; requestId?: string };
  details?: ErrorDetail[];
}

function parseError(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** One thing that is wrong in a body: where, and what was expected. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** An answer that is no success, or none at all (`status` 0). `message` is the service's sentence. */
export class PlatenError extends Error {
  readonly status: number;
  /** The code of a render's error, such as `BAD_REQUEST`; of other endpoints undefined. */
  readonly code: string | undefined;
  /** For questions about this very answer. */
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Seconds to wait before another try, when the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    facts: Partial<Omit<PlatenError, keyof Error>> & { status: number; cause?: unknown },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'PlatenError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
