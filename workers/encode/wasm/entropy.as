/**
 * Entropy coding of JPEG (ITU-T T.81, Annexes F and G): counts the symbols of tokens, and writes tokens in Huffman codes.
 * `workers/encode/jpeg/entropy.ts` documents the tokens.
 */

/** Kinds of tokens: 0 … 2 are DC values of the components, 3 and 4 AC codes of luminance and of both colours. */
const acKind: u32 = 3;
const kindShift = 28;
/** The DC value 0 of a token. */
const dcBias = 1 << 15;

/** For each kind and symbol: the code, its length from bit 16 on, the number of extra bits from bit 24 on. */
const codes = memory.data(5 * 256 * 4, 16);
/** For each table and symbol: how often it occurs. Both colour components share their tables. */
const counts = memory.data(4 * 256 * 4, 16);
/** The previous DC value of each component, with its bias. */
const predictions = memory.data(16, 16);

export function jpegCodes(): usize {
  return codes;
}

export function jpegCounts(): usize {
  return counts;
}

/** The symbol of a token; of a DC value, the size of its difference, which `difference` then has. */
let difference: i32 = 0;
// @ts-ignore: decorator
@inline
function symbolOf(token: u32, kind: u32): u32 {
  if (kind >= acKind) return (token >> 16) & 0xff;
  const at = predictions + (kind << 2);
  const value = <i32>(token & 0xffff);
  difference = value - load<i32>(at);
  store<i32>(at, value);
  return 32 - clz<i32>(abs<i32>(difference));
}

/** Begins an interval, or continues one behind the tokens from `from` to `start`, which hold a whole unit or nothing. */
// @ts-ignore: decorator
@inline
function beginAfter(from: usize, start: usize): void {
  v128.store(predictions, i32x4.splat(dcBias));
  for (; from < start; from += 4) {
    const token = load<u32>(from);
    const kind = token >> kindShift;
    if (kind < acKind) store<i32>(predictions + (kind << 2), <i32>(token & 0xffff));
  }
}

/**
 * Adds `by` to the counts of the symbols of a part of a restart interval, whose tokens are from `start` to `end`; the unit
 * before it, if any, is from `from` to `start`.
 */
export function countJpegSymbols(from: usize, start: usize, end: usize, by: i32): void {
  beginAfter(from, start);
  for (let at = start; at < end; at += 4) {
    const token = load<u32>(at);
    const kind = token >> kindShift;
    const place = counts + ((kind - u32(kind > 1)) << 10) + (symbolOf(token, kind) << 2);
    store<i32>(place, load<i32>(place) + by);
  }
}

/** How many bits the codes of such a part take. */
export function countJpegBits(from: usize, start: usize, end: usize): u32 {
  beginAfter(from, start);
  let bits: u32 = 0;
  for (let at = start; at < end; at += 4) {
    const token = load<u32>(at);
    const kind = token >> kindShift;
    const entry = load<u32>(codes + (kind << 10) + (symbolOf(token, kind) << 2));
    bits += ((entry >> 16) & 0xff) + (entry >> 24);
  }
  return bits;
}

/** Bits that were written, but do not fill a word of four bytes yet. */
let waiting: u64 = 0;
let waitingCount: u32 = 0;

/**
 * Writes a restart interval to `to` without its marker, padded with ones (T.81, F.1.2.3), with a zero after each 0xFF.
 * Returns the address after it, or 0 if a symbol has no code. A token takes 8 bytes at most.
 */
export function writeJpegInterval(from: usize, end: usize, to: usize): usize {
  waiting = 0;
  waitingCount = 0;
  to = writeTokens(from, from, end, to);
  return to == 0 ? 0 : writePadding(to);
}

/**
 * Writes an interval like `writeJpegInterval`, but its first `before` bits and those from `after` to `rowBits` are copied
 * from `row`, an interval without zeros after 0xFF; seven bytes behind it must be readable. Between them stands the part
 * from `start` to `end`, behind the unit from `from` to `start`.
 */
export function spliceJpegInterval(
  row: usize, before: u32, after: u32, rowBits: u32, from: usize, start: usize, end: usize, to: usize,
): usize {
  waiting = 0;
  waitingCount = 0;
  to = copyBits(row, 0, before, to);
  to = writeTokens(from, start, end, to);
  if (to == 0) return 0;
  to = copyBits(row, after, rowBits, to);
  return writePadding(to);
}

