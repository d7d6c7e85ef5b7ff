/** Decodes source images to pixels at the size they are drawn; with encode/ the only importer of sharp. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { Canvas, ImageData, loadImage } from 'skia-canvas';
import type { SourceImage } from '#shared/render-job.ts';
import { svgProblem } from '#shared/svg-markup.ts';
import { applyDuotone } from './duotone.ts';

/** Decoded pictures kept by one worker thread, device pixels in all: 32 MP are 128 MB of RGBA. */
const cachedPixelsMax = 32 * 1024 * 1024;
const cachedImagesMax = 1000;

/** Largest source that is decoded, pixels; its header was read and checked before it came here. */
const sourcePixelsMax = 50_000_000;
/** Points an inch at which librsvg draws one SVG unit as one pixel. */
const svgDensity = 72;

// One thread of libvips a worker: the pool already uses every core. Its cache would hold on to pixels.
sharp.concurrency(1);
sharp.cache(false);

/** Pixels ready to be drawn. The canvas belongs to the cache: draw from it, never on it. */
export interface Drawable {
  canvas: Canvas;
  widthPx: number;
  heightPx: number;
}

/** How a source is wanted: decoded size in device pixels, and what is done to it before it is drawn. */
export interface DecodeRequest {
  widthPx: number;
  heightPx: number;
  /** Cut to the size by what draws the eye, instead of stretched to it. */
  smartCrop: boolean;
  tint: string | undefined;
  duotone: { dark: string; light: string } | undefined;
}

/** A file that claims to be a picture and cannot be decoded; `message` says why, in words for its owner. */
export class DecodeError extends Error {
  override name = 'DecodeError';
}

const drawables = new LRUCache<string, Drawable>({
  max: cachedImagesMax,
  maxSize: cachedPixelsMax,
  sizeCalculation: (drawable) => drawable.widthPx * drawable.heightPx,
});

/**
 * The picture, upright and in sRGB, scaled to exactly the wanted size with Lanczos; a JPEG is decoded
 * no larger than that needs (shrink on load). Cached per thread. Throws `DecodeError` for a damaged file.
 */
export async function decodeImage(source: SourceImage, request: DecodeRequest): Promise<Drawable> {
  const { widthPx: width, heightPx: height, smartCrop, tint, duotone } = request;
  const look = `${smartCrop} ${tint ?? ''} ${duotone?.dark ?? ''}${duotone?.light ?? ''}`;
  const key = `${source.digest} ${width}x${height} ${look}`;
  const known = drawables.get(key);
  if (known !== undefined) return known;
  const input = isForeign(source) ? await openForeign(source) : openFile(source);
  const resized = smartCrop
    ? input.resize({ width, height, fit: 'cover', position: 'attention' })
    : input.resize({ width, height, fit: 'fill' });
  const drawable = await toDrawable(resized, request, source.format.toUpperCase());
  drawables.set(key, drawable);
  return drawable;
}

function openFile(source: SourceImage): Sharp {
  const limits = { failOn: 'error', limitInputPixels: sourcePixelsMax, pages: 1 } as const;
  return sharp(source.bytes, limits).autoOrient();
}

/** Formats that libvips does not read and the paint engine does. */
function isForeign({ format }: SourceImage): boolean {
  return format === 'bmp' || format === 'ico';
}

/**
 * Decodes with the paint engine, which takes a damaged file for a transparent picture: a BMP without
 * an alpha channel that has a transparent pixel, or any picture without a visible one, is an error.
 */
async function openForeign({ format, bytes, widthPx, heightPx }: SourceImage): Promise<Sharp> {
  // Its decoder takes no shared memory.
  const file = Buffer.from(bytes);
  const image = await loadImage(file).catch((error: unknown) => {
    throw damaged(format.toUpperCase(), error);
  });
  const { width, height } = image;
  // Limits were judged by the header: an icon may hold another picture that only this decoder reads.
  if (width !== widthPx || height !== heightPx) throw damaged(format.toUpperCase());
  const canvas = new Canvas(width, height);
  canvas.gpu = false;
  canvas.getContext('2d').drawImage(image, 0, 0);
  const data = canvas.toBufferSync('raw');
  canvas.dispose();
  // Bits a pixel stand in the header's bytes 28 and 29 (BITMAPINFOHEADER); 32 may have alpha.
  const isOpaque = format === 'bmp' && file.length > 30 && file.readUInt16LE(28) < 32;
  let transparent = 0;
  for (let index = 3; index < data.length; index += 4) if (data[index] === 0) transparent += 1;
  if ((isOpaque && transparent > 0) || transparent === width * height) {
    throw damaged(format.toUpperCase());
  }
  return sharp(data, { raw: { width, height, channels: 4 } });
}

function damaged(format: string, cause?: unknown): DecodeError {
  return new DecodeError(`is a damaged ${format} file, or of a kind that cannot be read`, {
    cause,
  });
}

/**
 * Draws SVG markup of a template into exactly the wanted size with librsvg, as large as fits with its
 * proportions (stretched where it says `preserveAspectRatio="none"`). librsvg runs no script, and what
 * would load something or take long is refused here. Cached per thread. Throws `DecodeError`.
 */
export async function decodeSvg(svg: string, widthPx: number, heightPx: number): Promise<Drawable> {
  const digest = createHash('sha256').update(svg).digest('hex');
  const key = `svg ${digest} ${widthPx}x${heightPx}`;
  const known = drawables.get(key);
  if (known !== undefined) return known;
  // What is checked is what is drawn: a comment may hold a root of its own.
  const plain = svg.replaceAll(/<!--[^]*?-->/g, '');
  const problem = svgProblem(plain);
  if (problem !== undefined) throw new DecodeError(problem);
  const intrinsic = await sharp(Buffer.from(plain), { density: svgDensity })
    .metadata()
    .catch((error: unknown) => {
      throw new DecodeError('is no SVG that can be read', { cause: error });
    });
  const { width, height } = intrinsic;
  // An outer <svg> of the wanted size has librsvg draw at that size: a resized picture would be blurred.
  const markup = plain.slice(plain.search(/<(?:\w+:)?svg[\s>]/));
  const stretches = /^<[^>]*\spreserveAspectRatio\s*=\s*["']none/.test(markup);
  const ratio = stretches ? 'none' : 'xMidYMid meet';
  const wrapped =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" ` +
    `viewBox="0 0 ${width} ${height}" preserveAspectRatio="${ratio}">${markup}</svg>`;
  const drawn = sharp(Buffer.from(wrapped), {
    density: svgDensity,
    limitInputPixels: sourcePixelsMax,
  });
  const drawable = await toDrawable(drawn, { tint: undefined, duotone: undefined }, 'SVG');
  drawables.set(key, drawable);
  return drawable;
}

async function toDrawable(
  image: Sharp,
  { tint, duotone }: Pick<DecodeRequest, 'tint' | 'duotone'>,
  format: string,
): Promise<Drawable> {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw damaged(format, error);
    });
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  if (duotone !== undefined) applyDuotone(pixels, duotone.dark, duotone.light);
  const canvas = new Canvas(info.width, info.height);
  canvas.gpu = false;
  const context = canvas.getContext('2d');
  // Drawing an ImageData costs 7 ms at 1200 x 630, every time; a canvas that holds it costs 0.7 ms.
  context.putImageData(new ImageData(pixels, info.width, info.height), 0, 0);
  if (tint !== undefined) {
    context.globalCompositeOperation = 'source-atop';
    context.fillStyle = tint;
    context.fillRect(0, 0, info.width, info.height);
  }
  return { canvas, widthPx: info.width, heightPx: info.height };
}
