/** Reads a text file once: whether it is UTF-8, and a sample of its cells with bytes beyond ASCII. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

/** Bytes of cells beyond which only cells with rare bytes are added: some hundred names. */
const sampleBytesMax = 2 * 1024;
/** Cells in which each byte beyond ASCII is seen, if the file has so many. Letters that are rare decide, too. */
const cellsOfByte = 4;
/** Bytes of a cell that are read. */
const cellBytesMax = 512;

/** Bytes that end a cell and that no encoding uses inside a letter: tab, line ends, quotation mark, comma, semicolon. */
const separators: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x22, 0x2c, 0x3b]);

/** Whether a whole file is UTF-8. */
export async function isUtf8File(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    rest = bytes.subarray(end);
  }
  return rest.length === 0;
}

/** Number of bytes at the end that start a UTF-8 sequence, which the next chunk completes. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/** Distinct cells with bytes beyond ASCII, in the order of the file, for which `isWanted` holds. */
export async function sampleCells(
  path: string,
  isWanted: (cell: Buffer) => boolean = () => true,
): Promise<Buffer[]> {
  const sample = new CellSample(isWanted);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lastSeparator(bytes) + 1;
    sample.read(bytes.subarray(0, end));
    // A part without a separator is text, and longer than what is read of a cell.
    rest = bytes.subarray(end, end + cellBytesMax);
  }
  sample.read(rest);
  return sample.cells;
}

function lastSeparator(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && !separators.has(bytes[at] ?? 0)) at -= 1;
  return at;
}

class CellSample {
  readonly cells: Buffer[] = [];
  readonly #isWanted: (cell: Buffer) => boolean;
  readonly #known = new Set<string>();
  readonly #seen = new Uint8Array(256);
  #bytes = 0;
  /** Finds the next byte that is still wanted. */
  #next = /[\x80-\xff]/g;

  constructor(isWanted: (cell: Buffer) => boolean) {
    this.#isWanted = isWanted;
  }

  read(bytes: Buffer): void {
    const text = bytes.toString('latin1');
    for (let end = 0; ;) {
      this.#next.lastIndex = end;
      const at = this.#next.exec(text)?.index;
      if (at === undefined) return;
      let start = at;
      // The first byte of a cell beyond ASCII begins a letter in every encoding.
      while (
        start > end &&
        at - start < cellBytesMax &&
        !separators.has(text.charCodeAt(start - 1))
      )
        start -= 1;
      end = at;
      while (end < text.length && !separators.has(text.charCodeAt(end))) end += 1;
      this.#add(text.slice(start, Math.min(end, start + cellBytesMax)));
    }
  }

  #add(text: string): void {
    const cell = Buffer.from(text, 'latin1');
    if (this.#known.has(text) || !this.#isWanted(cell)) return;
    this.#known.add(text);
    this.cells.push(cell);
    this.#bytes += cell.length;
    for (const byte of new Set(cell)) this.#seen[byte] = Math.min((this.#seen[byte] ?? 0) + 1, 255);
    if (this.#bytes > sampleBytesMax) this.#next = this.#rareBytes();
  }

  #rareBytes(): RegExp {
    let bytes = '';
    for (let byte = 0x80; byte < 0x100; byte += 1)
      if ((this.#seen[byte] ?? 0) < cellsOfByte) bytes += `\\x${byte.toString(16)}`;
    return bytes === '' ? /$^/g : new RegExp(`[${bytes}]`, 'g');
  }
}
