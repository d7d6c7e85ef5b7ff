/** Reads PNG headers (W3C PNG, third edition). */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { readOrientation } from './tiff.ts';

export const pngSignature = '\x89PNG\r\n\x1a\n';

/** Chunks looked at; encoders write IDATs of 8 KiB and more, so 10 MiB have some 1,300. */
const chunksMax = 65_536;

const channelsByColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** The header of a PNG; undefined when its IHDR is missing or impossible. */
export function readPngHeader(view: ByteView): ImageHeader | undefined {
  if (view.text(12, 4) !== 'IHDR' || view.u32(8) !== 13) return undefined;
  const widthPx = view.u32(16);
  const heightPx = view.u32(20);
  const bitDepth = view.u8(24);
  const channels = channelsByColorType[view.u8(25)];
  // Section 11.2.1: sides are 1 … 2^31 - 1.
  if (widthPx === 0 || heightPx === 0 || widthPx > 0x7fffffff || heightPx > 0x7fffffff)
    return undefined;
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(bitDepth)) return undefined;
  const rest = readChunks(view);
  return {
    format: 'png',
    widthPx,
    heightPx,
    orientation: rest.orientation,
    frames: Math.max(1, rest.frames),
    bitDepth,
    channels: channels + (rest.transparent && channels !== 4 ? 1 : 0),
    interlaced: view.u8(28) === 1,
    truncated: !rest.ended,
  };
}

function readChunks(view: ByteView): {
  orientation: number;
  frames: number;
  transparent: boolean;
  ended: boolean;
} {
  let orientation = 1;
  let frames = 0;
  let transparent = false;
  let hasData = false;
  let hasExif = false;
  let offset = 8;
  for (let chunk = 0; chunk < chunksMax && view.has(offset, 12); chunk++) {
    const length = view.u32(offset);
    const type = view.text(offset + 4, 4);
    if (!view.has(offset + 8, length + 4)) break;
    if (type === 'IEND') return { orientation, frames, transparent, ended: hasData };
    if (type === 'IDAT') hasData = true;
    if (type === 'fcTL') frames++;
    if (type === 'tRNS') transparent = true;
    // Of two the first counts, as for the decoder.
    if (type === 'eXIf' && !hasExif) {
      hasExif = true;
      orientation = readOrientation(
        new ByteView(view.bytes.subarray(offset + 8, offset + 8 + length)),
      );
    }
    offset += 12 + length;
  }
  return { orientation, frames, transparent, ended: false };
}
