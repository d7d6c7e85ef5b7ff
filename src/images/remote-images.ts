/** Answers for images on other hosts: from memory while fresh, else from their origin, once for all requests. */
import { hash } from 'node:crypto';
import { SingleFlight } from '../foundation/single-flight.ts';
import { createImageFetcher } from './fetch/fetch-image.ts';
import type { ImageFetcher } from './fetch/fetch-image.ts';
import { fetchSource } from './fetch-source.ts';
import { checkListedHost, hostName, parseHttpUrl } from './fetch/address-guard.ts';
import { ImageCache, isPassingFailure } from './image-cache.ts';
import type { CachedImage } from './image-cache.ts';
import { ImageError } from './image-error.ts';
import { admitImage } from './admit-image.ts';
import type { ImageLoaderSettings } from './config.ts';
import { locateImage } from './fetch/share-links.ts';
import type { ImageLocation } from './fetch/share-links.ts';
import type { SvgRasteriser } from './svg/pool.ts';
import { organizationSlots, requesterKeys, templateSlots, Turns } from './turns.ts';
import type { Claim, ImageRequester } from './turns.ts';
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
 * it) → remembered failure → flight (one per location and requester) → queue → fetch.
 */
export class RemoteImages {
  readonly #settings: ImageLoaderSettings;
  readonly #fetcher: ImageFetcher;
  readonly #turns: Turns;
  readonly #cache: ImageCache;
  readonly #flights = new SingleFlight<CachedImage>();
  readonly #rasteriser: SvgRasteriser;

  /** For the metrics. */
  readonly stats = new ImageStats(() => ({
    running: this.#turns.running,
    waiting: this.#turns.waiting,
    cache: this.#cache.figures,
  }));

  /** `rasteriser` is its owner's to close. */
  constructor(settings: ImageLoaderSettings, rasteriser: SvgRasteriser) {
    this.#settings = settings;
    this.#rasteriser = rasteriser;
    this.#fetcher = createImageFetcher(settings);
    this.#turns = createFetchTurns(settings);
    this.#cache = new ImageCache(settings);
  }

  /**
   * The image that an http(s) URL or share link leads to, from one of `hosts` where there is such a
   * list. `signal` ends this caller's waiting only, with its reason: the fetch goes on for the others
   * and for the cache. Rejects with `ImageError`.
   */
  async load(
    text: string,
    requester: ImageRequester,
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
    const copy = this.#usableCopy(location, requester);
    this.#cache.countUse(copy !== undefined);
    if (copy !== undefined) return copy;
    const failure = this.#cache.findFailure(location.key);
    if (failure !== undefined) throw failure;
    return this.#fly(location, requester, signal);
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** The copy in memory when it may be used now; starts its refresh when that is due. */
  #usableCopy(location: ImageLocation, requester: ImageRequester): CachedImage | undefined {
    const copy = this.#cache.findImage(location.key);
    if (copy === undefined) return undefined;
    const now = this.#settings.now();
    const { freshUntilMs, staleUntilMs, errorUntilMs } = copy.freshness;
    if (now < freshUntilMs) return copy;
    if (now < copy.retryAtMs) return now < errorUntilMs ? copy : undefined;
    if (now >= staleUntilMs) return undefined;
    // Set before the refresh starts: the next callers need not join it.
    copy.retryAtMs = now + this.#settings.failureMs;
    this.#fly(location, requester).catch(() => undefined);
    return copy;
  }

  /** A request that waits for its share shares no flight: others would wait, or be refused, for its crowd. */
  async #fly(
    location: ImageLocation,
    requester: ImageRequester,
    signal?: AbortSignal,
  ): Promise<CachedImage> {
    const key = `${requester.organizationUid} ${requester.templateUid} ${location.key}`;
    const { value } = await this.#flights.run(
      key,
      (isWanted) => this.#refresh(location, requester, isWanted),
      signal,
    );
    return value;
  }

  /** Asks the origin, and stores what comes of it; an old copy stands in for a failure that passes. */
  async #refresh(
    location: ImageLocation,
    requester: ImageRequester,
    isWanted: () => boolean,
  ): Promise<CachedImage> {
    const { key } = location;
    const copy = this.#cache.findImage(key);
    const startedMs = performance.now();
    const count = (result: FetchResult): void =>
      this.stats.count(result, performance.now() - startedMs);
    try {
      const host = hostName(new URL(location.candidates[0] ?? ''));
      const claims = hostClaims(requester, host, this.#settings);
      const fetched = await this.#turns.run(requester, claims, isWanted, () =>
        fetchSource(this.#fetcher, this.#settings, requester, location, copy?.validator),
      );
      // Out of the queue: an SVG that waits to be drawn holds no fetch up.
      const image =
        fetched.bytes === undefined
          ? copy?.image
          : await admitImage(fetched.bytes, this.#settings, this.#rasteriser, requester, isWanted);
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

/** A wait that is predicted to take this many times the longest one is refused at once: predictions are rough. */
const predictedWaits = 2;

type FetchLimits = Pick<
  ImageLoaderSettings,
  'fetchesMax' | 'fetchesPerHostMax' | 'fetchesWaitingMax' | 'queueWaitMs'
>;

/** Turns of fetches: hanging ones leave slots to other organizations, templates and hosts. */
export function createFetchTurns(limits: FetchLimits): Turns {
  return new Turns({
    runningMax: limits.fetchesMax,
    organizationMax: organizationSlots(limits.fetchesMax),
    templateMax: templateSlots(limits.fetchesMax),
    waitingMax: limits.fetchesWaitingMax,
    waitMsMax: limits.queueWaitMs,
    predictedMsMax: limits.queueWaitMs * predictedWaits,
    problem: 'could not be loaded: too many images are being fetched at the moment, try again',
  });
}

/** The claims of a fetch from `host`: one organization never has all fetches of a host. */
export function hostClaims(
  requester: ImageRequester,
  host: string,
  { fetchesPerHostMax }: Pick<FetchLimits, 'fetchesPerHostMax'>,
): Claim[] {
  const [organization] = requesterKeys(requester);
  return [
    { key: `host ${host}`, max: fetchesPerHostMax },
    {
      key: `host ${host} ${organization}`,
      max: organizationSlots(fetchesPerHostMax),
      isPrivate: true,
    },
  ];
}

/**
 * A plain URL of an organization with a list is kept apart from everybody else's: its redirects are
 * held to the list as well, so that the same address may give an image to one and none to the other.
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

  /** Counts one image that an origin was asked for; `ms` includes the wait for a slot. */
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
      counterFamily('platen_image_fetches_total', 'Fetches of images, by result.', () =>
        this.#results.values(),
      ),
      histogramFamily(
        'platen_image_fetch_seconds',
        'Time of a fetch, with its wait for a slot and its redirects.',
        this.#seconds,
      ),
      gaugeFamily(
        'platen_image_fetches_running',
        'Fetches in progress.',
        () => this.#gauges().running,
      ),
      gaugeFamily(
        'platen_image_fetches_waiting',
        'Fetches that wait for a slot.',
        () => this.#gauges().waiting,
      ),
    ];
  }
}
