/** A whole picture in bands of a PNG: each is compressed in the way that suits its pixels. */
import type { Pixels } from '../../pixels.ts';
import { checkWork } from '../../work-limit.ts';
import { createLiteralCode, deflateLiterals } from './deflate.ts';
import { deflateBand, filterBand, repeatCoding } from './bands.ts';
import type { PngBand, PngCoding, PngFilter, RawRows } from './bands.ts';
import { bytesOfColorType, copyRows, toPaletteRows, toTrueColorRows } from './colors.ts';
import type { PngColorType, PngRows } from './colors.ts';

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

/** A picture's rows compressed in bands, in the rows' own form or in a wider one. */
export interface EncodedPicture {
  form: PngColorType;
  /** Rows of a band; the last one may be shorter. */
  bandRows: number;
  codings: PngCoding[];
  bands: PngBand[];
}

/** Bytes of a picture's bands. */
export function bytesOf({ bands }: EncodedPicture): number {
  return bands.reduce((sum, { chunk }) => sum + chunk.length, 0);
}

/** With a palette where the picture has few enough colours and that is smaller, else in true colour. */
export function encodeSmallest(pixels: Pixels): { rows: PngRows; picture: EncodedPicture } {
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
    checkWork();
    const { coding, band } = encodeBand(bandOf(rows, row, end, form), end - row, choice);
    picture.codings.push(coding);
    picture.bands.push(band);
  }
  return picture;
}

/** A copy of some rows in a form. */
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

/** A band, and how it was compressed. */
export interface EncodedBand {
  coding: PngCoding;
  band: PngBand;
}

/** Compresses some rows as what they are: a photograph, or flat graphics. */
export function encodeBand(raw: RawRows, rowCount: number, choice: Choice = 'best'): EncodedBand {
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
