/** Reads the headers of the two animated web formats, WebP (RFC 9649) and GIF (89a). */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { readOrientation } from './tiff.ts';

/** Chunks read of a WebP, more than twice the allowed frames. A file with this many is rejected. */
const chunksMax = 8192;
/** Blocks of a GIF, more than any real animation within the size limit has. A file with more blocks is rejected. */
const blocksMax = 65_536;

interface RiffChunk {
  type: string;
  start: number;
  end: number;
}

/** The header of a WebP; undefined if its first chunk is none of the three kinds, or it has too many chunks. */
export function readWebpHeader(view: ByteView): ImageHeader | undefined {
  const chunks = riffChunks(view);
  if (chunks.length === chunksMax) return undefined;
  const first = chunks[0];
  const size = first === undefined ? undefined : webpSize(view, first);
  if (size === undefined || size.widthPx === 0 || size.heightPx === 0) return undefined;
  const exif = chunks.find((chunk) => chunk.type === 'EXIF');
  const frames = chunks.filter((chunk) => chunk.type === 'ANMF').length;
  return {
    format: 'webp',
    widthPx: size.widthPx,
    heightPx: size.heightPx,
    orientation:
      exif === undefined
        ? 1
        : readOrientation(new ByteView(view.bytes.subarray(exif.start, exif.end))),
    frames: Math.max(1, frames),
    bitDepth: 8,
    channels: size.channels,
    interlaced: false,
    truncated: view.u32(4, true) + 8 > view.size,
  };
}

function riffChunks(view: ByteView): RiffChunk[] {
  const chunks: RiffChunk[] = [];
  let offset = 12;
  while (view.has(offset, 8) && chunks.length < chunksMax) {
    const length = view.u32(offset + 4, true);
    const start = offset + 8;
    chunks.push({
      type: view.text(offset, 4),
      start,
      end: Math.min(start + length, view.size),
    });
    offset = start + length + (length & 1);
  }
  return chunks;
}

function webpSize(
  view: ByteView,
  { type, start }: RiffChunk,
): { widthPx: number; heightPx: number; channels: number } | undefined {
  if (type === 'VP8 ' && view.u24(start + 3) === 0x9d012a) {
    const widthPx = view.u16(start + 6, true) & 0x3fff;
    return { widthPx, heightPx: view.u16(start + 8, true) & 0x3fff, channels: 3 };
  }
  if (type === 'VP8L' && view.u8(start) === 0x2f && view.has(start, 5)) {
    const bits = view.u32(start + 1, true);
    const channels = (bits >>> 28) & 1 ? 4 : 3;
    return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1, channels };
  }
  if (type === 'VP8X' && view.has(start, 10)) {
    const channels = view.u8(start) & 0x10 ? 4 : 3;
    return {
      widthPx: view.u24(start + 4, true) + 1,
      heightPx: view.u24(start + 7, true) + 1,
      channels,
    };
  }
  return undefined;
}

/**
 * The header of a GIF; undefined if it has no frame or too many blocks. Frames that extend beyond the logical screen
 * enlarge the size, as in some decoders.
 */
export function readGifHeader(view: ByteView): ImageHeader | undefined {
  const blocks = readGifBlocks(view);
  if (blocks === undefined || blocks.frames === 0) return undefined;
  const widthPx = Math.max(view.u16(6, true), blocks.rightPx);
  const heightPx = Math.max(view.u16(8, true), blocks.bottomPx);
  if (widthPx === 0 || heightPx === 0) return undefined;
  return {
    format: 'gif',
    widthPx,
    heightPx,
    orientation: 1,
    frames: blocks.frames,
    bitDepth: 8,
    channels: blocks.transparent ? 4 : 3,
    interlaced: blocks.interlaced,
    truncated: blocks.firstFrameCut,
  };
}

interface GifBlocks {
  frames: number;
  rightPx: number;
  bottomPx: number;
  interlaced: boolean;
  transparent: boolean;
  /** The first frame's data ends too early, or cannot hold as many pixels as the frame has. */
  firstFrameCut: boolean;
}

/** Reads the blocks of a GIF; undefined if there are more than `blocksMax`. */
function readGifBlocks(view: ByteView): GifBlocks | undefined {
  const blocks: GifBlocks = {
    frames: 0,
    rightPx: 0,
    bottomPx: 0,
    interlaced: false,
    transparent: false,
    firstFrameCut: false,
  };
  let offset = 13 + colorTableBytes(view.u8(10));
  for (let block = 0; view.has(offset, 2); block++) {
    if (block === blocksMax) return undefined;
    const introducer = view.u8(offset);
    if (introducer === 0x21) {
      if (view.u8(offset + 1) === 0xf9 && view.u8(offset + 3) & 1) blocks.transparent = true;
      offset = skipSubBlocks(view, offset + 2);
    } else if (introducer === 0x2c && view.has(offset, 10)) {
      const flags = view.u8(offset + 9);
      blocks.frames++;
      blocks.rightPx = Math.max(
        blocks.rightPx,
        view.u16(offset + 1, true) + view.u16(offset + 5, true),
      );
      blocks.bottomPx = Math.max(
        blocks.bottomPx,
        view.u16(offset + 3, true) + view.u16(offset + 7, true),
      );
      if (blocks.frames === 1) blocks.interlaced = (flags & 0x40) !== 0;
      const dataStart = offset + 11 + colorTableBytes(flags);
      const pixels = view.u16(offset + 5, true) * view.u16(offset + 7, true);
      offset = skipSubBlocks(view, dataStart);
      if (blocks.frames === 1) {
        const codeBits = view.u8(dataStart - 1) + 1;
        const pixelsMax = lzwPixelsMax(offset - dataStart, codeBits);
        blocks.firstFrameCut = offset > view.size || pixels > pixelsMax;
      }
    } else break;
  }
  return blocks;
}

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Codes that fill the LZW table (GIF89a, appendix F). */
const lzwCodesMax = 4096;

/**
 * Upper bound of the pixels that `dataBytes` can encode. In an image of one colour, each code encodes one pixel more
 * than the code before, until the table is full.
 */
function lzwPixelsMax(dataBytes: number, codeBits: number): number {
  const codes = (dataBytes * 8) / codeBits;
  return codes * Math.min(codes + 1, lzwCodesMax);
}

/** Offset of the block after these sub-blocks; past the end of the file if their terminator is missing. */
function skipSubBlocks(view: ByteView, from: number): number {
  let offset = from;
  while (view.has(offset, 1)) {
    const length = view.u8(offset);
    offset += 1 + length;
    if (length === 0) return offset;
  }
  return view.size + 1;
}
