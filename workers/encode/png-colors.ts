/** The forms in which a PNG can store its pixels: indexes of a palette, RGB or RGBA, whichever is exact. */
import type { Pixels } from '../pixels.ts';
import { isOpaque, toRgb, toWords } from '../pixels.ts';

/** PNG 3, 11.2.1: eight bits a sample in each. */
export type PngColorType = 'palette' | 'rgb' | 'rgba';

/** Bytes a pixel. */
export const bytesOfColorType = { palette: 1, rgb: 3, rgba: 4 } as const;

/** PNG 3, 11.2.2. */
const paletteMax = 256;
/** Colours that a picture may have to be given a palette: letters of other values bring more shades of their edges. */
const paletteColorsMax = 192;

/** The colours of a picture as RGBA words, by index; grows as pictures bring new ones. */
export class Palette {
  readonly words: number[] = [];
  readonly #indexes = new Map<number, number>();

  /** Indexes of the pixels; undefined when they have more colours than fit. Colours found until then stay. */
  toIndexes(rgba: Uint8Array, colorsMax = paletteMax): Uint8Array | undefined {
    const words = toWords(rgba);
    const indexes = new Uint8Array(words.length);
    let lastWord = -1;
    let lastIndex = 0;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0;
      if (word !== lastWord) {
        const index = this.#indexOf(word, colorsMax);
        if (index === undefined) return undefined;
        lastWord = word;
        lastIndex = index;
      }
      indexes[at] = lastIndex;
    }
    return indexes;
  }

  #indexOf(word: number, colorsMax: number): number | undefined {
    const known = this.#indexes.get(word);
    if (known !== undefined) return known;
    if (this.words.length >= colorsMax) return undefined;
    this.#indexes.set(word, this.words.length);
    this.words.push(word);
    return this.words.length - 1;
  }
}

/** A picture's pixels in one form; the palette's when it has one. */
export interface PngRows {
  data: Uint8Array;
  widthPx: number;
  heightPx: number;
  colorType: PngColorType;
  palette?: Palette;
}

/** The pixels as indexes, when they have few enough colours. */
export function toPaletteRows({ data, widthPx, heightPx }: Pixels): PngRows | undefined {
  const palette = new Palette();
  const indexes = palette.toIndexes(data, paletteColorsMax);
  if (indexes === undefined) return undefined;
  return { data: indexes, widthPx, heightPx, colorType: 'palette', palette };
}

/** The pixels as RGB, or as RGBA where one is see-through. */
export function toTrueColorRows({ data, widthPx, heightPx }: Pixels): PngRows {
  if (isOpaque(data)) return { data: toRgb(data), widthPx, heightPx, colorType: 'rgb' };
  return { data, widthPx, heightPx, colorType: 'rgba' };
}

/** The pixels of a patch in the form of `rows`; undefined when that form cannot hold them. */
export function toFormOf(
  { colorType, palette }: PngRows,
  rgba: Uint8Array,
): Uint8Array | undefined {
  if (palette !== undefined) return palette.toIndexes(rgba);
  if (colorType === 'rgba') return rgba;
  return isOpaque(rgba) ? toRgb(rgba) : undefined;
}

/** The picture of `rows` as RGBA bytes again. */
export function toRgba({ data, colorType, palette }: PngRows): Uint8Array {
  if (colorType === 'rgba') return data;
  const size = bytesOfColorType[colorType];
  const words = new Uint32Array(data.length / size);
  for (let index = 0; index < words.length; index += 1) {
    const at = index * size;
    words[index] =
      palette === undefined
        ? 0xff_00_00_00 | ((data[at + 2] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at] ?? 0)
        : (palette.words[data[at] ?? 0] ?? 0);
  }
  return new Uint8Array(words.buffer);
}
