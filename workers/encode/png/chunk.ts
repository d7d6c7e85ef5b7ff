/** The chunks that a PNG file is made of. */
import { crc32 } from 'node:zlib';
import { joinBytes } from '../join-bytes.ts';

/** One chunk: its length, type, content and checksum (PNG 3, 5.3). The caller owns it. */
export function pngChunk(type: string, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const chunk = joinBytes([
    new Uint8Array(4),
    Buffer.from(type, 'latin1'),
    ...parts,
    new Uint8Array(4),
  ]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, length);
  view.setUint32(length + 8, crc32(chunk.subarray(4, length + 8)));
  return chunk;
}
