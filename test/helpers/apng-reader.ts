/** Reads an animated PNG as a viewer does: each frame is decoded alone and laid over the one before. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { pngChunk } from '../fixtures/images-files.ts';

/** RGBA of the whole image for each frame. */
export interface ShownApng {
  shown: Buffer[];
  delaysMs: number[];
  plays: number;
}

interface Chunk {
  type: string;
  data: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Throws for a wrong checksum or sequence number (PNG 3, 11.3.6). */
export async function readApng(file: Uint8Array): Promise<ShownApng> {
  const chunks = readChunks(Buffer.from(file));
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  const control = chunks.find(({ type }) => type === 'acTL')?.data;
  if (head === undefined || control === undefined) throw new Error('no header or no acTL');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const frames: { fcTL: Buffer; data: Buffer[] }[] = [];
  let sequence = 0;
  for (const { type, data } of chunks) {
    if (type === 'fcTL' || type === 'fdAT') {
      if (data.readUInt32BE(0) !== sequence) throw new Error(`sequence ${sequence} is missing`);
      sequence += 1;
    }
    if (type === 'fcTL') frames.push({ fcTL: data, data: [] });
    if (type === 'IDAT') frames.at(-1)?.data.push(data);
    if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4));
  }
  if (frames.length !== control.readUInt32BE(0)) throw new Error('acTL counts other frames');
  let image = Buffer.alloc(width * height * 4);
  const shown: Buffer[] = [];
  for (const { fcTL, data } of frames) {
    image = Buffer.from(image);
    const [w, h, x, y] = [4, 8, 12, 16].map((at) => fcTL.readUInt32BE(at));
    if (w === undefined || h === undefined || x === undefined || y === undefined) continue;
    const pixels = await decodeFrame(head, w, h, data);
    for (let row = 0; row < h; row += 1) {
      pixels.copy(image, ((y + row) * width + x) * 4, row * w * 4, (row + 1) * w * 4);
    }
    shown.push(image);
  }
  const delaysMs = frames.map(({ fcTL }) => (fcTL.readUInt16BE(20) * 1000) / fcTL.readUInt16BE(22));
  return { shown, delaysMs, plays: control.readUInt32BE(4) };
}

function readChunks(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new Error('wrong checksum');
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

function decodeFrame(
  head: Buffer,
  width: number,
  height: number,
  data: readonly Buffer[],
): Promise<Buffer> {
  const header = Buffer.from(head);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const png = [
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.concat(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ];
  return sharp(Buffer.concat(png)).ensureAlpha().raw().toBuffer();
}
