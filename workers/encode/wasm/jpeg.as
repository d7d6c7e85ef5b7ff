/**
 * Codes pixels to a JPEG's quantised coefficients, number for number as libjpeg-turbo does with its `islow` transform,
 * eight lanes at a time, so that blocks of both can stand side by side.
 */
import { heapStart } from './heap';

/** A component's DC value plus this bias fits into a token's bits without a sign. */
const dcBias: i32 = 1 << 15;
/** ZRL (T.81, F.1.2.2), as a token without its kind. */
const sixteenZeros: u32 = 0xf0 << 16;
/** Kinds of tokens: 0 … 2 are the components' DC values, 3 and 4 the AC codes of luminance and of both colours. */
const kindShift = 28;
const lumaAcKind: u32 = 3 << kindShift;
const colorAcKind: u32 = 4 << kindShift;

/** Places of the zigzag order (T.81, figure 5). */
const zigzag = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
  28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
  47, 55, 62, 63,
]);
/** Eight rows of eight numbers of 16 bits: a block between the steps of its transform, and quantised. */
const block = memory.data(64 * 2, 16);
const quantised = memory.data(64 * 2, 16);
/** For each row of a block and each set of its coefficients: the set of their places in zigzag order. */
const zigzagSets = memory.data(8 * 256 * 8, 16);
let hasZigzagSets = false;

/** Two tables of 64 divisors, row by row, as floating point: eight times the quantisation of luminance and of colour. */
const divisors = memory.data(2 * 256, 16);
/** For each divisor: its reciprocal, and half of it plus a half. */
const reciprocals = memory.data(2 * 256, 16);
const biases = memory.data(2 * 256, 16);
/** Where the results begin: the tokens, and the index behind each unit's last one. */
let tokens: usize = 0;
let unitEnds: usize = 0;

export function jpegDivisors(): usize {
  return divisors;
}

export function jpegTokens(): usize {
  return tokens;
}

export function jpegUnitEnds(): usize {
  return unitEnds;
}

/** Bytes that a picture takes from the heap's start on: its RGBA pixels first, then its planes, then the results. */
export function jpegBytes(width: i32, height: i32, isHalved: bool): i32 {
  const unit = isHalved ? 16 : 8;
  const units = ((width + unit - 1) / unit) * ((height + unit - 1) / unit);
  const samples = units * unit * unit;
  const blocks = units * (isHalved ? 6 : 3);
  return width * height * 4 + 16 + (samples * 7) / 2 + blocks * 64 * 4 + units * 4 + 16;
}

/**
 * Codes the picture whose RGBA pixels stand at the heap's start, opaque, and gives how many tokens that makes. The
 * picture ends at the right and below where it is no whole unit.
 */
export function encodeJpegBlocks(width: i32, height: i32, isHalved: bool): i32 {
  prepareTables();
  const factor = isHalved ? 2 : 1;
  const unit = factor * 8;
  const columns = (width + unit - 1) / unit;
  const rows = (height + unit - 1) / unit;
  const stride = columns * unit;
  const planeBytes = <usize>(stride * rows * unit);
  const rgba = heapStart();
  const luma = (rgba + <usize>(width * height * 4) + 15) & ~15;
  let blue = luma + planeBytes;
  let red = blue + planeBytes;
  toColorSamples(rgba, width, height, luma, blue, red, stride, rows * unit);
  let results = red + planeBytes;
  if (isHalved) {
    halve(blue, stride, rows * unit, height, results);
    blue = results;
    results += planeBytes / 4;
    halve(red, stride, rows * unit, height, results);
    red = results;
    results += planeBytes / 4;
  }
  unitEnds = (results + 3) & ~3;
  tokens = unitEnds + <usize>(columns * rows * 4);

  const colorStride = stride / factor;
  const blocksWide = (width + 7) / 8;
  const blocksHigh = (height + 7) / 8;
  let to = tokens;
  let lumaDc: u32 = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let y = row * factor; y < (row + 1) * factor; y++) {
        for (let x = column * factor; x < (column + 1) * factor; x++) {
          if (x < blocksWide && y < blocksHigh) {
            const at = to;
            to = writeBlock(luma + <usize>(y * 8 * stride + x * 8), stride, 0, 0, lumaAcKind, to);
            lumaDc = load<u32>(at);
          } else {
            // Behind the edge, only to fill the unit: as bright as the block before, and flat (jccoefct.c).
            store<u32>(to, lumaDc);
            store<u32>(to, lumaAcKind, 4);
            to += 8;
          }
        }
      }
      const place = <usize>(row * 8 * colorStride + column * 8);
      to = writeBlock(blue + place, colorStride, 256, 1 << kindShift, colorAcKind, to);
      to = writeBlock(red + place, colorStride, 256, 2 << kindShift, colorAcKind, to);
      store<u32>(unitEnds + <usize>((row * columns + column) * 4), <u32>((to - tokens) >> 2));
    }
  }
  return <i32>((to - tokens) >> 2);
}

