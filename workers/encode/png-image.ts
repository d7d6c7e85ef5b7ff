/** A PNG in bands: each band is compressed in the way that suits its pixels, chosen when the picture is first encoded. */
import type { Rect } from '../display-list.ts';
import type { Pixels } from '../pixels.ts';
import type { BandedImage, PixelPatch } from './banded-image.ts';
import { createLiteralCode, deflateLiterals } from './literal-deflate.ts';
import { deflateBand, filterBand, repeatCoding } from './png-bands.ts';
import type { PngBand, PngCoding, PngFilter, RawRows } from './png-bands.ts';
import {
  Palette,
  areOpaque,
  bytesOfColorType,
  copyRows,
  toForm,
  toPaletteRows,
  toTrueColorRows,
} from './png-colors.ts';
import type { PngColorType, PngRows } from './png-colors.ts';
import { joinPng } from './png-file.ts';

/**
 * A band has at least this many rows and bytes. Smaller bands re-encode less around a text; larger ones
 * compress better, and zlib takes a tenth of a millisecond to begin: at 32 rows the samples are no
 * larger than libvips makes them at level 6.
 */
const bandRowsMin = 32;
const bandBytesMin = 96 * 1024;

const photographFilter = 'paeth';
/** For what is no photograph zlib takes these, and the smallest is kept. Level 9 saves 3 % and takes ten times as long. */
const flatLevel = 6;
const flatFilters: readonly PngFilter[] = ['none', 'up', 'paeth'];
/** A band is photographic when its sample is at most this much larger without looking for repeats. */
const photographRatio = 1.25;
/** Rows from the middle of a band that tell what it is. */
const sampleRows = 8;

/**
 * Of a photographic band's pixels, the share from which on what replaces them may be no photograph, and a coding is chosen
 * anew. Flat graphics keep theirs until they have grown: to try all filters takes several times as long as to code them.
 */
const newCodingShare = 0.5;
/** A band that has grown by this factor, and by as many bytes as choosing anew is worth, is none that its coding was chosen for. */
const grownRatio = 1.25;
const grownBytesMin = 8 * 1024;
/** Share of the pixels above which a whole encode is as quick, and may choose another form for all. */
const replacedShareMax = 0.75;

/** A picture's rows compressed in bands, in the rows' own form or in a wider one. */
export interface EncodedPicture {
  form: PngColorType;
  /** Rows of a band; the last one may be shorter. */
  bandRows: number;
  codings: PngCoding[];
  bands: PngBand[];
}

/** Encodes a whole picture in bands. Decodes to exactly the same pixels. The pixels belong to the image. */
export function createPngImage(pixels: Pixels): BandedImage {
  const { rows, picture } = encodeSmallest(pixels);
  const pixelCount = pixels.widthPx * pixels.heightPx;
  /** The same picture in wider forms, made when a file first needs one. */
  const wider = new Map<PngColorType, EncodedPicture>();
  const inForm = (form: PngColorType): EncodedPicture => {
    if (form === rows.colorType) return picture;
    const encoded = wider.get(form) ?? encodePicture(rows, form);
    wider.set(form, encoded);
    return encoded;
  };
  return {
    blockPx: 1,
    // As of the widest form: the bands of wider ones are smaller than what narrower rows save.
    sizeBytes: bytesOf(picture) + pixelCount * bytesOfColorType.rgba,
    pays: (regions) => areaOf(regions) <= pixelCount * replacedShareMax,
    toFile(patches) {
      const { form, palette, replaced } = toWanted(rows, patches);
      const encoded = inForm(form);
      const changed = encodePatches(rows, encoded, replaced);
      const bands = encoded.bands.map((band, index) => changed.get(index) ?? band);
      const { widthPx, heightPx } = rows;
      const head = { widthPx, heightPx, colorType: form };
      return joinPng(palette === undefined ? head : { ...head, palette }, bands);
    },
  };
}

function bytesOf({ bands }: EncodedPicture): number {
  return bands.reduce((sum, { chunk }) => sum + chunk.length, 0);
}

function areaOf(regions: readonly Rect[]): number {
  return regions.reduce((sum, { width, height }) => sum + width * height, 0);
}

/** A region and its new pixels in the form of the file. */
interface Replacement {
  region: Rect;
  data: Uint8Array;
}

