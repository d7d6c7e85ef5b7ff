/** Reads files of assets on a node, from its disk or else from the shared database. */
import { join } from 'node:path';
import { AssetDisk } from './asset-disk.ts';
import type { AssetRow } from './asset-row.ts';
import { StoreError } from '../database/store-error.ts';
import { isApart } from '../database/shared-port.ts';
import type { FileAddress, FileReader } from '../database/shared-port.ts';

/** Opens the files of a data folder. */
export function openNodeFiles(
  { dataDirectory, nodeAssetsBytesMax }: { dataDirectory: string; nodeAssetsBytesMax: number },
  source: FileReader,
): NodeFiles {
  const disk = new AssetDisk(join(dataDirectory, 'assets'), nodeAssetsBytesMax);
  return new NodeFiles(disk, source);
}

/** Fetched files by digest. */
export type Brought = ReadonlyMap<string, Buffer>;

/** Thrown when a row is read whose files must be fetched first. */
export class ApartError extends Error {
  readonly addresses: readonly FileAddress[];

  constructor(addresses: readonly FileAddress[]) {
    super('Files of an asset are to be brought first.');
    this.addresses = addresses;
  }
}

/** Adds the files to a row. Throws an `ApartError` if files are neither on the disk nor in `brought`. */
export function completeRow(
  disk: AssetDisk,
  organizationUid: string,
  row: AssetRow,
  brought?: Brought,
): AssetRow {
  if (!isApart(row.bytes)) return row;
  const missing: FileAddress[] = [];
  const find = (column: FileAddress['column'], fileDigest: string): Buffer => {
    const bytes = brought?.get(fileDigest) ?? disk.read(fileDigest);
    if (bytes !== undefined) return bytes;
    missing.push({ table: 'assets', organizationUid, digest: row.digest, column, fileDigest });
    return row.bytes;
  };
  const bytes = find('bytes', row.digest);
  const drawing = row.drawing_digest === null ? null : find('drawing', row.drawing_digest);
  if (missing.length > 0) throw new ApartError(missing);
  return { ...row, bytes, drawing };
}

/** Each thread of a node of a shared database has one. Without a shared database, rows contain the files. */
export class NodeFiles {
  readonly disk: AssetDisk;
  readonly #source: FileReader;

  constructor(disk: AssetDisk, source: FileReader) {
    this.disk = disk;
    this.#source = source;
  }

  /** Calls `read`. After an `ApartError`, fetches the files and calls it again. Rejects with a `StoreError`. */
  reading<Result>(read: (brought?: Brought) => Result): Result | Promise<Result> {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ApartError)) throw error;
      return this.#fetch(error.addresses).then((brought) => {
        // Not awaited, because an eviction may list the folder, which takes seconds with very many files.
        void this.#keepAll(brought);
        // The disk may have evicted another file of the row meanwhile.
        return this.reading((more = new Map()) => read(new Map([...brought, ...more])));
      });
    }
  }

  /** Fetches files and writes them to the disk. Rejects with a `StoreError`. */
  async bring(addresses: readonly FileAddress[]): Promise<void> {
    await this.#keepAll(await this.#fetch(addresses));
  }

  async #fetch(addresses: readonly FileAddress[]): Promise<Brought> {
    const files = await Promise.all(
      addresses.map(async (address): Promise<[string, Buffer]> => {
        return [address.fileDigest, await this.#source.read(address)];
      }),
    );
    return new Map(files);
  }

  async #keepAll(brought: Brought): Promise<void> {
    await Promise.all([...brought].map(([digest, bytes]) => this.disk.keep(digest, bytes)));
  }
}

/** Ignores `ABSENT`, for files that no link needs yet: a missing or damaged file must not stop the others. */
export async function unlessAbsent(bringing: Promise<unknown>): Promise<void> {
  try {
    await bringing;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'ABSENT') throw error;
  }
}
