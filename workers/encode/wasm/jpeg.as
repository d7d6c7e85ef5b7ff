/**
 * Codes pixels to a JPEG's quantised coefficients, number for number as libjpeg-turbo does with its `islow` transform,
 * four lanes at a time, so that blocks of both can stand side by side.
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
/** Eight columns of four rows; a block's coefficients of 32 bits; the same quantised, of 16. */
const turned = memory.data(8 * 16, 16);
const block = memory.data(64 * 4, 16);
const quantised = memory.data(64 * 2, 16);

/** Two tables of 64 divisors, row by row, as floating point: eight times the quantisation of luminance and of colour. */
const divisors = memory.data(2 * 256, 16);
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
            to = writeBlock(luma + <usize>(y * 8 * stride + x * 8), stride, divisors, 0, lumaAcKind, to);
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
      to = writeBlock(blue + place, colorStride, divisors + 256, 1 << kindShift, colorAcKind, to);
      to = writeBlock(red + place, colorStride, divisors + 256, 2 << kindShift, colorAcKind, to);
      store<u32>(unitEnds + <usize>((row * columns + column) * 4), <u32>((to - tokens) >> 2));
    }
  }
  return <i32>((to - tokens) >> 2);
}

/** RGBA pixels to luminance and both colours (jccolor.c), one byte a sample, `stride` bytes a row, edges repeated to whole rows. */
function toColorSamples(
  rgba: usize, width: i32, height: i32, luma: usize, blue: usize, red: usize, stride: i32, rows: i32,
): void {
  const low = i32x4.splat(255);
  const half = i32x4.splat(1 << 15);
  const offset = i32x4.splat((128 << 16) + (1 << 15) - 1);
  for (let row = 0; row < height; row++) {
    const from = rgba + <usize>(row * width * 4);
    const to = <usize>(row * stride);
    let column = 0;
    for (; column + 4 <= width; column += 4) {
      const pixels = v128.load(from + <usize>(column * 4));
      const r = v128.and(pixels, low);
      const g = v128.and(i32x4.shr_u(pixels, 8), low);
      const b = v128.and(i32x4.shr_u(pixels, 16), low);
      const y = i32x4.add(
        i32x4.add(times(r, 19595), times(g, 38470)),
        i32x4.add(times(b, 7471), half),
      );
      const cb = i32x4.add(
        i32x4.sub(i32x4.shl(b, 15), times(r, 11059)),
        i32x4.sub(offset, times(g, 21709)),
      );
      const cr = i32x4.add(
        i32x4.sub(i32x4.shl(r, 15), times(g, 27439)),
        i32x4.sub(offset, times(b, 5329)),
      );
      storeBytes(luma + to + <usize>column, y);
      storeBytes(blue + to + <usize>column, cb);
      storeBytes(red + to + <usize>column, cr);
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

/** Four numbers with 16 bits behind the point as bytes. */
// @ts-ignore: decorator
@inline
function storeBytes(to: usize, values: v128): void {
  const whole = i32x4.shr_s(values, 16);
  const words = i16x8.narrow_i32x4_s(whole, whole);
  v128.store_lane<u32>(to, i8x16.narrow_i16x8_u(words, words), 0);
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
 * Writes the tokens of one block of 8 × 8 samples at `samples`, and gives the place behind them. `table` holds
 * the divisors; `dcKind` and `acKind` are the kinds' bits.
 */
function writeBlock(
  samples: usize, stride: i32, table: usize, dcKind: u32, acKind: u32, start: usize,
): usize {
  transform(samples, <usize>stride);
  quantise(table);
  let to = start;
  store<u32>(to, dcKind | <u32>(<i32>load<i16>(quantised) + dcBias));
  to += 4;
  let last = 0;
  for (let place = 1; place < 64; place++) {
    const value = <i32>load<i16>(quantised + (<usize>load<u8>(zigzag + <usize>place) << 1));
    if (value == 0) continue;
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
  for (let half: usize = 0; half < 2; half++) {
    const top = samples + half * 4 * stride;
    // Lanes are four rows while their columns are added up, and columns again afterwards.
    transpose(loadSamples(top), loadSamples(top + stride), loadSamples(top + 2 * stride), loadSamples(top + 3 * stride), turned, 16);
    transpose(loadSamples(top + 4), loadSamples(top + stride + 4), loadSamples(top + 2 * stride + 4), loadSamples(top + 3 * stride + 4), turned + 64, 16);
    transformLines(turned, 16, true);
    const to = block + half * 128;
    transpose(v128.load(turned), v128.load(turned, 16), v128.load(turned, 32), v128.load(turned, 48), to, 32);
    transpose(v128.load(turned, 64), v128.load(turned, 80), v128.load(turned, 96), v128.load(turned, 112), to + 16, 32);
  }
  transformLines(block, 32, false);
  transformLines(block + 16, 32, false);
}

/** Four samples, less 128. */
// @ts-ignore: decorator
@inline
function loadSamples(at: usize): v128 {
  const words = i16x8.extend_low_i8x16_u(v128.load32_zero(at));
  return i32x4.sub(i32x4.extend_low_i16x8_s(words), i32x4.splat(128));
}

// @ts-ignore: decorator
@inline
function transpose(a: v128, b: v128, c: v128, d: v128, to: usize, step: usize): void {
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const abHigh = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cdHigh = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(ab, cd, 0, 2));
  v128.store(to + step, v128.shuffle<i64>(ab, cd, 1, 3));
  v128.store(to + 2 * step, v128.shuffle<i64>(abHigh, cdHigh, 0, 2));
  v128.store(to + 3 * step, v128.shuffle<i64>(abHigh, cdHigh, 1, 3));
}

/** Eight values in each of four lanes, `step` bytes apart, in place (Loeffler, Ligtenberg and Moschytz, ICASSP 1989). */
// @ts-ignore: decorator
@inline
function transformLines(at: usize, step: usize, isFirst: bool): void {
  const v0 = v128.load(at);
  const v1 = v128.load(at + step);
  const v2 = v128.load(at + 2 * step);
  const v3 = v128.load(at + 3 * step);
  const v4 = v128.load(at + 4 * step);
  const v5 = v128.load(at + 5 * step);
  const v6 = v128.load(at + 6 * step);
  const v7 = v128.load(at + 7 * step);
  // Weights have 13 bits behind the point, the first pass's results two.
  const shift = isFirst ? 11 : 15;
  const round = i32x4.splat(1 << (shift - 1));

  // Even part: the sums of what lies the same way from both ends.
  const s07 = i32x4.add(v0, v7);
  const s16 = i32x4.add(v1, v6);
  const s25 = i32x4.add(v2, v5);
  const s34 = i32x4.add(v3, v4);
  const outer = i32x4.add(s07, s34);
  const inner = i32x4.add(s16, s25);
  const sum = i32x4.add(outer, inner);
  const less = i32x4.sub(outer, inner);
  if (isFirst) {
    v128.store(at, i32x4.shl(sum, 2));
    v128.store(at + 4 * step, i32x4.shl(less, 2));
  } else {
    const two = i32x4.splat(2);
    v128.store(at, i32x4.shr_s(i32x4.add(sum, two), 2));
    v128.store(at + 4 * step, i32x4.shr_s(i32x4.add(less, two), 2));
  }
  const outerLess = i32x4.sub(s07, s34);
  const innerLess = i32x4.sub(s16, s25);
  const even = i32x4.add(times(i32x4.add(outerLess, innerLess), 4433), round);
  v128.store(at + 2 * step, i32x4.shr_s(i32x4.add(even, times(outerLess, 6270)), shift));
  v128.store(at + 6 * step, i32x4.shr_s(i32x4.sub(even, times(innerLess, 15137)), shift));

  // Odd part: the differences; the weights are sums of cosines.
  const d0 = i32x4.sub(v3, v4);
  const d1 = i32x4.sub(v2, v5);
  const d2 = i32x4.sub(v1, v6);
  const d3 = i32x4.sub(v0, v7);
  const z5 = i32x4.add(times(i32x4.add(i32x4.add(d0, d2), i32x4.add(d1, d3)), 9633), round);
  const z1 = times(i32x4.add(d0, d3), -7373);
  const z2 = times(i32x4.add(d1, d2), -20995);
  const z3 = i32x4.add(times(i32x4.add(d0, d2), -16069), z5);
  const z4 = i32x4.add(times(i32x4.add(d1, d3), -3196), z5);
  v128.store(at + 7 * step, i32x4.shr_s(i32x4.add(i32x4.add(times(d0, 2446), z1), z3), shift));
  v128.store(at + 5 * step, i32x4.shr_s(i32x4.add(i32x4.add(times(d1, 16819), z2), z4), shift));
  v128.store(at + 3 * step, i32x4.shr_s(i32x4.add(i32x4.add(times(d2, 25172), z2), z3), shift));
  v128.store(at + step, i32x4.shr_s(i32x4.add(i32x4.add(times(d3, 12299), z1), z4), shift));
}

// @ts-ignore: decorator
@inline
function times(values: v128, weight: i32): v128 {
  return i32x4.mul(values, i32x4.splat(weight));
}

/** The nearest whole numbers, halves away from zero. Exact: a quotient is at least 1 / divisor from the next whole number, more than 24 bits lose. */
function quantise(table: usize): void {
  for (let at: usize = 0; at < 256; at += 32) {
    v128.store(quantised + (at >> 1), i16x8.narrow_i32x4_s(divide(at, table), divide(at + 16, table)));
  }
}

// @ts-ignore: decorator
@inline
function divide(at: usize, table: usize): v128 {
  const value = v128.load(block + at);
  const divisor = v128.load(table + at);
  const half = f32x4.mul(divisor, f32x4.splat(0.5));
  const size = f32x4.add(f32x4.convert_i32x4_s(i32x4.abs(value)), half);
  const quotient = i32x4.trunc_sat_f32x4_s(f32x4.div(size, divisor));
  // The sign put back: all ones where negative.
  const sign = i32x4.shr_s(value, 31);
  return i32x4.sub(v128.xor(quotient, sign), sign);
}
