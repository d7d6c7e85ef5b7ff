/** Gathers a body of unknown length in bounded memory. */
import { ImageError } from '../image-error.ts';

/** Whose memory a body is, and how much of all such bodies it may have: a host, a template, an organization. */
export interface ByteOwner {
  key: string;
  bytesMax: number;
}

/** Bytes that all bodies being received may take together. */
export class ByteBudget {
  readonly #bytesMax: number;
  readonly #usedByOwner = new Map<string, number>();
  #used = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get used(): number {
    return this.#used;
  }

  /** Throws an `ImageError` of reason `overloaded` when there are not `bytes` left, for all or for one of `owners`. */
  take(owners: readonly ByteOwner[], bytes: number): void {
    const isOver = owners.some(({ key, bytesMax }) => this.#usedOf(key) + bytes > bytesMax);
    if (isOver || this.#used + bytes > this.#bytesMax) {
      throw new ImageError(
        'overloaded',
        'could not be loaded: too many large images are being fetched at the moment, try again',
      );
    }
    this.#used += bytes;
    for (const { key } of owners) this.#usedByOwner.set(key, this.#usedOf(key) + bytes);
  }

  give(owners: readonly ByteOwner[], bytes: number): void {
    this.#used -= bytes;
    for (const { key } of owners) {
      const left = this.#usedOf(key) - bytes;
      if (left > 0) this.#usedByOwner.set(key, left);
      else this.#usedByOwner.delete(key);
    }
  }

  #usedOf(key: string): number {
    return this.#usedByOwner.get(key) ?? 0;
  }
}

/** What a body is received for. */
export interface CollectorOptions {
  budget: ByteBudget;
  /** Whose shares of the budget it takes. */
  owners: readonly ByteOwner[];
  /** More bytes than that are never appended. */
  bytesMax: number;
}

/** Enough for most photos of a mail after one doubling. */
const firstCapacity = 64 * 1024;

/**
 * Bytes of one body. What is received is copied at once, so that a body of a million one-byte
 * chunks costs no more than one of a few large ones; capacity doubles up to `bytesMax` and never
 * follows what a header claims.
 */
export class ByteCollector {
  readonly #options: CollectorOptions;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** Takes its memory from the budget; `release` gives it back. */
  constructor(options: CollectorOptions) {
    const capacity = Math.min(firstCapacity, options.bytesMax);
    options.budget.take(options.owners, capacity);
    this.#options = options;
    this.#buffer = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const { budget, owners, bytesMax } = this.#options;
    const needed = this.#length + chunk.byteLength;
    let capacity = this.#buffer.byteLength;
    while (capacity < needed) capacity = Math.max(Math.min(capacity * 2, bytesMax), needed);
    if (capacity > this.#buffer.byteLength) {
      budget.take(owners, capacity - this.#buffer.byteLength);
      const larger = new Uint8Array(capacity);
      larger.set(this.view());
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** What has been received; valid until the next `append`. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A copy in shared memory, of exactly the length received; the caller owns it. */
  toShared(): Uint8Array<SharedArrayBuffer> {
    const shared = new Uint8Array(new SharedArrayBuffer(this.#length));
    shared.set(this.view());
    return shared;
  }

  /** Ends the collector's life: its memory counts no longer. */
  release(): void {
    this.#options.budget.give(this.#options.owners, this.#buffer.byteLength);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
