/** Keeps fetched images, and for moments what went wrong, in bounded memory. The only importer of lru-cache in this folder. */
import { LRUCache } from 'lru-cache';
import type { SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import type { Validator } from './fetch/fetch-image.ts';
import type { Freshness } from './fetch/freshness.ts';
import type { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './loader-options.ts';

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
    this.#failures = new LRUCache({ max: settings.cacheEntriesMax });
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
   * there: the picture is gone, and serving it on would be wrong.
   */
  storeFailure(key: string, error: ImageError): void {
    if (error.concernsAsker) return;
    const passing = isPassingFailure(error);
    if (!passing) this.#images.delete(key);
    const { failureMs, refusalMs } = this.#settings;
    const untilMs = this.#settings.now() + (passing ? failureMs : refusalMs);
    this.#failures.set(key, { error, untilMs });
  }
}
