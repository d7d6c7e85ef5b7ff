/** The header of a JPEG file by quality and colour resolution: quantisation, sampling and standard Huffman tables. */
import sharp from 'sharp';
import type { JpegFile } from './file.ts';
import { parseJpeg } from './file.ts';

/**
 * Colour resolution: full, or half in each direction. `4:4:4-even` is full resolution in a JPEG that is hardly larger
 * than at half resolution. WebP stores half resolution only: for the other two values, its encoder searches for the
 * samples closest to full resolution, in images of at most `sharpWebpPixelsMax`.
 */
export type Chroma = '4:4:4' | '4:4:4-even' | '4:2:0';

/** Headers by quality, 1 to 100, and colour resolution. */
const heads = new Map<string, JpegFile>();

/** Returns the header of files like those of libjpeg-turbo. The caller sets the size; the scan is empty. */
export async function headOf(quality: number, chroma: Chroma): Promise<JpegFile> {
  const key = `${quality} ${chroma}`;
  const known = heads.get(key);
  if (known !== undefined) return known;
  const isHalved = chroma === '4:2:0';
  const raw = { width: 8, height: 8, channels: 3 } as const;
  const bytes = await sharp(new Uint8Array(8 * 8 * 3), { raw })
    .jpeg({ quality, chromaSubsampling: isHalved ? '4:2:0' : '4:4:4', optimizeCoding: false })
    .toBuffer();
  const standard = parseJpeg(bytes);
  const isEven = chroma === '4:4:4-even';
  const quantizations = isEven
    ? standard.quantizations.map((segment) => withEvenSteps(segment, quality))
    : standard.quantizations.map((segment) => segment.slice());
  const head = { ...standard, isProgressive: isEven, quantizations, scan: new Uint8Array(0) };
  heads.set(key, head);
  return head;
}

// Full color resolution with one quantization step for all color detail. The table of the standard (T.81, K.2) has fine
// steps for smooth color. At this resolution, a third of the bytes of a photograph is for these steps. The edges of
// letters need all frequencies equally. Steep gradients of vivid colors show the coarse steps.

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
