/** Stores images of organizations by content, with a cache in shared memory. */
import type { SourceFormat, SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import type { AssetFile } from './asset-files.ts';
import { AssetReading } from './asset-reading.ts';
import type { Maybe } from './asset-reading.ts';
import { assetBytesMax, digestIn, digestOf, svgFormat, toSummary } from './asset-row.ts';
import type { AssetSummary, SummaryRow } from './asset-row.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction } from '../database/database.ts';
import { createDocumentReferences } from '../document-references.ts';
import type { DocumentReferences } from '../document-references.ts';
import { createStorageQuota, QuotaError } from '../database/storage-quota.ts';
import type { StorageQuota } from '../database/storage-quota.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { afterStored } from '../database/write-route.ts';
import type { NodeFiles } from './node-files.ts';

/** Data of an image file's header: width and height before the EXIF rotation, EXIF orientation 1 … 8. */
export interface AssetHeader {
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  /** Pixels for each design pixel of the drawing of an SVG. Default: 1. */
  pixelRatio?: number;
  /** SHA-256 of the image in hexadecimal digits, if it is known: 10 MiB take 20 ms. */
  digest?: string;
}

export interface AssetPage {
  assets: AssetSummary[];
  /** Number of all assets of the organization, including those of other pages. */
  total: number;
}

export interface AssetStore {
  /**
   * Stores an image file and returns its id, `asset:` and the SHA-256 in hexadecimal. Equal bytes are stored once. The
   * caller checks the header. For an SVG, `drawing` is the PNG that renders use, and the header describes the PNG.
   *
   * Throws a `StoreError`: `INVALID` for no bytes or over 32 MiB, `QuotaError` if the organization stores too many
   * bytes or assets.
   */
  saveAsset(
    organizationUid: string,
    bytes: Uint8Array,
    header: AssetHeader,
    drawing?: Uint8Array,
  ): string;
  /**
   * The organization's asset, or undefined. The bytes are read-only shared memory. Throws `CORRUPT` if bytes from the
   * disk do not match their digest. On a node of a shared database, returns a promise if the file must be fetched
   * first. The promise rejects with a `StoreError`, `AWAY` or `ABSENT`.
   */
  findAsset(organizationUid: string, id: string): Maybe<SourceImage>;
  /** The uploaded file and its media type; undefined if there is no such asset. A promise as in `findAsset`. */
  findFile(organizationUid: string, id: string): Maybe<AssetFile>;
  findSummary(organizationUid: string, id: string): AssetSummary | undefined;
  /** Newest first; `limit` over 100 counts as 100. */
  listAssets(organizationUid: string, limit: number, offset: number): AssetPage;
  /**
   * Deletes an asset; false if the organization has no such asset. Throws a `StoreError` `CONFLICT` while a template
   * names it in a draft or a version, or the brand kit names it.
   */
  deleteAsset(organizationUid: string, id: string): boolean;
  /** Statistics of the cache, for the metrics. */
  readonly figures: CacheFigures;
  /** Clears the cache. The opener closes the database. */
  close(): void;
}

/** Maximum number of assets of one organization. Lists read all rows, which need at least 500 bytes each on disk. */
const assetsMax = 100_000;

/** Maximum number of assets of one page. */
export const pageAssetsMax = 100;

const cacheBytesMaxDefault = 256 * 1024 * 1024;

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

/** Creates the store of a connection. `storageBytesMax` limits each organization's storage. A node has `nodeFiles`. */
export function createAssetStore(
  db: Database,
  cacheBytesMax = cacheBytesMaxDefault,
  storageBytesMax?: number,
  nodeFiles?: NodeFiles,
): AssetStore {
  const statements = prepareStatements(db);
  const quota = createStorageQuota(db, storageBytesMax);
  const references = createDocumentReferences(db);
  const reading = new AssetReading(db, cacheBytesMax, nodeFiles);
  return {
    findAsset: (organizationUid, id) => reading.findAsset(organizationUid, id),
    findFile: (organizationUid, id) => reading.findFile(organizationUid, id),
    get figures() {
      return reading.figures;
    },
    close: () => reading.close(),
    saveAsset: (organizationUid, bytes, header, drawing) =>
      saveAsset(db, statements, quota, { organizationUid, bytes, header, drawing }, nodeFiles),
    findSummary(organizationUid, id) {
      const digest = digestIn(id);
      if (digest === undefined) return undefined;
      const row = storeErrors(`Reading asset ${digest}`, () =>
        statements.summary.get(organizationUid, digest),
      );
      return row && toSummary(row);
    },
    listAssets: (organizationUid, limit, offset) =>
      storeErrors('Listing assets', () =>
        // One transaction, so that page and total are consistent.
        db.transaction(() => listAssets(statements, organizationUid, limit, offset))(),
      ),
    deleteAsset(organizationUid, id) {
      const digest = digestIn(id);
      if (digest === undefined) return false;
      reading.forget(`${organizationUid}:${digest}`);
      return deleteAsset(db, statements, references, organizationUid, digest);
    },
  };
}

/** An asset to store. */
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
  nodeFiles: NodeFiles | undefined,
): string {
  checkSize(bytes);
  if (drawing !== undefined) checkSize(drawing);
  // The header of an SVG is that of its drawing.
  const digest = (drawing === undefined ? header.digest : undefined) ?? digestOf(bytes);
  writeTransaction(db, `Saving asset ${digest}`, () => {
    const now = new Date().toISOString();
    if (statements.noteSave.run(now, organizationUid, digest).changes > 0) return;
    const sizeBytes = bytes.byteLength + (drawing?.byteLength ?? 0);
    quota.check(organizationUid, sizeBytes);
    if ((statements.count.get(organizationUid) ?? 0) >= assetsMax) {
      const message = `The organization has ${assetsMax} assets, the most there can be: delete those that are not used.`;
      throw new QuotaError('CONFLICT', message);
    }
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
    if (nodeFiles === undefined) return;
    afterStored(() => {
      void nodeFiles.disk.keep(digest, bytes);
      if (drawing !== undefined) void nodeFiles.disk.keep(digestOf(drawing), drawing);
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
  references: DocumentReferences,
  organizationUid: string,
  digest: string,
): boolean {
  return writeTransaction(db, `Deleting asset ${digest}`, () => {
    if (statements.summary.get(organizationUid, digest) === undefined) return false;
    const user = references.findAsset(organizationUid, `asset:${digest}`);
    if (user !== undefined) {
      throw new StoreError('CONFLICT', `The asset is in use: ${user} draws it.`);
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
