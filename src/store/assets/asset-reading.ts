/** Reads assets through a cache of images for renders and a cache of files for answers. */
import type { SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import { SingleFlight } from '../../foundation/single-flight.ts';
import type { Database } from '../database/database.ts';
import { storeErrors } from '../database/store-error.ts';
import { AssetFiles, createImageCache } from './asset-files.ts';
import type { AssetFile } from './asset-files.ts';
import { assetBytesMax, damaged, digestIn, digestOf, mediaType, toImage } from './asset-row.ts';
import type { AssetRow } from './asset-row.ts';
import { askFiles } from './ask-files.ts';
import type { AssetDisk } from './asset-disk.ts';
import { completeRow } from './node-files.ts';
import type { Brought, NodeFiles } from './node-files.ts';

/** Bytes up to which a file is read on the calling thread, in 0.2 ms. A render may have 200. */
const hereBytesMax = 64 * 1024;

/** Bytes of the cache of files, as a share of the cache of images. The largest asset fits in any case. */
const filesShare = 1 / 8;

/** A value, or a promise if another thread reads a large file, or a node of a shared database must fetch one first. */
export type Maybe<Value> = Value | undefined | Promise<Value | undefined>;

/** Each store has one. */
export class AssetReading {
  readonly #db: Database;
  readonly #select: AssetSelect;
  /** Bytes of the files of an asset. */
  readonly #sizeOf: { get(organizationUid: string, digest: string): number | undefined };
  readonly #nodeFiles: NodeFiles | undefined;
  readonly #uses = { hits: 0, misses: 0, evictions: 0 };
  readonly #images: ReturnType<typeof createImageCache>;
  readonly #flights = new SingleFlight<SourceImage | undefined>();
  readonly #files: AssetFiles;
  readonly #bytesMax: number;

  constructor(db: Database, cacheBytesMax: number, nodeFiles: NodeFiles | undefined) {
    this.#db = db;
    this.#select = prepareAssetSelect(db);
    this.#sizeOf = db
      .prepare<[string, string], number>(
        `SELECT size_bytes + coalesce(octet_length(drawing), 0) FROM assets
         WHERE organization_uid = ? AND digest = ?`,
      )
      .pluck();
    this.#nodeFiles = nodeFiles;
    this.#images = createImageCache(cacheBytesMax, () => (this.#uses.evictions += 1));
    const filesBytesMax = Math.max(assetBytesMax, cacheBytesMax * filesShare);
    this.#files = new AssetFiles(filesBytesMax);
    this.#bytesMax = cacheBytesMax + filesBytesMax;
  }

  findAsset(organizationUid: string, id: string): Maybe<SourceImage> {
    const digest = digestIn(id);
    if (digest === undefined) return undefined;
    const key = `${organizationUid}:${digest}`;
    const known = this.#images.get(key);
    this.#uses[known === undefined ? 'misses' : 'hits'] += 1;
    if (known !== undefined) return known;
    const bytes = this.#bytesOf(organizationUid, digest);
    if (bytes === undefined) return undefined;
    // Another connection does not see the row of a transaction, which may be rolled back.
    if (this.#db.inTransaction) return this.#readHere(organizationUid, digest);
    if (bytes > hereBytesMax) return this.#readApart(organizationUid, digest);
    return this.#readHere(organizationUid, digest);
  }

  #readHere(organizationUid: string, digest: string): Maybe<SourceImage> {
    return this.#reading((brought) => {
      const row = this.#readRow(organizationUid, digest, brought);
      const image = row && toImage(row);
      if (image !== undefined && !this.#db.inTransaction) this.#keep(organizationUid, image);
      return image;
    });
  }

  /** Reads a large file in another thread, once for requests at the same time. */
  async #readApart(organizationUid: string, digest: string): Promise<SourceImage | undefined> {
    const { value } = await this.#flights.run(`${organizationUid}:${digest}`, async () => {
      const image = await askFiles({
        kind: 'asset',
        databasePath: this.#db.name,
        diskDirectory: this.#nodeFiles?.disk.directory,
        organizationUid,
        digest,
      });
      if (image === undefined) return this.#readHere(organizationUid, digest);
      // It may have been deleted meanwhile.
      if (this.#bytesOf(organizationUid, digest) !== undefined) this.#keep(organizationUid, image);
      return image;
    });
    return value;
  }

  #keep(organizationUid: string, image: SourceImage): void {
    this.#images.set(organizationUid, `${organizationUid}:${image.digest}`, image);
  }

  #bytesOf(organizationUid: string, digest: string): number | undefined {
    return storeErrors(`Reading asset ${digest}`, () => this.#sizeOf.get(organizationUid, digest));
  }

  findFile(organizationUid: string, id: string): Maybe<AssetFile> {
    const digest = digestIn(id);
    if (digest === undefined) return undefined;
    // Another process may have deleted it.
    if (this.#bytesOf(organizationUid, digest) === undefined) return undefined;
    return this.#reading((brought) =>
      this.#files.find(organizationUid, `${organizationUid}:${digest}`, () => {
        const row = this.#readRow(organizationUid, digest, brought);
        return row && { bytes: row.bytes, type: mediaType(row.format) };
      }),
    );
  }

  forget(key: string): void {
    this.#images.delete(key);
    this.#files.delete(key);
  }

  get figures(): CacheFigures {
    const { count: entries, size } = this.#images;
    const bytes = size + this.#files.bytes;
    return { ...this.#uses, entries, bytes, bytesMax: this.#bytesMax };
  }

  close(): void {
    this.#images.clear();
    this.#files.clear();
  }

  #reading<Value>(read: (brought?: Brought) => Value | undefined): Maybe<Value> {
    return this.#nodeFiles === undefined ? read() : this.#nodeFiles.reading(read);
  }

  #readRow(organizationUid: string, digest: string, brought?: Brought): AssetRow | undefined {
    const disk = this.#nodeFiles?.disk;
    return readAssetRow(this.#select, { organizationUid, digest }, disk, brought);
  }
}

/** Selects all columns of an asset. */
interface AssetSelect {
  get(organizationUid: string, digest: string): AssetRow | undefined;
}

export function prepareAssetSelect(db: Database): AssetSelect {
  return db.prepare<[string, string], AssetRow>(
    'SELECT * FROM assets WHERE organization_uid = ? AND digest = ?',
  );
}

/**
 * Reads an asset with its files; undefined if there is none. `disk` has the files on a node of a shared database. Throws
 * a `StoreError` `CORRUPT` for a changed byte, which could show a broken image, and an `ApartError`.
 */
export function readAssetRow(
  select: AssetSelect,
  { organizationUid, digest }: { organizationUid: string; digest: string },
  disk: AssetDisk | undefined,
  brought?: Brought,
): AssetRow | undefined {
  const stored = storeErrors(`Reading asset ${digest}`, () => select.get(organizationUid, digest));
  const row = stored && disk ? completeRow(disk, organizationUid, stored, brought) : stored;
  if (row !== undefined && row === stored && digestOf(row.bytes) !== digest) throw damaged(digest);
  return row;
}