/** The form of a file with these patches, with the file's own palette, and the patches in that form. */
function toWanted(
  rows: PngRows,
  patches: readonly PixelPatch[],
): { form: PngColorType; palette?: Palette; replaced: Replacement[] } {
  if (rows.palette !== undefined) {
    // What one file brings must not fill the palette of all that follow.
    const palette = new Palette(rows.palette.words);
    const replaced = replacements(patches, 'palette', palette);
    if (replaced !== undefined) return { form: 'palette', palette, replaced };
  }
  const opaque = areOpaque(rows) ? replacements(patches, 'rgb', undefined) : undefined;
  if (opaque !== undefined) return { form: 'rgb', replaced: opaque };
  return { form: 'rgba', replaced: replacements(patches, 'rgba', undefined) ?? [] };
}

function replacements(
  patches: readonly PixelPatch[],
  form: PngColorType,
  palette: Palette | undefined,
): Replacement[] | undefined {
  const replaced: Replacement[] = [];
  for (const { region, pixels } of patches) {
    const data = toForm(pixels.data, form, palette);
    if (data === undefined) return undefined;
    replaced.push({ region, data });
  }
  return replaced;
}

/** With a palette where the picture has few enough colours and that is smaller, else in true colour. */
function encodeSmallest(pixels: Pixels): { rows: PngRows; picture: EncodedPicture } {
  const indexed = toPaletteRows(pixels);
  const rows = toTrueColorRows(pixels);
  const plain = { rows, picture: encodePicture(rows, rows.colorType) };
  if (indexed === undefined) return plain;
  const picture = encodePicture(indexed, 'palette');
  return bytesOf(picture) < bytesOf(plain.picture) ? { rows: indexed, picture } : plain;
}

/** Rows of a band of a picture in a form. */
function bandRowsOf({ widthPx }: PngRows, form: PngColorType): number {
  return Math.max(bandRowsMin, Math.ceil(bandBytesMin / (widthPx * bytesOfColorType[form])));
}

/** How many bands a picture has in its own form. */
export function bandCount(rows: PngRows): number {
  return Math.ceil(rows.heightPx / bandRowsOf(rows, rows.colorType));
}

/** Whether a band of a picture in its own form is photographic. */
export function isPhotographBand(rows: PngRows, index: number): boolean {
  const bandRows = bandRowsOf(rows, rows.colorType);
  const top = index * bandRows;
  const end = Math.min(rows.heightPx, top + bandRows);
  return isPhotograph(bandOf(rows, top, end, rows.colorType), end - top);
}

/** How a band's coding is found: by deflating all of it in each, or only some of its rows. */
type Choice = 'best' | 'quick';

/** Compresses a picture in bands, in its own form or in a wider one. */
export function encodePicture(
  rows: PngRows,
  form: PngColorType,
  choice: Choice = 'best',
): EncodedPicture {
  const { heightPx } = rows;
  const bandRows = bandRowsOf(rows, form);
  const picture: EncodedPicture = { form, bandRows, codings: [], bands: [] };
  for (let row = 0; row < heightPx; row += bandRows) {
    const end = Math.min(heightPx, row + bandRows);
    const { coding, band } = encodeBand(bandOf(rows, row, end, form), end - row, choice);
    picture.codings.push(coding);
    picture.bands.push(band);
  }
  return picture;
}

/** A copy of some rows in a form. */
function bandOf(rows: PngRows, firstRow: number, endRow: number, form: PngColorType): RawRows {
  const pixelBytes = bytesOfColorType[form];
  const data = copyRows(rows, firstRow, endRow, form);
  return { data, stride: rows.widthPx * pixelBytes, pixelBytes };
}

interface EncodedBand {
  coding: PngCoding;
  band: PngBand;
}

function encodeBand(raw: RawRows, rowCount: number, choice: Choice = 'best'): EncodedBand {
  if (isPhotograph(raw, rowCount)) {
    const filtered = filterBand(raw, 0, rowCount, photographFilter);
    const coding = { filter: photographFilter, code: createLiteralCode(filtered) } as const;
    return { coding, band: deflateBand(filtered, coding) };
  }
  if (choice === 'best') return smallestBand(raw, 0, rowCount);
  const { first, end } = sampleOf(rowCount);
  const { coding } = smallestBand(raw, first, end);
  return { coding, band: deflateBand(filterBand(raw, 0, rowCount, coding.filter), coding) };
}

