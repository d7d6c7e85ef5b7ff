/** The cache of finished renders, bounded in bytes, and the renders in progress. */
import type { RenderFormat, RenderWarning } from '#wire/render-job.ts';
import type { Reply } from '../http/reply.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import type { PublishedLink } from '../store/template-link.ts';
import type { StageTimes } from '../scheduling/stats.ts';
import { Deadline, steadyNowMs } from '../foundation/deadline.ts';
import type { FlightResult } from '../foundation/single-flight.ts';
import { SingleFlight } from '../foundation/single-flight.ts';
import { SharedCache } from '../foundation/shared-cache.ts';

/** A warning without its text, which may contain text of a client. */
export type NamedWarning = Pick<RenderWarning, 'code' | 'layer'>;

/** A finished image with the data of its response. All responses share it, so `bytes` must not be modified. */
export interface Render {
  bytes: Uint8Array<ArrayBuffer>;
  format: RenderFormat;
  /** Undefined for a degraded image, which is not cached. */
  etag: string | undefined;
  /** Why an image is missing from a degraded image, in one word for the log and the metrics. */
  cause?: string;
  /** Without duplicates. */
  warnings: readonly NamedWarning[];
  /** Times of the stages of the render, for `Server-Timing` and the log. */
  stages: StageTimes;
  /** `whole`: from scratch; `plan`: over a base render; `warm`: made by a campaign before, and read from the disk. */
  drawn: 'whole' | 'plan' | 'warm';
  /** When its source images are due for a refresh, ms since the epoch; Infinity if never. */
  freshUntilMs: number;
  /** The responses for the link of the last hit; `hitReply` creates them. */
  hitReplies?: HitReplies;
}

/** The responses with a cached render for the links of one template version, with prepared heads. */
export interface HitReplies {
  link: PublishedLink;
  ok: Reply;
  notModified: Reply;
}

/** Bytes of an entry without image and key: 0.6 KB of objects and maps, 1.1 KB of prepared responses (measured). */
const entryBytes = 2048;

/** Bytes of a warning: an object, and the id of its layer. */
const warningBytes = 128;

/** Keys of an order; see `RenderOrder`. */
interface OrderKeys {
  key: string;
  template: Pick<PublishedLink, 'organizationUid'>;
  /** Undefined if no image of another time may replace this one. */
  timelessKey?: string | undefined;
  options?: { timeMs?: number | undefined };
}

/** Largest difference in ms between the time of an order and that of an image that replaces it under overload. */
const lateMsMax = 60_000;

/**
 * Keeps a render until more recently used ones of its organization, or those of smaller organizations, take its space,
 * or its remote images are due. Degraded renders are not stored.
 */
export class RenderCache {
  readonly #renders: BoundedCache<Render>;
  /** Keys and times of the newest default images, by `timelessKey`: 0.4 KB each. */
  readonly #newest = new SharedCache<{ key: string; timeMs: number }>({
    sizeMax: 2000,
    sizeOf: () => 1,
  });

  /**
   * `nowMs` is the clock of `freshUntilMs`. `onRemoved` is called with each image that is removed; requests that have
   * found it before may still be sending it.
   */
  constructor(
    bytesMax: number,
    nowMs: () => number = steadyNowMs,
    onRemoved?: (bytes: Uint8Array) => void,
  ) {
    this.#renders = new BoundedCache({
      bytesMax,
      bytesOf: (render, key) =>
        render.bytes.byteLength + render.warnings.length * warningBytes + key.length + entryBytes,
      isDue: ({ freshUntilMs }) => freshUntilMs !== Infinity && freshUntilMs <= nowMs(),
      onRemoved: ({ bytes }) => onRemoved?.(bytes),
    });
  }

  find(key: string): Render | undefined {
    return this.#renders.get(key);
  }

  /** The render of an order. A hit also makes it the newest one of its `timelessKey`. */
  findNow(order: OrderKeys): Render | undefined {
    const render = this.find(order.key);
    if (render !== undefined) this.#noteNewest(order);
    return render;
  }

  /** The render of an order, or the newest one of its `timelessKey` if the times differ by at most `lateMsMax`. */
  findNewest({
    key,
    timelessKey = '',
    options: { timeMs = 0 } = {},
  }: Omit<OrderKeys, 'template'>): Render | undefined {
    const render = this.find(key);
    const newest = this.#newest.get(timelessKey);
    if (render !== undefined || newest === undefined) return render;
    return Math.abs(timeMs - newest.timeMs) > lateMsMax ? undefined : this.find(newest.key);
  }

  store(order: OrderKeys, render: Render): void {
    if (render.etag === undefined) return;
    this.#renders.set(order.template.organizationUid, order.key, render);
    this.#noteNewest(order);
  }

  #noteNewest({ key, template, timelessKey, options: { timeMs = 0 } = {} }: OrderKeys): void {
    if (timelessKey === undefined) return;
    this.#newest.set(template.organizationUid, timelessKey, { key, timeMs });
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return this.#renders.figures;
  }
}

