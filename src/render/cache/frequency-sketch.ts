/** Estimates in little memory how often each of very many keys was asked for of late. */

/** Independent estimates of one key; the smallest counts, because a collision can only add. */
const rowsCount = 4;

/** A key asked for more often than that is popular; how much more does not matter. */
const countMax = 15;

/** Counters a row at least, 2^14 (64 KiB in all). */
const widthMin = 16_384;
/** Counters a row at most, 2^20 (4 MiB in all). */
const widthMax = 1_048_576;

/**
 * A count-min sketch that forgets: after twice as many requests as a row has counters, all counts are
 * halved, so that last week's campaign does not keep this week's out (the aging of TinyLFU, Einziger,
 * Friedman and Manes 2017). Two requests a counter leave a key that was asked for once an estimate of
 * one or two at most.
 */
export class FrequencySketch {
  readonly #width: number;
  /** Row after row, a byte a counter. */
  readonly #counts: Uint8Array;
  /** The same memory, four counters at a time. */
  readonly #words: Uint32Array;
  #noted = 0;

  /** Counters a row are the power of two from `keys` on, within 2^14 … 2^20. */
  constructor(keys: number) {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, keys)));
    this.#width = Math.min(widthMax, Math.max(widthMin, wanted));
    const buffer = new ArrayBuffer(rowsCount * this.#width);
    this.#counts = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
  }

  /** Counts a request for the key that hashes to `hash`. */
  note(hash: number): void {
    for (let row = 0; row < rowsCount; row += 1) {
      const index = this.#indexOf(hash, row);
      const count = this.#counts[index] ?? countMax;
      if (count < countMax) this.#counts[index] = count + 1;
    }
    this.#noted += 1;
    if (this.#noted >= 2 * this.#width) this.#age();
  }

  /** How often the key was noted, 0 … 15; with a small chance more than it was, never less but by aging. */
  estimate(hash: number): number {
    let least = countMax;
    for (let row = 0; row < rowsCount; row += 1) {
      least = Math.min(least, this.#counts[this.#indexOf(hash, row)] ?? 0);
    }
    return least;
  }

  #indexOf(hash: number, row: number): number {
    // Each row mixes the hash with an odd constant of its own (the finalizer of MurmurHash3).
    let mixed = Math.imul(hash ^ Math.imul(row + 1, 0x9e37_79b9), 0x85eb_ca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2_ae35);
    mixed ^= mixed >>> 16;
    return row * this.#width + (mixed & (this.#width - 1));
  }

  /** Costs under a millisecond for the largest sketch, once in two million requests. */
  #age(): void {
    this.#noted = this.#width;
    for (const [index, word] of this.#words.entries()) {
      // Halves four counters at once; the mask drops what a neighbour shifted in.
      this.#words[index] = (word >>> 1) & 0x0707_0707;
    }
  }
}

/** A 32-bit hash of a string (FNV-1a over its code units): for spreading keys, not for security. */
export function hashText(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  }
  return hash;
}
