/** Writes an animation as PNG with several frames (PNG 3, 11.3.6), exactly as painted. */
import sharp from 'sharp';
import { freeBytes, isOpaque, toRgb } from '../../pixels.ts';
import type { Pixels } from '../../pixels.ts';
import { joinBytes } from '../banded-image.ts';
import { requireFrame } from '../limit.ts';
import { pngChunk } from '../png/bands.ts';
import { densityChunk, headerChunk, signature } from '../png/file.ts';
import type { Animation, Frame } from './frames.ts';

/** zlib level: 4 is 5 % larger than 6 and takes half the time on flat graphics. */
const compressionLevel = 4;

/**
 * Encodes frames with one colour type for all, RGB if all pixels are opaque, and frees them. The caller owns the bytes.
 */
export async function encodeApng(animation: Animation): Promise<Uint8Array<ArrayBuffer>> {
  const { widthPx, heightPx, frames, plays } = animation;
  const channels = frames.every(({ pixels }) => isOpaque(pixels.data)) ? 3 : 4;
  const parts = [
    signature,
    headerChunk(widthPx, heightPx, channels === 3 ? 'rgb' : 'rgba'),
    pngChunk('acTL', [numbers(frames.length, plays)]),
    densityChunk(),
  ];
  let sequence = 0;
  for (const [index, frame] of frames.entries()) {
    requireFrame(frame.pixels, 'png', 100);
    parts.push(pngChunk('fcTL', [frameControl(sequence, frame)]));
    sequence += 1;
    const data = await deflatedRows(frame.pixels, channels);
    freeBytes(frame.pixels.data);
    // Programs without support for animation show the first frame.
    if (index === 0) {
      parts.push(pngChunk('IDAT', [data]));
      continue;
    }
    parts.push(pngChunk('fdAT', [numbers(sequence), data]));
    sequence += 1;
  }
  parts.push(pngChunk('IEND', []));
  return joinBytes(parts);
}

/** Returns the bytes of unsigned 32-bit numbers. */
function numbers(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return new Uint8Array(view.buffer);
}

/** The pixels of a frame replace earlier pixels, and stay when the next frame is drawn. */
function frameControl(sequence: number, { region, delayMs }: Frame): Uint8Array {
  const fields = numbers(sequence, region.width, region.height, region.x, region.y);
  const timing = new DataView(new ArrayBuffer(6));
  // In milliseconds if they fit into 16 bits, otherwise in seconds.
  const isLong = delayMs > 0xff_ff;
  timing.setUint16(0, isLong ? Math.min(0xff_ff, Math.round(delayMs / 1000)) : delayMs);
  timing.setUint16(2, isLong ? 1 : 1000);
  return joinBytes([fields, new Uint8Array(timing.buffer)]);
}

/** Returns the zlib stream of filtered rows, from the IDAT chunks of a PNG that libvips writes. */
async function deflatedRows(
  { data, widthPx: width, heightPx: height }: Pixels,
  channels: 3 | 4,
): Promise<Uint8Array> {
  const rows = channels === 3 ? toRgb(data) : data;
  const png = await sharp(rows, { raw: { width, height, channels } })
    .png({ compressionLevel, adaptiveFiltering: false })
    .toBuffer();
  return joinBytes(chunksOf(png, 'IDAT'));
}

/** Returns the data of all chunks of one type. */
function chunksOf(png: Uint8Array, type: string): Uint8Array[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found: Uint8Array[] = [];
  for (let at = signature.length; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (name === type) found.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return found;
}