// Renders in progress: requests for the same render share one run, each with its deadline.

/** An admitted render, which must be run exactly once. */
export type AdmittedRender = (deadline: Deadline) => Promise<Render>;

/**
 * Renders in progress, by key. The first request leads. A request that joins extends the deadline of the work to its
 * deadline. A request whose deadline passes gets TIMEOUT; the work continues, because the cache can use its result.
 */
export class RenderFlights {
  readonly #flights = new SingleFlight<Render>();
  readonly #deadlines = new Map<string, Deadline>();

  /** Renders in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the render in progress, or leads a new one. Throws the error of `admit` synchronously: in an overload, a
   * refusal must be cheap, so it creates no flight, no promise and no timer.
   */
  run(key: string, deadline: Deadline, admit: () => AdmittedRender): Promise<FlightResult<Render>> {
    this.#deadlines.get(key)?.extendTo(deadline.atMs);
    const render = this.#flights.has(key) ? undefined : admit();
    const lead = (): Promise<Render> => this.#lead(key, deadline, render ?? admit());
    return this.#flights.run(key, lead, deadline.signal);
  }

  async #lead(key: string, deadline: Deadline, render: AdmittedRender): Promise<Render> {
    const flightDeadline = new Deadline(deadline.atMs);
    this.#deadlines.set(key, flightDeadline);
    try {
      return await render(flightDeadline);
    } finally {
      flightDeadline.clear();
      this.#deadlines.delete(key);
    }
  }
}

// The bounded cache of renders and of aliases.

export interface BoundedCacheOptions<Value> {
  /** Bytes of all entries together, as `bytesOf` counts them. */
  bytesMax: number;
  /** Bytes of an entry, with its key and its map slots: they also bound the number of entries. */
  bytesOf: (value: Value, key: string) => number;
  /** Whether a value is out of date; `get` then removes it. */
  isDue: (value: Value) => boolean;
  /** Called with each value that is removed or replaced. */
  onRemoved?: (value: Value) => void;
}

/** Upper bound of the entries, below the 2^24 entries of a map in V8. */
const entriesMax = 2 ** 23;

/** A cache of all organizations, bounded in bytes. An entry larger than the cache is not stored. */
export class BoundedCache<Value extends object> {
  readonly #list: SharedCache<Value>;
  readonly #options: BoundedCacheOptions<Value>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: BoundedCacheOptions<Value>) {
    const { bytesMax, bytesOf, onRemoved } = options;
    const entryBytesMin = Math.ceil(bytesMax / entriesMax);
    this.#options = options;
    this.#list = new SharedCache({
      sizeMax: bytesMax,
      sizeOf: (value, key) => Math.max(bytesOf(value, key), entryBytesMin),
      onRemoved: (value, isEvicted) => {
        if (isEvicted) this.#evictions += 1;
        onRemoved?.(value);
      },
    });
  }

  /** The value of `key`, unless it is due. */
  get(key: string): Value | undefined {
    const value = this.#list.get(key);
    if (value === undefined || this.#options.isDue(value)) {
      this.#misses += 1;
      if (value !== undefined) this.#list.delete(key);
      return undefined;
    }
    this.#hits += 1;
    return value;
  }

  set(organizationUid: string, key: string, value: Value): void {
    this.#list.set(organizationUid, key, value);
  }

  delete(key: string): void {
    this.#list.delete(key);
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.#list.count,
      bytes: this.#list.size,
      bytesMax: this.#options.bytesMax,
    };
  }
}
