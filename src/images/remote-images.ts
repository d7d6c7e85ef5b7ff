/** Answers for images on other hosts: from memory while fresh, else from their origin, once for all who ask. */
import { hash } from 'node:crypto';
import { SingleFlight } from '../foundation/single-flight.ts';
import { createImageFetcher } from './fetch/fetch-image.ts';
import type { ImageFetcher } from './fetch/fetch-image.ts';
import { FetchQueue } from './fetch/queue.ts';
import type { ImageAsker } from './fetch/shares.ts';
import { fetchSource } from './fetch-source.ts';
import { checkListedHost, hostName, parseHttpUrl } from './fetch/address-guard.ts';
import { ImageCache, isPassingFailure } from './image-cache.ts';
import type { CachedImage } from './image-cache.ts';
import { ImageError } from './image-error.ts';
import { admitImage } from './admit-image.ts';
import type { ImageLoaderSettings } from './loader-options.ts';
import { locateImage } from './fetch/share-links.ts';
import type { ImageLocation } from './fetch/share-links.ts';
import type { SvgRasteriser } from './svg/pool.ts';
import type { CacheFigures, Family } from '../foundation/metric-families.ts';
import {
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  Tally,
} from '../foundation/metric-families.ts';
import type { ImageErrorReason } from './image-error.ts';

/**
 * The ladder of one remote image: URL → location → fresh copy → stale copy (and a refresh behind
 * it) → remembered failure → flight (one per location and asker) → queue → fetch.
 */
export class RemoteImages {
  readonly #settings: ImageLoaderSettings;
  readonly #fetcher: ImageFetcher;
  readonly #queue: FetchQueue;
  readonly #cache: ImageCache;
  readonly #flights = new SingleFlight<CachedImage>();
  /** How many callers wait for each flight. */
  readonly #callers = new Map<string, number>();

  readonly #rasteriser: SvgRasteriser;

  /** For the metrics. */
  readonly stats = new ImageStats(() => ({
    running: this.#queue.running,
    waiting: this.#queue.waiting,
    cache: this.#cache.figures,
  }));

  /** `rasteriser` is its owner's to close. */
  constructor(settings: ImageLoaderSettings, rasteriser: SvgRasteriser) {
    this.#settings = settings;
    this.#rasteriser = rasteriser;
    this.#fetcher = createImageFetcher(settings);
    this.#queue = new FetchQueue(settings);
    this.#cache = new ImageCache(settings);
  }

  /**
   * The image that an http(s) URL or share link leads to, from one of `hosts` where there is such a
   * list. `signal` ends this caller's waiting only, with its reason: the fetch goes on for the others
   * and for the cache. Rejects with `ImageError`.
   */
  async load(
    text: string,
    asker: ImageAsker,
    hosts: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<CachedImage> {
    if (text.length > this.#settings.urlCharactersMax) {
      const limit = this.#settings.urlCharactersMax;
      throw new ImageError('url', `is a URL of more than ${limit} characters, the limit`);
    }
    const url = parseHttpUrl(text);
    checkListedHost(url, hosts);
    const location = listedLocation(locateImage(url), hosts);
    for (const candidate of location.candidates) this.#fetcher.checkTarget(new URL(candidate));
    const copy = this.#usableCopy(location, asker);
    this.#cache.countUse(copy !== undefined);
    if (copy !== undefined) return copy;
    const failure = this.#cache.findFailure(location.key);
    if (failure !== undefined) throw failure;
    return this.#fly(location, asker, signal);
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** The copy in memory when it may be used now; starts its refresh when that is due. */
  #usableCopy(location: ImageLocation, asker: ImageAsker): CachedImage | undefined {
    const copy = this.#cache.findImage(location.key);
    if (copy === undefined) return undefined;
    const now = this.#settings.now();
    const { freshUntilMs, staleUntilMs, errorUntilMs } = copy.freshness;
    if (now < freshUntilMs) return copy;
    if (now < copy.retryAtMs) return now < errorUntilMs ? copy : undefined;
    if (now >= staleUntilMs) return undefined;
    // Set before the refresh starts: the next callers need not join it.
    copy.retryAtMs = now + this.#settings.failureMs;
    this.#fly(location, asker).catch(() => undefined);
    return copy;
  }

  /** What an asker waits for is no other's flight: it would wait, or be refused, for their crowd. */
  async #fly(
    location: ImageLocation,
    asker: ImageAsker,
    signal?: AbortSignal,
  ): Promise<CachedImage> {
    const key = `${asker.organizationUid} ${asker.templateUid} ${location.key}`;
    const isWanted = (): boolean => this.#callers.has(key);
    this.#callers.set(key, (this.#callers.get(key) ?? 0) + 1);
    try {
      const flight = await this.#flights.run(
        key,
        () => this.#refresh(location, asker, isWanted),
        signal,
      );
      return flight.value;
    } finally {
      const left = (this.#callers.get(key) ?? 1) - 1;
      if (left === 0) this.#callers.delete(key);
      else this.#callers.set(key, left);
    }
  }

