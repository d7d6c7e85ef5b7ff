/**
 * The part of `lru-cache` that the language uses, for the studio: the package would be a tenth of the first load. The
 * bundle of the studio has it under the name of the package.
 */

export interface LRUCacheOptions<Key, Value> {
  max?: number;
  maxSize?: number;
  sizeCalculation?: (value: Value, key: Key) => number;
  dispose?: (value: Value, key: Key) => void;
}

export class LRUCache<Key, Value> {
  readonly #options: LRUCacheOptions<Key, Value>;
  /** The least recently used first. */
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  #size = 0;

  constructor(options: LRUCacheOptions<Key, Value>) {
    this.#options = options;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    const { max = Infinity, maxSize = Infinity, sizeCalculation } = this.#options;
    const size = sizeCalculation?.(value, key) ?? 0;
    this.#drop(key);
    if (size > maxSize) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < max && this.#size + size <= maxSize) break;
      this.#drop(oldest);
    }
    this.#entries.set(key, { value, size });
    this.#size += size;
  }

  #drop(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#options.dispose?.(entry.value, key);
  }
}
