/** Decodes source images to pixels at the size of their use. Only this file and encode/ import sharp. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { decodeMs } from '#language/limits/image-costs.ts';
import type { SourceImage } from '#wire/render-job.ts';
import { decodeBitmap, isPng, largestIcon } from './decode-bitmap.ts';
import type { Drawable } from './drawable-cache.ts';
import { findDrawable, keepDrawable } from './drawable-cache.ts';
import { toDrawable } from './drawable-cache.ts';
import { leanFile } from './decode-bitmap.ts';
import { inksToRgba, isBareCmyk, mayBeDeep } from './source-colors.ts';
import { freeBytes } from '../pixels.ts';
import { findPart, isShared, keepPart } from '../shared/parts.ts';
import { requireMs } from '../work-limit.ts';
import { toRgba } from '#wire/color.ts';

// One libvips thread in each render host: the pool uses every core already. The cache of libvips would keep pixels.
sharp.concurrency(1);
sharp.cache(false);

/** The decoded size of a source in device pixels, and the effects applied to it before it is drawn. */
export interface DecodeRequest {
  widthPx: number;
  heightPx: number;
  /** Whether the image is cropped around its most salient part instead of stretched to the size. */
  smartCrop: boolean;
  tint: string | undefined;
  duotone: { dark: string; light: string } | undefined;
}

/**
 * A file that has the signature of an image and cannot be decoded; `message` gives the reason, for the owner of the
 * file.
 */
export class DecodeError extends Error {
  override name = 'DecodeError';
}

/** Throws as `requireMs` does if decoding would not end before the deadline of its render. */
function requireDecodable(source: SourceImage, wantedPixels: number): void {
  const { widthPx, heightPx, bytes } = source;
  const [megapixels, megabytes] = [widthPx * heightPx, bytes.byteLength].map((each) =>
    (each / 1e6).toFixed(1),
  );
  requireMs(
    decodeMs(source, wantedPixels),
    `decode an image of ${megapixels} MP and ${megabytes} MB`,
  );
}

/**
 * Returns the image, upright and in sRGB, scaled to exactly the requested size with Lanczos. A JPEG is decoded at the
 * smallest sufficient size (shrink on load). Decoded once in a host. Throws `DecodeError` for a damaged file, and as
 * `requireMs` for a file that takes too long to decode.
 */
export async function decodeImage(source: SourceImage, request: DecodeRequest): Promise<Drawable> {
  const { widthPx: width, heightPx: height, smartCrop, tint, duotone } = request;
  const look = `${smartCrop} ${tint ?? ''} ${duotone?.dark ?? ''}${duotone?.light ?? ''}`;
  const key = `${source.digest} ${width}x${height} ${look}`;
  const known = findDecoded(key, tint);
  if (known !== undefined) return known;
  requireDecodable(source, width * height);
  const input = await openSource(source);
  const resized = smartCrop
    ? input.resize({ width, height, fit: 'cover', position: 'attention' })
    : input.resize({ width, height, fit: 'fill' });
  const isInks = source.format === 'jpeg' && isBareCmyk(source.bytes);
  const format = source.format.toUpperCase();
  if (mayBeDeep(source)) await convertDeep(resized, format);
  return keepDecoded(key, await decodePixels(resized, duotone, format, isInks), tint);
}

function openSource(source: SourceImage): Promise<Sharp> | Sharp {
  if (isForeign(source)) return openForeign(source);
  return source.format === 'gif' ? openGif(source) : openFile(source.bytes, source);
}

/**
 * Opens a GIF. The part of its screen outside the first frame becomes transparent; libvips alone would make it black.
 */
