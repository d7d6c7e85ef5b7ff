/** RGBA pixels as RGB, for files without transparency. */

/** Alpha is the highest byte of a pixel read as one number: the machines we run on are little-endian. */
const alphaShift = 24;
const opaque = 255;

/** The pixels of RGBA bytes as one number each, red lowest. Shares their memory where it is aligned. */
export function toWords(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** Whether no pixel is see-through. `rgba` is not premultiplied. */
export function isOpaque(rgba: Uint8Array): boolean {
  return toWords(rgba).every((word) => word >>> alphaShift === opaque);
}

/** The same pixels without alpha, laid on white where they are see-through. */
export function toRgb(rgba: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = toWords(rgba);
  const rgb = new Uint8Array(words.length * 3);
  for (let index = 0, to = 0; index < words.length; index += 1, to += 3) {
    const word = words[index] ?? 0;
    const alpha = word >>> alphaShift;
    if (alpha === opaque) {
      rgb[to] = word;
      rgb[to + 1] = word >>> 8;
      rgb[to + 2] = word >>> 16;
      continue;
    }
    for (let channel = 0; channel < 3; channel += 1) {
      const value = (word >>> (8 * channel)) & 255;
      rgb[to + channel] = Math.round((value * alpha) / opaque + opaque - alpha);
    }
  }
  return rgb;
}
