/** An asset as it is stored: its row, and what becomes of it for readers and for renders. */
import { createHash } from 'node:crypto';
import type { SourceImage } from '#wire/render-job.ts';
import { sourceFormats } from '#wire/render-job.ts';
import { fileHasForeignObject } from '#language/check/svg-markup.ts';
import { StoreError } from '../database/store-error.ts';

/** What is known of a stored asset without its bytes. Sides are as it is seen, in design pixels. */
export interface AssetSummary {
  id: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
  created_at: string;
}

/** The columns of a list: none of them is large. */
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

/** And the file itself. */
export interface AssetRow extends SummaryRow {
  drawing_digest: string | null;
  drawing: Buffer | null;
  bytes: Buffer;
}

/** The format of a row that has a drawing. */
export const svgFormat = 'svg';

/** Names of the formats after `image/` that differ from ours (IANA media types). */
const mediaTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  ico: 'image/vnd.microsoft.icon',
};

/** The media type of a stored format. */
export function mediaType(format: string): string {
  return mediaTypes[format] ?? `image/${format}`;
}

/** What a list tells of a row. */
export function toSummary(row: SummaryRow): AssetSummary {
  const sides = [row.width_px / row.pixel_ratio, row.height_px / row.pixel_ratio];
  // EXIF values 5 … 8 lie on their side.
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

/** The picture that renders draw, in shared memory of its own. Throws `CORRUPT` for a drawing that has changed. */
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

/** Bytes that are no longer those that were stored. */
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
