/** Counters of finished requests by route, status, cache state and cause, and of remarkable values of links. */
import type { ErrorCode } from '../foundation/errors.ts';
import type { Family, Labels } from '../foundation/metric-families.ts';
import { counterFamily, Histogram, histogramFamily, Tally } from '../foundation/metric-families.ts';
import type { CacheState, ReplyNotes } from '../http/reply.ts';
import type { RequestRecord } from '../http/server.ts';

/** Upper bounds of the duration buckets in seconds: from a cache hit of some 10 µs to the longest deadline. */
const secondsBuckets = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Templates with labels in the metrics; all further ones are counted together, as `other`. */
const templatesMax = 100;

/** Statuses that panels of the dashboard query. */
const failureStatuses = [500, 503, 504];

/** Errors that alarms query. */
const alarmingCodes: readonly ErrorCode[] = [
  'OVERLOADED',
  'TIMEOUT',
  'STORAGE_UNAVAILABLE',
  'INTERNAL',
];

/** Labels of new images; alarms query them and their total. */
const renderStates: readonly CacheState[] = [
  'alias',
  'hit',
  'revalidated',
  'shared',
  'warm',
  'miss',
  'fallback',
];

/** Counts of one route. */
class RouteCounts {
  readonly statuses = new Tally('status', failureStatuses);
  readonly causes = new Tally('cause');
  readonly seconds = new Histogram(secondsBuckets);
}

/** Label values are route names, status numbers and constants, so their number is bounded. */
export class RequestMetrics {
  readonly #routes = new Map([['render', new RouteCounts()]]);
  readonly #codesByRoute = new Map<string, Tally>();
  readonly #states = new Tally('cache', renderStates);
  readonly #unmerged = new Tally('template', [], templatesMax);
  readonly #corrected = new Tally('template', [], templatesMax);
  readonly #secondsByState = new Map<CacheState, Histogram>();

  /** Starts the error counts of these routes at 0, so that an alarm sees the first error. */
  expect(routes: readonly string[]): void {
    for (const route of routes) this.#codesOf(route);
  }

  /** Counts one request; allocates only for the first of its kind. */
  count({ route, status, ms, cacheState, code, cause, notes }: RequestRecord): void {
    const seconds = ms / 1000;
    let counts = this.#routes.get(route);
    if (counts === undefined) this.#routes.set(route, (counts = new RouteCounts()));
    counts.statuses.add(status);
    counts.seconds.observe(seconds);
    if (code !== undefined) this.#codesOf(route).add(code);
    if (cause !== undefined) counts.causes.add(cause);
    if (notes !== undefined) this.#countValues(notes);
    if (cacheState === undefined) return;
    this.#states.add(cacheState);
    let histogram = this.#secondsByState.get(cacheState);
    if (histogram === undefined) {
      histogram = new Histogram(secondsBuckets);
      this.#secondsByState.set(cacheState, histogram);
    }
    histogram.observe(seconds);
  }

  #countValues({ template, unmerged, corrected }: ReplyNotes): void {
    if (typeof template !== 'string') return;
    if (unmerged !== undefined) this.#unmerged.add(template);
    if (corrected !== undefined) this.#corrected.add(template);
  }

  families(): Family[] {
    const byRoute = new Map([...this.#routes].map(([route, { seconds }]) => [route, seconds]));
    return [
      counterFamily('platen_requests_total', 'Answered requests.', () =>
        this.#labelled(({ statuses }) => statuses),
      ),
      counterFamily('platen_renders_total', 'Answered images by cache state.', () =>
        this.#states.values(),
      ),
      counterFamily(
        'platen_errors_total',
        'Errors by code, with those that a template answers by an image and status 200.',
        () => this.#codes(),
      ),
      counterFamily(
        'platen_failures_total',
        'Answered errors, and images without one of their source images, by cause.',
        () => this.#labelled(({ causes }) => causes),
      ),
      counterFamily(
        'platen_unmerged_links_total',
        'Requests for links with a merge tag in place of a value.',
        () => this.#unmerged.values(),
      ),
      counterFamily(
        'platen_corrected_links_total',
        'Requests for links with a value that another program escaped, and that was corrected.',
        () => this.#corrected.values(),
      ),
      histogramFamily('platen_request_seconds', 'Time to answer by route.', {
        label: 'route',
        by: byRoute,
      }),
      histogramFamily('platen_render_answer_seconds', 'Time to answer an image by cache state.', {
        label: 'cache',
        by: this.#secondsByState,
      }),
    ];
  }

  #codesOf(route: string): Tally {
    let codes = this.#codesByRoute.get(route);
    if (codes === undefined) {
      codes = new Tally('code', alarmingCodes);
      this.#codesByRoute.set(route, codes);
    }
    return codes;
  }

  *#codes(): Generator<[Labels, number]> {
    for (const [route, codes] of this.#codesByRoute) yield* codes.values({ route });
  }

  *#labelled(tallyOf: (counts: RouteCounts) => Tally): Generator<[Labels, number]> {
    for (const [route, counts] of this.#routes) yield* tallyOf(counts).values({ route });
  }
}