/** RGBA pixels to luminance and both colours (jccolor.c), one byte a sample, `stride` bytes a row, edges repeated to whole rows. */
function toColorSamples(
  rgba: usize, width: i32, height: i32, luma: usize, blue: usize, red: usize, stride: i32, rows: i32,
): void {
  for (let row = 0; row < height; row++) {
    const from = rgba + <usize>(row * width * 4);
    const to = <usize>(row * stride);
    let column = 0;
    for (; column + 8 <= width; column += 8) {
      const first = v128.load(from + <usize>(column * 4));
      const second = v128.load(from + <usize>(column * 4), 16);
      storeBytes(luma + to + <usize>column, toLuma(first), toLuma(second));
      storeBytes(blue + to + <usize>column, toBlue(first), toBlue(second));
      storeBytes(red + to + <usize>column, toRed(first), toRed(second));
    }
    for (; column < width; column++) {
      const r = <i32>load<u8>(from + <usize>(column * 4));
      const g = <i32>load<u8>(from + <usize>(column * 4), 1);
      const b = <i32>load<u8>(from + <usize>(column * 4), 2);
      store<u8>(luma + to + <usize>column, (19595 * r + 38470 * g + 7471 * b + (1 << 15)) >> 16);
      store<u8>(blue + to + <usize>column, ((b << 15) - 11059 * r - 21709 * g + (128 << 16) + (1 << 15) - 1) >> 16);
      store<u8>(red + to + <usize>column, ((r << 15) - 27439 * g - 5329 * b + (128 << 16) + (1 << 15) - 1) >> 16);
    }
    repeatLast(luma + to, width, stride);
    repeatLast(blue + to, width, stride);
    repeatLast(red + to, width, stride);
  }
  repeatRow(luma, height, rows, stride);
  repeatRow(blue, height, rows, stride);
  repeatRow(red, height, rows, stride);
}

/** Red and green, or blue and green, of four pixels, as eight numbers of 16 bits. */
// @ts-ignore: decorator
@inline
function redGreen(pixels: v128): v128 {
  return v128.shuffle<u8>(pixels, i8x16.splat(0), 0, 16, 1, 16, 4, 16, 5, 16, 8, 16, 9, 16, 12, 16, 13, 16);
}

// @ts-ignore: decorator
@inline
function blueGreen(pixels: v128): v128 {
  return v128.shuffle<u8>(pixels, i8x16.splat(0), 2, 16, 1, 16, 6, 16, 5, 16, 10, 16, 9, 16, 14, 16, 13, 16);
}

/** 19595 R + 38470 G + 7471 B, rounded; the weight of green is parted, because it does not fit 16 bits. */
// @ts-ignore: decorator
@inline
function toLuma(pixels: v128): v128 {
  const light = i32x4.dot_i16x8_s(redGreen(pixels), i16x8(19595, 22086, 19595, 22086, 19595, 22086, 19595, 22086));
  const other = i32x4.dot_i16x8_s(blueGreen(pixels), i16x8(7471, 16384, 7471, 16384, 7471, 16384, 7471, 16384));
  return i32x4.add(i32x4.add(light, other), i32x4.splat(1 << 15));
}

/** 32768 B - 11059 R - 21709 G, with the offset of colours. */
// @ts-ignore: decorator
@inline
function toBlue(pixels: v128): v128 {
  const blue = i32x4.shr_u(v128.and(pixels, i32x4.splat(0xff0000)), 1);
  const other = i32x4.dot_i16x8_s(redGreen(pixels), i16x8(-11059, -21709, -11059, -21709, -11059, -21709, -11059, -21709));
  return i32x4.add(i32x4.add(blue, other), i32x4.splat((128 << 16) + (1 << 15) - 1));
}

