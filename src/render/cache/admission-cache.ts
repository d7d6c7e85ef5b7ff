/** A cache bounded in bytes that a flood of keys asked for once does not empty. */
import { LRUCache } from 'lru-cache';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import { FrequencySketch, hashText } from './frequency-sketch.ts';

export interface AdmissionCacheOptions<Value> {
  /** Bytes of all entries together, as `entryBytes` counts them. */
  bytesMax: number;
  /** Bytes that an entry takes, its key and the maps' own room included: they also bound how many there are. */
  entryBytes: (value: Value, key: string) => number;
  /** Whether an entry is of no more use: it makes room for any other. */
  isDue: (value: Value) => boolean;
}

interface Entry<Value> {
  value: Value;
  hash: number;
  bytes: number;
}

/**
 * Share of the room that new keys get. Measured over traces of returning keys and campaigns whose links
 * are fetched once or twice (`bench/cache-admission.ts`): from 20 % on, second fetches that come soon
 * find their picture; beyond 35 %, returning keys lose it.
 */
const windowShare = 0.25;

/** Entries that a list holds at most, however little they weigh: V8's maps end at 2^24. */
const entriesMax = 2 ** 23;

/** Bytes of the cache for one counter of the sketch: 0.2 % of the room for all four rows. */
const bytesPerCounter = 2048;

/**
 * Two least-recently-used lists. What is new enters the window, a quarter of the room. What the window
 * pushes out enters the main list while there is room; then only if it was asked for more often of late
 * than each of those that would have to go for it (W-TinyLFU). So a campaign of one-off links passes
 * through the window and leaves the main list alone.
 *
 * An entry larger than the window stands before the main list at once; one larger than that is not kept.
 */
export class AdmissionCache<Value> {
  readonly #window: LRUCache<string, Entry<Value>>;
  readonly #main: LRUCache<string, Entry<Value>>;
  readonly #windowBytesMax: number;
  readonly #mainBytesMax: number;
  readonly #entryBytesMin: number;
  readonly #sketch: FrequencySketch;
  readonly #options: AdmissionCacheOptions<Value>;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: AdmissionCacheOptions<Value>) {
    const { bytesMax } = options;
    const windowBytesMax = Math.max(1, Math.floor(bytesMax * windowShare));
    this.#options = options;
    this.#windowBytesMax = windowBytesMax;
    this.#mainBytesMax = bytesMax - windowBytesMax;
    this.#entryBytesMin = Math.ceil(bytesMax / entriesMax);
    this.#sketch = new FrequencySketch(bytesMax / bytesPerCounter);
    const sizeCalculation = (entry: Entry<Value>): number => entry.bytes;
    // Without `max`: lists for so many entries would be made at once, a quarter of a second of a start.
    this.#window = new LRUCache({
      maxSize: windowBytesMax,
      sizeCalculation,
      disposeAfter: (entry, key, reason) => {
        if (reason === 'evict') this.#admit(key, entry);
      },
    });
    this.#main = new LRUCache({
      maxSize: this.#mainBytesMax,
      sizeCalculation,
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1;
      },
    });
  }

  /** The value of `key`, unless it is due; counts as a request for it. */
  get(key: string): Value | undefined {
    const entry = this.#main.get(key) ?? this.#window.get(key);
    if (entry === undefined || this.#options.isDue(entry.value)) {
      this.#misses += 1;
      if (entry !== undefined) this.delete(key);
      return undefined;
    }
    this.#hits += 1;
    this.#sketch.note(entry.hash);
    return entry.value;
  }

  /** Keeps a value that was not found; counts as a request for it. */
  set(key: string, value: Value): void {
    const hash = hashText(key);
    const bytes = Math.max(this.#options.entryBytes(value, key), this.#entryBytesMin);
    const entry = { value, hash, bytes };
    this.#sketch.note(hash);
    this.#main.delete(key);
    if (entry.bytes <= this.#windowBytesMax) {
      this.#window.set(key, entry);
    } else {
      this.#window.delete(key);
      this.#admit(key, entry);
    }
  }

  delete(key: string): void {
    this.#main.delete(key);
    this.#window.delete(key);
  }

  /** Bytes in use, as counted. */
  get bytes(): number {
    return this.#window.calculatedSize + this.#main.calculatedSize;
  }

  get entries(): number {
    return this.#window.size + this.#main.size;
  }

  /** For the metrics. An entry that leaves the window and is not let in counts as evicted. */
  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.entries,
      bytes: this.bytes,
      bytesMax: this.#options.bytesMax,
    };
  }

  /** Lets an entry that left the window in, if it is worth more than those that must go for it. */
  #admit(key: string, entry: Entry<Value>): void {
    if (this.#options.isDue(entry.value)) return;
    if (!this.#outweighs(entry)) {
      this.#evictions += 1;
      return;
    }
    // The list drops exactly the victims that were looked at: it evicts in the same order until the entry fits.
    this.#main.set(key, entry);
  }

  /** Whether an entry is worth more than each of those that would have to go for it. */
  #outweighs(entry: Entry<Value>): boolean {
    if (entry.bytes > this.#mainBytesMax) return false;
    const frequency = this.#sketch.estimate(entry.hash);
    let bytes = this.#main.calculatedSize + entry.bytes;
    for (const victim of this.#main.rvalues()) {
      if (bytes <= this.#mainBytesMax) break;
      if (victim === undefined) continue;
      const isWorthMore = this.#sketch.estimate(victim.hash) >= frequency;
      if (isWorthMore && !this.#options.isDue(victim.value)) return false;
      bytes -= victim.bytes;
    }
    return true;
  }
}
