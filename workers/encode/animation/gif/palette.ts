/** Chooses the colours of a GIF's frames, and the colour index of each pixel. */
import { checkWork } from '../../../work-limit.ts';
import { createSearch, squaredDifference, toLab } from './lab.ts';
import type { ColorSearch, Lab } from './lab.ts';
import { ColorHistogram } from './quantize.ts';

/** Colours of a table besides the transparent one (GIF89a, 19). */
const colorsMax = 255;

/** Pixels as RGBA words, opaque or 0; `weight` is their weight in the choice of colours. */
export interface WeightedPixels {
  words: Uint32Array;
  weight: number;
}

/** A table of colours. */
export interface GifPalette {
  /** RGB words without alpha, at most 255. */
  colors: readonly number[];
  /** Index of pixels that the frame does not change, or that are transparent. */
  transparentIndex: number;
  /** The bits of an index. */
  indexBits: number;
  /** Returns the index of an opaque pixel at a position of the image. */
  indexOf: (word: number, x: number, y: number) => number;
}

/** Returns the exact colours if they are at most 255; otherwise chosen colours, mixed by a pattern. */
export function createPalette(pixels: readonly WeightedPixels[]): GifPalette {
  const exact = exactColors(pixels);
  if (exact !== undefined) {
    const indexes = new Map(exact.map((color, index) => [color, index]));
    return withColors(exact, (word) => indexes.get(word & rgbMask) ?? 0);
  }
  const histogram = new ColorHistogram();
  for (const { words, weight } of pixels) {
    checkWork();
    histogram.add(words, weight);
  }
  const colors = histogram.toColors(colorsMax);
  return withColors(colors, createMixer(colors));
}

function withColors(colors: readonly number[], indexOf: GifPalette['indexOf']): GifPalette {
  const transparentIndex = colors.length;
  return { colors, transparentIndex, indexBits: bitsOf(colors.length + 1), indexOf };
}

/** Returns the bits of an index into a table with this many entries, 1 … 8. */
function bitsOf(entries: number): number {
  return Math.max(1, 32 - Math.clz32(entries - 1));
}

const rgbMask = 0xff_ff_ff;

/** Returns the distinct colours of the opaque pixels; undefined for more than 255. */
function exactColors(pixels: readonly WeightedPixels[]): number[] | undefined {
  const colors = new Set<number>();
  for (const { words } of pixels) {
    checkWork();
    let last = -1;
    for (const word of words) {
      if (word === last) continue;
      last = word;
      if (word === 0) continue;
      colors.add(word & rgbMask);
      if (colors.size > colorsMax) return undefined;
    }
  }
  return [...colors];
}

// Mixing (ordered dithering): a colour that is not in the table becomes the nearest colour of the table. At some
// positions of a fixed pattern it becomes a second colour that compensates the error. Equal pixels thus have equal
// indexes in all frames, and flat areas of the table's colours stay flat.

/** Side of the pattern. */
const patternPx = 8;

/** Bayer's matrix: thresholds 0 … 63 in the order that spreads them most evenly. */
const thresholds = new Uint8Array(patternPx * patternPx).map((_, position) => {
  const x = position % patternPx;
  const y = Math.floor(position / patternPx);
  let threshold = 0;
  for (let bit = 0; bit < 3; bit += 1) {
    const right = (x >> bit) & 1;
    const down = (y >> bit) & 1;
    threshold |= ((right ^ down) * 2 + down) << (2 * (2 - bit));
  }
  return threshold;
});

/** Squared ΔE up to which a colour counts as equal to the nearest one. Hardly visible; patterns take space. */
const equalDifference = 3;
/** Weights of the channels in a mixture: the eye distinguishes greens best. */
const redWeight = 2;
const greenWeight = 4;
const blueWeight = 3;

/** Bits of each channel that choose an entry of the table of known colours. */
const keyBits = 6;
/** Flag of an entry that is set. */
const isKnown = 1 << 24;

function createMixer(colors: readonly number[]): GifPalette['indexOf'] {
  const labs = colors.map(toLab);
  const search = createSearch(labs);
  /** By the upper bits of a colour: nearest index, other index and its share of 64 at bits 0, 8, 16; 0 if not set. */
  const known = new Int32Array(1 << (3 * keyBits));
  return (word, x, y) => {
    const key = ((word & 0xfc) >>> 2) | ((word >>> 4) & 0xf_c0) | ((word >>> 6) & 0x3_f0_00);
    let entry = known[key] ?? 0;
    if (entry === 0) {
      entry = mix(word, { colors, labs, search }) | isKnown;
      known[key] = entry;
    }
    const threshold = thresholds[(y & 7) * patternPx + (x & 7)] ?? 0;
    return threshold < ((entry >>> 16) & 63) ? (entry >>> 8) & 255 : entry & 255;
  };
}

interface SearchedColors {
  colors: readonly number[];
  labs: readonly Lab[];
  search: ColorSearch;
}

/** Returns the entry of a colour: the nearest index, the index in direction of the error, and its best share. */
function mix(word: number, { colors, labs, search }: SearchedColors): number {
  const wanted = toLab(word);
  const nearest = search(wanted);
  const found = labs[nearest] ?? wanted;
  const alone = nearest | (nearest << 8);
  if (squaredDifference(wanted, found) <= equalDifference) return alone;
  const [lightness, a, b] = wanted;
  const other = search([2 * lightness - found[0], 2 * a - found[1], 2 * b - found[2]]);
  if (other === nearest) return alone;
  const color = colors[nearest] ?? 0;
  const error = difference(word, color);
  const step = difference(colors[other] ?? 0, color);
  const share = product(error, step) / product(step, step);
  const shareOf64 = Math.round(Math.min(0.5, Math.max(0, share)) * 64);
  return nearest | (other << 8) | (shareOf64 << 16);
}

type Rgb = readonly [red: number, green: number, blue: number];

function difference(one: number, other: number): Rgb {
  return [
    (one & 255) - (other & 255),
    ((one >>> 8) & 255) - ((other >>> 8) & 255),
    ((one >>> 16) & 255) - ((other >>> 16) & 255),
  ];
}

function product([red, green, blue]: Rgb, other: Rgb): number {
  return redWeight * red * other[0] + greenWeight * green * other[1] + blueWeight * blue * other[2];
}
