/**
 * A ZIP that is written over hours and across kills (APPNOTE 6.3.10). Files are stored without compression, because
 * images are compressed already. A second file holds the entries of the central directory, so that memory is bounded.
 */
import { crc32 } from 'node:zlib';
import { AppendFile } from '../append-file.ts';
import type { ResultFile } from './result-file.ts';

/** State of a checkpoint. */
interface ZipState {
  bytes: number;
  directoryBytes: number;
  entries: number;
}

const emptyZip: Readonly<ZipState> = { bytes: 0, directoryBytes: 0, entries: 0 };

const localSignature = 0x04_03_4b_50;
const entrySignature = 0x02_01_4b_50;
const endSignature = 0x06_05_4b_50;
const end64Signature = 0x06_06_4b_50;
const end64LocatorSignature = 0x07_06_4b_50;

const localBytes = 30;
const entryBytes = 46;
/** Versions of the format that readers of an entry need: 2.0, and 4.5 for ZIP64. */
const version = 20;
const version64 = 45;
/** The entry was made on Unix, so it has the mode of the file. */
const madeByUnix = 3 << 8;
/** Mode `0100644`: the owner may write the file, and all may read it. */
const unixMode = 0o100_644;
/** The name is UTF-8. */
const utf8Flag = 1 << 11;
/** Values from which a field needs ZIP64. */
const max32 = 0xff_ff_ff_ff;
const max16 = 0xff_ff;
const extra64Bytes = 12;
const extra64Id = 1;

export class ZipFile implements ResultFile {
  readonly #file: AppendFile;
  readonly #directory: AppendFile;
  readonly #directoryPath: string;
  readonly #modified: number;
  #entries = 0;

  /** `modifiedMs` is the time of all its files. */
  constructor(path: string, directoryPath: string, modifiedMs: number) {
    this.#file = new AppendFile(path);
    this.#directory = new AppendFile(directoryPath);
    this.#directoryPath = directoryPath;
    this.#modified = dosTime(modifiedMs);
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get state(): ZipState {
    const { bytes } = this.#file;
    return { bytes, directoryBytes: this.#directory.bytes, entries: this.#entries };
  }

  async start({ bytes, directoryBytes, entries }: ZipState = emptyZip): Promise<void> {
    await this.#file.start(bytes);
    await this.#directory.start(directoryBytes);
    this.#entries = entries;
  }

  /** Appends a file of less than 4 GiB. */
  async add(name: string, data: Uint8Array): Promise<void> {
    const facts = { size: data.byteLength, crc: crc32(data) };
    await this.addLarge(name, facts, [data]);
  }

  /** As `add`, for contents that are read in chunks. */
  async addLarge(
    name: string,
    { size, crc }: { size: number; crc: number },
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const nameBytes = Buffer.from(name);
    const { bytes: offset } = this.#file;
    const shared = Buffer.alloc(localBytes - 4);
    shared.writeUInt16LE(version, 0);
    shared.writeUInt16LE(utf8Flag, 2);
    shared.writeUInt32LE(this.#modified, 6);
    shared.writeUInt32LE(crc, 10);
    shared.writeUInt32LE(size, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(nameBytes.byteLength, 22);
    const signature = Buffer.alloc(4);
    signature.writeUInt32LE(localSignature);
    await this.#file.append(Buffer.concat([signature, shared, nameBytes]));
    for await (const chunk of chunks) await this.#file.append(chunk);
    await this.#directory.append(directoryEntry(nameBytes, shared, offset));
    this.#entries += 1;
  }

  async sync(): Promise<void> {
    await this.#file.sync();
    await this.#directory.sync();
  }

  /** Writes the central directory. */
  async finish(): Promise<void> {
    const { bytes: offset } = this.#file;
    await this.#file.appendFile(this.#directoryPath);
    await this.#file.append(endOf(this.#entries, offset, this.#file.bytes - offset));
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#directory.close();
  }
}

/** An entry of the central directory (4.3.12). The fields that the local header has too follow its first version. */
function directoryEntry(name: Buffer, shared: Buffer, offset: number): Buffer {
  const is64 = offset >= max32;
  const entry = Buffer.alloc(entryBytes + name.byteLength + (is64 ? extra64Bytes : 0));
  entry.writeUInt32LE(entrySignature, 0);
  entry.writeUInt16LE(madeByUnix | version64, 4);
  shared.copy(entry, 6);
  if (is64) entry.writeUInt16LE(version64, 6);
  entry.writeUInt16LE(is64 ? extra64Bytes : 0, 30);
  entry.writeUInt32LE(unixMode * 2 ** 16, 38);
  entry.writeUInt32LE(Math.min(offset, max32), 42);
  name.copy(entry, entryBytes);
  if (is64) {
    const at = entryBytes + name.byteLength;
    entry.writeUInt16LE(extra64Id, at);
    entry.writeUInt16LE(extra64Bytes - 4, at + 2);
    entry.writeBigUInt64LE(BigInt(offset), at + 4);
  }
  return entry;
}

/** The end of the central directory (4.3.14 to 4.3.16). */
function endOf(entries: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (entries < max16 && size < max32 && offset < max32) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(end64Signature, 0);
  end64.writeBigUInt64LE(BigInt(end64.byteLength - 12), 4);
  end64.writeUInt16LE(madeByUnix | version64, 12);
  end64.writeUInt16LE(version64, 14);
  end64.writeBigUInt64LE(BigInt(entries), 24);
  end64.writeBigUInt64LE(BigInt(entries), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(end64LocatorSignature, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** MS-DOS date and time, the time in the lower half, in even seconds since 1980. In UTC: the format has no zone. */
function dosTime(ms: number): number {
  const date = new Date(ms);
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return day * 2 ** 16 + time;
}