/** 32768 R - 27439 G - 5329 B, with the offset of colours. */
// @ts-ignore: decorator
@inline
function toRed(pixels: v128): v128 {
  const red = i32x4.shl(v128.and(pixels, i32x4.splat(0xff)), 15);
  const other = i32x4.dot_i16x8_s(blueGreen(pixels), i16x8(-5329, -27439, -5329, -27439, -5329, -27439, -5329, -27439));
  return i32x4.add(i32x4.add(red, other), i32x4.splat((128 << 16) + (1 << 15) - 1));
}

/** Eight numbers with 16 bits behind the point as bytes. */
// @ts-ignore: decorator
@inline
function storeBytes(to: usize, first: v128, second: v128): void {
  const words = i16x8.narrow_i32x4_s(i32x4.shr_s(first, 16), i32x4.shr_s(second, 16));
  v128.store_lane<u64>(to, i8x16.narrow_i16x8_u(words, words), 0);
}

function repeatLast(row: usize, width: i32, stride: i32): void {
  memory.fill(row + <usize>width, load<u8>(row + <usize>(width - 1)), <usize>(stride - width));
}

function repeatRow(plane: usize, height: i32, rows: i32, stride: i32): void {
  for (let row = height; row < rows; row++) {
    memory.copy(plane + <usize>(row * stride), plane + <usize>((height - 1) * stride), <usize>stride);
  }
}

/** A quarter of the samples, each the mean of four, rounded up and down in turn (jcsample.c, `h2v2_downsample`). */
function halve(plane: usize, stride: i32, rows: i32, height: i32, halved: usize): void {
  const width = stride >> 1;
  const own = (height + 1) >> 1;
  const even = i16x8.splat(255);
  const bias = i32x4.splat(0x00020001);
  for (let row = 0; row < own; row++) {
    const above = plane + <usize>(row * 2 * stride);
    const below = above + <usize>stride;
    for (let column = 0; column < width; column += 8) {
      const a = v128.load(above + <usize>(column * 2));
      const b = v128.load(below + <usize>(column * 2));
      const sums = i16x8.add(
        i16x8.add(v128.and(a, even), i16x8.shr_u(a, 8)),
        i16x8.add(v128.and(b, even), i16x8.shr_u(b, 8)),
      );
      const means = i16x8.shr_u(i16x8.add(sums, bias), 2);
      v128.store_lane<u64>(halved + <usize>(row * width + column), i8x16.narrow_i16x8_u(means, means), 0);
    }
  }
  repeatRow(halved, own, rows >> 1, width);
}

/**
 * Writes the tokens of one block of 8 × 8 samples at `samples`, and gives the place behind them. `table` is the place of
 * its divisors; `dcKind` and `acKind` are the kinds' bits.
 */
function writeBlock(
  samples: usize, stride: i32, table: usize, dcKind: u32, acKind: u32, start: usize,
): usize {
  transform(samples, <usize>stride);
  let places = quantise(table) & ~1;
  let to = start;
  store<u32>(to, dcKind | <u32>(<i32>load<i16>(quantised) + dcBias));
  to += 4;
  let last = 0;
  while (places != 0) {
    const place = <i32>ctz<u64>(places);
    places &= places - 1;
    const value = <i32>load<i16>(quantised + (<usize>load<u8>(zigzag + <usize>place) << 1));
    let run = place - last - 1;
    while (run > 15) {
      store<u32>(to, acKind | sixteenZeros);
      to += 4;
      run -= 16;
    }
    const size = 32 - clz<i32>(abs<i32>(value));
    const bits = value < 0 ? value + (1 << size) - 1 : value;
    store<u32>(to, acKind | (<u32>((run << 4) | size) << 16) | <u32>bits);
    to += 4;
    last = place;
  }
  if (last < 63) {
    store<u32>(to, acKind);
    to += 4;
  }
  return to;
}

/** Both passes: rows first, whose results keep two more bits, then columns (jfdctint.c). */
function transform(samples: usize, stride: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    v128.store(block + row * 16, i16x8.sub(v128.load_ext<u8>(samples + row * stride), i16x8.splat(128)));
  }
  transpose();
  transformLines(true);
  transpose();
  transformLines(false);
}

