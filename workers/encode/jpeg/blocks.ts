/**
 * Transforms pixels to quantised JPEG coefficients, bit-exact with libjpeg-turbo, so that blocks of both can share a
 * file. Starting sharp for a few hundred blocks takes longer than this code.
 */
import type { Pixels } from '../../pixels.ts';
import { isOpaque, layOnWhite, toWords } from '../../pixels.ts';
import type { JpegFile } from './file.ts';
import { blockCoefficients, mcuGrid } from './scan.ts';
import type { ScanTokens } from './scan.ts';
import { kernels, reserve } from '../kernels.ts';
import sharp from 'sharp';
import { parseJpeg } from './file.ts';

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
 * Kernel memory for a strip of an image: 155,000 pixels in 4:2:0, so most patches are one strip. A single row of units
 * may exceed it and is then a strip: 2.6 MB at 12,288 pixels.
 */
const stripBytes = 2 * 1024 * 1024;
/** Luminance uses the first table, both colour components the second, as in files of libjpeg-turbo. */
const tables = [0, 1];

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
  const words = toWords(pixels.data);
  const opaque = isOpaque(pixels.data) ? words : words.map(layOnWhite);
  new Uint32Array(memory, heap, opaque.length).set(opaque);
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
      for (const [place, at] of zigzag.entries()) {
        const divisor = (segment[start + 1 + place] ?? 0) * transformScale;
        divisors[destination * blockCoefficients + at] = divisor;
      }
      return;
    }
  }
  throw new Error('the JPEG lacks a quantisation table');
}

// Full color resolution with one quantization step for all color detail. The table of the standard (T.81, K.2) has fine
// steps for smooth color, and spends a third of the bytes of a photograph on them at this resolution. The edges of
// letters need all frequencies alike. Steep gradients of vivid colors show the coarse steps.

/**
 * Quantisation steps at quality 50 for the mean colour of a block and for its detail; the standard has 17, and 18 to
 * 99. Measured in `test/workers/chroma-sizes.test.ts` on six photographs over 10 to 100 % of 1200 × 630, with a line of
 * bold red text of 56 px, at quality 85: the file is 1.01 to 1.09 times as large as in 4:2:0, both with optimal Huffman
 * tables; the standard steps give 1.32 to 1.57 in a baseline file. The 99th percentile of the error in the text is 19
 * to 23 of 255; in 4:2:0 it is 27 to 38.
 */
const meanStep = 46;
const detailStep = 127;

/** Bytes of a table in a DQT segment: its destination, then its entries (T.81, B.2.4.1). */
const tableBytes = 65;
const colorDestination = 1;

/** File headers by quality, 1 to 100. */
const heads = new Map<number, JpegFile>();

/**
 * Returns the coefficients of a whole image, with transparent pixels blended with white, and the header of its file.
 */
export async function encodeEvenColor(
  pixels: Pixels,
  quality: number,
): Promise<{ file: JpegFile; scan: ScanTokens }> {
  const head = await headOf(quality);
  const file = { ...head, width: pixels.widthPx, height: pixels.heightPx };
  return { file, scan: join(encodeBlocks(pixels, file)) };
}

async function headOf(quality: number): Promise<JpegFile> {
  const known = heads.get(quality);
  if (known !== undefined) return known;
  const raw = { width: 8, height: 8, channels: 3 } as const;
  const bytes = await sharp(new Uint8Array(8 * 8 * 3), { raw })
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimizeCoding: false })
    .toBuffer();
  const standard = parseJpeg(bytes);
  const quantizations = standard.quantizations.map((segment) => withEvenSteps(segment, quality));
  const head = { ...standard, isProgressive: true, quantizations, scan: new Uint8Array(0) };
  heads.set(quality, head);
  return head;
}

function withEvenSteps(segment: Uint8Array, quality: number): Uint8Array {
  const scaledTables = Uint8Array.from(segment);
  for (let start = 0; start < scaledTables.length; start += tableBytes) {
    if (scaledTables[start] !== colorDestination) continue;
    scaledTables.fill(scaled(detailStep, quality), start + 1, start + tableBytes);
    scaledTables[start + 1] = scaled(meanStep, quality);
  }
  return scaledTables;
}

/** Scales an entry to a quality as libjpeg does (`jpeg_quality_scaling` and `jpeg_add_quant_table`, baseline). */
function scaled(step: number, quality: number): number {
  const percent = quality < 50 ? Math.trunc(5000 / quality) : 200 - quality * 2;
  return Math.min(255, Math.max(1, Math.trunc((step * percent + 50) / 100)));
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
