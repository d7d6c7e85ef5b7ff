/** Image files that templates draw, kept by their content; the often drawn ones stay in shared memory. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SourceFormat, SourceImage } from '#shared/render-job.ts';
import { sourceFormats } from '#shared/render-job.ts';
import type { Database } from './database.ts';
import { writeTransaction } from './database.ts';
import { StoreError, storeErrors } from './store-error.ts';

/** What an image file's header says: sides before an EXIF turn, EXIF orientation 1 … 8. */
export interface AssetHeader {
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
}

export interface AssetStore {
  /**
   * Stores an image file and returns its id, `asset:` and the SHA-256 in hexadecimal; the same
   * bytes again are stored once. The header is trusted. `INVALID` for no bytes or over 32 MiB.
   */
  saveAsset(organizationUid: string, bytes: Uint8Array, header: AssetHeader): string;
  /**
   * The organization's asset, or undefined. The bytes are shared memory that belongs to everybody:
   * nobody writes to it. What is read from the disk is checked against its digest: `CORRUPT`.
   */
  findAsset(organizationUid: string, id: string): SourceImage | undefined;
  /** Forgets what is in memory. The database is its opener's to close. */
  close(): void;
}

/** One file. A photo of 50 megapixels at high quality is about 25 MB. */
export const assetBytesMax = 32 * 1024 * 1024;

const cacheBytesMaxDefault = 256 * 1024 * 1024;
/** Small ones count too: at 64 KiB each they fill the bytes. */
const cacheAssetsMax = 4096;

const idPattern = /^asset:([0-9a-f]{64})$/;

interface AssetRow {
  format: string;
  width_px: number;
  height_px: number;
  orientation: number;
  bytes: Buffer;
}

/** One store a connection. */
export function createAssetStore(db: Database, cacheBytesMax = cacheBytesMaxDefault): AssetStore {
  const images = new LRUCache<string, SourceImage>({
    max: cacheAssetsMax,
    maxSize: cacheBytesMax,
    sizeCalculation: (image, key) => key.length + image.bytes.byteLength,
  });
  const insert = db.prepare<[string, string, string, number, number, number, string, Uint8Array]>(
    `INSERT INTO assets
       (organization_uid, digest, format, width_px, height_px, orientation, created_at, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const exists = db.prepare<[string, string], { digest: string }>(
    'SELECT digest FROM assets WHERE organization_uid = ? AND digest = ?',
  );
  const select = db.prepare<[string, string], AssetRow>(
    `SELECT format, width_px, height_px, orientation, bytes FROM assets
     WHERE organization_uid = ? AND digest = ?`,
  );
  return {
    saveAsset(organizationUid, bytes, header) {
      if (bytes.byteLength < 1 || bytes.byteLength > assetBytesMax) {
        throw new StoreError(
          'INVALID',
          `An asset must have 1 to ${assetBytesMax} bytes, not ${bytes.byteLength}.`,
        );
      }
      const digest = digestOf(bytes);
      const { format, widthPx, heightPx, orientation } = header;
      writeTransaction(db, `Saving asset ${digest}`, () => {
        if (exists.get(organizationUid, digest) !== undefined) return;
        const now = new Date().toISOString();
        insert.run(organizationUid, digest, format, widthPx, heightPx, orientation, now, bytes);
      });
      return `asset:${digest}`;
    },
    findAsset(organizationUid, id) {
      const digest = idPattern.exec(id)?.[1];
      if (digest === undefined) return undefined;
      const key = `${organizationUid}:${digest}`;
      const known = images.get(key);
      if (known !== undefined) return known;
      const row = storeErrors(`Reading asset ${digest}`, () => select.get(organizationUid, digest));
      if (row === undefined) return undefined;
      const image = toImage(digest, row);
      // Inside a transaction the row may yet be rolled back.
      if (!db.inTransaction) images.set(key, image);
      return image;
    },
    close: () => images.clear(),
  };
}

function toImage(digest: string, row: AssetRow): SourceImage {
  const format = sourceFormats.find((known) => known === row.format);
  // A render with a changed byte may be a broken picture: better none, and a reason.
  if (format === undefined || digestOf(row.bytes) !== digest) {
    throw new StoreError(
      'CORRUPT',
      `Asset ${digest} is damaged in the database: restore the newest backup.`,
    );
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(row.bytes.byteLength));
  bytes.set(row.bytes);
  return {
    digest,
    format,
    widthPx: row.width_px,
    heightPx: row.height_px,
    orientation: row.orientation,
    bytes,
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
