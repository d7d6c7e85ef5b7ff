/** The connection of the studio to the service, and uploads with progress. */
import { PlatenError } from '../../client/platen-client.ts';
import type { PlatenClient, Asset, ErrorDetail, Font } from '../../client/platen-client.ts';

export interface Service {
  /** The client with the key of the signed-in user. */
  client: PlatenClient;
  /** Fetches a path of the service, from `/` on, with the key. Rejects like `fetch`. */
  load(path: string, init?: RequestInit): Promise<Response>;
  /** The rights of the token in a frame of another page; undefined outside a frame. */
  embed?: { mayPublish: boolean };
  /** The public address of the service for links, without a slash at the end. */
  base: string;
}

/** As `load`, for files and streams. Rejects like the client, also for an error status. */
export async function loadFile(
  service: Service,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await service.load(path, init).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause;
    throw new PlatenError(`${path} was not answered`, { status: 0, cause });
  });
  if (response.ok) return response;
  const { error, details = [] } = (await response.json().catch(() => ({}))) as {
    error?: string | { message?: string };
    details?: ErrorDetail[];
  };
  const message = typeof error === 'string' ? error : error?.message;
  const { status, headers } = response;
  const proxy = message === undefined ? (headers.get('Server') ?? '') : undefined;
  throw new PlatenError(message ?? `The service answered ${status}.`, { status, details, proxy });
}

// Uploads use XMLHttpRequest, because `fetch` does not report their progress.

/** Called with the part that was sent, from 0 to 1. */
export type OnProgress = (part: number) => void;

const watched = new WeakMap<Blob, OnProgress>();

/** Registers `onProgress` for a body: `uploadFetch` reports the progress when it sends the body. */
export function watchUpload(body: Blob, onProgress: OnProgress): void {
  watched.set(body, onProgress);
}

/** As `fetch`, but sends a registered body by XMLHttpRequest. Rejects like `fetch`. */
export function uploadFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { body } = init ?? {};
  const onProgress = body instanceof Blob ? watched.get(body) : undefined;
  if (init === undefined || onProgress === undefined) return fetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  return send(url, init, body as Blob, onProgress);
}

function send(
  url: string,
  init: RequestInit,
  body: Blob,
  onProgress: OnProgress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'POST', url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 1 : loaded / total);
    });
    request.addEventListener('load', () => resolve(responseOf(request)));
    const fail = (): void => reject(new TypeError('The upload was not answered'));
    request.addEventListener('error', fail);
    request.addEventListener('abort', () => reject(abortReason(init.signal)));
    init.signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('Ended', 'AbortError');
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status } = request;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : (request.response as ArrayBuffer), { status, headers });
}

// Uploads of files, with their progress.

/** Largest file that is sent, in bytes. The service may have a lower limit, which its response reports. */
const fileBytesMax = 50_000_000;

/** Media types and file extensions that a file field offers. */
export const imageFiles = 'image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml';
export const fontFiles = '.ttf,.otf,.woff2';

/** Stores an image. `onProgress` gets parts from 0 to 1. Rejects like the client. */
export function uploadImage(
  { client }: Service,
  file: File,
  onProgress: (part: number) => void,
): Promise<Asset> {
  return client.uploadAsset(watchedBlob(file, onProgress));
}

/** Stores a font under the family name in the file. Rejects like the client. */
export function uploadFontFile(
  { client }: Service,
  file: File,
  onProgress: (part: number) => void,
): Promise<Font> {
  return client.uploadFont(watchedBlob(file, onProgress));
}

function watchedBlob(file: File, onProgress: (part: number) => void): Blob {
  if (file.size > fileBytesMax) {
    throw new Error(`${file.name} is larger than 50 MB. Choose a smaller file.`);
  }
  // A blob without a type: the client sets the media type.
  const body = new Blob([file]);
  watchUpload(body, onProgress);
  return body;
}
