/** Encodes a whole image in PNG bands, and chooses the compression of each band by its pixels. */
import type { Pixels } from '../../pixels.ts';
import { freeBytes } from '../../pixels.ts';
import { checkWork } from '../../work-limit.ts';
import { createLiteralCode, deflateLiterals } from './deflate.ts';
import { deflateBand, filterBand, repeatCoding } from './bands.ts';
import type { PngBand, PngCoding, PngFilter, RawRows } from './bands.ts';
import { bytesOfColorType, copyRows, toPaletteRows, toTrueColorRows } from './colors.ts';
import type { PngColorType, PngRows } from './colors.ts';

/**
 * A band has at least this many rows and bytes. Smaller bands re-encode less around a text; larger ones compress
 * better, and zlib takes 0.1 ms to start. At 32 rows, files of the samples are no larger than those of libvips at level
 * 6.
 */
const bandRowsMin = 32;
const bandBytesMin = 96 * 1024;

const photographFilter = 'paeth';
/**
 * Flat graphics are tried with these filters, and the smallest result is kept. A band that stays is tried with zlib:
 * level 9 would save 3 % and take ten times as long. A band that is encoded once is tried with our repeats alone. Six of
 * the 61 samples and starts have such bands: their encoding takes 0.6 to 0.7 of the time, for up to 0.8 % more bytes.
 */
const flatLevel = 6;
const flatFilters: readonly PngFilter[] = ['none', 'up', 'paeth'];
/** A band is photographic if its sample is at most this much larger without repeats. */
const photographRatio = 1.25;
/**
 * Literal codes of photographs take at least this share of the bytes. The bands of an image that is known to be mostly
 * photographic are then not tried with repeats, which takes most of the time of an encode.
 */
const detailedShare = 0.3;
/** Number of rows, from the middle of a band, by which it is classified. */
const sampleRows = 8;

/** The rows of an image compressed in bands, in their colour type or a wider one. */
export interface EncodedImage {
  form: PngColorType;
  /** Rows of a band; the last one may be shorter. */
  bandRows: number;
  codings: PngCoding[];
  bands: PngBand[];
}

export function bytesOf({ bands }: EncodedImage): number {
  return bands.reduce((sum, { chunk }) => sum + chunk.length, 0);
}

/**
 * Encodes with a palette if the image has few enough colours and gets smaller, else in true colour. Takes ownership of
 * the pixels.
 */
export function encodeSmallest(pixels: Pixels): { rows: PngRows; image: EncodedImage } {
  const indexed = toPaletteRows(pixels);
  const rows = toTrueColorRows(pixels);
  if (rows.data !== pixels.data) freeBytes(pixels.data);
  const plain = { rows, image: encodeBands(rows, rows.colorType) };
  if (indexed === undefined) return plain;
  const small = { rows: indexed, image: encodeBands(indexed, 'palette') };
  const [kept, other] =
    bytesOf(small.image) < bytesOf(plain.image) ? [small, plain] : [plain, small];
  freeBytes(other.rows.data);
  return kept;
}

/** Returns the number of rows of a band in a colour type. */
function bandRowsOf({ widthPx }: PngRows, form: PngColorType): number {
  return Math.max(bandRowsMin, Math.ceil(bandBytesMin / (widthPx * bytesOfColorType[form])));
}

export function bandCount(rows: PngRows): number {
  return Math.ceil(rows.heightPx / bandRowsOf(rows, rows.colorType));
}

/** Whether a band of an image in the colour type of its rows is photographic. */
export function isPhotographBand(rows: PngRows, index: number): boolean {
  const bandRows = bandRowsOf(rows, rows.colorType);
  const top = index * bandRows;
  const end = Math.min(rows.heightPx, top + bandRows);
  return isPhotograph(bandOf(rows, top, end, rows.colorType), end - top);
}

/**
 * Method to choose the coding of a band: deflate all of its rows with each candidate (`best`) or only a sample
 * (`quick`), or assume an image that is mostly a photograph.
 */
export type Choice = 'best' | 'quick' | 'photograph';