async function openGif(source: SourceImage): Promise<Sharp> {
  const file = openFile(source.bytes, source);
  const frame = firstFrame(source.bytes);
  if (frame === undefined || covers(frame, source.widthPx, source.heightPx)) return file;
  const screen = await file.metadata().catch((error: unknown) => {
    throw damaged('GIF', error);
  });
  if (covers(frame, screen.width, screen.height)) return file;
  const { left, top } = frame;
  const width = Math.min(frame.width, screen.width - left);
  const height = Math.min(frame.height, screen.height - top);
  if (width <= 0 || height <= 0) return file;
  const right = screen.width - left - width;
  const bottom = screen.height - top - height;
  const { data, info } = await file
    .extract({ left, top, width, height })
    .toColourspace('srgb')
    .ensureAlpha()
    .extend({ left, top, right, bottom, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw damaged('GIF', error);
    });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}

function covers({ left, top, width, height }: Frame, widthPx: number, heightPx: number): boolean {
  return left === 0 && top === 0 && width >= widthPx && height >= heightPx;
}

function openFile(bytes: Uint8Array, { widthPx, heightPx }: SourceImage): Sharp {
  // The limits were checked by the header, so libvips may decode no more pixels than the header states.
  const limitInputPixels = widthPx * heightPx;
  return sharp(leanFile(bytes), { failOn: 'error', limitInputPixels, pages: 1 }).autoOrient();
}

/** Formats that the paint engine reads and libvips does not. */
function isForeign({ format }: SourceImage): boolean {
  return format === 'bmp' || format === 'ico';
}

async function openForeign(source: SourceImage): Promise<Sharp> {
  const { format, bytes } = source;
  // The engine does not accept shared memory.
  const file = format === 'ico' ? largestIcon(bytes) : Buffer.from(bytes);
  if (file !== undefined && isPng(file)) return openFile(file, source);
  const bitmap = file === undefined ? undefined : await decodeBitmap(file, source);
  if (bitmap === undefined) throw damaged(format.toUpperCase());
  const { data, width, height } = bitmap;
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** sharp converts an image of 16 bits with a profile to Display P3 and returns that; this adds the step to sRGB. */
async function convertDeep(image: Sharp, format: string): Promise<void> {
  const { hasProfile, depth } = await image.metadata().catch((error: unknown) => {
    throw damaged(format, error);
  });
  if (hasProfile && depth === 'ushort') image.withIccProfile('srgb');
}

function damaged(format: string, cause?: unknown): DecodeError {
  return new DecodeError(`is a damaged ${format} file, or of a kind that cannot be read`, {
    cause,
  });
}

/**
 * Returns the drawing of an SVG layer, decoded from its PNG. Returns undefined without a file, unless this thread has
 * the drawing in its cache. `source` identifies markup and size. Throws as `decodeImage`.
 */
export async function decodeDrawing(
  source: string,
  file: SourceImage | undefined,
): Promise<Drawable | undefined> {
  const known = findDecoded(source, undefined);
  if (known !== undefined || file === undefined) return known;
  requireDecodable(file, file.widthPx * file.heightPx);
  const decoded = await decodePixels(openFile(file.bytes, file), undefined, 'PNG');
  return keepDecoded(source, decoded, undefined);
}

/** Decoded pixels: RGBA, not premultiplied. */
interface Decoded {
  rgba: Uint8Array | Uint8ClampedArray;
  widthPx: number;
  heightPx: number;
}

/** Decoded pixels from which a turn of the event loop is worth their memory. */
const largeBytes = 4 * 1024 * 1024;

async function decodePixels(
  image: Sharp,
  duotone: DecodeRequest['duotone'],
  format: string,
  isInks = false,
): Promise<Decoded> {
  const colored = isInks
    ? image.pipelineColourspace('cmyk').toColourspace('cmyk')
    : image.toColourspace('srgb').ensureAlpha();
  const { data, info } = await colored
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw damaged(format, error);
    });
  // libvips adds no alpha to an image of two channels that is marked as RGB.
  if (info.channels !== 4) throw damaged(format);
  const rgba = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  if (isInks) inksToRgba(rgba);
  if (duotone !== undefined) applyDuotone(rgba, duotone.dark, duotone.light);
  return { rgba, widthPx: info.width, heightPx: info.height };
}

