/** Images of other hosts: from memory while fresh, else from their origin, with one fetch for concurrent requests. */
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
import { DrawingError } from './svg/drawing-cpu.ts';
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
 * Loads remote images in these steps: URL → location → fresh copy → stale copy (refreshed in the background) →
 * remembered failure → single flight (one per location and requester) → queue → fetch.
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

  /** The caller owns `rasteriser` and closes it. */
  constructor(settings: ImageLoaderSettings, rasteriser: SvgRasteriser) {
    this.#settings = settings;
    this.#rasteriser = rasteriser;
    this.#fetcher = createImageFetcher(settings);
    this.#turns = createFetchTurns(settings);
    this.#cache = new ImageCache(settings);
  }

  /**
   * Loads the image of an http(s) URL or share link; with `hosts`, only from a host on that list. `signal` rejects this
   * caller with the signal's reason. The fetch continues, for other callers and for the cache. Rejects with an
   * `ImageError`.
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

  /** The cached copy if it may be used now; starts a refresh if one is due. */
  #usableCopy(location: ImageLocation, requester: ImageRequester): CachedImage | undefined {
    const copy = this.#cache.findImage(location.key);
    if (copy === undefined) return undefined;
    const now = this.#settings.now();
    const { freshUntilMs, staleUntilMs, errorUntilMs } = copy.freshness;
    if (now < freshUntilMs) return copy;
    if (now < copy.retryAtMs) return now < errorUntilMs ? copy : undefined;
    if (now >= staleUntilMs) return undefined;
    // Set before the refresh starts, so that the next callers start none.
    copy.retryAtMs = now + this.#settings.failureMs;
    this.#fly(location, requester).catch(() => undefined);
    return copy;
  }

  /** One flight per requester and location. A shared flight would wait in the queue of another requester. */
  async #fly(
    location: ImageLocation,
    requester: ImageRequester,
    signal?: AbortSignal,
  ): Promise<CachedImage> {
    const key = `${requester.organizationUid} ${requester.templateUid} ${location.key}`;
    const fly = async (): Promise<CachedImage> => {
      const work = (isWanted: () => boolean): Promise<CachedImage> =>
        this.#refresh(location, requester, isWanted);
      return (await this.#flights.run(key, work, signal)).value;
    };
    const isJoining = this.#flights.has(key);
    try {
      return await fly();
    } catch (error) {
      // The other image may have used up its time for drawings.
      if (isJoining && error instanceof DrawingError && error.concernsRequester) return fly();
      throw error;
    }
  }

  /** Fetches from the origin and stores the result. After a temporary failure, returns a usable old copy. */
  async #refresh(
    location: ImageLocation,
    requester: ImageRequester,
    isWanted: () => boolean,
  ): Promise<CachedImage> {
    const { key } = location;
    const { organizationUid } = requester;
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
      // After the fetch turn: an SVG that waits for its drawing must not hold a fetch slot.
      const image =
        fetched.bytes === undefined
          ? copy?.image
          : await admitImage(fetched.bytes, this.#settings, this.#rasteriser, requester, isWanted);
      if (image === undefined)
        throw new ImageError('status', 'could not be fetched: its server answered with status 304');
      const { freshness, validator } = fetched;
      const entry: CachedImage = { image, freshness, validator, retryAtMs: 0 };
      this.#cache.storeImage(organizationUid, key, entry);
      count(fetched.bytes === undefined ? 'not_modified' : 'ok');
      return entry;
    } catch (error) {
      count(error instanceof ImageError ? error.reason : 'bug');
      if (!(error instanceof ImageError)) throw error;
      const now = this.#settings.now();
      const isPassing = isPassingFailure(error) || error.concernsRequester;
      if (copy !== undefined && isPassing && now < copy.freshness.errorUntilMs) {
        copy.retryAtMs = now + this.#settings.failureMs;
        return copy;
      }
      this.#cache.storeFailure(organizationUid, key, error);
      throw error;
    }
  }
}

/** A fetch is refused at once if its predicted wait exceeds `queueWaitMs` times this factor; predictions are rough. */
const predictedWaits = 2;

type FetchLimits = Pick<
  ImageLoaderSettings,
  'fetchesMax' | 'fetchesPerHostMax' | 'fetchesWaitingMax' | 'queueWaitMs'
>;

/** Creates the turns of fetches. Stalled fetches leave slots to other organizations, templates and hosts. */
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

/** The claims of a fetch from `host`: one organization cannot use all fetch slots of a host of two or more. */
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
 * Adds the list of hosts to the cache key of a plain URL. The list also applies to redirects, so one URL may give an
 * image to one organization and an error to another. The addresses of a share link are built by this service, after
 * its page was checked against the list.
 */
function listedLocation(
  location: ImageLocation,
  hosts: readonly string[] | undefined,
): ImageLocation {
  if (hosts === undefined || location.service !== undefined) return location;
  return { ...location, key: `${location.key} ${hash('sha256', hosts.join())}`, hosts };
}

// Counters of fetches, for the metrics.

type FetchResult = 'ok' | 'not_modified' | ImageErrorReason | 'bug';

/** Upper bounds of the histogram, in seconds. */
const fetchBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

interface FetchGauges {
  running: number;
  waiting: number;
  cache: CacheFigures;
}

/** Counters and gauges of one loader. */
export class ImageStats {
  readonly #results = new Tally('result');
  readonly #seconds = new Histogram(fetchBuckets);
  readonly #gauges: () => FetchGauges;

  constructor(gauges: () => FetchGauges) {
    this.#gauges = gauges;
  }

  /** Counts one fetch; `ms` includes the wait for a slot. */
  count(result: FetchResult, ms: number): void {
    this.#results.add(result);
    this.#seconds.observe(ms / 1000);
  }

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
