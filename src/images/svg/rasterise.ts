/** The program of an SVG process: reads frames with files of callers or layers of templates, and writes PNGs. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { readSvgDocument, sizeSvg, SvgError } from './document.ts';
import {
  FrameReader,
  readFromService,
  writeLockBytes,
  writeToService,
} from '#wire/program/frames.ts';
import { svgFrameBounds } from './frames.ts';
import type { SvgAnswer, SvgOrder } from './frames.ts';

/** Points an inch at which one SVG unit is one pixel. */
const density = 72;
const sidePxMax = 4096;
/** Bytes of a file's PNG; a larger one is drawn again with half the sides. */
const pngBytesMax = 8 * 1024 * 1024;
/** Bytes of a layer's PNG; only a drawing of more than 4 megapixels can exceed them. */
const layerPngBytesMax = 16 * 1024 * 1024;
/** Upper bound of a layer's drawing; requests stay far below. */
const layerPixelsMax = 50_000_000;
/** Use after which a process is replaced. Its limits are 20 s of CPU time and 608 MiB; a new one has some 130 MiB. */
const spentCpuMs = 10_000;
const spentDataBytes = 320 * 1024 * 1024;
/** Peak memory from which a failed drawing counts as out of memory, not as a damaged file; a new process has 90 MiB. */
const memoryFailureBytes = 320 * 1024 * 1024;
const shrinks = [1, 1 / 2, 1 / 4, 1 / 8];

// A process may use one core. No later drawing would use the cache.
sharp.concurrency(1);
sharp.cache(false);

type SvgSize = Exclude<SvgOrder, 'draw'>;

interface Drawing extends SvgSize {
  png: Uint8Array;
  scale: number;
}

/** Draws a file; its longest side has 2,048 … 4,096 px, or less to fit `pngBytesMax`. */
async function drawFile(file: Uint8Array): Promise<Drawing> {
  const document = readSvgDocument(file);
  const intrinsic = await sizeOf(document);
  return drawSmaller(pngBytesMax, (shrink) => {
    const { markup, ...size } = sizeSvg(document, intrinsic, shrink);
    const image = sharp(Buffer.from(markup), { density, limitInputPixels: sidePxMax ** 2 })
      // A style sheet may set another size of the root.
      .resize(size.widthPx, size.heightPx, { fit: 'fill' });
    return { image, size };
  });
}

/** Draws a layer's markup as large as fits the wanted size; `preserveAspectRatio="none"` stretches it to this size. */
async function drawLayer(file: Uint8Array, wanted: SvgSize): Promise<Drawing> {
  const markup = readSvgDocument(file);
  const { width, height } = await sizeOf(markup);
  const stretches = /^<[^>]*\spreserveAspectRatio\s*=\s*["']none/.test(markup);
  const ratio = stretches ? 'none' : 'xMidYMid meet';
  return drawSmaller(layerPngBytesMax, (shrink) => {
    const widthPx = Math.max(1, Math.round(wanted.widthPx * shrink));
    const heightPx = Math.max(1, Math.round(wanted.heightPx * shrink));
    // With an outer <svg> of the wanted size, librsvg draws at that size; a resized image would be blurred.
    const wrapped =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" ` +
      `viewBox="0 0 ${width} ${height}" preserveAspectRatio="${ratio}">${markup}</svg>`;
    const image = sharp(Buffer.from(wrapped), { density, limitInputPixels: layerPixelsMax })
      .toColourspace('srgb')
      .ensureAlpha();
    return { image, size: { widthPx, heightPx, scale: shrink } };
  });
}

/** The size in whole pixels that the renderer computes. It draws nothing, so the size needs no limit. */
function sizeOf(markup: string): Promise<{ width: number; height: number }> {
  return sharp(Buffer.from(markup), { density, limitInputPixels: false }).metadata();
}

/** Draws with ever smaller sides, by `shrinks`, until the PNG has at most `bytesMax` bytes. */
async function drawSmaller(
  bytesMax: number,
  prepare: (shrink: number) => { image: Sharp; size: Omit<Drawing, 'png'> },
): Promise<Drawing> {
  let drawing: Drawing | undefined;
  for (const shrink of shrinks) {
    const { image, size } = prepare(shrink);
    drawing = { ...size, png: await image.png({ compressionLevel: 1 }).toBuffer() };
    if (drawing.png.byteLength <= bytesMax) break;
  }
  if (drawing === undefined) throw new SvgError('is an SVG of no size');
  return drawing;
}

/**
 * Whether this process must be replaced: it has used half of its CPU time, holds too much memory, or a drawing failed.
 * After 40 nested blurs that failed for lack of memory the renderer kept 680 MB, and every later drawing failed.
 */
function isSpent(hasFailed: boolean): boolean {
  const { user, system } = process.cpuUsage();
  return hasFailed || (user + system) / 1000 >= spentCpuMs || dataBytes() >= spentDataBytes;
}

/** Private writable memory of this process in bytes; 0 where the system does not report it. */
function dataBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    return Number(/^VmData:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The public problem of a drawing. The renderer's messages are not used: they quote the file and name internals. */
function problemOf(error: unknown, order: SvgOrder): string {
  if (error instanceof SvgError) return error.message;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  if (Math.max(peakBytes, dataBytes()) < memoryFailureBytes)
    return 'is a damaged or unusual SVG file';
  const fact = 'needs more memory to draw than it may have';
  return order === 'draw' ? `is an SVG that ${fact}` : fact;
}

/** For one thread alone. */
const lock = new SharedArrayBuffer(writeLockBytes);

async function answer(order: SvgOrder, file: Uint8Array): Promise<void> {
  let head: SvgAnswer;
  let png: Uint8Array | undefined;
  try {
    const drawing = await (order === 'draw' ? drawFile(file) : drawLayer(file, order));
    const { widthPx, heightPx, scale } = drawing;
    png = drawing.png;
    head = { ok: true, widthPx, heightPx, scale, isSpent: isSpent(false) };
  } catch (error) {
    const hasFailed = !(error instanceof SvgError);
    head = { ok: false, problem: problemOf(error, order), isSpent: isSpent(hasFailed) };
  }
  writeToService(lock, JSON.stringify(head), png);
}

/** Loads the fonts. On a machine that does this for the first time, it takes longer than a drawing may. */
async function warmUp(): Promise<void> {
  const markup =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>a</text></svg>';
  await sharp(Buffer.from(markup)).raw().toBuffer();
}

// Only the service writes to the socket, so the head is trusted.
readFromService(new FrameReader(svgFrameBounds), ({ head, body }) => {
  void answer(head as SvgOrder, body);
});
await warmUp();
writeToService(lock, JSON.stringify('ready'));
