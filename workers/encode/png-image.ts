/** A PNG in bands: each band is compressed in the way that suits its pixels, chosen when the picture is first encoded. */
import type { Rect } from '../display-list.ts';
import type { Pixels } from '../pixels.ts';
import type { BandedImage, PixelPatch } from './banded-image.ts';
import { createLiteralCode, deflateLiterals } from './literal-deflate.ts';
import { deflateBand, filterBand } from './png-bands.ts';
import type { PngBand, PngCoding, RawRows } from './png-bands.ts';
import {
  bytesOfColorType,
  toFormOf,
  toPaletteRows,
  toRgba,
  toTrueColorRows,
} from './png-colors.ts';
import type { PngRows } from './png-colors.ts';
import { joinPng } from './png-file.ts';
import { isOpaque } from '../pixels.ts';

/**
 * A band has at least this many rows and bytes. Smaller bands re-encode less around a text; larger ones
 * compress better, and zlib takes a tenth of a millisecond to begin: at 32 rows the samples are no
 * larger than libvips makes them at level 6.
 */
const bandRowsMin = 32;
const bandBytesMin = 96 * 1024;

const photographFilter = 'paeth';
/** For what is no photograph: the smallest of these is taken. */
const flatCodings: readonly PngCoding[] = [
  { filter: 'none', level: 6 },
  { filter: 'up', level: 6 },
  { filter: 'paeth', level: 6 },
];
/** A band is photographic when its sample is at most this much larger without looking for repeats. */
const photographRatio = 1.25;
/** Rows from the middle of a band that tell what it is. */
const sampleRows = 8;

/** A picture with its bands compressed. */
interface EncodedPicture {
  rows: PngRows;
  /** Rows of a band; the last one may be shorter. */
  bandRows: number;
  codings: PngCoding[];
  bands: PngBand[];
}

/** Encodes a whole picture in bands. Decodes to exactly the same pixels. The pixels belong to the image. */
export function createPngImage(pixels: Pixels): BandedImage {
  let picture = encodeSmallest(pixels);
  const pixelCount = pixels.widthPx * pixels.heightPx;
  const encodedBytes = picture.bands.reduce((sum, { chunk }) => sum + chunk.length, 0);
  return {
    blockPx: 1,
    // Rows in the widest form that they can come to have.
    sizeBytes: encodedBytes + pixelCount * bytesOfColorType.rgba,
    // All bands together take no longer than the whole: their coding is chosen already.
    pays: () => true,
    toFile(patches) {
      let forms = patches.map(({ pixels: { data } }) => toFormOf(picture.rows, data));
      if (forms.includes(undefined)) {
        picture = encodePicture(widenRows(picture.rows, patches));
        forms = patches.map(({ pixels: { data } }) => toFormOf(picture.rows, data));
      }
      const changed = encodePatches(picture, patches, forms);
      const bands = picture.bands.map((band, index) => changed.get(index) ?? band);
      return joinPng(picture.rows, bands);
    },
  };
}

/** With a palette where the picture has few enough colours and that is smaller, else in true colour. */
function encodeSmallest(pixels: Pixels): EncodedPicture {
  const plain = encodePicture(toTrueColorRows(pixels));
  const paletteRows = toPaletteRows(pixels);
  if (paletteRows === undefined) return plain;
  const indexed = encodePicture(paletteRows);
  const bytes = ({ bands }: EncodedPicture): number =>
    bands.reduce((sum, { chunk }) => sum + chunk.length, 0);
  return bytes(indexed) < bytes(plain) ? indexed : plain;
}

function encodePicture(rows: PngRows): EncodedPicture {
  const raw = rawRows(rows);
  const bandRows = Math.max(bandRowsMin, Math.ceil(bandBytesMin / raw.stride));
  const picture: EncodedPicture = { rows, bandRows, codings: [], bands: [] };
  for (let row = 0; row < rows.heightPx; row += bandRows) {
    const { coding, band } = encodeBand(raw, row, Math.min(rows.heightPx, row + bandRows));
    picture.codings.push(coding);
    picture.bands.push(band);
  }
  return picture;
}

function rawRows({ data, widthPx, colorType }: PngRows): RawRows {
  const pixelBytes = bytesOfColorType[colorType];
  return { data, stride: widthPx * pixelBytes, pixelBytes };
}

