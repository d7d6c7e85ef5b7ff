/** Converts the row of an asset for the API and for renders. */
import { createHash } from 'node:crypto';
import type { SourceImage } from '#wire/render-job.ts';
import { sourceFormats } from '#wire/render-job.ts';
import { fileHasForeignObject } from '#language/check/svg-markup.ts';
import { StoreError } from '../database/store-error.ts';

/** A stored asset without its bytes. Width and height are after the EXIF rotation, in design pixels. */
export interface AssetSummary {
  id: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
  created_at: string;
}

/** The columns of a list, which are all small. */
export interface SummaryRow {
  digest: string;
  format: string;
  width_px: number;
  height_px: number;
  orientation: number;
  pixel_ratio: number;
  size_bytes: number;
  created_at: string;
}

/** All columns, including the file. */
export interface AssetRow extends SummaryRow {
  drawing_digest: string | null;
  drawing: Buffer | null;
  bytes: Buffer;
}

/** Maximum bytes of one file. A photograph of 50 megapixels at high quality has about 25 MB. */
export const assetBytesMax = 32 * 1024 * 1024;

const idPattern = /^asset:([0-9a-f]{64})$/;

/** The digest in the id of an asset; undefined for any other text. */
export function digestIn(id: string): string | undefined {
  return idPattern.exec(id)?.[1];
}

/** The format of an SVG, whose row has a drawing. */
export const svgFormat = 'svg';

/** Media types whose subtype differs from Platen's name of the format (IANA). */
const mediaTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  ico: 'image/vnd.microsoft.icon',
};

export function mediaType(format: string): string {
  return mediaTypes[format] ?? `image/${format}`;
}

export function toSummary(row: SummaryRow): AssetSummary {
  const sides = [row.width_px / row.pixel_ratio, row.height_px / row.pixel_ratio];
  // EXIF values 5 … 8 swap width and height.
  if (row.orientation >= 5) sides.reverse();
  const [width = 0, height = 0] = sides.map((side) => Math.round(side * 100) / 100);
  return {
    id: `asset:${row.digest}`,
    type: mediaType(row.format),
    width,
    height,
    bytes: row.size_bytes,
    created_at: row.created_at,
  };
}

/** The image for renders, copied into shared memory. Throws `CORRUPT` for a damaged drawing. */
export function toImage(row: AssetRow): SourceImage {
  const { digest, drawing } = row;
  const file = drawing ?? row.bytes;
  const format = drawing === null ? sourceFormats.find((known) => known === row.format) : 'png';
  if (format === undefined) throw damaged(digest);
  if (drawing !== null && digestOf(drawing) !== row.drawing_digest) throw damaged(digest);
  const bytes = new Uint8Array(new SharedArrayBuffer(file.byteLength));
  bytes.set(file);
  return {
    digest,
    format,
    widthPx: row.width_px,
    heightPx: row.height_px,
    orientation: row.orientation,
    ...(row.pixel_ratio === 1 ? {} : { pixelRatio: row.pixel_ratio }),
    ...(drawing !== null && fileHasForeignObject(row.bytes) ? { hasForeignObject: true } : {}),
    bytes,
  };
}

/** Creates the error of bytes that differ from the stored digest. */
export function damaged(digest: string): StoreError {
  return new StoreError(
    'CORRUPT',
    `Asset ${digest} is damaged in the database: restore the newest backup.`,
  );
}

/** SHA-256 in lower-case hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
