/** Reads what a shaper needs to place a large font's glyphs, without their outlines. */
import { closeSync, openSync, readSync } from 'node:fs';
import { writeFont } from './font-tables.ts';

/** Characters, advances, substitutions and positions, and what axes do to them (OpenType 1.9). */
const shapingTables: ReadonlySet<string> = new Set(
  'cmap head hhea hmtx maxp GDEF GSUB GPOS fvar avar HVAR'.split(' '),
);
const headBytes = 12;
const entryBytes = 16;
/** Those of the bundled pan-CJK fonts have 0.25 MB together, of files of 5 to 11 MB. */
const tableBytesMax = 4 * 1024 * 1024;

/** A font of the shaping tables of a TrueType or OpenType file, which must be whole. Reads nothing else of it. */
export function readShapingFile(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const read = (position: number, length: number): DataView => {
      if (length > tableBytesMax) throw new Error(`${path}: a table has ${length} bytes`);
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, position);
      return new DataView(bytes.buffer);
    };
    const head = read(0, headBytes);
    const directory = read(headBytes, head.getUint16(4) * entryBytes);
    const tables = new Map<string, DataView>();
    for (let entry = 0; entry < directory.byteLength; entry += entryBytes) {
      const tag = String.fromCharCode(...new Uint8Array(directory.buffer, entry, 4));
      if (!shapingTables.has(tag)) continue;
      tables.set(tag, read(directory.getUint32(entry + 8), directory.getUint32(entry + 12)));
    }
    return writeFont(new Uint8Array(head.buffer), tables);
  } finally {
    closeSync(file);
  }
}