interface EncodedBand {
  coding: PngCoding;
  band: PngBand;
}

function encodeBand(raw: RawRows, firstRow: number, endRow: number): EncodedBand {
  if (isPhotograph(raw, firstRow, endRow)) {
    const filtered = filterBand(raw, firstRow, endRow, photographFilter);
    const coding = { filter: photographFilter, code: createLiteralCode(filtered) } as const;
    return { coding, band: deflateBand(filtered, coding) };
  }
  const [first, ...others] = flatCodings.map((coding): EncodedBand => {
    const filtered = filterBand(raw, firstRow, endRow, coding.filter);
    return { coding, band: deflateBand(filtered, coding) };
  });
  if (first === undefined) throw new RangeError('there is a coding to try');
  return others.reduce(
    (best, other) => (other.band.chunk.length < best.band.chunk.length ? other : best),
    first,
  );
}

/** Whether rows from the middle of a band are hardly smaller when repeats are looked for. */
function isPhotograph(raw: RawRows, firstRow: number, endRow: number): boolean {
  const first = Math.max(firstRow, Math.floor((firstRow + endRow - sampleRows) / 2));
  const end = Math.min(endRow, first + sampleRows);
  const filtered = filterBand(raw, first, end, photographFilter);
  const quick = deflateLiterals(filtered, createLiteralCode(filtered));
  const thorough = deflateBand(filtered, { filter: photographFilter, level: 4 });
  return quick.length <= thorough.chunk.length * photographRatio;
}

/** The rows in a form that holds these patches too: RGB where nothing is see-through, else RGBA. */
function widenRows(rows: PngRows, patches: readonly PixelPatch[]): PngRows {
  const { widthPx, heightPx } = rows;
  const data = toRgba(rows);
  if (patches.every(({ pixels }) => isOpaque(pixels.data))) {
    return toTrueColorRows({ data, widthPx, heightPx });
  }
  return { data, widthPx, heightPx, colorType: 'rgba' };
}

/** Numbers of the bands that regions cross. */
function bandsOf(regions: readonly Rect[], bandRows: number): Set<number> {
  const bands = new Set<number>();
  for (const { y, height } of regions) {
    for (let row = y - (y % bandRows); row < y + height; row += bandRows) bands.add(row / bandRows);
  }
  return bands;
}

/** Encodes the bands that patches cross. The picture's rows are changed for it and then put back. */
function encodePatches(
  { rows, bandRows, codings }: EncodedPicture,
  patches: readonly PixelPatch[],
  forms: readonly (Uint8Array | undefined)[],
): Map<number, PngBand> {
  const raw = rawRows(rows);
  const kept = patches.map(({ region }) => copyRegion(raw, region));
  for (const [index, { region }] of patches.entries()) putRegion(raw, region, forms[index]);
  const changed = new Map<number, PngBand>();
  for (const band of bandsOf(
    patches.map(({ region }) => region),
    bandRows,
  )) {
    const coding = codings[band];
    if (coding === undefined) throw new RangeError('a region is outside');
    const top = band * bandRows;
    const end = Math.min(rows.heightPx, top + bandRows);
    changed.set(band, deflateBand(filterBand(raw, top, end, coding.filter), coding));
  }
  for (const [index, { region }] of patches.entries()) putRegion(raw, region, kept[index]);
  return changed;
}

function copyRegion({ data, stride, pixelBytes }: RawRows, region: Rect): Uint8Array {
  const width = region.width * pixelBytes;
  const copy = new Uint8Array(width * region.height);
  for (let row = 0; row < region.height; row += 1) {
    const start = (region.y + row) * stride + region.x * pixelBytes;
    copy.set(data.subarray(start, start + width), row * width);
  }
  return copy;
}

function putRegion(
  { data, stride, pixelBytes }: RawRows,
  region: Rect,
  pixels: Uint8Array | undefined,
): void {
  if (pixels === undefined) throw new TypeError('the widest form holds every pixel');
  const width = region.width * pixelBytes;
  for (let row = 0; row < region.height; row += 1) {
    const start = (region.y + row) * stride + region.x * pixelBytes;
    data.set(pixels.subarray(row * width, (row + 1) * width), start);
  }
}
