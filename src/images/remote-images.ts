/** Answers for images on other hosts: from memory while fresh, else from their origin, once for all who ask. */
import { SingleFlight } from '../single-flight.ts';
import { createImageFetcher } from './fetch-image.ts';
import type { ImageFetcher } from './fetch-image.ts';
import { FetchQueue } from './fetch-queue.ts';
import { fetchSource } from './fetch-source.ts';
import { ImageCache, isPassingFailure } from './image-cache.ts';
import type { CachedImage } from './image-cache.ts';
import { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './loader-options.ts';
import { locateImage } from './share-links.ts';
import type { ImageLocation } from './share-links.ts';
import { parseHttpUrl } from './source-url.ts';

/**
 * The ladder of one remote image: URL → location → fresh copy → stale copy (and a refresh behind
 * it) → remembered failure → flight (one per location) → queue → fetch.
 */
export class RemoteImages {
  readonly #settings: ImageLoaderSettings;
  readonly #fetcher: ImageFetcher;
  readonly #queue: FetchQueue;
  readonly #cache: ImageCache;
  readonly #flights = new SingleFlight<CachedImage>();
  /** How many callers wait for each location. */
  readonly #callers = new Map<string, number>();

  constructor(settings: ImageLoaderSettings) {
    this.#settings = settings;
    this.#fetcher = createImageFetcher(settings);
    this.#queue = new FetchQueue(settings);
    this.#cache = new ImageCache(settings);
  }

  /**
   * The image that an http(s) URL or share link leads to. `signal` ends this caller's waiting only,
   * with its reason: the fetch goes on for the others and for the cache. Rejects with `ImageError`.
   */
  async load(text: string, signal: AbortSignal): Promise<CachedImage> {
    if (text.length > this.#settings.urlCharactersMax) {
      const limit = this.#settings.urlCharactersMax;
      throw new ImageError('url', `is a URL of more than ${limit} characters, the limit`);
    }
    const location = locateImage(parseHttpUrl(text));
    for (const candidate of location.candidates) this.#fetcher.checkTarget(new URL(candidate));
    const copy = this.#usableCopy(location);
    if (copy !== undefined) return copy;
    const failure = this.#cache.findFailure(location.key);
    if (failure !== undefined) throw failure;
    return this.#fly(location, signal);
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** The copy in memory when it may be used now; starts its refresh when that is due. */
  #usableCopy(location: ImageLocation): CachedImage | undefined {
    const copy = this.#cache.findImage(location.key);
    if (copy === undefined) return undefined;
    const now = this.#settings.now();
    const { freshUntilMs, staleUntilMs, errorUntilMs } = copy.freshness;
    if (now < freshUntilMs) return copy;
    if (now < copy.retryAtMs) return now < errorUntilMs ? copy : undefined;
    if (now >= staleUntilMs) return undefined;
    // Set before the refresh starts: the next callers need not join it.
    copy.retryAtMs = now + this.#settings.failureMs;
    this.#fly(location).catch(() => undefined);
    return copy;
  }

  async #fly(location: ImageLocation, signal?: AbortSignal): Promise<CachedImage> {
    const { key } = location;
    this.#callers.set(key, (this.#callers.get(key) ?? 0) + 1);
    try {
      const flight = await this.#flights.run(key, () => this.#refresh(location), signal);
      return flight.value;
    } finally {
      const left = (this.#callers.get(key) ?? 1) - 1;
      if (left === 0) this.#callers.delete(key);
      else this.#callers.set(key, left);
    }
  }

  /** Asks the origin, and stores what comes of it; an old copy stands in for a failure that passes. */
  async #refresh(location: ImageLocation): Promise<CachedImage> {
    const { key } = location;
    const copy = this.#cache.findImage(key);
    try {
      const host = new URL(location.candidates[0] ?? '').host;
      const fetched = await this.#queue.run(
        host,
        () => this.#callers.has(key),
        () => fetchSource(this.#fetcher, this.#settings, location, copy?.validator),
      );
      const image = fetched.image ?? copy?.image;
      if (image === undefined)
        throw new ImageError('status', 'could not be fetched: its server answered with status 304');
      const { freshness, validator } = fetched;
      const entry: CachedImage = { image, freshness, validator, retryAtMs: 0 };
      this.#cache.storeImage(key, entry);
      return entry;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const now = this.#settings.now();
      if (copy !== undefined && isPassingFailure(error) && now < copy.freshness.errorUntilMs) {
        copy.retryAtMs = now + this.#settings.failureMs;
        return copy;
      }
      this.#cache.storeFailure(key, error);
      throw error;
    }
  }
}
