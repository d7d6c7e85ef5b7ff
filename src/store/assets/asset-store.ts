/** Image files that templates draw, kept by their content; the often drawn ones stay in shared memory. */
import { LRUCache } from 'lru-cache';
import type { SourceFormat, SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import { damaged, digestOf, mediaType, svgFormat, toImage, toSummary } from './asset-row.ts';
import type { AssetRow, AssetSummary, SummaryRow } from './asset-row.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { createDocumentSearch } from '../document-search.ts';
import type { DocumentSearch } from '../document-search.ts';
import { createStorageQuota } from '../database/storage-quota.ts';
import type { StorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** What an image file's header says: sides before an EXIF turn, EXIF orientation 1 … 8. */
export interface AssetHeader {
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  /** Pixels for one design pixel, when that is not 1: of the drawing of an SVG. */
  pixelRatio?: number;
}

export interface AssetPage {
  assets: AssetSummary[];
  /** All of the organization's assets, not only this page's. */
  total: number;
}

export interface AssetStore {
  /**
   * Stores an image file and returns its id, `asset:` and the SHA-256 in hexadecimal; the same
   * bytes again are stored once. The header is trusted. Of an SVG, `drawing` is the PNG that is drawn in
   * its place, which the header describes.
   *
   * Throws a `StoreError`: `INVALID` for no bytes or over 32 MiB, a `QuotaError` when the organization stores too much.
   */
  saveAsset(
    organizationUid: string,
    bytes: Uint8Array,
    header: AssetHeader,
    drawing?: Uint8Array,
  ): string;
  /**
   * The organization's asset, or undefined. The bytes are shared memory that belongs to everybody:
   * nobody writes to it. What is read from the disk is checked against its digest: `CORRUPT`.
   */
  findAsset(organizationUid: string, id: string): SourceImage | undefined;
  /** The file as it was uploaded, and its media type; undefined when the organization has none such. */
  findFile(organizationUid: string, id: string): { bytes: Buffer; type: string } | undefined;
  findSummary(organizationUid: string, id: string): AssetSummary | undefined;
  /** Newest first; `limit` over 100 counts as 100. */
  listAssets(organizationUid: string, limit: number, offset: number): AssetPage;
  /**
   * Deletes an asset; false when the organization has none such. Throws a `StoreError` `CONFLICT` while a draft or
   * a version of its templates names it.
   */
  deleteAsset(organizationUid: string, id: string): boolean;
  /** Of the files in memory, for the metrics. */
  readonly figures: CacheFigures;
  /** Forgets what is in memory. The database is its opener's to close. */
  close(): void;
}

/** One file. A photo of 50 megapixels at high quality is about 25 MB. */
export const assetBytesMax = 32 * 1024 * 1024;

/** The most assets that one page lists. */
export const pageAssetsMax = 100;

const cacheBytesMaxDefault = 256 * 1024 * 1024;
/** Small ones count too: at 64 KiB each they fill the bytes. */
const cacheAssetsMax = 4096;

const idPattern = /^asset:([0-9a-f]{64})$/;

const summaryColumns =
  'digest, format, width_px, height_px, orientation, pixel_ratio, size_bytes, created_at';

function prepareStatements(db: Database) {
  return {
    insert: db.prepare<Record<string, unknown>>(
      `INSERT INTO assets (organization_uid, digest, format, width_px, height_px, orientation, pixel_ratio,
                           size_bytes, created_at, saved_at, drawing_digest, drawing, bytes)
       VALUES (@organizationUid, @digest, @format, @widthPx, @heightPx, @orientation, @pixelRatio,
               @sizeBytes, @now, @now, @drawingDigest, @drawing, @bytes)`,
    ),
    noteSave: db.prepare<[string, string, string]>(
      'UPDATE assets SET saved_at = ? WHERE organization_uid = ? AND digest = ?',
    ),
    select: db.prepare<[string, string], AssetRow>(
      `SELECT ${summaryColumns}, drawing_digest, drawing, bytes FROM assets
       WHERE organization_uid = ? AND digest = ?`,
    ),
    summary: db.prepare<[string, string], SummaryRow>(
      `SELECT ${summaryColumns} FROM assets WHERE organization_uid = ? AND digest = ?`,
    ),
    list: db.prepare<[string, number, number], SummaryRow>(
      `SELECT ${summaryColumns} FROM assets WHERE organization_uid = ?
       ORDER BY created_at DESC, digest LIMIT ? OFFSET ?`,
    ),
    count: db
      .prepare<[string], number>('SELECT count(*) FROM assets WHERE organization_uid = ?')
      .pluck(),
    remove: db.prepare<[string, string]>(
      'DELETE FROM assets WHERE organization_uid = ? AND digest = ?',
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** One store a connection. `storageBytesMax` bounds all that one organization stores. */
export function createAssetStore(
  db: Database,
  cacheBytesMax = cacheBytesMaxDefault,
  storageBytesMax?: number,
): AssetStore {
  const uses = { hits: 0, misses: 0, evictions: 0 };
  const images = createImageCache(cacheBytesMax, () => (uses.evictions += 1));
  const statements = prepareStatements(db);
  const quota = createStorageQuota(db, storageBytesMax);
  const search = createDocumentSearch(db);

  const readRow = (organizationUid: string, digest: string): AssetRow | undefined => {
    const row = storeErrors(`Reading asset ${digest}`, () =>
      statements.select.get(organizationUid, digest),
    );
    // A render with a changed byte may be a broken picture: better none, and a reason.
    if (row !== undefined && digestOf(row.bytes) !== digest) throw damaged(digest);
    return row;
  };

  return {
    saveAsset: (organizationUid, bytes, header, drawing) =>
      saveAsset(db, statements, quota, { organizationUid, bytes, header, drawing }),
    findAsset(organizationUid, id) {
      const digest = idPattern.exec(id)?.[1];
      if (digest === undefined) return undefined;
      const key = `${organizationUid}:${digest}`;
      const known = images.get(key);
      uses[known === undefined ? 'misses' : 'hits'] += 1;
      if (known !== undefined) return known;
      const row = readRow(organizationUid, digest);
      if (row === undefined) return undefined;
      const image = toImage(row);
      // Inside a transaction the row may yet be rolled back.
      if (!db.inTransaction) images.set(key, image);
      return image;
    },
    findFile(organizationUid, id) {
      const digest = idPattern.exec(id)?.[1];
      const row = digest === undefined ? undefined : readRow(organizationUid, digest);
      return row && { bytes: row.bytes, type: mediaType(row.format) };
    },
    findSummary(organizationUid, id) {
      const digest = idPattern.exec(id)?.[1];
      if (digest === undefined) return undefined;
      const row = storeErrors(`Reading asset ${digest}`, () =>
        statements.summary.get(organizationUid, digest),
      );
      return row && toSummary(row);
    },
    listAssets: (organizationUid, limit, offset) =>
      storeErrors('Listing assets', () =>
        // One transaction, so that page and total fit each other.
        db.transaction(() => listAssets(statements, organizationUid, limit, offset))(),
      ),
    deleteAsset(organizationUid, id) {
      const digest = idPattern.exec(id)?.[1];
      if (digest === undefined) return false;
      images.delete(`${organizationUid}:${digest}`);
      return deleteAsset(db, statements, search, organizationUid, digest);
    },
    get figures() {
      const { size: entries, calculatedSize: bytes } = images;
      return { ...uses, entries, bytes, bytesMax: cacheBytesMax };
    },
    close: () => images.clear(),
  };
}

function createImageCache(bytesMax: number, onEvict: () => void): LRUCache<string, SourceImage> {
  return new LRUCache({
    max: cacheAssetsMax,
    maxSize: bytesMax,
    sizeCalculation: (image, key) => key.length + image.bytes.byteLength,
    dispose: (_image, _key, reason) => {
      if (reason === 'evict') onEvict();
    },
  });
}

/** What is to be stored. */
interface Upload {
  organizationUid: string;
  bytes: Uint8Array;
  header: AssetHeader;
  drawing: Uint8Array | undefined;
}

function saveAsset(
  db: Database,
  statements: Statements,
  quota: StorageQuota,
  { organizationUid, bytes, header, drawing }: Upload,
): string {
  checkSize(bytes);
  if (drawing !== undefined) checkSize(drawing);
  const digest = digestOf(bytes);
  writeTransaction(db, `Saving asset ${digest}`, () => {
    const now = new Date().toISOString();
    if (statements.noteSave.run(now, organizationUid, digest).changes > 0) return;
    const sizeBytes = bytes.byteLength + (drawing?.byteLength ?? 0);
    quota.check(organizationUid, sizeBytes);
    const { format, widthPx, heightPx, orientation, pixelRatio = 1 } = header;
    statements.insert.run({
      organizationUid,
      digest,
      format: drawing === undefined ? format : svgFormat,
      widthPx,
      heightPx,
      orientation,
      pixelRatio,
      sizeBytes,
      now,
      drawingDigest: drawing === undefined ? null : digestOf(drawing),
      drawing: drawing ?? null,
      bytes,
    });
  });
  return `asset:${digest}`;
}

function listAssets(
  { list, count }: Statements,
  organizationUid: string,
  limit: number,
  offset: number,
): AssetPage {
  const rows = list.all(organizationUid, Math.min(limit, pageAssetsMax), offset);
  return { assets: rows.map(toSummary), total: count.get(organizationUid) ?? 0 };
}

function deleteAsset(
  db: Database,
  statements: Statements,
  search: DocumentSearch,
  organizationUid: string,
  digest: string,
): boolean {
  return writeTransaction(db, `Deleting asset ${digest}`, () => {
    if (statements.summary.get(organizationUid, digest) === undefined) return false;
    const user = search.findText(organizationUid, `asset:${digest}`);
    if (user !== undefined) {
      throw new StoreError(
        'CONFLICT',
        `The asset is in use: the template "${user}" or a version of it draws it.`,
      );
    }
    statements.remove.run(organizationUid, digest);
    return true;
  });
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.byteLength >= 1 && bytes.byteLength <= assetBytesMax) return;
  throw new StoreError(
    'INVALID',
    `An asset must have 1 to ${assetBytesMax} bytes, not ${bytes.byteLength}.`,
  );
}