  /** Asks the origin, and stores what comes of it; an old copy stands in for a failure that passes. */
  async #refresh(
    location: ImageLocation,
    asker: ImageAsker,
    isWanted: () => boolean,
  ): Promise<CachedImage> {
    const { key } = location;
    const copy = this.#cache.findImage(key);
    const startedMs = performance.now();
    const count = (result: FetchResult): void =>
      this.stats.count(result, performance.now() - startedMs);
    try {
      const host = hostName(new URL(location.candidates[0] ?? ''));
      const fetched = await this.#queue.run(asker, host, isWanted, () =>
        fetchSource(this.#fetcher, this.#settings, asker, location, copy?.validator),
      );
      // Out of the queue: an SVG that waits to be drawn holds no fetch up.
      const image =
        fetched.bytes === undefined
          ? copy?.image
          : await admitImage(fetched.bytes, this.#settings, this.#rasteriser, asker, isWanted);
      if (image === undefined)
        throw new ImageError('status', 'could not be fetched: its server answered with status 304');
      const { freshness, validator } = fetched;
      const entry: CachedImage = { image, freshness, validator, retryAtMs: 0 };
      this.#cache.storeImage(key, entry);
      count(fetched.bytes === undefined ? 'not_modified' : 'ok');
      return entry;
    } catch (error) {
      count(error instanceof ImageError ? error.reason : 'bug');
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

/**
 * A plain URL of an organization with a list is kept apart from everybody else's: its redirects are
 * held to the list as well, so that the same address may give a picture to one and none to the other.
 * The addresses of a share link are this service's own; its page was on the list.
 */
function listedLocation(
  location: ImageLocation,
  hosts: readonly string[] | undefined,
): ImageLocation {
  if (hosts === undefined || location.service !== undefined) return location;
  return { ...location, key: `${location.key} ${hash('sha256', hosts.join())}`, hosts };
}

// Counters of fetches, for the metrics.

/** What asking an origin came to. */
type FetchResult = 'ok' | 'not_modified' | ImageErrorReason | 'bug';

/** Upper bounds, seconds: from an origin next door to the longest time-out. */
const fetchBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** What is read at the moment of asking. */
interface FetchGauges {
  running: number;
  waiting: number;
  cache: CacheFigures;
}

/** One a loader. */
export class ImageStats {
  readonly #results = new Tally('result');
  readonly #seconds = new Histogram(fetchBuckets);
  readonly #gauges: () => FetchGauges;

  constructor(gauges: () => FetchGauges) {
    this.#gauges = gauges;
  }

  /** Counts one image that an origin was asked for; `ms` includes the wait for a place. */
  count(result: FetchResult, ms: number): void {
    this.#results.add(result);
    this.#seconds.observe(ms / 1000);
  }

  /** The cache of fetched files. */
  cache(): CacheFigures {
    return this.#gauges().cache;
  }

  families(): Family[] {
    return [
      counterFamily(
        'platen_image_fetches_total',
        'Images that an origin was asked for, by what came of it.',
        () => this.#results.values(),
      ),
      histogramFamily(
        'platen_image_fetch_seconds',
        'Time of a fetch, its wait for a place and its redirects included.',
        this.#seconds,
      ),
      gaugeFamily(
        'platen_image_fetches_running',
        'Fetches under way.',
        () => this.#gauges().running,
      ),
      gaugeFamily(
        'platen_image_fetches_waiting',
        'Fetches that wait for a place.',
        () => this.#gauges().waiting,
      ),
    ];
  }
}
