/** Filters bands of PNG rows, sums them, and deflates them in Huffman codes alone. */
import { heapStart } from './heap';

/** Filter types (PNG 3, 9.2). */
const sub = 1;
const up = 2;
const paeth = 4;

/** Adler-32's modulus (RFC 1950), and the bytes that can be summed before 32 bits overflow (zlib's NMAX). */
const adlerModulus: u32 = 65521;
const adlerRunMax = 5552;

/** Codes of 256 bytes: the first bit lowest, the length from bit 16 on. */
const codes = memory.data(256 * 4, 16);
/** Bits that were written, but do not fill a word of two bytes yet. */
let pendingBits: u32 = 0;
let pendingCount: i32 = 0;

export function pngCodes(): usize {
  return codes;
}

export function pngPendingBits(): u32 {
  return pendingBits;
}

export function pngPendingCount(): i32 {
  return pendingCount;
}

/** Keeps what waits behind a writer's last whole word. */
export function setPngPending(bits: u32, count: i32): void {
  pendingBits = bits;
  pendingCount = count;
}

/**
 * Filters the rows at the heap's start, `stride` bytes each without anything between, to `to`: a type and `stride`
 * bytes a row. The first row is filtered without looking up, so that a band does not depend on the one above.
 */
export function filterPngRows(rows: i32, stride: i32, pixelBytes: i32, type: i32, to: usize): void {
  for (let row = 0; row < rows; row++) {
    const from = heapStart() + <usize>(row * stride);
    const own = row == 0 && type != 0 ? sub : type;
    store<u8>(to, own);
    if (own == 0) memory.copy(to + 1, from, <usize>stride);
    else if (own == sub) filterSub(from, stride, pixelBytes, to + 1);
    else if (own == up) filterUp(from, stride, to + 1);
    else filterPaeth(from, stride, pixelBytes, to + 1);
    to += <usize>(stride + 1);
  }
}

function filterSub(from: usize, stride: i32, pixelBytes: i32, to: usize): void {
  memory.copy(to, from, <usize>min(pixelBytes, stride));
  for (let index = pixelBytes; index < stride; index++) {
    const at = from + <usize>index;
    store<u8>(to + <usize>index, load<u8>(at) - load<u8>(at - <usize>pixelBytes));
  }
}

function filterUp(from: usize, stride: i32, to: usize): void {
  const above = from - <usize>stride;
  let index: usize = 0;
  for (; index + 16 <= <usize>stride; index += 16) {
    v128.store(to + index, i8x16.sub(v128.load(from + index), v128.load(above + index)));
  }
  for (; index < <usize>stride; index++) {
    store<u8>(to + index, load<u8>(from + index) - load<u8>(above + index));
  }
}

function filterPaeth(from: usize, stride: i32, pixelBytes: i32, to: usize): void {
  const above = from - <usize>stride;
  let index: usize = 0;
  for (; index < <usize>min(pixelBytes, stride); index++) {
    // With nothing on the left the predictor is the byte above (PNG 3, 9.4).
    store<u8>(to + index, load<u8>(from + index) - load<u8>(above + index));
  }
  for (; index + 8 <= <usize>stride; index += 8) {
    const own = v128.load_ext<u8>(from + index);
    const left = v128.load_ext<u8>(from + index - <usize>pixelBytes);
    const over = v128.load_ext<u8>(above + index);
    const corner = v128.load_ext<u8>(above + index - <usize>pixelBytes);
    const overLess = i16x8.sub(over, corner);
    const leftLess = i16x8.sub(left, corner);
    const toLeft = i16x8.abs(overLess);
    const toUp = i16x8.abs(leftLess);
    const toCorner = i16x8.abs(i16x8.add(overLess, leftLess));
    const isLeft = v128.and(i16x8.le_s(toLeft, toUp), i16x8.le_s(toLeft, toCorner));
    const isUp = i16x8.le_s(toUp, toCorner);
    const predicted = v128.bitselect(left, v128.bitselect(over, corner, isUp), isLeft);
    const less = v128.and(i16x8.sub(own, predicted), i16x8.splat(255));
    v128.store_lane<u64>(to + index, i8x16.narrow_i16x8_u(less, less), 0);
  }
  for (; index < <usize>stride; index++) {
    const left = <i32>load<u8>(from + index - <usize>pixelBytes);
    const over = <i32>load<u8>(above + index);
    const corner = <i32>load<u8>(above + index - <usize>pixelBytes);
    const toLeft = abs(over - corner);
    const toUp = abs(left - corner);
    const toCorner = abs(left + over - 2 * corner);
    const predicted = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? over : corner;
    store<u8>(to + index, <i32>load<u8>(from + index) - predicted);
  }
}

