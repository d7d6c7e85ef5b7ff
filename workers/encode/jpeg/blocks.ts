/**
 * Transforms pixels to quantised JPEG coefficients, bit-exact with libjpeg-turbo, so that blocks of both can share a
 * file. Starting sharp for a few hundred blocks takes longer than this code.
 */
import type { Pixels } from '../../pixels.ts';
import { layOnWhite } from '../../pixels.ts';
import type { JpegFile } from './file.ts';
import type { ScanTokens } from './entropy.ts';
import { mcuGrid } from './file.ts';
import { kernels, reserve } from '../kernels.ts';

const blockCoefficients = 64;
/** Zigzag order of a block's coefficients in a table (T.81, figure 5). */
// oxfmt-ignore
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48,
  41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
  30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];
/** Scale of the transform's results, relative to the definition of T.81. */
const transformScale = 8;
/**
 * Kernel memory for a strip of an image: 155,000 pixels in 4:2:0, so most patches are one strip. A strip has at least
 * one row of units, which may exceed this size: 2.6 MB at 12,288 pixels.
 */
const stripBytes = 2 * 1024 * 1024;
/** Luminance uses the first table, both colour components the second, as in files of libjpeg-turbo. */
const tables = [0, 1];

/** Returns the coefficients of `pixels`: see `encodeBlocks`. */
export function encodeAllBlocks(pixels: Pixels, model: JpegFile): ScanTokens {
  return join(encodeBlocks(pixels, model));
}

/**
 * Returns the coefficients of `pixels` in strips of whole rows of units from the top. Sampling and quantisation are
 * those of `model`, a file that libjpeg-turbo wrote. Transparent pixels are blended with white. The sides must be whole
 * units, except at the right and lower edge of an image. The caller owns the results.
 */
export function encodeBlocks({ data, widthPx, heightPx }: Pixels, model: JpegFile): ScanTokens[] {
  const isHalved = model.components[0]?.horizontal === 2;
  const { widthPx: unitPx } = mcuGrid(model);
  const unitRowBytes = kernels.jpegBytes(widthPx, unitPx, isHalved);
  const stripRows = Math.max(1, Math.floor(stripBytes / unitRowBytes)) * unitPx;
  const strips: ScanTokens[] = [];
  for (let top = 0; top < heightPx; top += stripRows) {
    const end = Math.min(heightPx, top + stripRows);
    const strip = data.subarray(top * widthPx * 4, end * widthPx * 4);
    strips.push(encodeStrip({ data: strip, widthPx, heightPx: end - top }, model, isHalved));
  }
  return strips;
}

function encodeStrip(pixels: Pixels, model: JpegFile, isHalved: boolean): ScanTokens {
  const { widthPx: width, heightPx: height } = pixels;
  const { heap, memory } = reserve(kernels.jpegBytes(width, height, isHalved));
  new Uint8Array(memory, heap, pixels.data.length).set(pixels.data);
  if (!kernels.isOpaque(width * height)) {
    const words = new Uint32Array(memory, heap, width * height);
    words.set(words.map(layOnWhite));
  }
  const divisors = new Float32Array(memory, kernels.jpegDivisors());
  for (const table of tables) writeDivisors(model, table, divisors);
  const length = kernels.encodeJpegBlocks(width, height, isHalved);
  const { columns, rows } = mcuGrid({ ...model, width, height });
  return {
    tokens: new Uint32Array(memory, kernels.jpegTokens(), length).slice(),
    mcuEnds: new Uint32Array(memory, kernels.jpegUnitEnds(), columns * rows).slice(),
  };
}

/**
 * Writes the quantisation table of a destination from the contents of DQT segments with 8-bit entries (T.81, B.2.4.1).
 */
function writeDivisors(
  { quantizations }: JpegFile,
  destination: number,
  divisors: Float32Array,
): void {
  const tableBytes = blockCoefficients + 1;
  for (const segment of quantizations) {
    for (let start = 0; start < segment.length; start += tableBytes) {
      if (segment[start] !== destination) continue;
      for (const [position, at] of zigzag.entries()) {
        const divisor = (segment[start + 1 + position] ?? 0) * transformScale;
        divisors[destination * blockCoefficients + at] = divisor;
      }
      return;
    }
  }
  throw new Error('the JPEG lacks a quantisation table');
}

function join(strips: readonly ScanTokens[]): ScanTokens {
  const [only] = strips;
  if (only !== undefined && strips.length === 1) return only;
  const tokens = new Uint32Array(strips.reduce((sum, strip) => sum + strip.tokens.length, 0));
  const mcuEnds = new Uint32Array(strips.reduce((sum, strip) => sum + strip.mcuEnds.length, 0));
  let tokenCount = 0;
  let mcuCount = 0;
  for (const strip of strips) {
    tokens.set(strip.tokens, tokenCount);
    for (const end of strip.mcuEnds) {
      mcuEnds[mcuCount] = tokenCount + end;
      mcuCount += 1;
    }
    tokenCount += strip.tokens.length;
  }
  return { tokens, mcuEnds };
}