/** Some rows in the coding for flat graphics that makes them smallest. */
function smallestBand(raw: RawRows, firstRow: number, endRow: number): EncodedBand {
  const codings = flatFilters.map((filter): PngCoding => ({ filter, level: flatLevel }));
  const all = [repeatCoding('none', raw), ...codings];
  const [first, ...others] = all.map((coding): EncodedBand => {
    const filtered = filterBand(raw, firstRow, endRow, coding.filter);
    return { coding, band: deflateBand(filtered, coding) };
  });
  if (first === undefined) throw new RangeError('there is a coding to try');
  return others.reduce(
    (best, other) => (other.band.chunk.length < best.band.chunk.length ? other : best),
    first,
  );
}

/** Rows from the middle of a band. */
function sampleOf(rowCount: number): { first: number; end: number } {
  const first = Math.max(0, Math.floor((rowCount - sampleRows) / 2));
  return { first, end: Math.min(rowCount, first + sampleRows) };
}

/** Whether rows from the middle of a band are hardly smaller when repeats are looked for. */
function isPhotograph(raw: RawRows, rowCount: number): boolean {
  const { first, end } = sampleOf(rowCount);
  const filtered = filterBand(raw, first, end, photographFilter);
  const quick = deflateLiterals(filtered, createLiteralCode(filtered));
  const thorough = deflateBand(filtered, { filter: photographFilter, level: 4 });
  return quick.length <= thorough.chunk.length * photographRatio;
}

/** Numbers of the bands that regions cross. */
function bandsOf(regions: readonly Rect[], bandRows: number): Set<number> {
  const bands = new Set<number>();
  for (const { y, height } of regions) {
    for (let row = y - (y % bandRows); row < y + height; row += bandRows) bands.add(row / bandRows);
  }
  return bands;
}

/** Encodes the bands that patches cross. */
function encodePatches(
  rows: PngRows,
  { form, bandRows, codings, bands }: EncodedPicture,
  replaced: readonly Replacement[],
): Map<number, PngBand> {
  const changed = new Map<number, PngBand>();
  for (const index of bandsOf(
    replaced.map(({ region }) => region),
    bandRows,
  )) {
    const coding = codings[index];
    const kept = bands[index];
    if (coding === undefined || kept === undefined) throw new RangeError('a region is outside');
    const top = index * bandRows;
    const end = Math.min(rows.heightPx, top + bandRows);
    const raw = bandOf(rows, top, end, form);
    let pixels = 0;
    for (const one of replaced) pixels += putRows(raw, top, end, one);
    const share = pixels / (rows.widthPx * (end - top));
    changed.set(index, encodeChanged(raw, end - top, coding, kept, share));
  }
  return changed;
}

/** In the coding of the band that was there, or in a new one where it fits no more. */
function encodeChanged(
  raw: RawRows,
  rowCount: number,
  coding: PngCoding,
  kept: PngBand,
  replacedShare: number,
): PngBand {
  const { filter } = coding;
  if ('code' in coding && replacedShare >= newCodingShare) return encodeBand(raw, rowCount).band;
  const quick = 'code' in coding ? coding : repeatCoding(filter, raw);
  const band = deflateBand(filterBand(raw, 0, rowCount, filter), quick);
  const grown = band.chunk.length - kept.chunk.length;
  if (grown <= Math.max(grownBytesMin, kept.chunk.length * (grownRatio - 1))) return band;
  const other = encodeBand(raw, rowCount).band;
  return other.chunk.length < band.chunk.length ? other : band;
}

/** Writes what of a replacement lies in a band from row `top` to before `end`; gives the pixels that it takes there. */
function putRows(
  { data, stride, pixelBytes }: RawRows,
  top: number,
  end: number,
  { region, data: pixels }: Replacement,
): number {
  const width = region.width * pixelBytes;
  const first = Math.max(top, region.y);
  const last = Math.min(end, region.y + region.height);
  for (let row = first; row < last; row += 1) {
    const from = (row - region.y) * width;
    data.set(pixels.subarray(from, from + width), (row - top) * stride + region.x * pixelBytes);
  }
  return Math.max(0, last - first) * region.width;
}
