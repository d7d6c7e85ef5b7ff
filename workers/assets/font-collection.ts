/** Reads fonts of TrueType collections (OpenType 1.9, "Font collections"). A release has bundled fonts in them. */
import { readFileSync } from 'node:fs';
import type { FontFile } from '#wire/font-facts.ts';
import { tableOf, writeFont } from './font-tables.ts';

const headBytes = 12;
const entryBytes = 16;

/** A font's version and where its tables are in the file. */
export interface FontDirectory {
  head: Uint8Array;
  tables: ReadonlyMap<string, { offset: number; length: number }>;
}

/** Reads the directory of a font; `read` returns bytes of its file. */
export function readDirectory(
  { face }: FontFile,
  read: (offset: number, length: number) => DataView,
): FontDirectory {
  const start = face === undefined ? 0 : read(headBytes + face * 4, 4).getUint32(0);
  const head = read(start, headBytes);
  const entries = read(start + headBytes, head.getUint16(4) * entryBytes);
  const tables = new Map<string, { offset: number; length: number }>();
  for (let entry = 0; entry < entries.byteLength; entry += entryBytes) {
    const tag = String.fromCharCode(
      ...[0, 1, 2, 3].map((index) => entries.getUint8(entry + index)),
    );
    tables.set(tag, {
      offset: entries.getUint32(entry + 8),
      length: entries.getUint32(entry + 12),
    });
  }
  return { head: new Uint8Array(head.buffer, head.byteOffset, headBytes), tables };
}

/** Returns one font of a collection, without the outlines of the others. All outlines must be simple glyphs. */
export function extractFont(file: FontFile): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(file.path);
  const view = (offset: number, length: number): DataView =>
    new DataView(bytes.buffer, bytes.byteOffset + offset, length);
  const { head, tables: positions } = readDirectory(file, view);
  const tables = new Map(
    [...positions].map(([tag, { offset, length }]) => [tag, view(offset, length)] as const),
  );
  const [glyf, loca] = [tableOf(tables, 'glyf'), tableOf(tables, 'loca')];
  const outlines: Uint8Array[] = [];
  const locations = new DataView(new ArrayBuffer(loca.byteLength));
  let end = 0;
  for (let at = 0; at + 4 < loca.byteLength; at += 4) {
    const start = loca.getUint32(at);
    const length = loca.getUint32(at + 4) === start ? 0 : outlineBytes(glyf, start);
    outlines.push(new Uint8Array(glyf.buffer, glyf.byteOffset + start, length));
    end += length;
    locations.setUint32(at + 4, end);
  }
  const content = Buffer.concat(outlines);
  tables.set('glyf', new DataView(content.buffer, content.byteOffset, content.byteLength));
  tables.set('loca', locations);
  return writeFont(head, tables);
}

const repeats = 8;
/** Bits of a point's flag, for x and y: the coordinate has one byte; if not, the coordinate is omitted. */
const axes = [
  [2, 16],
  [4, 32],
] as const;

/** Bytes of a simple glyph (OpenType 1.9, "glyf"). */
function outlineBytes(glyf: DataView, start: number): number {
  const contours = glyf.getInt16(start);
  let at = start + 10 + contours * 2;
  const points = glyf.getUint16(at - 2) + 1;
  at += 2 + glyf.getUint16(at);
  let coordinateBytes = 0;
  for (let point = 0; point < points;) {
    const flag = glyf.getUint8(at);
    const isRepeated = (flag & repeats) !== 0;
    const count = isRepeated ? glyf.getUint8(at + 1) + 1 : 1;
    for (const [short, same] of axes) {
      if ((flag & short) !== 0) coordinateBytes += count;
      else if ((flag & same) === 0) coordinateBytes += count * 2;
    }
    at += isRepeated ? 2 : 1;
    point += count;
  }
  return at + coordinateBytes - start;
}
