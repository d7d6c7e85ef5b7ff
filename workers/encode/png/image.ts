/** A PNG in bands: a patch recompresses only the bands that it crosses. */
import type { Rect } from '../../display-list.ts';
import type { Pixels } from '../../pixels.ts';
import type { BandedImage, PixelPatch } from '../banded-image.ts';
import { deflateBand, filterBand, repeatCoding } from './bands.ts';
import type { PngBand, PngCoding, RawRows } from './bands.ts';
import { Palette, areOpaque, bytesOfColorType, toForm } from './colors.ts';
import type { PngColorType, PngRows } from './colors.ts';
import type { LiteralCode } from './deflate.ts';
import { leastLiteralBytes } from './deflate.ts';
import { joinPng } from './file.ts';
import { checkWork } from '../../work-limit.ts';
import { bandOf, bytesOf, encodeBand, encodeBands, encodeSmallest, viewRows } from './pixels.ts';
import type { EncodedImage } from './pixels.ts';
import { findPositions, spliceBand, stepPx, windowOf } from './splice.ts';
import type { LiteralPositions, SpliceWindow } from './splice.ts';

/**
 * Share of replaced pixels from which a photographic band may become non-photographic. Its code is kept unless the
 * result exceeds the entropy of the literals by this factor: then a new coding saves more than the search for it costs.
 */
const newCodingShare = 0.5;
const fittingRatio = 1.3;
/**
 * Growth from which a band of flat graphics gets a new coding: by this factor, and by at least these bytes. Trying all
 * filters takes several times as long as encoding.
 */
const grownRatio = 1.25;
const grownBytesMin = 8 * 1024;
/**
 * Share of replaced pixels above which the whole image is encoded. This takes as long as replacing them, and new
 * filters and codes make the file 1 % smaller (new photographs in `welcome-banner`). Replacing 75 to 94 % takes 0.6 of
 * this time.
 */
const replacedShareMax = 0.95;

/** The pixels of an image, and its bands. */
export interface PngImageData {
  rows: PngRows;
  image: EncodedImage;
}

/** Encodes a whole image in bands. Decodes to exactly the same pixels. Takes ownership of the pixels. */
export function createPngImage(pixels: Pixels): BandedImage {
  return pngImageOf(encodeSmallest(pixels));
}

