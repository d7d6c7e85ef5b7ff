/** Turns a WOFF2 font into a TrueType file, which the paint engine opens without decompressing anything. */
import { brotliDecompressSync } from 'node:zlib';
import { ByteReader, readGlyphs } from './woff2-glyphs.ts';

/** Tags that the table directory writes as a number (WOFF2, 4.1). */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill';
const arbitraryTag = 63;
const signature = 0x774f4632;
const collectionFlavor = 0x74746366;
/** `head.checkSumAdjustment` makes the whole file add up to this (OpenType 1.9, head). */
const checksumMagic = 0xb1b0afba;
/** Bytes of a font's tables: of a bundled file, so far from reach. */
const tableBytesMax = 64 * 1024 * 1024;

interface StoredTable {
  tag: string;
  storedBytes: number;
  isTransformed: boolean;
}

/**
 * Decodes one font as WOFF2 (W3C Recommendation, 2024) describes it: of the transformed tables those of
 * outlines, `glyf` and `loca`. The same glyphs, metrics and tables come out; flags of points are not
 * packed again, so the file is somewhat larger than the one that was compressed. For bundled files:
 * throws an Error on collections, on a transformed `hmtx`, and on anything damaged.
 */
export function decodeWoff2(file: Uint8Array): Uint8Array {
  const reader = new ByteReader(file);
  if (reader.u32() !== signature) throw new Error('no WOFF2 font');
  const flavor = reader.u32();
  if (flavor === collectionFlavor) throw new Error('a WOFF2 collection, expected one font');
  reader.skip(4);
  const tableCount = reader.u16();
  reader.skip(6);
  const compressedBytes = reader.u32();
  reader.skip(24);
  const stored = Array.from({ length: tableCount }, () => readEntry(reader));
  const data = new ByteReader(
    brotliDecompressSync(reader.take(compressedBytes), { maxOutputLength: tableBytesMax }),
  );
  const tables = new Map<string, Uint8Array>();
  for (const { tag, storedBytes, isTransformed } of stored) {
    const bytes = data.take(storedBytes);
    if (tag === 'glyf' && isTransformed) {
      const { glyf, loca } = readGlyphs(bytes);
      tables.set('glyf', glyf).set('loca', loca);
    } else if (!isTransformed) tables.set(tag, bytes.slice());
    else if (tag !== 'loca') throw new Error(`table ${tag} is transformed`);
  }
  return writeSfnt(flavor, tables);
}

function readEntry(reader: ByteReader): StoredTable {
  const flags = reader.u8();
  const known = flags & 63;
  const tag =
    known === arbitraryTag
      ? String.fromCharCode(...reader.take(4))
      : knownTags.slice(known * 5, known * 5 + 4);
  const bytes = reader.base128();
  const version = flags >>> 6;
  // For these two, version 3 is the plain form; for all others it is 0.
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
  return { tag, storedBytes: isTransformed ? reader.base128() : bytes, isTransformed };
}

/** Writes header, directory and tables of a TrueType file, with its checksums (OpenType 1.9, otff). */
function writeSfnt(flavor: number, tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const directoryBytes = 12 + 16 * sorted.length;
  const size = sorted.reduce((sum, [, bytes]) => sum + padded(bytes.length), directoryBytes);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  view.setUint32(0, flavor);
  view.setUint16(4, sorted.length);
  view.setUint16(6, power * 16);
  view.setUint16(8, Math.log2(power));
  view.setUint16(10, (sorted.length - power) * 16);
  let offset = directoryBytes;
  let headOffset: number | undefined;
  for (const [index, [tag, bytes]] of sorted.entries()) {
    file.set(bytes, offset);
    if (tag === 'head') {
      headOffset = offset;
      view.setUint32(offset + 8, 0);
    }
    const entry = 12 + index * 16;
    file.set(Buffer.from(tag, 'latin1'), entry);
    view.setUint32(entry + 4, checksum(view, offset, padded(bytes.length)));
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, bytes.length);
    offset += padded(bytes.length);
  }
  if (headOffset === undefined) throw new Error('no table head');
  view.setUint32(headOffset + 8, (checksumMagic - checksum(view, 0, size)) >>> 0);
  return file;
}

function padded(bytes: number): number {
  return (bytes + 3) & ~3;
}

function checksum(view: DataView, start: number, bytes: number): number {
  let sum = 0;
  for (let at = start; at < start + bytes; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