/** Returns the drawable of an image that this thread, or another one of its host, has decoded. */
function findDecoded(key: string, tint: string | undefined): Drawable | undefined {
  const known = findDrawable(key);
  if (known !== undefined) return known;
  const decoded = findPart(partKey(key), (value) => value as Decoded);
  return decoded && draw(key, decoded, tint);
}

async function keepDecoded(
  key: string,
  decoded: Decoded,
  tint: string | undefined,
): Promise<Drawable> {
  const drawable = draw(key, decoded, tint);
  if (isShared) {
    const part = { kind: 'image', key: partKey(key), bytes: decoded.rgba.byteLength } as const;
    const asData = (value: unknown): Decoded => value as Decoded;
    keepPart(part, decoded, asData, asData);
  }
  const isLarge = decoded.rgba.byteLength >= largeBytes;
  freeBytes(decoded.rgba);
  // Bytes that libvips allocated are freed in the next turn of the event loop, and painting does not wait for one.
  if (isLarge) await nextTurn();
  return drawable;
}

function draw(
  key: string,
  { rgba, widthPx, heightPx }: Decoded,
  tint: string | undefined,
): Drawable {
  const drawable = toDrawable(rgba, widthPx, heightPx);
  if (tint !== undefined) {
    const context = drawable.canvas.getContext('2d');
    context.globalCompositeOperation = 'source-atop';
    context.fillStyle = tint;
    context.fillRect(0, 0, widthPx, heightPx);
  }
  keepDrawable(key, drawable);
  return drawable;
}

function partKey(key: string): string {
  return `image ${key}`;
}

// Maps the brightness of an image to the gradient between two colours.

/** Luminance weights of sRGB (Rec. ITU-R BT.709). */
const weights = [0.2126, 0.7152, 0.0722] as const;

/**
 * Replaces the colour of each pixel by the point between `dark` and `light` at its luminance; alpha does not change.
 * `pixels` is RGBA, not premultiplied, and is changed in place. Colours are `#rgb` … `#rrggbbaa`; their alpha is
 * ignored.
 */
function applyDuotone(pixels: Uint8ClampedArray, dark: string, light: string): void {
  const [darkRed, darkGreen, darkBlue] = toRgba(dark);
  const [lightRed, lightGreen, lightBlue] = toRgba(light);
  for (let index = 0; index < pixels.length; index += 4) {
    const luminance =
      ((pixels[index] ?? 0) * weights[0] +
        (pixels[index + 1] ?? 0) * weights[1] +
        (pixels[index + 2] ?? 0) * weights[2]) /
      255;
    pixels[index] = darkRed + (lightRed - darkRed) * luminance;
    pixels[index + 1] = darkGreen + (lightGreen - darkGreen) * luminance;
    pixels[index + 2] = darkBlue + (lightBlue - darkBlue) * luminance;
  }
}

// Finds the position of a GIF's first frame on its screen (GIF89a, sections 18 and 20).

/** A part of an image, in pixels. */
interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Upper bound of the extensions read before the first frame; encoders write two or three. */
const extensionsMax = 1000;

const headBytes = 13;

/** Returns the first frame of a file whose header is known to be valid; undefined if there is none. */
function firstFrame(bytes: Uint8Array): Frame | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = file[headBytes - 3] ?? 0;
  let offset = headBytes + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let extension = 0; extension < extensionsMax && file[offset] === 0x21; extension++) {
    offset += 2;
    // Sub-blocks, each after a byte with its length; an empty sub-block ends the extension.
    for (let length = file[offset] ?? 0; length > 0; length = file[offset] ?? 0)
      offset += 1 + length;
    offset += 1;
  }
  if (file[offset] !== 0x2c || offset + 10 > file.length) return undefined;
  const side = (at: number): number => file.readUInt16LE(offset + at);
  return { left: side(1), top: side(3), width: side(5), height: side(7) };
}
