/** Finished renders in memory, bounded in bytes, and the renders in progress. */
import type { RenderFormat, RenderWarning } from '#wire/render-job.ts';
import type { Reply } from '../http/reply.ts';
import type { CacheFigures } from '../foundation/metric-families.ts';
import type { PublishedLink } from '../store/template-link.ts';
import type { StageTimes } from '../scheduling/stats.ts';
import { Deadline, steadyNowMs } from '../foundation/deadline.ts';
import type { FlightResult } from '../foundation/single-flight.ts';
import { SingleFlight } from '../foundation/single-flight.ts';
import { LRUCache } from 'lru-cache';

/** A warning without its words, which may hold a caller's. */
export type NamedWarning = Pick<RenderWarning, 'code' | 'layer'>;

/** A finished image and what its answer says about it. Shared by every answer: nobody writes to `bytes`. */
export interface Render {
  bytes: Uint8Array<ArrayBuffer>;
  format: RenderFormat;
  /** Undefined when the image is degraded: it is then not kept, here or elsewhere. */
  etag: string | undefined;
  /** Why an image is missing from a degraded image, in one word for the log and the metrics. */
  cause?: string;
  /** Each once. */
  warnings: readonly NamedWarning[];
  /** How long making it took, for `Server-Timing` and the log. */
  stages: StageTimes;
  /** `warm`: made by a campaign before, and read from the disk. */
  drawn: 'whole' | 'plan' | 'warm';
  /** When the remote images in it should be asked for again, ms since the epoch; Infinity without any. */
  freshUntilMs: number;
  /** The answers of the last template that it was a hit for, made by `answer` with the first hit. */
  hitReplies?: HitReplies;
}

/** The answers of a kept render under the links of one template, ready to be sent any number of times. */
export interface HitReplies {
  link: PublishedLink;
  ok: Reply;
  notModified: Reply;
}

/** What an entry costs beside its image and key, bytes: 0.6 KB of objects and maps, 1.1 KB of ready answers (measured). */
const entryBytes = 2048;

/** A warning: an object, and the id of its layer. */
const warningBytes = 128;

/** Keys of an order; see `RenderOrder`. */
interface OrderKeys {
  key: string;
  /** Undefined where no image of another time may stand in. */
  timelessKey?: string | undefined;
  options?: { timeMs?: number | undefined };
}

/** How late the clock of an image may be that stands in where nothing can be drawn. */
const lateMsMax = 60_000;

/**
 * Keeps a render until more recently used ones take its space or its remote images are due. Degraded renders are not
 * stored.
 */
export class RenderCache {
  readonly #renders: BoundedCache<Render>;
  /** Keys and last times of default images, by what they are without their time: 0.4 KB each. */
  readonly #newest = new LRUCache<string, { key: string; timeMs: number }>({ max: 2000 });

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

  /** The render of `key`. */
  find(key: string): Render | undefined {
    return this.#renders.get(key);
  }

  /** The render of an order, which counts as stored again at its time. */
  findNow(order: OrderKeys): Render | undefined {
    const render = this.find(order.key);
    if (render !== undefined) this.#noteNewest(order);
    return render;
  }

  /** The render of an order, or of the same order at the last time for which one was stored, if that is not long ago. */
  findNewest({
    key,
    timelessKey = '',
    options: { timeMs = 0 } = {},
  }: OrderKeys): Render | undefined {
    const render = this.find(key);
    const newest = this.#newest.get(timelessKey);
    if (render !== undefined || newest === undefined) return render;
    return Math.abs(timeMs - newest.timeMs) > lateMsMax ? undefined : this.find(newest.key);
  }

  store(order: OrderKeys, render: Render): void {
    if (render.etag === undefined) return;
    this.#renders.set(order.key, render);
    this.#noteNewest(order);
  }

  #noteNewest({ key, timelessKey, options: { timeMs = 0 } = {} }: OrderKeys): void {
    if (timelessKey !== undefined) this.#newest.set(timelessKey, { key, timeMs });
  }

  /** For the metrics. */
  get figures(): CacheFigures {
    return this.#renders.figures;
  }
}

// Renders in progress: requests for the same render share one run, each with its deadline.

/** A render that was admitted, to be run once. */
export type AdmittedRender = (deadline: Deadline) => Promise<Render>;

/**
 * Renders in progress, by key. The first request leads; the deadline of the work moves along with the requests that
 * join, so that it ends no sooner than the last of them has given up. A request whose deadline passes gets TIMEOUT,
 * and the work goes on: its result is still worth keeping.
 */
export class RenderFlights {
  readonly #flights = new SingleFlight<Render>();
  readonly #deadlines = new Map<string, Deadline>();

  /** Renders in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the render in progress, or leads a new one. What `admit` throws is thrown here, at once: ten times as many
   * links as can be rendered must not take the time of the renders, so a refusal is no flight, no promise and no timer.
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

// The bounds of this cache and of that of known links.

export interface BoundedCacheOptions<Value> {
  /** Bytes of all entries together, as `bytesOf` counts them. */
  bytesMax: number;
  /** Bytes of an entry, with its key and its share of the map: they also bound the number of entries. */
  bytesOf: (value: Value, key: string) => number;
  /** Whether a value is out of date: it is then removed where it is found. */
  isDue: (value: Value) => boolean;
  /** Called with each value that is removed or replaced. */
  onRemoved?: (value: Value) => void;
}

/** Entries at most, however small they are: a map of V8 ends at 2^24. */
const entriesMax = 2 ** 23;

/** An entry that is larger than the cache is not kept. */
export class BoundedCache<Value extends object> {
  readonly #list: LRUCache<string, Value>;
  readonly #options: BoundedCacheOptions<Value>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: BoundedCacheOptions<Value>) {
    const { bytesMax, bytesOf, onRemoved } = options;
    const entryBytesMin = Math.ceil(bytesMax / entriesMax);
    this.#options = options;
    // Without `max`: arrays for so many entries would be allocated at once, a quarter of a second of a start.
    this.#list = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (value, key) => Math.max(bytesOf(value, key), entryBytesMin),
      dispose: (value, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1;
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

  set(key: string, value: Value): void {
    this.#list.set(key, value);
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
      entries: this.#list.size,
      bytes: this.#list.calculatedSize,
      bytesMax: this.#options.bytesMax,
    };
  }
}
