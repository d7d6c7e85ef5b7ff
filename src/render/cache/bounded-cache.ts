/** A least-recently-used cache that is bounded in bytes and counts what the metrics show. */
import { LRUCache } from 'lru-cache';
import type { CacheFigures } from '../../foundation/metric-families.ts';

export interface BoundedCacheOptions<Value> {
  /** Bytes of all entries together, as `entryBytes` counts them. */
  bytesMax: number;
  /** Bytes of an entry, with its key and its share of the map: they also bound the number of entries. */
  entryBytes: (value: Value, key: string) => number;
  /** Whether a value is out of date: it is then removed where it is found. */
  isDue: (value: Value) => boolean;
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
    const { bytesMax, entryBytes } = options;
    const entryBytesMin = Math.ceil(bytesMax / entriesMax);
    this.#options = options;
    // Without `max`: arrays for so many entries would be allocated at once, a quarter of a second of a start.
    this.#list = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (value, key) => Math.max(entryBytes(value, key), entryBytesMin),
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1;
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