/** Exchanges rows and columns of the block. */
function transpose(): void {
  const a = v128.load(block);
  const b = v128.load(block, 16);
  const c = v128.load(block, 32);
  const d = v128.load(block, 48);
  const e = v128.load(block, 64);
  const f = v128.load(block, 80);
  const g = v128.load(block, 96);
  const h = v128.load(block, 112);
  const ab = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const ab2 = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cd = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const cd2 = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  const ef = v128.shuffle<i16>(e, f, 0, 8, 1, 9, 2, 10, 3, 11);
  const ef2 = v128.shuffle<i16>(e, f, 4, 12, 5, 13, 6, 14, 7, 15);
  const gh = v128.shuffle<i16>(g, h, 0, 8, 1, 9, 2, 10, 3, 11);
  const gh2 = v128.shuffle<i16>(g, h, 4, 12, 5, 13, 6, 14, 7, 15);
  storeColumns(0, ab, cd, ef, gh);
  storeColumns(64, ab2, cd2, ef2, gh2);
}

/** Four columns, of which `ab` has two rows side by side, as `cd`, `ef` and `gh` have. */
// @ts-ignore: decorator
@inline
function storeColumns(at: usize, ab: v128, cd: v128, ef: v128, gh: v128): void {
  const low = v128.shuffle<i32>(ab, cd, 0, 4, 1, 5);
  const high = v128.shuffle<i32>(ab, cd, 2, 6, 3, 7);
  const low2 = v128.shuffle<i32>(ef, gh, 0, 4, 1, 5);
  const high2 = v128.shuffle<i32>(ef, gh, 2, 6, 3, 7);
  v128.store(block + at, v128.shuffle<i64>(low, low2, 0, 2));
  v128.store(block + at, v128.shuffle<i64>(low, low2, 1, 3), 16);
  v128.store(block + at, v128.shuffle<i64>(high, high2, 0, 2), 32);
  v128.store(block + at, v128.shuffle<i64>(high, high2, 1, 3), 48);
}

/**
 * Transforms the eight lines of the block, one in each lane, in place (Loeffler, Ligtenberg and Moschytz, ICASSP 1989).
 * Sums fit 16 bits; products are added in pairs, in 32 bits, as libjpeg-turbo's vector code does.
 */
// @ts-ignore: decorator
@inline
function transformLines(isFirst: bool): void {
  const v0 = v128.load(block);
  const v1 = v128.load(block, 16);
  const v2 = v128.load(block, 32);
  const v3 = v128.load(block, 48);
  const v4 = v128.load(block, 64);
  const v5 = v128.load(block, 80);
  const v6 = v128.load(block, 96);
  const v7 = v128.load(block, 112);
  // Weights have 13 bits behind the point, the first pass's results two.
  const shift = isFirst ? 11 : 15;

  // Even part: the sums of what lies the same way from both ends.
  const s07 = i16x8.add(v0, v7);
  const s16 = i16x8.add(v1, v6);
  const s25 = i16x8.add(v2, v5);
  const s34 = i16x8.add(v3, v4);
  const outer = i16x8.add(s07, s34);
  const inner = i16x8.add(s16, s25);
  const sum = i16x8.add(outer, inner);
  const less = i16x8.sub(outer, inner);
  if (isFirst) {
    v128.store(block, i16x8.shl(sum, 2));
    v128.store(block, i16x8.shl(less, 2), 64);
  } else {
    const two = i16x8.splat(2);
    v128.store(block, i16x8.shr_s(i16x8.add(sum, two), 2));
    v128.store(block, i16x8.shr_s(i16x8.add(less, two), 2), 64);
  }
  const outerLess = i16x8.sub(s07, s34);
  const innerLess = i16x8.sub(s16, s25);
  const lowEven = lowPairs(outerLess, innerLess);
  const highEven = highPairs(outerLess, innerLess);
  v128.store(block, rounded(weigh(lowEven, 10703, 4433), weigh(highEven, 10703, 4433), shift), 32);
  v128.store(block, rounded(weigh(lowEven, 4433, -10704), weigh(highEven, 4433, -10704), shift), 96);

  // Odd part: the differences; the weights are sums of cosines.
  const d0 = i16x8.sub(v3, v4);
  const d1 = i16x8.sub(v2, v5);
  const d2 = i16x8.sub(v1, v6);
  const d3 = i16x8.sub(v0, v7);
  const z3 = i16x8.add(d0, d2);
  const z4 = i16x8.add(d1, d3);
  const lowBoth = lowPairs(z3, z4);
  const highBoth = highPairs(z3, z4);
  const lowThree = weigh(lowBoth, -6436, 9633);
  const highThree = weigh(highBoth, -6436, 9633);
  const lowFour = weigh(lowBoth, 9633, 6437);
  const highFour = weigh(highBoth, 9633, 6437);
  const lowEnds = lowPairs(d0, d3);
  const highEnds = highPairs(d0, d3);
  const lowMiddle = lowPairs(d1, d2);
  const highMiddle = highPairs(d1, d2);
  v128.store(block, rounded(
    i32x4.add(weigh(lowEnds, -4927, -7373), lowThree), i32x4.add(weigh(highEnds, -4927, -7373), highThree), shift), 112);
  v128.store(block, rounded(
    i32x4.add(weigh(lowMiddle, -4176, -20995), lowFour), i32x4.add(weigh(highMiddle, -4176, -20995), highFour), shift), 80);
  v128.store(block, rounded(
    i32x4.add(weigh(lowMiddle, -20995, 4177), lowThree), i32x4.add(weigh(highMiddle, -20995, 4177), highThree), shift), 48);
  v128.store(block, rounded(
    i32x4.add(weigh(lowEnds, -7373, 4926), lowFour), i32x4.add(weigh(highEnds, -7373, 4926), highFour), shift), 16);
}

