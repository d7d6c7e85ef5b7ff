/** Reads assets through a cache of images for renders and a cache of files for answers. */
import type { SourceImage } from '#wire/render-job.ts';
import type { CacheFigures } from '../../foundation/metric-families.ts';
import type { Database } from '../database/database.ts';
import { storeErrors } from '../database/store-error.ts';
import { AssetFiles, createImageCache } from './asset-files.ts';
import type { AssetFile } from './asset-files.ts';
import { assetBytesMax, damaged, digestIn, digestOf, mediaType, toImage } from './asset-row.ts';
import type { AssetRow } from './asset-row.ts';
import type { Brought, NodeFiles } from './node-files.ts';

/** Bytes of the cache of files, as a share of the cache of images. The largest asset fits in any case. */
const filesShare = 1 / 8;

/** A value, or a promise if a node of a shared database must fetch a file first. */
export type Maybe<Value> = Value | undefined | Promise<Value | undefined>;

/** Each store has one. */
export class AssetReading {
  readonly #db: Database;
  readonly #select: { get(organizationUid: string, digest: string): AssetRow | undefined };
  readonly #isStored: { get(organizationUid: string, digest: string): unknown };
  readonly #nodeFiles: NodeFiles | undefined;
  readonly #uses = { hits: 0, misses: 0, evictions: 0 };
  readonly #images: ReturnType<typeof createImageCache>;
  readonly #files: AssetFiles;
  readonly #bytesMax: number;

  constructor(db: Database, cacheBytesMax: number, nodeFiles: NodeFiles | undefined) {
    const where = 'FROM assets WHERE organization_uid = ? AND digest = ?';
    this.#db = db;
    this.#select = db.prepare<[string, string], AssetRow>(`SELECT * ${where}`);
    this.#isStored = db.prepare<[string, string]>(`SELECT 1 ${where}`);
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
    return this.#reading((brought) => {
      const row = this.#readRow(organizationUid, digest, brought);
      if (row === undefined) return undefined;
      const image = toImage(row);
      // Inside a transaction the row may be rolled back.
      if (!this.#db.inTransaction) this.#images.set(organizationUid, key, image);
      return image;
    });
  }

  findFile(organizationUid: string, id: string): Maybe<AssetFile> {
    const digest = digestIn(id);
    if (digest === undefined) return undefined;
    const isStored = storeErrors(`Reading asset ${digest}`, () =>
      this.#isStored.get(organizationUid, digest),
    );
    // Another process may have deleted it.
    if (isStored === undefined) return undefined;
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
    const stored = storeErrors(`Reading asset ${digest}`, () =>
      this.#select.get(organizationUid, digest),
    );
    const row = stored && (this.#nodeFiles?.complete(organizationUid, stored, brought) ?? stored);
    // A changed byte could show a broken image, so the render fails with a reason.
    if (row !== undefined && row === stored && digestOf(row.bytes) !== digest) {
      throw damaged(digest);
    }
    return row;
  }
}
