/** Leaves out of picture files what a decoder would read, unpack or keep although nothing of it is drawn. */
import { isPng } from './decode-bitmap.ts';

/** Chunks of a PNG that its first picture is drawn from (W3C PNG section 5.6); what else there is says nothing about pixels. */
const drawnChunks: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'IDAT',
  'IEND',
  'cHRM',
  'cICP',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'eXIf',
]);

/**
 * Bytes of other chunks that a PNG may keep: a few lines of text are not worth a copy. Compressed ones
 * are never kept: 7.7 KB unpack to the 8 MB that libpng allows each (100 of them took 2.4 GB, measured).
 */
const otherBytesMax = 4096;

const pngHeadBytes = 8;
/** Length, type and checksum. */
const chunkFrameBytes = 12;

/**
 * The file itself when it is lean, or a copy without the rest: of a PNG the texts, animation and unknown
 * chunks, of a TIFF the pages behind the first, which libvips counts by reading all their tables (200
 * pages of 4 MB in all took 4 s, measured). Takes any bytes; what is damaged stays so.
 */
export function leanFile(bytes: Uint8Array): Uint8Array {
  if (isPng(bytes)) return leanPng(bytes);
  return isTiff(bytes) ? firstPage(bytes) : bytes;
}

function leanPng(bytes: Uint8Array): Uint8Array {
  const file = viewOf(bytes);
  const kept = [file.subarray(0, pngHeadBytes)];
  let otherBytes = 0;
  let isCompressed = false;
  let keptFrom = pngHeadBytes;
  let offset = pngHeadBytes;
  while (offset + chunkFrameBytes <= file.length) {
    const end = offset + chunkFrameBytes + file.readUInt32BE(offset);
    const type = file.toString('latin1', offset + 4, offset + 8);
    if (!drawnChunks.has(type)) {
      otherBytes += end - offset;
      isCompressed ||= type === 'zTXt' || type === 'iTXt';
      if (offset > keptFrom) kept.push(file.subarray(keptFrom, offset));
      keptFrom = end;
    }
    offset = end;
  }
  if (!isCompressed && otherBytes <= otherBytesMax) return bytes;
  return Buffer.concat([...kept, file.subarray(keptFrom)]);
}

function isTiff(bytes: Uint8Array): boolean {
  return ['II*\0', 'MM\0*'].includes(viewOf(bytes.subarray(0, 4)).toString('latin1'));
}

function firstPage(bytes: Uint8Array): Uint8Array {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  if (data.byteLength < 8) return bytes;
  const directory = data.getUint32(4, isLittle);
  if (directory + 2 > data.byteLength) return bytes;
  // A count, entries of twelve bytes, and where the next page's directory is (TIFF 6.0 section 2).
  const link = directory + 2 + 12 * data.getUint16(directory, isLittle);
  if (link + 4 > data.byteLength || data.getUint32(link) === 0) return bytes;
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(0, link);
  return copy;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
