/** Reads JPEG headers (ITU-T T.81 annex B), and counts the blocks that all scans of a file pass over. */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { readOrientation } from './tiff.ts';

/** Marker segments read; a large ICC profile or XMP block is split into some hundreds. */
const segmentsMax = 4096;

/** Components of one scan (section B.2.3). */
const scanComponentsMax = 4;

/** Start-of-frame markers that libjpeg-turbo decodes: baseline, extended, progressive, and the arithmetic pair. */
const decodableFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
/** Lossless and hierarchical frames: decoders report their size but do not decode them. */
const otherFrames: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf]);

/** Numbers of components that JFIF and Adobe define: grey, YCbCr or RGB, CMYK or YCCK. Others have no colour space. */
const colorComponents: ReadonlySet<number> = new Set([1, 3, 4]);

interface Frame {
  header: ImageHeader;
  /** Blocks of 8 × 8 samples of each component, by its identifier. */
  blocks: ReadonlyMap<number, number>;
}

/** The header of a JPEG; undefined if no decodable frame comes before the first scan. */
export function readJpegHeader(view: ByteView): ImageHeader | undefined {
  let frame: Frame | undefined;
  let orientation: number | undefined;
  let offset = 2;
  for (let segment = 0; segment < segmentsMax; segment++) {
    offset = markerAt(view, offset);
    if (!view.has(offset, 4)) return undefined;
    const marker = view.u8(offset + 1);
    // A file with a second SOI or an EOI before its first scan has no image.
    if (marker === 0xd8 || marker === 0xd9 || otherFrames.has(marker)) return undefined;
    const length = view.u16(offset + 2);
    if (length < 2 || !view.has(offset + 2, length)) return undefined;
    if (marker === 0xda) {
      if (frame === undefined) return undefined;
      const truncated = !hasEnd(view, offset + 2 + length);
      return {
        ...frame.header,
        ...readScans(view, offset, frame),
        orientation: orientation ?? 1,
        truncated,
      };
    }
    if (decodableFrames.has(marker)) {
      if (frame !== undefined) return undefined;
      frame = readFrame(view, offset, marker, length);
      if (frame === undefined) return undefined;
    }
    // The first of several EXIF blocks counts, as in the decoder.
    if (marker === 0xe1 && orientation === undefined && view.text(offset + 4, 6) === 'Exif\0\0')
      orientation = readOrientation(
        new ByteView(view.bytes.subarray(offset + 4, offset + 2 + length)),
      );
    offset += 2 + length;
  }
  return undefined;
}

/**
 * Offset of the next marker that is SOI, EOI or has a segment. Like decoders, skips other bytes, FF padding, stuffed
 * zeroes, and the markers TEM and RSTn, which have no segment.
 */
function markerAt({ bytes, size }: ByteView, from: number): number {
  let offset = bytes.indexOf(0xff, from);
  while (offset !== -1) {
    let next = offset + 1;
    while (bytes[next] === 0xff) next++;
    const marker = bytes[next] ?? 0;
    if (marker > 0x01 && (marker < 0xd0 || marker > 0xd7)) return next - 1;
    offset = bytes[next + 1] === 0xff ? next + 1 : bytes.indexOf(0xff, next + 1);
  }
  return size;
}

function readFrame(
  view: ByteView,
  offset: number,
  marker: number,
  length: number,
): Frame | undefined {
  const heightPx = view.u16(offset + 5);
  const widthPx = view.u16(offset + 7);
  const channels = view.u8(offset + 9);
  // A height of 0 promises a DNL marker after the scan, which libjpeg-turbo does not read.
  if (length < 8 + 3 * channels || widthPx === 0 || heightPx === 0) return undefined;
  if (!colorComponents.has(channels)) return undefined;
  const header: ImageHeader = {
    format: 'jpeg',
    widthPx,
    heightPx,
    orientation: 1,
    frames: 1,
    bitDepth: Math.max(1, view.u8(offset + 4)),
    channels,
    interlaced: marker === 0xc2 || marker === 0xca,
    truncated: false,
  };
  return { header, blocks: readComponents(view, offset + 10, header) };
}

/** The blocks of each component, whose sides are those of the image, scaled by the sampling factors (section A.1.1). */
function readComponents(
  view: ByteView,
  start: number,
  { widthPx, heightPx, channels }: ImageHeader,
): Map<number, number> {
  const components = Array.from({ length: channels }, (_, index) => {
    const factors = view.u8(start + 3 * index + 1);
    return { id: view.u8(start + 3 * index), across: factors >> 4 || 1, down: factors & 15 || 1 };
  });
  const acrossMax = Math.max(...components.map(({ across }) => across));
  const downMax = Math.max(...components.map(({ down }) => down));
  const blocks = new Map<number, number>();
  for (const { id, across, down } of components) {
    const columns = Math.ceil((widthPx * across) / acrossMax / 8);
    const rows = Math.ceil((heightPx * down) / downMax / 8);
    blocks.set(id, Math.max(columns * rows, blocks.get(id) ?? 0));
  }
  return blocks;
}

/**
 * Blocks that the scans from `first` on pass over. A decoder decodes a file of one scan as it reads it. For a file of
 * several scans, it keeps all coefficients, and a scan of a few bytes may pass over every block. Infinite for more than
 * `segmentsMax` segments; ordinary files have some 30.
 */
function readScans(
  view: ByteView,
  first: number,
  { header, blocks }: Frame,
): Pick<ImageHeader, 'interlaced' | 'scanBlocks'> {
  const interlaced = header.interlaced || view.u8(first + 4) < header.channels;
  let scanBlocks = 0;
  let offset = first;
  for (let segment = 0; segment < segmentsMax; segment++) {
    const marker = view.u8(offset + 1);
    if (!view.has(offset, 4) || marker === 0xd8 || marker === 0xd9)
      return { interlaced, scanBlocks };
    if (marker === 0xda) {
      const components = Math.min(scanComponentsMax, view.u8(offset + 4));
      for (let index = 0; index < components; index++)
        scanBlocks += blocks.get(view.u8(offset + 5 + 2 * index)) ?? 0;
      if (!interlaced) return { interlaced, scanBlocks };
    }
    offset = markerAt(view, offset + 2 + view.u16(offset + 2));
  }
  return { interlaced, scanBlocks: Infinity };
}

/** Whether an end-of-image marker follows the start of the first scan. Scan data has no such bytes: FF is stuffed. */
function hasEnd(view: ByteView, scanOffset: number): boolean {
  const tail = view.bytes;
  return (
    Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).lastIndexOf(
      '\xff\xd9',
      undefined,
      'latin1',
    ) >= scanOffset
  );
}
