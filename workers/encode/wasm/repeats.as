/**
 * Finds the repeats in a band of flat graphics and writes them in Huffman codes (RFC 1951): as small as zlib's level 6 in a
 * third of its time, because it knows how long pixels and rows are, and does not remember the middle of long repeats.
 */
import { setPngPending } from './png';

/** RFC 1951, 3.2.5: the longest repeat, and how far it may lie back, less one for the slot that is overwritten. */
const lengthMax: usize = 258;
const distanceMax: usize = 32767;

/**
 * A repeat this long is taken without looking for a longer one that begins a byte later; so many older places are looked at;
 * of a repeat's bytes so many at both ends are remembered as places. Measured over the samples: looking at 16 places is 0.4 %
 * larger and takes a tenth less time, remembering more loses time and wins nothing.
 */
const lazyLengthMax: usize = 64;
const placesMax: i32 = 24;
/**
 * Behind a repeat of this many bytes a longer one is looked for at a quarter of the places: 0.2 % larger, and a tenth to a
 * fifth less time over the samples.
 */
const goodLength: usize = 5;
const rememberedBytes: usize = 4;

/** A block ends with this many tokens, or with the repeat behind those that were put off. */
const tokensMax: i32 = 32768;

const hashBits = 15;
/** The last address where bytes of a hash stood, and for each address of the window the one before it. */
const heads = memory.data(4 << 15, 16);
const previous = memory.data(4 << 15, 16);
/** A literal, or a length and from bit 16 on a distance; with room for a repeat that was put off by each of its bytes. */
const tokens = memory.data((32768 + 260) * 4, 16);
/** How often each symbol of literals and lengths comes, and from `distanceSymbols` on each of distances; and their codes. */
const distanceSymbols: usize = 288;
const symbols: usize = 320;
const endOfBlock: usize = 256;
const frequencies = memory.data(320 * 4, 16);
const codes = memory.data(320 * 4, 16);

/** What is known of the band: its first address, the bytes of a pixel and of a row with its filter type. */
let start: usize = 0;
let pixelBytes: usize = 1;
let rowBytes: usize = 1;
/** The shortest repeat that is looked for, and how many of four bytes' bits a hash leaves out for it. */
let lengthMin: usize = 4;
let otherBits: u32 = 0;

let tokenCount: i32 = 0;
let lastDistance: usize = 1;
/** The longest repeat at a place, how far it lies back, and how long it may be. */
let found: usize = 0;
let foundDistance: usize = 0;
let most: usize = 0;

export function pngFrequencies(): usize {
  return frequencies;
}

export function pngRepeatCodes(): usize {
  return codes;
}

/**
 * Forgets what was found before. Rows of `ofRow` bytes begin at `from`, with `ofPixel` bytes a pixel. Repeats are at least
 * `shortest` bytes, 3 or 4.
 */
export function beginPngRepeats(from: usize, ofRow: i32, ofPixel: i32, shortest: i32): void {
  memory.fill(heads, 0, 4 << hashBits);
  start = from;
  rowBytes = <usize>ofRow;
  pixelBytes = <usize>ofPixel;
  lengthMin = <usize>shortest;
  otherBits = <u32>(4 - shortest) << 3;
  lastDistance = 1;
}

/**
 * Turns bytes from `from` to before `end` into the tokens of one block and counts its symbols, the block's end among
 * them. Gives the address up to which it came. Sixteen bytes behind `end` must be readable.
 */
export function findPngRepeats(from: usize, end: usize): usize {
  memory.fill(frequencies, 0, symbols << 2);
  count(endOfBlock);
  tokenCount = 0;
  let at = from;
  let length: usize = 0;
  let distance: usize = 0;
  let isKnown = false;
  while (at < end && (isKnown || tokenCount < tokensMax)) {
    if (!isKnown) {
      length = longest(at, end, lengthMin - 1);
      distance = foundDistance;
    }
    isKnown = false;
    if (length == 0) {
      putLiteral(at);
      at++;
      continue;
    }
    let next = at + 1;
    if (length < lazyLengthMax) {
      const other = longest(next, end, length);
      if (other > length) {
        putLiteral(at);
        at = next;
        length = other;
        distance = foundDistance;
        isKnown = true;
        continue;
      }
      next++;
    }
    putRepeat(length, distance);
    at += length;
    remember(next, at, end);
  }
  return at;
}

/**
 * The longest repeat at a place that is longer than `best`, or 0; `foundDistance` tells how far it lies back. Of equal ones
 * the first is taken, so near places come before far ones, whose codes are longer.
 */
function longest(at: usize, end: usize, best: usize): usize {
  most = min(lengthMax, end - at);
  if (most < 4) return 0;
  found = best;
  tryDistance(at, pixelBytes);
  tryDistance(at, lastDistance);
  tryDistance(at, rowBytes);
  let place = <usize>insert(at);
  let places = best >= goodLength ? placesMax >> 2 : placesMax;
  for (; places > 0 && found < most; places--) {
    if (place < start || at - place > distanceMax) break;
    if (load<u16>(place + found - 1) == load<u16>(at + found - 1)) tryPlace(at, place);
    place = <usize>load<u32>(previous + ((place & distanceMax) << 2));
  }
  return found > best ? found : 0;
}

