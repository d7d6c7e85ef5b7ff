/** Cache of fetched images and recent errors, bounded in memory, with lifetimes by the rules of HTTP caching. */
import type { SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import { SharedCache } from '../foundation/shared-cache.ts';
import type { Validator, AnswerHeaders } from './fetch/fetch-image.ts';
import type { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './config.ts';

/** An image, its lifetime, and the validator for a conditional request to its origin. */
export interface CachedImage {
  image: SourceImage;
  freshness: Freshness;
  validator: Validator;
  /** Time before which no refresh starts, because one is running or has just failed; on the clock of `settings.now`. */
  retryAtMs: number;
}

/** Whether a failure is temporary: the origin was unreachable, overloaded or had a server error. */
export function isPassingFailure(error: ImageError): boolean {
  return (
    ['timeout', 'network', 'dns', 'overloaded'].includes(error.reason) ||
    error.status === 429 ||
    (error.status ?? 0) >= 500
  );
}

/** Bytes of an entry's objects and map slots, without key and image (rounded up from 400 in a heap snapshot). */
const entryBytes = 512;

/**
 * Two maps by location key: images, bounded by bytes, and failures, bounded by number. Each entry counts for the
 * organization that fetched it last, and all may use it. Time comes from `settings.now`. The cache sends no requests.
 */
export class ImageCache {
  readonly #settings: ImageLoaderSettings;
  readonly #images: SharedCache<CachedImage>;
  readonly #failures: SharedCache<{ error: ImageError; untilMs: number }>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(settings: ImageLoaderSettings) {
    this.#settings = settings;
    const { cacheBytesMax, cacheEntriesMax } = settings;
    const bytesMin = Math.floor(cacheBytesMax / cacheEntriesMax);
    this.#images = new SharedCache({
      sizeMax: cacheBytesMax,
      sizeOf: ({ image }, key) =>
        Math.max(bytesMin, image.bytes.byteLength + 2 * key.length + entryBytes),
      onRemoved: (_entry, isEvicted) => {
        if (isEvicted) this.#evictions += 1;
      },
    });
    this.#failures = new SharedCache({ sizeMax: cacheEntriesMax, sizeOf: () => 1 });
  }

  /** The image last stored under `key`, however old. */
  findImage(key: string): CachedImage | undefined {
    return this.#images.get(key);
  }

  /** Counts a request for a source as a cache hit or a miss. */
  countUse(isHit: boolean): void {
    if (isHit) this.#hits += 1;
    else this.#misses += 1;
  }

  /** Figures of the images for the metrics, without the failures. */
  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.#images.count,
      bytes: this.#images.size,
      bytesMax: this.#settings.cacheBytesMax,
    };
  }

  /** Stores an image until it is evicted, and removes an earlier failure. */
  storeImage(organizationUid: string, key: string, entry: CachedImage): void {
    this.#failures.delete(key);
    this.#images.set(organizationUid, key, entry);
  }

  /** The recent failure of `key`; undefined if there is none or its time is over. */
  findFailure(key: string): ImageError | undefined {
    const failure = this.#failures.get(key);
    return failure !== undefined && this.#settings.now() < failure.untilMs
      ? failure.error
      : undefined;
  }

  /**
   * Remembers a failure: a permanent one for `refusalMs`, a temporary one for `failureMs`. A failure that concerns only
   * its requester is not stored. A permanent failure also removes the cached image, which the origin no longer has.
   */
  storeFailure(organizationUid: string, key: string, error: ImageError): void {
    if (error.concernsRequester) return;
    const passing = isPassingFailure(error);
    if (!passing) this.#images.delete(key);
    const { failureMs, refusalMs } = this.#settings;
    const untilMs = this.#settings.now() + (passing ? failureMs : refusalMs);
    this.#failures.set(organizationUid, key, { error, untilMs });
  }
}

// Lifetimes: HTTP caching rules (RFC 9111, RFC 5861) within the bounds of the loader.

/** Points in time, ms since the epoch; each is at or after the one before. */
export interface Freshness {
  /** Until then, a copy is served without a request. */
  freshUntilMs: number;
  /** Until then, a copy is served while it is refreshed. */
  staleUntilMs: number;
  /** Until then, a copy is served if its refresh fails. */
  errorUntilMs: number;
}

/**
 * Computes the lifetime of an answer: `s-maxage`, `max-age`, or `Expires` minus `Date`, each less `Age`. The result is
 * within `freshMsMin` … `freshMsMax`; it is `freshMsDefault` if the origin states no lifetime.
 *
 * `no-store`, `no-cache` and `private` shorten the lifetime to the minimum, but do not forbid the cache. An email to
 * thousands of readers must not send thousands of requests to its origin. `no-store`, `no-cache`, `must-revalidate` and
 * `proxy-revalidate` forbid stale use.
 */
export function readFreshness(
  headers: AnswerHeaders,
  settings: ImageLoaderSettings,
  nowMs: number,
): Freshness {
  const directives = readDirectives(headers['cache-control']);
  const uncacheable = ['no-store', 'no-cache', 'private'].some((name) => directives.has(name));
  const lifetimeMs = uncacheable
    ? 0
    : (statedMs(headers, directives, nowMs) ?? settings.freshMsDefault);
  const freshMs = Math.min(Math.max(lifetimeMs, settings.freshMsMin), settings.freshMsMax);
  const isStrict = ['no-store', 'no-cache', 'must-revalidate', 'proxy-revalidate'].some((name) =>
    directives.has(name),
  );
  const freshUntilMs = nowMs + freshMs;
  return {
    freshUntilMs,
    staleUntilMs: freshUntilMs + (isStrict ? 0 : settings.staleWhileRevalidateMs),
    errorUntilMs: freshUntilMs + (isStrict ? 0 : settings.staleIfErrorMs),
  };
}

/** The lifetime in ms that the origin states, less `Age`; undefined if it states none. */
function statedMs(
  headers: AnswerHeaders,
  directives: ReadonlyMap<string, string>,
  nowMs: number,
): number | undefined {
  const ageMs = (wholeSeconds(single(headers['age'])) ?? 0) * 1000;
  const seconds = wholeSeconds(directives.get('s-maxage') ?? directives.get('max-age'));
  if (seconds !== undefined) return seconds * 1000 - ageMs;
  const expires = single(headers['expires']);
  if (expires === undefined) return undefined;
  const date = Date.parse(single(headers['date']) ?? '');
  // RFC 9111 section 5.3: an unreadable time means that it has passed.
  return (Date.parse(expires) || 0) - (Number.isNaN(date) ? nowMs : date) - ageMs;
}

function readDirectives(value: string | string[] | undefined): ReadonlyMap<string, string> {
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return new Map(
    text.split(',').map((directive) => {
      const [name = '', argument = ''] = directive.split('=');
      return [name.trim().toLowerCase(), argument.trim().replaceAll('"', '')];
    }),
  );
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