export function pngImageOf(data: PngImageData): BandedImage {
  const { image } = data;
  const { palette: colors } = data.rows;
  // Plain data have no methods.
  const rows =
    colors === undefined ? data.rows : { ...data.rows, palette: new Palette(colors.words) };
  const pixelCount = rows.widthPx * rows.heightPx;
  /** The same image in wider colour types, encoded when a file first needs one. */
  const wider = new Map<PngColorType, EncodedImage>();
  const inForm = (form: PngColorType): EncodedImage => {
    if (form === rows.colorType) return image;
    const encoded = wider.get(form) ?? encodeBands(rows, form);
    wider.set(form, encoded);
    return encoded;
  };
  return {
    data,
    blockPx: 1,
    sizeBytes: rows.data.length + bytesOfAllForms(image) + positionsBytes(rows),
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

/** Estimate of a wider colour type, which has more bands with codes: these bytes, and this factor on the bytes. */
const widerFrameBytes = 2048;
const widerShare = 1.125;

/**
 * Estimates the bytes of the image with all wider colour types that files may need. A pixel of n bytes compresses to at
 * most as much as n pixels of one byte.
 */
function bytesOfAllForms(image: EncodedImage): number {
  const bytes = bytesOf(image);
  const pixelBytes = bytesOfColorType[image.form];
  const wider = Object.values(bytesOfColorType).filter((each) => each > pixelBytes);
  const ofWider = wider.map((each) => widerFrameBytes + (bytes * widerShare * each) / pixelBytes);
  return Math.ceil(ofWider.reduce((sum, each) => sum + each, bytes));
}

/** Returns the bytes of the positions of literal codes, in the colour type of the image and in a wider one. */
function positionsBytes({ widthPx, heightPx }: PngRows): number {
  return 2 * heightPx * Math.ceil(widthPx / stepPx) * Uint32Array.BYTES_PER_ELEMENT;
}

function areaOf(regions: readonly Rect[]): number {
  return regions.reduce((sum, { width, height }) => sum + width * height, 0);
}

/** A region and its new pixels in the colour type of the file. */
interface Replacement {
  region: Rect;
  data: Uint8Array;
}

/** Chooses the colour type and the palette of a file with these patches, and converts the patches to it. */
function toWanted(
  rows: PngRows,
  patches: readonly PixelPatch[],
): { form: PngColorType; palette?: Palette; replaced: Replacement[] } {
  if (rows.palette !== undefined) {
    // A copy: colours of one file must not fill the palette of all later ones.
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

/** Returns the indexes of the bands that regions cross. */
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
  { form, bandRows, codings, bands }: EncodedImage,
  replaced: readonly Replacement[],
): Map<number, PngBand> {
  const changed = new Map<number, PngBand>();
  for (const index of bandsOf(
    replaced.map(({ region }) => region),
    bandRows,
  )) {
    checkWork();
    const coding = codings[index];
    const kept = bands[index];
    if (coding === undefined || kept === undefined) throw new RangeError('a region is outside');
    const top = index * bandRows;
    const end = Math.min(rows.heightPx, top + bandRows);
    const inBand = replaced.flatMap((one) => {
      const { y, height } = one.region;
      if (y >= end || y + height <= top) return [];
      return [{ ...one, region: { ...one.region, y: y - top } }];
    });
    const band: ChangedBand = { rows, form, top, end, replaced: inBand };
    const spliced = 'code' in coding ? spliceChanged(band, kept, coding) : undefined;
    changed.set(index, spliced ?? encodeChanged(band, coding, kept));
  }
  return changed;
}

/** Rows `top` to before `end` of an image in a colour type, and replacements, whose rows count from `top`. */
interface ChangedBand {
  rows: PngRows;
  form: PngColorType;
  top: number;
  end: number;
  replaced: readonly Replacement[];
}

/** Cache of the positions of literal codes in changed bands. */
const positionsOf = new WeakMap<PngBand, LiteralPositions>();

/** Replaces pixels of a photographic band; returns undefined if at least half of its pixels are in the window. */
function spliceChanged(
  { rows, form, top, end, replaced }: ChangedBand,
  kept: PngBand,
  { filter, code }: PngCoding & { code: LiteralCode },
): PngBand | undefined {
  const rowCount = end - top;
  const { widthPx } = rows;
  const window = windowOf(
    replaced.map(({ region }) => region),
    widthPx,
    rowCount,
  );
  const { left, right, fromColumn, fromRow } = window;
  const windowShare = ((right - left) * (window.end - window.top)) / (widthPx * rowCount);
  if (windowShare >= newCodingShare) return undefined;
  let positions = positionsOf.get(kept);
  if (positions === undefined) {
    const raw = bandOf(rows, top, end, form);
    positions = findPositions(filterBand(raw, 0, rowCount, filter), code, raw);
    positionsOf.set(kept, positions);
  }
  const before = windowRows(rows, form, top, window);
  const after = { ...before, data: new Uint8Array(before.data) };
  for (const { region, data } of replaced) {
    const { x, y } = region;
    const moved = { ...region, x: x - fromColumn, y: y - fromRow };
    putRows(after, 0, window.end - fromRow, { region: moved, data });
  }
  const stride = widthPx * before.pixelBytes;
  return spliceBand({ band: kept, code, positions, stride }, window, before, after);
}

/** Copies the pixels of a window of the band that begins at row `top`. */
function windowRows(
  rows: PngRows,
  form: PngColorType,
  top: number,
  { fromColumn, right, fromRow, end }: SpliceWindow,
): RawRows {
  const { data, stride: wholeStride, pixelBytes } = viewRows(rows, top + fromRow, top + end, form);
  const stride = (right - fromColumn) * pixelBytes;
  const copied = new Uint8Array((end - fromRow) * stride);
  for (let row = 0; row < end - fromRow; row += 1) {
    const from = row * wholeStride + fromColumn * pixelBytes;
    copied.set(data.subarray(from, from + stride), row * stride);
  }
  return { data: copied, stride, pixelBytes };
}

/** Encodes a changed band with its previous coding, or with a new coding if the result is too large. */
function encodeChanged(
  { rows, form, top, end, replaced }: ChangedBand,
  coding: PngCoding,
  kept: PngBand,
): PngBand {
  const { filter } = coding;
  const rowCount = end - top;
  const raw = bandOf(rows, top, end, form);
  const pixels = replaced.reduce((sum, one) => sum + putRows(raw, 0, rowCount, one), 0);
  const replacedShare = pixels / (rows.widthPx * rowCount);
  const filtered = filterBand(raw, 0, rowCount, filter);
  let bytesMax: number;
  if (!('code' in coding)) bytesMax = kept.chunk.length + grownBytesMax(kept);
  else if (replacedShare < newCodingShare) bytesMax = Infinity;
  else bytesMax = leastLiteralBytes(filtered) * fittingRatio;
  const band = deflateBand(filtered, 'code' in coding ? coding : repeatCoding(filter, raw));
  if (band.chunk.length <= bytesMax) return band;
  const other = encodeBand(raw, rowCount).band;
  return other.chunk.length < band.chunk.length ? other : band;
}

function grownBytesMax({ chunk }: PngBand): number {
  return Math.max(grownBytesMin, chunk.length * (grownRatio - 1));
}

/**
 * Copies the part of a replacement within the band of rows `top` to before `end`; returns the number of pixels copied.
 */
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