// @ts-ignore: decorator
@inline
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** The weighted sum of each pair. */
// @ts-ignore: decorator
@inline
function weigh(pairs: v128, first: i16, second: i16): v128 {
  return i32x4.dot_i16x8_s(pairs, i32x4.splat((<i32>first & 0xffff) | (<i32>second << 16)));
}

// @ts-ignore: decorator
@inline
function rounded(low: v128, high: v128, shift: i32): v128 {
  const half = i32x4.splat(1 << (shift - 1));
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, half), shift),
    i32x4.shr_s(i32x4.add(high, half), shift),
  );
}

/**
 * The nearest whole numbers of quotients, halves away from zero; returns the places in zigzag order that are not zero. Exact:
 * with half a divisor and a half added, a quotient is at least 1 / (2 divisor) from the next whole number, which is more
 * than two roundings to 24 bits move it.
 */
function quantise(table: usize): u64 {
  let places: u64 = 0;
  for (let row: usize = 0; row < 8; row++) {
    const values = v128.load(block + row * 16);
    const size = i16x8.abs(values);
    const at = table + row * 32;
    const quotients = i16x8.narrow_i32x4_s(
      divide(i32x4.extend_low_i16x8_u(size), at),
      divide(i32x4.extend_high_i16x8_u(size), at + 16),
    );
    // The sign put back: all ones where negative.
    const sign = i16x8.shr_s(values, 15);
    v128.store(quantised + row * 16, i16x8.sub(v128.xor(quotients, sign), sign));
    const set = i16x8.bitmask(i16x8.ne(quotients, i16x8.splat(0)));
    if (set != 0) places |= load<u64>(zigzagSets + (row << 11) + (<usize>set << 3));
  }
  return places;
}

// @ts-ignore: decorator
@inline
function divide(size: v128, at: usize): v128 {
  const biased = f32x4.add(f32x4.convert_i32x4_s(size), v128.load(biases + at));
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(biased, v128.load(reciprocals + at)));
}

function prepareTables(): void {
  for (let at: usize = 0; at < 512; at += 16) {
    const divisor = v128.load(divisors + at);
    v128.store(reciprocals + at, f32x4.div(f32x4.splat(1), divisor));
    v128.store(biases + at, f32x4.add(f32x4.mul(divisor, f32x4.splat(0.5)), f32x4.splat(0.5)));
  }
  if (hasZigzagSets) return;
  hasZigzagSets = true;
  for (let place: usize = 0; place < 64; place++) {
    const natural = <usize>load<u8>(zigzag + place);
    const sets = zigzagSets + ((natural >> 3) << 11);
    const bit: usize = 1 << (natural & 7);
    for (let set: usize = 0; set < 256; set++) {
      if ((set & bit) == 0) continue;
      store<u64>(sets + (set << 3), load<u64>(sets + (set << 3)) | ((<u64>1) << (<u64>place)));
    }
  }
}
