/** The program that draws callers' SVG, in a process of its own: frames in, PNGs out, nothing else. */
import sharp from 'sharp';
import { readSvgDocument, sizeSvg, SvgError } from './svg-document.ts';
import { FrameReader, writeFrame } from './svg-frames.ts';
import type { SvgAnswer } from './svg-frames.ts';

/** Points an inch at which one SVG unit is one pixel. */
const density = 72;
const sidePxMax = 4096;
/** A drawing whose PNG is larger is drawn once more with half the sides, and again. */
const pngBytesMax = 8 * 1024 * 1024;
const shrinks = [1, 1 / 2, 1 / 4, 1 / 8];

// The process is worth one core; what the cache would keep is never asked for again.
sharp.concurrency(1);
sharp.cache(false);

interface Drawing {
  png: Uint8Array;
  widthPx: number;
  heightPx: number;
  scale: number;
}

async function draw(file: Uint8Array): Promise<Drawing> {
  const document = readSvgDocument(file);
  // Nothing is drawn yet: any size will do.
  const header = { density, limitInputPixels: false } as const;
  const intrinsic = await sharp(Buffer.from(document), header).metadata();
  let drawing: Drawing | undefined;
  for (const shrink of shrinks) {
    const { markup, ...size } = sizeSvg(document, intrinsic, shrink);
    const png = await sharp(Buffer.from(markup), { density, limitInputPixels: sidePxMax ** 2 })
      // A style sheet may have given the root another size.
      .resize(size.widthPx, size.heightPx, { fit: 'fill' })
      .png({ compressionLevel: 1 })
      .toBuffer();
    drawing = { ...size, png };
    if (png.byteLength <= pngBytesMax) break;
  }
  if (drawing === undefined) throw new SvgError('is an SVG of no size');
  return drawing;
}

/** CPU time of the whole process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function answer(file: Uint8Array): Promise<void> {
  let head: SvgAnswer;
  let png: Uint8Array = new Uint8Array();
  try {
    const drawing = await draw(file);
    const { widthPx, heightPx, scale } = drawing;
    png = drawing.png;
    head = { ok: true, widthPx, heightPx, scale, cpuMs: cpuMs() };
  } catch (error) {
    // The renderer's own words quote the file and name its parts: they help nobody.
    const problem = error instanceof SvgError ? error.message : 'is a damaged or unusual SVG file';
    head = { ok: false, problem, cpuMs: cpuMs() };
  }
  writeFrame(process.stdout, head, png);
}

/** Finds the fonts: the first time on a machine that takes longer than a drawing may. */
async function warmUp(): Promise<void> {
  const markup =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>a</text></svg>';
  await sharp(Buffer.from(markup)).raw().toBuffer();
}

const reader = new FrameReader();
process.stdin.on('data', (chunk: Buffer) => {
  for (const { body } of reader.push(chunk)) void answer(body);
});
// The service is gone.
process.stdin.on('end', () => process.exit(0));
await warmUp();
writeFrame(process.stdout, 'ready', new Uint8Array());
