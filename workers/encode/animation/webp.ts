/** Writes an animation as WebP (RFC 9649, 2.7.1): libvips encodes the changed rectangle of each frame. */
import sharp from 'sharp';
import { freeBytes, isOpaque } from '../../pixels.ts';
import { joinBytes } from '../banded-image.ts';
import { requireFrame } from '../limit.ts';
import type { Animation, Frame } from './frames.ts';

/** Effort 0 … 6, as for still images. */
const effort = 2;

/** Encodes frames with 8-bit alpha, and frees their pixels. The caller owns the bytes. */
export async function encodeAnimatedWebp(
  animation: Animation,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { widthPx, heightPx, frames, plays } = animation;
  const hasAlpha = !frames.every(({ pixels }) => isOpaque(pixels.data));
  const header = new DataView(new ArrayBuffer(10));
  header.setUint8(0, (hasAlpha ? 0x10 : 0) | 0x02);
  setUint24(header, 4, widthPx - 1);
  setUint24(header, 7, heightPx - 1);
  const control = new DataView(new ArrayBuffer(6));
  // Programs ignore the background colour, which stays 0. 0 plays mean no end, as in `Animation`.
  control.setUint16(4, plays, true);
  const parts = [chunk('VP8X', [bytesOf(header)]), chunk('ANIM', [bytesOf(control)])];
  for (const frame of frames) {
    requireFrame(frame.pixels, 'webp', quality);
    parts.push(chunk('ANMF', [frameHeader(frame), await imageChunks(frame, quality)]));
    freeBytes(frame.pixels.data);
  }
  return chunk('RIFF', [new TextEncoder().encode('WEBP'), ...parts]);
}

/** A frame replaces pixels, and stays when the next frame is drawn (flags: no blending, no disposal). */
const replaces = 0x02;

function frameHeader({ region, delayMs }: Frame): Uint8Array {
  const header = new DataView(new ArrayBuffer(16));
  // Positions are in units of two pixels.
  setUint24(header, 0, region.x / 2);
  setUint24(header, 3, region.y / 2);
  setUint24(header, 6, region.width - 1);
  setUint24(header, 9, region.height - 1);
  setUint24(header, 12, Math.min(0xff_ff_ff, delayMs));
  header.setUint8(15, replaces);
  return bytesOf(header);
}

/** The chunks ALPH, VP8 and VP8L of a still image of the frame. */
async function imageChunks({ pixels }: Frame, quality: number): Promise<Uint8Array> {
  const { data, widthPx: width, heightPx: height } = pixels;
  const file = await sharp(data, { raw: { width, height, channels: 4 } })
    .webp({ quality, effort, alphaQuality: 100 })
    .toBuffer();
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    const name = String.fromCharCode(...file.subarray(at, at + 4));
    if (name === 'ALPH' || name === 'VP8 ' || name === 'VP8L') parts.push(file.subarray(at, end));
    at = end;
  }
  return joinBytes(parts);
}

/** Returns a chunk of a RIFF file, padded to an even length. */
function chunk(name: string, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < 4; index += 1) head.setUint8(index, name.charCodeAt(index));
  head.setUint32(4, length, true);
  return joinBytes([bytesOf(head), ...parts, new Uint8Array(length % 2)]);
}

function bytesOf({ buffer }: DataView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}

function setUint24(view: DataView, at: number, value: number): void {
  view.setUint16(at, value & 0xff_ff, true);
  view.setUint8(at + 2, value >>> 16);
}