/**
 * Writes the RGBA pixels at the heap's start to `to` without their alpha, three bytes a pixel, and gives whether none of
 * them was see-through. Four bytes more may be written behind them.
 */
export function packRgb(pixels: i32, to: usize): bool {
  let from = heapStart();
  const end = from + <usize>(pixels << 2);
  let common = i8x16.splat(-1);
  for (; from + 16 <= end; from += 16) {
    const four = v128.load(from);
    common = v128.and(common, four);
    v128.store(to, v128.shuffle<u8>(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15));
    to += 12;
  }
  let alpha: u32 = i8x16.bitmask(i8x16.eq(common, i8x16.splat(-1))) & 0x8888;
  for (; from < end; from += 4) {
    store<u16>(to, load<u16>(from));
    store<u8>(to + 2, load<u8>(from + 2));
    if (load<u8>(from + 3) != 255) alpha = 0;
    to += 3;
  }
  return alpha == 0x8888;
}

/** Whether all RGBA pixels at the heap's start are opaque. */
export function isOpaque(pixels: i32): bool {
  let from = heapStart();
  const end = from + <usize>(pixels << 2);
  let common = i8x16.splat(-1);
  for (; from + 16 <= end; from += 16) common = v128.and(common, v128.load(from));
  let rest: u32 = 0xff000000;
  for (; from < end; from += 4) rest &= load<u32>(from);
  return (i8x16.bitmask(i8x16.eq(common, i8x16.splat(-1))) & 0x8888) == 0x8888 && rest == 0xff000000;
}

/** The most colours of a palette (PNG 3, 11.2.2), and its colours as RGBA words. */
const colorsMax: i32 = 256;
const colors = memory.data(256 * 4, 16);
/** Finds colours: each slot has the index of a colour and one more, 0 for none. A colour is at its hash, or in a slot behind it. */
const slotBits = 10;
const slots = memory.data(2 << 10, 16);

export function pngColors(): usize {
  return colors;
}

/**
 * Writes the index of each RGBA pixel at the heap's start to `to`. The first `known` colours are the palette so far; others
 * are added. Gives how many there are now, or −1 for too many.
 */
export function indexPngPixels(pixels: i32, known: i32, to: usize): i32 {
  memory.fill(slots, 0, 2 << slotBits);
  for (let index = 0; index < known; index++) {
    store<u16>(slotOf(load<u32>(colors + <usize>(index << 2))), <u16>(index + 1));
  }
  let count = known;
  let from = heapStart();
  const end = from + <usize>(pixels << 2);
  let last: u32 = 0;
  let lastIndex = -1;
  for (; from < end; from += 4) {
    const color = load<u32>(from);
    if (color != last || lastIndex < 0) {
      const slot = slotOf(color);
      if (load<u16>(slot) == 0) {
        if (count == colorsMax) return -1;
        store<u32>(colors + <usize>(count << 2), color);
        count++;
        store<u16>(slot, <u16>count);
      }
      last = color;
      lastIndex = <i32>load<u16>(slot) - 1;
    }
    store<u8>(to, <u8>lastIndex);
    to++;
  }
  return count;
}

/** The slot of a colour, or the free one where it belongs. */
// @ts-ignore: decorator
@inline
function slotOf(color: u32): usize {
  let hash = (color * 0x9e3779b1) >>> (32 - slotBits);
  let slot = slots + <usize>(hash << 1);
  for (let held = load<u16>(slot); held != 0; held = load<u16>(slot)) {
    if (load<u32>(colors + (<usize>(held - 1) << 2)) == color) break;
    hash = (hash + 1) & ((1 << slotBits) - 1);
    slot = slots + <usize>(hash << 1);
  }
  return slot;
}

/** Four counts of each byte, so that equal bytes in a row do not wait for each other; the sums are the first ones. */
const byteCounts = memory.data(4 * 256 * 4, 16);

/** Counts the bytes from `from` on. Returns the address of 256 counts. */
export function countPngBytes(from: usize, length: i32): usize {
  memory.fill(byteCounts, 0, 4 * 256 * 4);
  let at = from;
  const end = from + <usize>length;
  for (; at + 4 <= end; at += 4) {
    const four = load<u32>(at);
    count(byteCounts + ((four & 255) << 2));
    count(byteCounts + 1024 + (((four >> 8) & 255) << 2));
    count(byteCounts + 2048 + (((four >> 16) & 255) << 2));
    count(byteCounts + 3072 + ((four >> 24) << 2));
  }
  for (; at < end; at++) count(byteCounts + (<usize>load<u8>(at) << 2));
  for (let place = byteCounts; place < byteCounts + 1024; place += 16) {
    const sums = i32x4.add(
      i32x4.add(v128.load(place), v128.load(place + 1024)),
      i32x4.add(v128.load(place + 2048), v128.load(place + 3072)),
    );
    v128.store(place, sums);
  }
  return byteCounts;
}

