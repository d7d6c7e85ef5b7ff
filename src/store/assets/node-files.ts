/** The files of assets that a node reads: from its disk, and from the shared database where the disk lacks them. */
import { join } from 'node:path';
import type { FileAddress, FileSource } from './file-source.ts';
import { isApart } from '../shared/apart-files.ts';
import { AssetDisk } from './asset-disk.ts';
import type { AssetRow } from './asset-row.ts';

/** Opens those of a data folder. */
export function openNodeFiles(
  { dataDirectory, nodeAssetsBytesMax }: { dataDirectory: string; nodeAssetsBytesMax: number },
  source: Pick<FileSource, 'read'>,
): NodeFiles {
  const disk = new AssetDisk(join(dataDirectory, 'assets'), nodeAssetsBytesMax);
  return new NodeFiles(disk, source);
}

/** Files by their digest. */
export type Brought = ReadonlyMap<string, Buffer>;

/** Thrown by a read of a row whose files are to be brought first. */
export class ApartError extends Error {
  readonly addresses: readonly FileAddress[];

  constructor(addresses: readonly FileAddress[]) {
    super('Files of an asset are to be brought first.');
    this.addresses = addresses;
  }
}

/** One for each thread of a node of a shared database; a database by itself has the files. */
export class NodeFiles {
  readonly disk: AssetDisk;
  readonly #source: Pick<FileSource, 'read'>;

  constructor(disk: AssetDisk, source: Pick<FileSource, 'read'>) {
    this.disk = disk;
    this.#source = source;
  }

  /** The row with its files; throws an `ApartError` if some are neither on the disk nor among `brought`. */
  complete(organizationUid: string, row: AssetRow, brought?: Brought): AssetRow {
    if (!isApart(row.bytes)) return row;
    const missing: FileAddress[] = [];
    const find = (column: FileAddress['column'], fileDigest: string): Buffer => {
      const bytes = brought?.get(fileDigest) ?? this.disk.read(fileDigest);
      if (bytes !== undefined) return bytes;
      missing.push({ table: 'assets', organizationUid, digest: row.digest, column, fileDigest });
      return row.bytes;
    };
    const bytes = find('bytes', row.digest);
    const drawing = row.drawing_digest === null ? null : find('drawing', row.drawing_digest);
    if (missing.length > 0) throw new ApartError(missing);
    return { ...row, bytes, drawing };
  }

  /** Reads with `read`, which may throw an `ApartError`, and again with the files that it lacks. Rejects with a `StoreError`. */
  reading<Result>(read: (brought?: Brought) => Result): Result | Promise<Result> {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ApartError)) throw error;
      return this.#fetch(error.addresses).then((brought) => {
        // The disk may be looked through, which takes seconds with very many files.
        void this.#keepAll(brought);
        // Another file of it may have left the disk meanwhile.
        return this.reading((more = new Map()) => read(new Map([...brought, ...more])));
      });
    }
  }

  /** Brings files to the disk. Rejects with a `StoreError`. */
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
