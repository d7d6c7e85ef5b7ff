/** Gathers a body of unknown length in bounded memory. */
import { ImageError } from './image-error.ts';

/** Bytes that all bodies being received may take together. */
export class ByteBudget {
  readonly bytesMax: number;
  #used = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get used(): number {
    return this.#used;
  }

  /** Throws an `ImageError` of reason `overloaded` when there are not `bytes` left. */
  take(bytes: number): void {
    if (this.#used + bytes > this.bytesMax) {
      throw new ImageError(
        'overloaded',
        'could not be loaded: too many large images are being fetched at the moment, try again',
      );
    }
    this.#used += bytes;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** Enough for most photos of a mail after one doubling. */
const firstCapacity = 64 * 1024;

/**
 * Bytes of one body. What is received is copied at once, so that a body of a million one-byte
 * chunks costs no more than one of a few large ones; capacity doubles and never follows what a
 * header claims.
 */
export class ByteCollector {
  readonly #budget: ByteBudget;
  #buffer: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** Takes its memory from `budget`; `release` gives it back. */
  constructor(budget: ByteBudget) {
    budget.take(firstCapacity);
    this.#budget = budget;
    this.#buffer = new Uint8Array(firstCapacity);
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.byteLength;
    let capacity = this.#buffer.byteLength;
    while (capacity < needed) capacity *= 2;
    if (capacity > this.#buffer.byteLength) {
      this.#budget.take(capacity - this.#buffer.byteLength);
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
    this.#budget.give(this.#buffer.byteLength);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }
}
