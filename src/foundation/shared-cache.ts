/** A cache that several owners share. One of them cannot evict what the others use. */

export interface SharedCacheOptions<Value> {
  /** Upper bound of the sizes of all entries. A larger entry is not stored. */
  sizeMax: number;
  sizeOf: (value: Value, key: string) => number;
  /** Called with each value that is removed or replaced. */
  onRemoved?: (value: Value, isEvicted: boolean) => void;
}

interface Entry<Value> {
  value: Value;
  size: number;
  share: Share;
}

/** What one owner has. */
interface Share {
  owner: string;
  size: number;
  /** Least recently used first. */
  keys: Set<string>;
}

/**
 * Above the bound, the owner whose entries are the largest together loses the one that was used least recently. An
 * owner with at most an equal part of the bound therefore loses nothing to others. Keys are unique over all owners.
 */
export class SharedCache<Value extends object> {
  readonly #options: SharedCacheOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #shares = new Map<string, Share>();
  #size = 0;

  constructor(options: SharedCacheOptions<Value>) {
    this.#options = options;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Sizes of all entries. */
  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { keys } = entry.share;
    keys.delete(key);
    keys.add(key);
    return entry.value;
  }

  set(owner: string, key: string, value: Value): void {
    this.#remove(key, false);
    const size = this.#options.sizeOf(value, key);
    if (size > this.#options.sizeMax) return;
    const share = this.#shares.get(owner) ?? { owner, size: 0, keys: new Set() };
    this.#shares.set(owner, share);
    this.#entries.set(key, { value, size, share });
    share.keys.add(key);
    share.size += size;
    this.#size += size;
    while (this.#size > this.#options.sizeMax) this.#evict();
  }

  delete(key: string): void {
    this.#remove(key, false);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#remove(key, false);
  }

  #evict(): void {
    let largest: Share | undefined;
    for (const share of this.#shares.values()) {
      if (largest === undefined || share.size > largest.size) largest = share;
    }
    for (const key of largest?.keys ?? []) {
      this.#remove(key, true);
      return;
    }
  }

  #remove(key: string, isEvicted: boolean): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { value, size, share } = entry;
    this.#entries.delete(key);
    share.keys.delete(key);
    share.size -= size;
    this.#size -= size;
    if (share.keys.size === 0) this.#shares.delete(share.owner);
    this.#options.onRemoved?.(value, isEvicted);
  }
}
