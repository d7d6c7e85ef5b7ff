/** Reads the ZIP file of a workbook: finds its parts, and decompresses one within the limits. */
import type { Readable } from 'node:stream';
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../../../foundation/errors.ts';
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { xlsxLimits } from '../list-limits.ts';
import type { ReadingSteps } from './markup-bounds.ts';

export class WorkbookFile {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** The steps that reading its parts has taken. */
  readonly steps: ReadingSteps;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, steps: ReadingSteps) {
    this.#zip = zip;
    this.#entries = entries;
    this.steps = steps;
  }

  /** Opens a workbook, which the caller closes. */
  static async open(path: string, steps: ReadingSteps): Promise<WorkbookFile> {
    // yauzl's decoding of strings takes 32 bytes of memory for each byte of a comment.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
    const zip = await openPromise(path, options).catch(damaged);
    try {
      return new WorkbookFile(zip, await readEntries(zip), steps);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Decompressed size of a part in bytes, according to the ZIP directory. */
  bytesOf(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  /** The decompressed bytes of a part. yauzl throws if their number differs from that in the directory. */
  async *read(name: string, bytesMax: number): AsyncGenerator<Buffer, void, void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw unreadable(`The XLSX has no ${name}: it is damaged.`);
    if (entry.uncompressedSize > bytesMax) {
      throw tooLarge(
        `${name} of the XLSX has ${formatCount(entry.uncompressedSize)} bytes, at most ${formatCount(bytesMax)}. Save the sheet as CSV.`,
      );
    }
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > xlsxLimits.ratioFreeBytes && ratio > xlsxLimits.ratioMax) {
      throw tooLarge(
        `${name} of the XLSX is compressed ${formatCount(Math.round(ratio))} times, at most ${xlsxLimits.ratioMax} times. Save the sheet as CSV.`,
      );
    }
    const stream: Readable = await this.#zip.openReadStreamPromise(entry).catch(damaged);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      throw error instanceof AppError ? error : damaged(error);
    } finally {
      stream.destroy();
    }
  }
}

async function readEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > xlsxLimits.entriesMax) {
    throw tooLarge(
      `The XLSX contains ${formatCount(zip.entryCount)} files, at most ${formatCount(xlsxLimits.entriesMax)}.`,
    );
  }
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += directoryBytes(entry);
      if (bytes > xlsxLimits.directoryBytesMax) throw largeDirectory();
      const name = readName(entry);
      // Frees the objects of the extra fields, which are not needed any more.
      entry.extraFields = [];
      if (name !== undefined) entries.set(name, entry);
    }
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  }
  return entries;
}

/** Size of an entry of the directory without its name, bytes. */
const entryHeadBytes = 46;

function directoryBytes(entry: Entry): number {
  return entryHeadBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
}

function largeDirectory(): AppError {
  return tooLarge(
    `The names and comments of the files in the XLSX have more than ${formatCount(xlsxLimits.directoryBytesMax)} bytes. Open it in a spreadsheet program and save it again.`,
  );
}

/** The name of an entry; undefined for one that is too long for a part. */
function readName(entry: Entry): string | undefined {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  if (fileNameRaw.length > xlsxLimits.nameBytesMax) return undefined;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  return name.length <= xlsxLimits.nameCharactersMax ? name : undefined;
}

function damaged(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw unreadable(
    `The XLSX cannot be read: ${reason}. Open it in a spreadsheet program and save it again.`,
  );
}
