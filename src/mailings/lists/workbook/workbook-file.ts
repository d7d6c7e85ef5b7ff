/** Reads the ZIP file of a workbook: finds its parts, and decompresses one within the limits. */
import type { Readable } from 'node:stream';
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../../../foundation/errors.ts';
import { formatCount, tooLarge, unreadable } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';
import type { ReadingSteps, WorkbookKind } from './markup-bounds.ts';
import type { PartFile } from './read-part.ts';

export class WorkbookFile implements PartFile {
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
    const zip = await openPromise(path, options).catch(damaged(steps.kind));
    try {
      return new WorkbookFile(zip, await readEntries(zip, steps.kind), steps);
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
    const { kind } = this.steps;
    const entry = this.#entries.get(name);
    if (entry === undefined) throw unreadable(`The ${kind} has no ${name}: it is damaged.`);
    if (entry.uncompressedSize > bytesMax) {
      throw tooLarge(
        `${name} of the ${kind} has ${formatCount(entry.uncompressedSize)} bytes, at most ${formatCount(bytesMax)}. Save the sheet as CSV.`,
      );
    }
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > workbookLimits.ratioFreeBytes && ratio > workbookLimits.ratioMax) {
      throw tooLarge(
        `${name} of the ${kind} is compressed ${formatCount(Math.round(ratio))} times, at most ${workbookLimits.ratioMax} times. Save the sheet as CSV.`,
      );
    }
    const stream: Readable = await this.#zip.openReadStreamPromise(entry).catch(damaged(kind));
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      throw error instanceof AppError ? error : damaged(kind)(error);
    } finally {
      stream.destroy();
    }
  }
}

async function readEntries(zip: ZipFile, kind: WorkbookKind): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > workbookLimits.entriesMax) {
    throw tooLarge(
      `The ${kind} contains ${formatCount(zip.entryCount)} files, at most ${formatCount(workbookLimits.entriesMax)}.`,
    );
  }
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += directoryBytes(entry);
      if (bytes > workbookLimits.directoryBytesMax) throw largeDirectory(kind);
      const name = readName(entry);
      // Frees the objects of the extra fields, which are not needed any more.
      entry.extraFields = [];
      if (name !== undefined) entries.set(name, entry);
    }
  } catch (error) {
    throw error instanceof AppError ? error : damaged(kind)(error);
  }
  return entries;
}

/** Size of an entry of the directory without its name, bytes. */
const entryHeadBytes = 46;

function directoryBytes(entry: Entry): number {
  return entryHeadBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
}

function largeDirectory(kind: WorkbookKind): AppError {
  return tooLarge(
    `The names and comments of the files in the ${kind} have more than ${formatCount(workbookLimits.directoryBytesMax)} bytes. Open it in a spreadsheet program and save it again.`,
  );
}

/** The name of an entry; undefined for one that is too long for a part. */
function readName(entry: Entry): string | undefined {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  if (fileNameRaw.length > workbookLimits.nameBytesMax) return undefined;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  return name.length <= workbookLimits.nameCharactersMax ? name : undefined;
}

function damaged(kind: WorkbookKind): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw unreadable(
      `The ${kind} cannot be read: ${reason}. Open it in a spreadsheet program and save it again.`,
    );
  };
}
