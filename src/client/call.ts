/** Sends one call to the service: address, key, body, deadline, and the error of an unsuccessful response. */
import type { Static } from 'typebox';
import type { TemplateShell } from '#language/schema/template.ts';
import type { RenderValues } from './links.ts';
import { baseOf, queryOf } from './links.ts';

/** A template document. The service checks layers and bound properties, and names each problem. */
export type TemplateDocument = Omit<Static<typeof TemplateShell>, 'layers' | 'background'> & {
  background?: unknown;
  layers: ReadonlyArray<{ type: string } & Record<string, unknown>>;
};

/** The bytes of an upload. */
export type UploadBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** An image from the service. */
export interface RenderedImage {
  bytes: Uint8Array;
  contentType: string;
  /** Undefined if the image is degraded. */
  etag: string | undefined;
  /** The value of `X-Render-Warnings`; empty without warnings. */
  warnings: string;
}

/** Options of a client. */
export interface PlatenClientOptions {
  baseUrl: string | URL;
  /** API key of the organization. Without one, only endpoints without authentication work. */
  apiKey?: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Maximum milliseconds of one call. Default: 30,000, more than any render. */
  timeoutMs?: number;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** For a POST: calls with the same key take effect once. Example: `crypto.randomUUID()`. */
  idempotencyKey?: string;
  /** Media type of `bytes`. Default: the service detects it. */
  contentType?: string;
}

/** The content of one call. */
export interface Call extends CallOptions {
  query?: RenderValues;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  bytes?: UploadBytes;
  accept?: string;
  /** The `cid` of the draft that a change is based on. */
  cid?: string | undefined;
}

const callTimeoutMs = 30_000;

/**
 * Sends a call. Rejects with a `PlatenError` for an unsuccessful response, or for none; after an abort by the caller,
 * with the error of `fetch`.
 */
export async function send(
  options: PlatenClientOptions,
  method: string,
  path: string,
  call: Call,
): Promise<Response> {
  const { fetch: fetchUrl = globalThis.fetch, timeoutMs = callTimeoutMs } = options;
  const query = queryOf(call.query ?? {});
  const url = `${baseOf(options.baseUrl)}${path}${query === '' ? '' : `?${query}`}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  const init: RequestInit = { method, headers: headersOf(options, call), signal };
  const body = call.body === undefined ? call.bytes : JSON.stringify(call.body);
  let response: Response;
  try {
    response = await fetchUrl(url, body === undefined ? init : { ...init, body });
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

/** Method and path of an endpoint. Values of the path are encoded, so that no value leads to another endpoint. */
export function addressOf(
  endpoint: string,
  values: Readonly<Record<string, string | number>>,
): [method: string, path: string] {
  const [method = '', path = ''] = endpoint.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  return [method, filled];
}

/** The image of a response. */
export async function toImage(response: Response): Promise<RenderedImage> {
  const { headers } = response;
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    contentType: headers.get('Content-Type') ?? '',
    etag: headers.get('ETag') ?? undefined,
    warnings: headers.get('X-Render-Warnings') ?? '',
  };
}

function headersOf({ apiKey }: PlatenClientOptions, call: Call): Record<string, string> {
  const bytesType =
    call.bytes === undefined ? undefined : (call.contentType ?? 'application/octet-stream');
  const type = call.body === undefined ? bytesType : 'application/json';
  return {
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(call.accept === undefined ? {} : { Accept: call.accept }),
    ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': `"${call.idempotencyKey}"` }),
    ...(call.cid === undefined ? {} : { 'If-Match': `"${call.cid}"` }),
  };
}

/** Reads both kinds of error bodies of the service, and any body of a proxy. */
async function errorOf(response: Response): Promise<PlatenError> {
  const { status, headers } = response;
  const text = await response.text();
  const { error, details } = parseError(text);
  const known = typeof error === 'string' ? { message: error } : error;
  const retryAfter = Number(headers.get('Retry-After') ?? undefined);
  return new PlatenError(known?.message ?? `The service answered ${status}.`, {
    status,
    code: known?.code,
    requestId: known?.requestId ?? headers.get('X-Request-Id') ?? undefined,
    details: details ?? [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    proxy: known === undefined ? (headers.get('Server') ?? '') : undefined,
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

/** A problem of a request body: its path and the expected value. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** Ids of the layers at fault, if the path names none. */
  layers?: readonly string[];
}

/** An unsuccessful response, or none (`status` 0). `message` is the service's message. */
export class PlatenError extends Error {
  readonly status: number;
  /** The error code of a render, such as `BAD_REQUEST`; undefined for other endpoints. */
  readonly code: string | undefined;
  /** Id of the request, for questions about this response. */
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Seconds to wait before the next call, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The `Server` of an answer that is not of the service but of a proxy; empty if it has none. */
  readonly proxy: string | undefined;

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
    this.proxy = facts.proxy;
  }
}