/** Compresses an image in bands, in the colour type of its rows or in a wider one. */
export function encodeBands(
  rows: PngRows,
  form: PngColorType,
  choice: Choice = 'best',
): EncodedImage {
  const { heightPx } = rows;
  const bandRows = bandRowsOf(rows, form);
  const image: EncodedImage = { form, bandRows, codings: [], bands: [] };
  for (let row = 0; row < heightPx; row += bandRows) {
    const end = Math.min(heightPx, row + bandRows);
    checkWork();
    const { coding, band } = encodeBand(bandOf(rows, row, end, form), end - row, choice);
    image.codings.push(coding);
    image.bands.push(band);
  }
  return image;
}

/** Returns a copy of some rows in a colour type. */
export function bandOf(
  rows: PngRows,
  firstRow: number,
  endRow: number,
  form: PngColorType,
): RawRows {
  const pixelBytes = bytesOfColorType[form];
  const data = copyRows(rows, firstRow, endRow, form);
  return { data, stride: rows.widthPx * pixelBytes, pixelBytes };
}

/** Returns some rows in a colour type, without a copy if this is the colour type of the image. */
export function viewRows(
  rows: PngRows,
  firstRow: number,
  endRow: number,
  form: PngColorType,
): RawRows {
  if (form !== rows.colorType) return bandOf(rows, firstRow, endRow, form);
  const pixelBytes = bytesOfColorType[form];
  const stride = rows.widthPx * pixelBytes;
  return { data: rows.data.subarray(firstRow * stride, endRow * stride), stride, pixelBytes };
}

/** A band and its coding. */
export interface EncodedBand {
  coding: PngCoding;
  band: PngBand;
}

/** Compresses some rows as a photograph or as flat graphics, depending on their pixels. */
export function encodeBand(raw: RawRows, rowCount: number, choice: Choice = 'best'): EncodedBand {
  if (isPhotograph(raw, rowCount, choice)) {
    const filtered = filterBand(raw, 0, rowCount, photographFilter);
    const coding = { filter: photographFilter, code: createLiteralCode(filtered) } as const;
    return { coding, band: deflateBand(filtered, coding) };
  }
  if (choice === 'best') {
    const codings = flatFilters.map((filter): PngCoding => ({ filter, level: flatLevel }));
    return smallestBand(raw, 0, rowCount, [repeatCoding('none', raw), ...codings]);
  }
  const { first, end } = sampleOf(rowCount);
  const repeats = flatFilters.map((filter) => repeatCoding(filter, raw));
  const { coding } = smallestBand(raw, first, end, repeats);
  return { coding, band: deflateBand(filterBand(raw, 0, rowCount, coding.filter), coding) };
}

/** Compresses some rows with each coding; returns the smallest result. */
function smallestBand(
  raw: RawRows,
  firstRow: number,
  endRow: number,
  codings: readonly PngCoding[],
): EncodedBand {
  const [first, ...others] = codings.map((coding): EncodedBand => {
    const filtered = filterBand(raw, firstRow, endRow, coding.filter);
    return { coding, band: deflateBand(filtered, coding) };
  });
  if (first === undefined) throw new RangeError('there is a coding to try');
  return others.reduce(
    (best, other) => (other.band.chunk.length < best.band.chunk.length ? other : best),
    first,
  );
}

/** Returns the range of sampled rows, from the middle of a band. */
function sampleOf(rowCount: number): { first: number; end: number } {
  const first = Math.max(0, Math.floor((rowCount - sampleRows) / 2));
  return { first, end: Math.min(rowCount, first + sampleRows) };
}

/**
 * Whether repeats hardly reduce the size of the rows from the middle of a band. Rows of palette indexes are flat
 * graphics: the indexes of two similar colours are unrelated.
 */
function isPhotograph(raw: RawRows, rowCount: number, choice: Choice = 'best'): boolean {
  if (raw.pixelBytes === bytesOfColorType.palette) return false;
  const { first, end } = sampleOf(rowCount);
  const filtered = filterBand(raw, first, end, photographFilter);
  const quick = deflateLiterals(filtered, createLiteralCode(filtered));
  if (choice === 'photograph' && quick.length >= filtered.length * detailedShare) return true;
  const thorough = deflateBand(filtered, { filter: photographFilter, level: 4 });
  return quick.length <= thorough.chunk.length * photographRatio;
}
