/** A cache that several owners share. One of them cannot evict what the others use. */
import { LRUCache } from 'lru-cache';

export interface SharedCacheOptions<Value> {
  /** Upper bound of the sizes of all entries, a whole number. A larger entry is not stored. */
  sizeMax: number;
  /** A whole number from 1 on, the same for each call. */
  sizeOf: (value: Value, key: string) => number;
  /** Called with each value that is removed or replaced. */
  onRemoved?: (value: Value, isEvicted: boolean) => void;
}

/** The entries of one owner. */
interface Share<Value extends object> {
  owner: string;
  entries: LRUCache<string, Value>;
}

/**
 * Above the bound, the owner whose entries are the largest together loses the one that was used least recently. An
 * owner with at most an equal part of the bound therefore loses nothing to others. Keys are unique over all owners.
 */
export class SharedCache<Value extends object> {
  readonly #options: SharedCacheOptions<Value>;
  readonly #shares = new Map<string, Share<Value>>();
  readonly #shareOf = new Map<string, Share<Value>>();
  #size = 0;

  constructor(options: SharedCacheOptions<Value>) {
    this.#options = options;
  }

  get count(): number {
    return this.#shareOf.size;
  }

  /** Sizes of all entries. */
  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    return this.#shareOf.get(key)?.entries.get(key);
  }

  set(owner: string, key: string, value: Value): void {
    this.delete(key);
    const { sizeMax, sizeOf } = this.#options;
    const size = sizeOf(value, key);
    if (size > sizeMax) return;
    const share = this.#shares.get(owner) ?? { owner, entries: this.#createEntries() };
    this.#shares.set(owner, share);
    this.#shareOf.set(key, share);
    share.entries.set(key, value, { size });
    this.#size += size;
    while (this.#size > sizeMax) this.#evict();
  }

  delete(key: string): void {
    const share = this.#shareOf.get(key);
    share?.entries.delete(key);
    this.#dropEmpty(share);
  }

  clear(): void {
    for (const { entries } of this.#shares.values()) entries.clear();
    this.#shares.clear();
  }

  #evict(): void {
    let largest: Share<Value> | undefined;
    let size = -1;
    for (const share of this.#shares.values()) {
      if (share.entries.calculatedSize <= size) continue;
      largest = share;
      size = share.entries.calculatedSize;
    }
    largest?.entries.pop();
    this.#dropEmpty(largest);
  }

  #dropEmpty(share: Share<Value> | undefined): void {
    if (share?.entries.size === 0) this.#shares.delete(share.owner);
  }

  #createEntries(): LRUCache<string, Value> {
    const { sizeMax, sizeOf, onRemoved } = this.#options;
    return new LRUCache({
      // Without `max`, which would allocate for all entries at once.
      maxSize: sizeMax,
      dispose: (value, key, reason) => {
        this.#shareOf.delete(key);
        this.#size -= sizeOf(value, key);
        onRemoved?.(value, reason === 'evict');
      },
    });
  }
}