// @ts-ignore: decorator
@inline
function count(place: usize): void {
  store<u32>(place, load<u32>(place) + 1);
}

/** Adler-32 of `length` bytes (RFC 1950), sixteen at a time. */
export function adler32(from: usize, length: i32): u32 {
  let low: u32 = 1;
  let high: u32 = 0;
  let at = from;
  const end = from + <usize>length;
  const firstWeights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lastWeights = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (end - at >= 16) {
    const runEnd = min(end - 15, at + <usize>(adlerRunMax - 15));
    for (; at < runEnd; at += 16) {
      const bytes = v128.load(at);
      const first = i16x8.extend_low_i8x16_u(bytes);
      const last = i16x8.extend_high_i8x16_u(bytes);
      const weighted = i32x4.add(
        i32x4.dot_i16x8_s(first, firstWeights),
        i32x4.dot_i16x8_s(last, lastWeights),
      );
      const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.add(first, last));
      high += low * 16 + <u32>sumOf(weighted);
      low += <u32>sumOf(sums);
    }
    low %= adlerModulus;
    high %= adlerModulus;
  }
  for (; at < end; at++) {
    low += load<u8>(at);
    high += low;
  }
  return ((high % adlerModulus) << 16) | low % adlerModulus;
}

// @ts-ignore: decorator
@inline
function sumOf(values: v128): i32 {
  const pairs = i32x4.add(values, v128.shuffle<i32>(values, values, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/**
 * Writes `length` bytes in their codes to `to`, behind `bits` that wait for a whole byte, and gives the place behind the
 * last whole byte. What waits then is told by `pngPendingBits` and `pngPendingCount`. Three codes are joined first, at most
 * 45 bits: only one step in three depends on the bits before.
 */
export function writePngLiterals(from: usize, length: i32, to: usize, bits: u32, count: i32): usize {
  let waiting: u64 = bits;
  let waitingCount: u64 = <u64>count;
  const end = from + <usize>length;
  const lastThree = end - <usize>(length % 3);
  for (; from < lastThree; from += 3) {
    const a = load<u32>(codes + (<usize>load<u8>(from) << 2));
    const b = load<u32>(codes + (<usize>load<u8>(from, 1) << 2));
    const c = load<u32>(codes + (<usize>load<u8>(from, 2) << 2));
    const ab = (a & 0xffff) | ((b & 0xffff) << (a >>> 16));
    const abCount = <u64>((a >>> 16) + (b >>> 16));
    waiting |= (<u64>ab | (<u64>(c & 0xffff) << abCount)) << waitingCount;
    waitingCount += abCount + <u64>(c >>> 16);
    // Without a branch, which nobody could foretell: what waits is written again until it is whole.
    store<u64>(to, waiting);
    to += <usize>(waitingCount >> 3);
    waiting >>= waitingCount & ~7;
    waitingCount &= 7;
  }
  for (; from < end; from++) {
    const entry = load<u32>(codes + (<usize>load<u8>(from) << 2));
    waiting |= <u64>(entry & 0xffff) << waitingCount;
    waitingCount += entry >>> 16;
    store<u64>(to, waiting);
    to += <usize>(waitingCount >> 3);
    waiting >>= waitingCount & ~7;
    waitingCount &= 7;
  }
  setPngPending(<u32>waiting, <i32>waitingCount);
  return to;
}

/** How many bits `length` bytes take in their codes. */
export function countPngBits(from: usize, length: i32): i32 {
  let bits: u32 = 0;
  for (let at = from; at < from + <usize>length; at++) {
    bits += load<u32>(codes + (<usize>load<u8>(at) << 2)) >>> 16;
  }
  return <i32>bits;
}

/**
 * Copies the bits of `from` from one place to another to `to`, as `writePngLiterals` writes codes. Eight bytes behind the
 * last bit must be readable.
 */
export function copyPngBits(from: usize, start: u32, end: u32, to: usize, bits: u32, count: i32): usize {
  let waiting: u64 = bits;
  let waitingCount: u64 = <u64>count;
  while (start < end) {
    // A word read at any bit has 57 bits behind it; 48 and the seven that wait fit into another.
    const taken = <u64>min<u32>(48, end - start);
    const word = load<u64>(from + <usize>(start >>> 3)) >> <u64>(start & 7);
    waiting |= (word & (((<u64>1) << taken) - 1)) << waitingCount;
    waitingCount += taken;
    start += <u32>taken;
    store<u64>(to, waiting);
    to += <usize>(waitingCount >> 3);
    waiting >>= waitingCount & ~7;
    waitingCount &= 7;
  }
  setPngPending(<u32>waiting, <i32>waitingCount);
  return to;
}