function writeTokens(from: usize, start: usize, end: usize, to: usize): usize {
  beginAfter(from, start);
  let bits = waiting;
  let count = waitingCount;
  for (let at = start; at < end; at += 4) {
    const token = load<u32>(at);
    const kind = token >> kindShift;
    const symbol = symbolOf(token, kind);
    let extra = token & 0xffff;
    if (kind < acKind) extra = <u32>(difference < 0 ? difference + (1 << symbol) - 1 : difference);
    const entry = load<u32>(codes + (kind << 10) + (symbol << 2));
    const length = (entry >> 16) & 0xff;
    if (length == 0) return 0;
    const extraCount = entry >> 24;
    bits = (((bits << length) | <u64>(entry & 0xffff)) << extraCount) | <u64>extra;
    count += length + extraCount;
    if (count < 32) continue;
    count -= 32;
    to = writeWord(to, <u32>(bits >> count));
  }
  waiting = bits;
  waitingCount = count;
  return to;
}

function copyBits(row: usize, from: u32, end: u32, to: usize): usize {
  let bits = waiting;
  let count = waitingCount;
  while (from < end) {
    const taken = min<u32>(32, end - from);
    const word = bswap<u64>(load<u64>(row + <usize>(from >> 3))) << <u64>(from & 7);
    bits = (bits << taken) | (word >> (64 - <u64>taken));
    count += taken;
    from += taken;
    if (count < 32) continue;
    count -= 32;
    to = writeWord(to, <u32>(bits >> count));
  }
  waiting = bits;
  waitingCount = count;
  return to;
}

function writePadding(to: usize): usize {
  let count = waitingCount;
  const padding = (8 - (count & 7)) & 7;
  const bits = (waiting << padding) | ((1 << padding) - 1);
  count += padding;
  for (; count > 0; count -= 8) to = writeByte(to, <u32>(bits >> (count - 8)));
  return to;
}

// @ts-ignore: decorator
@inline
function writeWord(to: usize, word: u32): usize {
  const inverted = ~word;
  if (((inverted - 0x01010101) & ~inverted & 0x80808080) == 0) {
    store<u32>(to, bswap<u32>(word));
    return to + 4;
  }
  for (let shift: i32 = 24; shift >= 0; shift -= 8) to = writeByte(to, word >> shift);
  return to;
}

// @ts-ignore: decorator
@inline
function writeByte(to: usize, value: u32): usize {
  const byte = value & 0xff;
  store<u8>(to, byte);
  if (byte != 0xff) return to + 1;
  store<u8>(to, 0, 1);
  return to + 2;
}

/**
 * Copies the tokens of one scan of a progressive file (T.81, G.1.2) from a row of units to `to`: scan 0 has the DC values, scan
 * 1 + n the AC codes of component n, where one token ends a run of blocks. Returns the address after them.
 */
export function selectJpegScan(from: usize, end: usize, scan: u32, to: usize): usize {
  let component: u32 = 0;
  let endedBlocks: u32 = 0;
  const blockEndKind = scan == 1 ? acKind : acKind + 1;
  for (; from < end; from += 4) {
    const token = load<u32>(from);
    const kind = token >> kindShift;
    if (kind < acKind) {
      component = kind + 1;
      if (scan != 0) continue;
    } else {
      if (component != scan) continue;
      if (((token >> 16) & 0xff) == 0) {
        endedBlocks += 1;
        continue;
      }
      to = writeBlockEnds(endedBlocks, blockEndKind, to);
      endedBlocks = 0;
    }
    store<u32>(to, token);
    to += 4;
  }
  return writeBlockEnds(endedBlocks, blockEndKind, to);
}

/** A row has at most 1536 blocks of a component, which one symbol can end (T.81, G.1.2.2). */
// @ts-ignore: decorator
@inline
function writeBlockEnds(count: u32, kind: u32, to: usize): usize {
  if (count == 0) return to;
  const size = 31 - clz<u32>(count);
  store<u32>(to, (kind << kindShift) | (size << 20) | (count - (1 << size)));
  return to + 4;
}
