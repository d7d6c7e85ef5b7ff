/**
 * Codes a JPEG in full colour resolution, progressive, with one step for all colour detail. The standard's table (T.81, K.2) has fine
 * steps for smooth colour, which photographs consist of, and spends a third of a photograph's bytes on them at this
 * resolution. The edges of letters need all frequencies alike. Steep gradients of vivid colours show the coarse steps.
 */
import sharp from 'sharp';
import type { Pixels } from '../../pixels.ts';
import { encodeBlocks } from './blocks.ts';
import { parseJpeg } from './file.ts';
import type { JpegFile } from './file.ts';
import type { ScanTokens } from './scan.ts';

/**
 * Steps at quality 50 of a block's mean colour and of its detail; the standard has 17, and 18 to 99. Measured in
 * `test/workers/chroma-sizes.test.ts` on six photographs over 10 to 100 % of 1200 × 630, with a line of bold red text of 56 px
 * at quality 85: 1.01 to 1.09 times the size of 4:2:0, both with optimal Huffman tables; the standard's steps make
 * 1.32 to 1.57 in a baseline file. The 99th percentile of error in the text is 19 to 23 of 255; in 4:2:0 it is 27 to 38.
 */
const meanStep = 46;
const detailStep = 127;

/** Bytes of a table in a DQT segment: its destination, then its entries (T.81, B.2.4.1). */
const tableBytes = 65;
const colorDestination = 1;

/** Heads of files by quality, 1 to 100. */
const heads = new Map<number, JpegFile>();

/** The coefficients of a whole picture, transparent pixels laid on white, and the head of their file. */
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
  const tables = Uint8Array.from(segment);
  for (let start = 0; start < tables.length; start += tableBytes) {
    if (tables[start] !== colorDestination) continue;
    tables.fill(scaled(detailStep, quality), start + 1, start + tableBytes);
    tables[start + 1] = scaled(meanStep, quality);
  }
  return tables;
}

/** An entry as libjpeg scales it to a quality (`jpeg_quality_scaling` and `jpeg_add_quant_table`, baseline). */
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