// @ts-ignore: decorator
@inline
function tryDistance(at: usize, distance: usize): void {
  if (found < most && at - start >= distance && distance <= distanceMax) tryPlace(at, at - distance);
}

/** Takes the repeat at a place when it is longer than what was found. */
// @ts-ignore: decorator
@inline
function tryPlace(at: usize, place: usize): void {
  const length = sameBytes(place, at, most);
  if (length <= found) return;
  found = length;
  foundDistance = at - place;
}

/** How many bytes are the same at two places, `most` at most. */
// @ts-ignore: decorator
@inline
function sameBytes(a: usize, b: usize, most: usize): usize {
  for (let index: usize = 0; index < most; index += 16) {
    const other = i8x16.bitmask(i8x16.ne(v128.load(a + index), v128.load(b + index)));
    if (other != 0) return min(most, index + <usize>ctz(other));
  }
  return most;
}

/** Remembers the bytes at a place, and gives the last place where they stood, 0 for none. */
// @ts-ignore: decorator
@inline
function insert(at: usize): u32 {
  const head = heads + ((((load<u32>(at) << otherBits) * 0x9e3779b1) >>> (32 - hashBits)) << 2);
  const before = load<u32>(head);
  store<u32>(previous + ((at & distanceMax) << 2), before);
  store<u32>(head, <u32>at);
  return before;
}

/** Remembers the places from `from` to before `to`, or only those near both ends. */
function remember(from: usize, to: usize, end: usize): void {
  const last = min(to, end - 3);
  let at = from;
  if (last > from + 2 * rememberedBytes) {
    for (; at < from + rememberedBytes; at++) insert(at);
    at = last - rememberedBytes;
  }
  for (; at < last; at++) insert(at);
}

// @ts-ignore: decorator
@inline
function count(symbol: usize): void {
  const address = frequencies + (symbol << 2);
  store<u32>(address, load<u32>(address) + 1);
}

// @ts-ignore: decorator
@inline
function putLiteral(at: usize): void {
  const byte = load<u8>(at);
  store<u32>(tokens + <usize>(tokenCount << 2), byte);
  tokenCount++;
  count(<usize>byte);
}

// @ts-ignore: decorator
@inline
function putRepeat(length: usize, distance: usize): void {
  store<u32>(tokens + <usize>(tokenCount << 2), <u32>((distance << 16) | length));
  tokenCount++;
  count(lengthSymbol(<u32>length));
  count(distanceSymbols + distanceSymbol(<u32>distance));
  lastDistance = distance;
}

/** Bits that follow the symbol of a length less 3 (RFC 1951, 3.2.5). */
// @ts-ignore: decorator
@inline
function lengthBits(less: u32): u32 {
  return less < 8 || less == 255 ? 0 : 29 - clz(less);
}

// @ts-ignore: decorator
@inline
function lengthSymbol(length: u32): usize {
  const less = length - 3;
  if (less == 255) return 285;
  const bits = lengthBits(less);
  return <usize>(257 + (bits << 2) + (less >>> bits));
}

/** Bits that follow the symbol of a distance less 1. */
// @ts-ignore: decorator
@inline
function distanceBits(less: u32): u32 {
  return less < 4 ? 0 : 30 - clz(less);
}

// @ts-ignore: decorator
@inline
function distanceSymbol(distance: u32): usize {
  const less = distance - 1;
  const bits = distanceBits(less);
  return <usize>((bits << 1) + (less >>> bits));
}

/**
 * Writes the tokens of the block in their codes to `to`, behind `bits` that wait for a whole word, and gives the place
 * behind the last whole word. What waits then is told by `pngPendingBits` and `pngPendingCount`.
 */
export function writePngRepeats(to: usize, bits: u32, bitCount: i32): usize {
  let waiting: u64 = bits;
  let waitingCount: u64 = <u64>bitCount;
  let at = to;
  for (let index = 0; index < tokenCount; index++) {
    const token = load<u32>(tokens + <usize>(index << 2));
    if (token < 256) {
      const entry = load<u32>(codes + <usize>(token << 2));
      waiting |= <u64>(entry & 0xffff) << waitingCount;
      waitingCount += entry >>> 16;
    } else {
      const length = token & 0xffff;
      const ofLength = load<u32>(codes + (lengthSymbol(length) << 2));
      waiting |= <u64>(ofLength & 0xffff) << waitingCount;
      waitingCount += ofLength >>> 16;
      const moreLength = lengthBits(length - 3);
      waiting |= <u64>((length - 3) & ((1 << moreLength) - 1)) << waitingCount;
      waitingCount += moreLength;
      const distance = token >>> 16;
      const ofDistance = load<u32>(codes + ((distanceSymbols + distanceSymbol(distance)) << 2));
      waiting |= <u64>(ofDistance & 0xffff) << waitingCount;
      waitingCount += ofDistance >>> 16;
      const moreDistance = distanceBits(distance - 1);
      waiting |= <u64>((distance - 1) & ((1 << moreDistance) - 1)) << waitingCount;
      waitingCount += moreDistance;
    }
    // At most 48 bits behind the 15 that wait; what waits is written again until it is whole.
    store<u64>(at, waiting);
    const whole = waitingCount & ~15;
    at += <usize>(whole >> 3);
    waiting >>= whole;
    waitingCount &= 15;
  }
  setPngPending(<u32>waiting, <i32>waitingCount);
  return at;
}
