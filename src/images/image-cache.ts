/** Fetched images and recent errors in bounded memory, with the lifetimes that HTTP caching gives them. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import type { Validator, AnswerHeaders } from './fetch/fetch-image.ts';
import type { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './config.ts';

/** An image, how long it may be used, and what to ask its origin with. */
export interface CachedImage {
  image: SourceImage;
  freshness: Freshness;
  validator: Validator;
  /** Before that its origin is not asked again: it is being asked, or has just failed. */
  retryAtMs: number;
}

/** Failures that pass: the origin could not be reached or had an error of its own. */
export function isPassingFailure(error: ImageError): boolean {
  return (
    ['timeout', 'network', 'dns', 'overloaded'].includes(error.reason) ||
    error.status === 429 ||
    (error.status ?? 0) >= 500
  );
}

/** An entry's own objects and map slots beside key and bytes (rounded up from a heap snapshot's 400). */
const entryBytes = 512;

/**
 * Two maps by location key: images, bounded by bytes and number, and failures, bounded by number.
 * Least recently used entries go first. Time comes from `settings.now`; nothing here asks anyone.
 */
export class ImageCache {
  readonly #settings: ImageLoaderSettings;
  readonly #images: LRUCache<string, CachedImage>;
  readonly #failures: LRUCache<string, { error: ImageError; untilMs: number }>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(settings: ImageLoaderSettings) {
    this.#settings = settings;
    this.#images = new LRUCache({
      max: settings.cacheEntriesMax,
      maxSize: settings.cacheBytesMax,
      sizeCalculation: ({ image }, key) => image.bytes.byteLength + 2 * key.length + entryBytes,
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1;
      },
    });
    this.#failures = new LRUCache(entryLimit(settings.cacheEntriesMax));
  }

  /** The image last stored under `key`, however old. */
  findImage(key: string): CachedImage | undefined {
    return this.#images.get(key);
  }

  /** Counts a source that was asked for, and whether its copy could be used. */
  countUse(isHit: boolean): void {
    if (isHit) this.#hits += 1;
    else this.#misses += 1;
  }

  /** For the metrics; of the images, not of the failures. */
  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.#images.size,
      bytes: this.#images.calculatedSize,
      bytesMax: this.#settings.cacheBytesMax,
    };
  }

  /** Keeps an image until others push it out, and forgets an earlier failure. */
  storeImage(key: string, entry: CachedImage): void {
    this.#failures.delete(key);
    this.#images.set(key, entry);
  }

  /** What went wrong with `key` a moment ago; undefined when it is worth trying again. */
  findFailure(key: string): ImageError | undefined {
    const failure = this.#failures.get(key);
    return failure !== undefined && this.#settings.now() < failure.untilMs
      ? failure.error
      : undefined;
  }

  /**
   * Remembers a failure: `refusalMs` for what an origin has settled, `failureMs` for what passes,
   * and not at all for what concerns one organization alone. A settled refusal ends the image that was
   * there: the image is gone, and serving it on would be wrong.
   */
  storeFailure(key: string, error: ImageError): void {
    if (error.concernsRequester) return;
    const passing = isPassingFailure(error);
    if (!passing) this.#images.delete(key);
    const { failureMs, refusalMs } = this.#settings;
    const untilMs = this.#settings.now() + (passing ? failureMs : refusalMs);
    this.#failures.set(key, { error, untilMs });
  }
}

// Lifetimes: HTTP caching rules (RFC 9111, RFC 5861) within the bounds of the loader.

/** Points in time, ms since the epoch; each is at or after the one before. */
export interface Freshness {
  /** Until then the bytes are used without asking. */
  freshUntilMs: number;
  /** Until then they are used while being asked for again. */
  staleUntilMs: number;
  /** Until then they are used when asking fails. */
  errorUntilMs: number;
}

/**
 * Reads an answer's lifetime: `s-maxage`, `max-age`, else `Expires` minus `Date`, less `Age`, kept
 * within `freshMsMin` … `freshMsMax`; `freshMsDefault` when the origin says nothing.
 *
 * `no-store` and `no-cache` shorten the time to the minimum instead of forbidding it: the bytes
 * stay in memory, and an email to thousands of readers must not ask its origin thousands of times.
 * They and `must-revalidate` forbid any use beyond that.
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

/** The lifetime that the origin states, less the time that caches on the way have used up. */
function statedMs(
  headers: AnswerHeaders,
  directives: ReadonlyMap<string, string>,
  nowMs: number,
): number | undefined {
  const seconds = wholeSeconds(directives.get('s-maxage') ?? directives.get('max-age'));
  if (seconds !== undefined) return (seconds - (wholeSeconds(single(headers['age'])) ?? 0)) * 1000;
  const expires = single(headers['expires']);
  if (expires === undefined) return undefined;
  const date = Date.parse(single(headers['date']) ?? '');
  // RFC 9111 section 5.3: an unreadable time means that it has passed.
  return (Date.parse(expires) || 0) - (Number.isNaN(date) ? nowMs : date);
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
