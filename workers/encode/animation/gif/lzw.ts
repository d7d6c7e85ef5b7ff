/** LZW as GIF uses it (GIF89a, appendix F): codes of 3 to 12 bits, lowest bit first, in blocks of at most 255 bytes. */

/** Capacity of a code table: codes have at most 12 bits. */
const codesMax = 4096;
/** Slots of the hash table, twice the codes: open addressing then finds a slot in 1.5 probes. */
const slotCount = 8192;
/** An entry is the prefix and the index in the upper 20 bits, and their code in the lower 12; 0 is empty. */
const slots = new Uint32Array(slotCount);

/** Maximum bytes of a block of image data (GIF89a, 15). */
const blockBytesMax = 255;

/** Writes codes as bits into blocks. */
class BlockWriter {
  readonly #out: Uint8Array;
  /** Position of the length of the current block. */
  #blockAt = 1;
  #at = 2;
  #bits = 0;
  #bitCount = 0;

  /** `codes` is the maximum number of codes, of at most 12 bits each. */
  constructor(codes: number) {
    const bytes = Math.ceil((codes * 12) / 8);
    this.#out = new Uint8Array(bytes + Math.ceil(bytes / blockBytesMax) + 3);
  }

  put(code: number, codeBits: number): void {
    this.#bits |= code << this.#bitCount;
    this.#bitCount += codeBits;
    while (this.#bitCount >= 8) this.#putByte();
  }

  #putByte(): void {
    this.#out[this.#at] = this.#bits & 255;
    this.#at += 1;
    this.#bits >>>= 8;
    this.#bitCount -= 8;
    if (this.#at - this.#blockAt <= blockBytesMax) return;
    this.#out[this.#blockAt] = blockBytesMax;
    this.#blockAt = this.#at;
    this.#at += 1;
  }

  /** Returns the size of the first code, the blocks and the terminator. */
  finish(firstBits: number): Uint8Array {
    if (this.#bitCount > 0) this.#putByte();
    this.#out[0] = firstBits;
    const length = this.#at - this.#blockAt - 1;
    this.#out[this.#blockAt] = length;
    // An empty block is the terminator.
    return this.#out.subarray(0, length === 0 ? this.#at : this.#at + 1);
  }
}

/**
 * Returns the image data of a frame: the size of its first code, the blocks and the terminator. `indexBits` is 1 … 8:
 * every index fits into it. The caller owns the bytes.
 */
export function compressIndexes(indexes: Uint8Array, indexBits: number): Uint8Array {
  const firstBits = Math.max(2, indexBits);
  const clearCode = 1 << firstBits;
  const endCode = clearCode + 1;
  // One code for each index at most, a clear code for each table, and the first and last ones.
  const tables = Math.ceil(indexes.length / (codesMax - endCode));
  const writer = new BlockWriter(indexes.length + tables + 3);
  let codeBits = firstBits + 1;
  let nextCode = endCode + 1;
  slots.fill(0);
  writer.put(clearCode, codeBits);
  let prefix = indexes[0] ?? 0;
  for (let position = 1; position < indexes.length; position += 1) {
    const index = indexes[position] ?? 0;
    const key = (prefix << 8) | index;
    let slot = (key ^ (key >>> 7) ^ (index << 5)) & (slotCount - 1);
    let entry = slots[slot] ?? 0;
    while (entry !== 0 && entry >>> 12 !== key) {
      slot = (slot + 1) & (slotCount - 1);
      entry = slots[slot] ?? 0;
    }
    if (entry !== 0) {
      prefix = entry & (codesMax - 1);
      continue;
    }
    writer.put(prefix, codeBits);
    prefix = index;
    if (nextCode < codesMax) {
      // A decoder knows a code one step later, so the width grows after the code that needs it was added.
      if (nextCode === 1 << codeBits) codeBits += 1;
      slots[slot] = ((key << 12) | nextCode) >>> 0;
      nextCode += 1;
    } else {
      writer.put(clearCode, codeBits);
      slots.fill(0);
      codeBits = firstBits + 1;
      nextCode = endCode + 1;
    }
  }
  writer.put(prefix, codeBits);
  if (nextCode === 1 << codeBits && codeBits < 12) codeBits += 1;
  writer.put(endCode, codeBits);
  return writer.finish(firstBits);
}
