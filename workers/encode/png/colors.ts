/** The colour types in which a PNG stores pixels without loss: palette indexes, RGB or RGBA. */
import type { Pixels } from '../../pixels.ts';
import { kernels, loadBytes } from '../kernels.ts';
import { freeBytes, toRgb } from '../../pixels.ts';

/** PNG 3, 11.2.1; all with 8-bit samples. */
export type PngColorType = 'palette' | 'rgb' | 'rgba';

/** Bytes per pixel. */
export const bytesOfColorType = { palette: 1, rgb: 3, rgba: 4 } as const;

/** Maximum entries of a palette (PNG 3, 11.2.2). */
const paletteMax = 256;

/** Pixels that the kernels convert at a time: 112 KiB with an RGB result, which fits into the cache of a core. */
const packedPixels = 16 * 1024;

/** The colours of an image as RGBA words, by index; new pixels add colours. */
export class Palette {
  readonly words: number[];

  constructor(words: readonly number[] = []) {
    this.words = [...words];
  }

  /** Returns the indexes of the pixels; undefined if there are too many colours, and then adds no colour. */
  toIndexes(rgba: Uint8Array): Uint8Array | undefined {
    const pixels = rgba.length / 4;
    const indexes = new Uint8Array(pixels);
    let count = this.words.length;
    let colors = new Uint32Array(this.words);
    for (let first = 0; first < pixels; first += packedPixels) {
      const end = Math.min(pixels, first + packedPixels);
      const { address, memory } = loadBytes(rgba.subarray(first * 4, end * 4), end - first);
      const words = new Uint32Array(memory, kernels.pngColors(), paletteMax);
      words.set(colors);
      const to = address + (end - first) * 4;
      count = kernels.indexPngPixels(end - first, count, to);
      if (count < 0) {
        freeBytes(indexes);
        return undefined;
      }
      colors = words.slice(0, count);
      indexes.set(new Uint8Array(memory, to, end - first), first);
    }
    this.words.push(...colors.subarray(this.words.length));
    return indexes;
  }
}

/** The pixels of an image in one colour type; `palette` for that type only. */
export interface PngRows {
  data: Uint8Array;
  widthPx: number;
  heightPx: number;
  colorType: PngColorType;
  palette?: Palette;
}

/** Returns the pixels as indexes if they have few enough colours. */
export function toPaletteRows({ data, widthPx, heightPx }: Pixels): PngRows | undefined {
  const palette = new Palette();
  const indexes = palette.toIndexes(data);
  if (indexes === undefined) return undefined;
  return { data: indexes, widthPx, heightPx, colorType: 'palette', palette };
}

/** Returns the pixels as RGB, or as RGBA if one is transparent. */
export function toTrueColorRows({ data, widthPx, heightPx }: Pixels): PngRows {
  const packed = packRgb(data);
  return packed === undefined
    ? { data, widthPx, heightPx, colorType: 'rgba' }
    : { data: packed, widthPx, heightPx, colorType: 'rgb' };
}

/**
 * Converts RGBA bytes to a colour type. Returns undefined if the palette is full or RGB would lose transparency.
 */
export function toForm(
  rgba: Uint8Array,
  colorType: PngColorType,
  palette: Palette | undefined,
): Uint8Array | undefined {
  if (palette !== undefined) return palette.toIndexes(rgba);
  return colorType === 'rgba' ? rgba : packRgb(rgba);
}

/** Returns RGBA bytes without alpha; undefined if a pixel is transparent. The caller owns the result. */
export function packRgb(rgba: Uint8Array): Uint8Array | undefined {
  const pixels = rgba.length / 4;
  const packed = new Uint8Array(pixels * 3);
  for (let first = 0; first < pixels; first += packedPixels) {
    const end = Math.min(pixels, first + packedPixels);
    const { address, memory } = loadBytes(rgba.subarray(first * 4, end * 4), (end - first) * 3 + 4);
    const to = address + (end - first) * 4;
    if (kernels.packRgb(end - first, to) === 0) {
      freeBytes(packed);
      return undefined;
    }
    packed.set(new Uint8Array(memory, to, (end - first) * 3), first * 3);
  }
  return packed;
}

/** Whether all pixels are opaque. Rows are RGBA only if a pixel is transparent. */
export function areOpaque({ colorType, palette }: PngRows): boolean {
  if (palette !== undefined) return palette.words.every((word) => word >>> 24 === 255);
  return colorType === 'rgb';
}

/** Copies the rows from `firstRow` to before `endRow` in their colour type or a wider one. The caller owns them. */
export function copyRows(
  { data, widthPx, colorType, palette }: PngRows,
  firstRow: number,
  endRow: number,
  form: PngColorType,
): Uint8Array {
  const size = bytesOfColorType[colorType];
  const bandPixels = new Uint8Array(
    data.subarray(firstRow * widthPx * size, endRow * widthPx * size),
  );
  if (form === colorType) return bandPixels;
  const words = new Uint32Array(bandPixels.length / size);
  for (let index = 0; index < words.length; index += 1) {
    const at = index * size;
    words[index] =
      palette === undefined
        ? 0xff_00_00_00 |
          ((bandPixels[at + 2] ?? 0) << 16) |
          ((bandPixels[at + 1] ?? 0) << 8) |
          (bandPixels[at] ?? 0)
        : (palette.words[bandPixels[at] ?? 0] ?? 0);
  }
  const rgba = new Uint8Array(words.buffer);
  return form === 'rgba' ? rgba : toRgb(rgba);
}
