/** Reads JPEG headers (ITU-T T.81 annex B), and counts what all scans of a file go through. */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { readOrientation } from './tiff.ts';

/** Marker segments looked at; a large ICC profile or XMP block is split into some hundreds. */
const segmentsMax = 4096;

/** Components of one scan (section B.2.3). */
const scanComponentsMax = 4;

/** Start-of-frame markers that libjpeg-turbo decodes: baseline, extended, progressive, and the arithmetic pair. */
const decodableFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
/** Lossless and hierarchical frames: decoders report their size and draw nothing. */
const otherFrames: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf]);

/** Components of the files that JFIF and Adobe describe: grey, YCbCr or RGB, CMYK or YCCK. Decoders give others no colours. */
const colorComponents: ReadonlySet<number> = new Set([1, 3, 4]);

interface Frame {
  header: ImageHeader;
  /** Blocks of 8 × 8 samples of each component, by its identifier. */
  blocks: ReadonlyMap<number, number>;
}

/** The header of a JPEG; undefined when there is no frame that decoders can draw before the first scan. */
export function readJpegHeader(view: ByteView): ImageHeader | undefined {
  let frame: Frame | undefined;
  let orientation: number | undefined;
  let offset = 2;
  for (let segment = 0; segment < segmentsMax; segment++) {
    offset = markerAt(view, offset);
    if (!view.has(offset, 4)) return undefined;
    const marker = view.u8(offset + 1);
    // A second SOI or an EOI before a scan is no image.
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
    // Of two blocks the first counts, as for the decoder.
    if (marker === 0xe1 && orientation === undefined && view.text(offset + 4, 6) === 'Exif\0\0')
      orientation = readOrientation(
        new ByteView(view.bytes.subarray(offset + 4, offset + 2 + length)),
      );
    offset += 2 + length;
  }
  return undefined;
}

/**
 * Where the next marker with a segment starts, or SOI or EOI: bytes that are none are skipped, as
 * decoders do, and so are FF filling, stuffed zeroes, and TEM and RSTn, which stand alone.
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

/** The blocks of each component: its sides are the image's, divided as its sampling factors say (section A.1.1). */
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
 * Blocks that the scans from `first` on pass over. A file of one scan is decoded as it is read. For any other the
 * decoder keeps all coefficients and reads to the end of the image. There a scan of a few bytes may pass over every
 * block. Infinite if there are more segments than this reads: ordinary files have some 30.
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

/** Whether an end-of-image marker follows the start of the first scan; inside scan data FF is always stuffed. */
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
