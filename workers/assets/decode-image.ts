/** Decodes source images to pixels at the size they are drawn; with encode/ the only importer of sharp. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { Canvas, ImageData } from 'skia-canvas';
import type { SourceImage } from '#shared/render-job.ts';
import { applyDuotone } from './duotone.ts';

/** Decoded pictures kept by one worker thread, device pixels in all: 32 MP are 128 MB of RGBA. */
const cachedPixelsMax = 32 * 1024 * 1024;
const cachedImagesMax = 1000;

/** Largest source that is decoded, pixels; its header was read and checked before it came here. */
const sourcePixelsMax = 50_000_000;
/** libvips accepts SVG densities up to this. */
const svgDensityMax = 100_000;
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

/** How a source is wanted: drawn size in device pixels, and what is done to it before it is drawn. */
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
 * The picture, upright and in sRGB, scaled to the wanted size with Lanczos; a JPEG is decoded no
 * larger than that needs (shrink on load). Never enlarged: a picture smaller than asked for comes at
 * its own size. Cached per thread. Throws `DecodeError` for a damaged file.
 */
export async function decodeImage(source: SourceImage, request: DecodeRequest): Promise<Drawable> {
  const { widthPx, heightPx, smartCrop, tint, duotone } = request;
  const look = `${smartCrop} ${tint ?? ''} ${duotone?.dark ?? ''}${duotone?.light ?? ''}`;
  const key = `${source.digest} ${widthPx}x${heightPx} ${look}`;
  const known = drawables.get(key);
  if (known !== undefined) return known;
  const input = sharp(source.bytes, {
    failOn: 'error',
    limitInputPixels: sourcePixelsMax,
    pages: 1,
  }).autoOrient();
  const resized = smartCrop
    ? input.resize({ width: widthPx, height: heightPx, fit: 'cover', position: 'attention' })
    : input.resize({ width: widthPx, height: heightPx, fit: 'fill', withoutEnlargement: true });
  const drawable = await toDrawable(resized, request, source.format.toUpperCase());
  drawables.set(key, drawable);
  return drawable;
}

/**
 * Draws SVG markup of a template at exactly the wanted size with librsvg, which loads nothing from
 * outside and runs no script. Markup with a document type is refused: entities multiply (billion
 * laughs). Cached per thread. Throws `DecodeError`.
 */
export async function decodeSvg(svg: string, widthPx: number, heightPx: number): Promise<Drawable> {
  if (/<!(DOCTYPE|ENTITY)/i.test(svg)) throw new DecodeError('has a document type; remove it');
  const digest = createHash('sha256').update(svg).digest('hex');
  const key = `svg ${digest} ${widthPx}x${heightPx}`;
  const known = drawables.get(key);
  if (known !== undefined) return known;
  const bytes = Buffer.from(svg);
  const intrinsic = await sharp(bytes, { density: svgDensity })
    .metadata()
    .catch(() => undefined);
  if (intrinsic === undefined) throw new DecodeError('is no SVG that can be read');
  const ratio = Math.max(widthPx / intrinsic.width, heightPx / intrinsic.height);
  const density = Math.min(svgDensityMax, Math.max(1, svgDensity * ratio));
  const drawn = sharp(bytes, { density, limitInputPixels: sourcePixelsMax }).resize({
    width: widthPx,
    height: heightPx,
    fit: 'fill',
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
      const message = `is a damaged ${format} file, or of a kind that cannot be read`;
      throw new DecodeError(message, { cause: error });
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
