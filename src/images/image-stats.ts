/** Counts what fetches of images came to, for the metrics. */
import type { CacheFigures, Family } from '../foundation/metric-families.ts';
import {
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  Tally,
} from '../foundation/metric-families.ts';
import type { ImageErrorReason } from './image-error.ts';

/** What asking an origin came to. */
export type FetchResult = 'ok' | 'not_modified' | ImageErrorReason | 'bug';

/** Upper bounds, seconds: from an origin next door to the longest time-out. */
const fetchBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** What is read at the moment of asking. */
export interface FetchGauges {
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
