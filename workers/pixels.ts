/** Painted pixels, and the operations that all encoders share. */

/** The density that files declare: Outlook rescales an image whose file declares another one. */
export const dotsPerInch = 96;

/**
 * RGBA bytes, not premultiplied, rows from the top without padding. Not a `Buffer`: its `slice` shares memory, so that
 * a write to such a copy would appear in the image of another request.
 */
export interface Pixels {
  data: Uint8Array;
  widthPx: number;
  heightPx: number;
}

/** Smaller buffers may be views of a pool that other code uses, and the garbage collector frees them soon enough. */
const freedBytesMin = 256 * 1024;

/**
 * Frees the memory of bytes that are no longer read. V8 would free native buffers much later, because they do not count
 * in its heap.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array | Uint8ClampedArray): void {
  if (byteLength < freedBytesMin || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Alpha is the highest byte of a pixel read as one number, because all supported machines are little-endian. */
const alphaShift = 24;
const opaque = 255;

/** Returns RGBA bytes as one number per pixel, red lowest. Shares the memory if it is aligned. */
export function toWords(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : new Uint8Array(rgba);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** Whether all pixels are opaque. */
export function isOpaque(rgba: Uint8Array): boolean {
  const words = toWords(rgba);
  let common = -1;
  // The loop uses an index: an iterator takes four times as long.
  for (let index = 0; index < words.length; index += 1) common &= words[index] ?? 0;
  return common >>> alphaShift === opaque;
}

/** Returns the pixels without alpha, blended with white where they are transparent. `rgba` is not premultiplied. */
export function toRgb(rgba: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = toWords(rgba);
  const flat = isOpaque(rgba) ? words : words.map(layOnWhite);
  // Four pixels fill three words, which takes a third of the time of byte-by-byte stores.
  const packed = new Uint32Array(Math.ceil((flat.length * 3) / 4));
  for (let from = 0, to = 0; from < flat.length; from += 4, to += 3) {
    const a = flat[from] ?? 0;
    const b = flat[from + 1] ?? 0;
    const c = flat[from + 2] ?? 0;
    const d = flat[from + 3] ?? 0;
    packed[to] = (a & 0xff_ff_ff) | (b << 24);
    packed[to + 1] = ((b >>> 8) & 0xff_ff) | (c << 16);
    packed[to + 2] = ((c >>> 16) & 0xff) | (d << 8);
  }
  return new Uint8Array(packed.buffer, 0, flat.length * 3);
}

/** Returns a pixel, as one number and not premultiplied, blended with white and without its alpha. */
export function layOnWhite(word: number): number {
  const alpha = word >>> alphaShift;
  let result = opaque << alphaShift;
  for (let shift = 0; shift < alphaShift; shift += 8) {
    const value = (word >>> shift) & 255;
    result |= Math.round((value * alpha) / opaque + opaque - alpha) << shift;
  }
  return result >>> 0;
}
