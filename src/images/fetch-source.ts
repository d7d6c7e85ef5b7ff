/** Fetches one image location: tries its addresses in turn until one gives an image. */
import type { AnswerHeaders, FetchedFile, ImageFetcher, Validator } from './fetch/fetch-image.ts';
import type { ImageRequester } from './turns.ts';
import { readFreshness } from './image-cache.ts';
import type { Freshness } from './image-cache.ts';
import { isImage, notAnImage } from './admit-image.ts';
import { ImageError, secondsText } from './image-error.ts';
import type { ImageLoaderSettings } from './config.ts';
import { driveFormTarget, locateImage, shareAdvice } from './fetch/share-links.ts';
import type { ImageLocation } from './fetch/share-links.ts';
import { describeContent, sniffFormat } from './sniff/sniff-image.ts';
import { guessSvg } from './sniff/svg.ts';

/** A fetched image file and how long it may be used; `bytes` is undefined when the known copy is still valid. */
export interface FetchedSource {
  bytes: Uint8Array<SharedArrayBuffer> | undefined;
  freshness: Freshness;
  validator: Validator;
}

/** The parameters that all requests of one fetch share. */
interface Errand {
  fetcher: ImageFetcher;
  requester: ImageRequester;
  /** Aborts the fetch; its reason is the error. */
  signal: AbortSignal;
}

/** Bytes read of a Google Drive page. The page about the virus scan has some 3 KiB. */
const pageBytesMax = 64 * 1024;

/**
 * Tries the addresses of a location in turn and returns the first image file. All attempts together have
 * `totalTimeoutMs`. `known` describes the cached copy, for a conditional request to the address that sent it.
 * Rejects with an `ImageError`; if no address gives an image, with that of the first address, which is the best.
 */
export async function fetchSource(
  fetcher: ImageFetcher,
  settings: ImageLoaderSettings,
  requester: ImageRequester,
  location: ImageLocation,
  known: Validator | undefined,
): Promise<FetchedSource> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    const limit = secondsText(settings.totalTimeoutMs);
    late.abort(new ImageError('timeout', `did not arrive within ${limit}`));
  }, settings.totalTimeoutMs);
  try {
    const file = await fetchAny({ fetcher, requester, signal: late.signal }, location, known);
    const validator = nextValidator(file, known);
    const headers = { ...file.headers, ...validator.headers };
    const freshness = readFreshness(headers, settings, settings.now());
    return { bytes: file.status === 304 ? undefined : file.bytes, freshness, validator };
  } finally {
    clearTimeout(timer);
  }
}

async function fetchAny(
  errand: Errand,
  location: ImageLocation,
  known: Validator | undefined,
): Promise<FetchedFile> {
  let first: ImageError | undefined;
  for (const candidate of location.candidates) {
    try {
      return await fetchCandidate(errand, new URL(candidate), location, known);
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      first ??= error;
      // The next address is worth trying only after an answer without an image.
      if (error.reason !== 'status' && error.reason !== 'not_image') break;
    }
  }
  throw withAdvice(first ?? new ImageError('url', 'is no http(s) URL'), location.service);
}

async function fetchCandidate(
  errand: Errand,
  url: URL,
  location: ImageLocation,
  known: Validator | undefined,
): Promise<FetchedFile> {
  const { fetcher, requester, signal } = errand;
  const ask = (address: URL): Promise<FetchedFile> =>
    fetcher.fetchFile({
      url: address,
      requester,
      validator: known,
      hosts: location.hosts,
      signal,
      bytesWanted,
    });
  const file = await ask(url);
  if (file.status === 304 || isImage(file.bytes)) return file;
  const form =
    location.service === 'Google Drive' && describeContent(file.bytes) === 'HTML'
      ? driveFormTarget(Buffer.from(file.bytes).toString('utf8'), file.url)
      : undefined;
  if (form === undefined) return fetchShared(errand, file, location);
  const behind = await ask(form);
  if (behind.status === 304 || isImage(behind.bytes)) return behind;
  throw notAnImage(behind.bytes, location.service);
}

/**
 * Fetches the file behind a share page that the source redirects to, as link shorteners do. Rejects with
 * `not_image` for any other page.
 */
function fetchShared(
  errand: Errand,
  page: FetchedFile,
  source: ImageLocation,
): Promise<FetchedFile> {
  const shared = source.service === undefined ? locateImage(page.url) : undefined;
  if (shared?.service === undefined) throw notAnImage(page.bytes, source.service);
  return fetchAny(errand, shared, undefined);
}

/** Adds advice to the statuses with which share services answer for a file that is not public. */
function withAdvice(error: ImageError, service: string | undefined): ImageError {
  const { status } = error;
  if (service === undefined || status === undefined || ![401, 403, 404].includes(status))
    return error;
  return new ImageError('status', `${error.message}: ${shareAdvice}`, { status });
}

/**
 * Returns how many bytes of an answer to read: all of an image or a possible SVG, `pageBytesMax` of a page of Google,
 * no more of anything else.
 */
function bytesWanted(head: Uint8Array, url: URL): number {
  if (sniffFormat(head) !== undefined || guessSvg(head) !== 'no') return Infinity;
  return url.hostname.endsWith('.google.com') ? pageBytesMax : 0;
}

const keptHeaders = ['cache-control', 'expires', 'etag', 'last-modified'];

/** The headers that apply to a copy. A 304 repeats only the headers that changed (RFC 9111 section 4.3.4). */
function nextValidator(file: FetchedFile, known: Validator | undefined): Validator {
  const before = file.status === 304 ? known?.headers : undefined;
  const headers = keptHeaders.map((name) => [name, file.headers[name] ?? before?.[name]]);
  return { url: file.url.href, headers: Object.fromEntries(headers) as AnswerHeaders };
}
