/** RGBA pixels as RGB, for files without transparency. */

/** Whether no pixel is see-through. `rgba` is not premultiplied. */
export function isOpaque(rgba: Uint8Array): boolean {
  for (let index = 3; index < rgba.length; index += 4) if (rgba[index] !== 255) return false;
  return true;
}

/** The same pixels without alpha, laid on white where they are see-through. */
export function toRgb(rgba: Uint8Array): Uint8Array<ArrayBuffer> {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255;
    if (alpha === 255) {
      rgb[to] = rgba[from] ?? 0;
      rgb[to + 1] = rgba[from + 1] ?? 0;
      rgb[to + 2] = rgba[from + 2] ?? 0;
      continue;
    }
    const white = 255 - alpha;
    for (let channel = 0; channel < 3; channel += 1) {
      rgb[to + channel] = Math.round(((rgba[from + channel] ?? 0) * alpha) / 255 + white);
    }
  }
  return rgb;
}
