/** Reads JPEG headers (ITU-T T.81 annex B). */
import { ByteView } from './byte-view.ts';
import type { ImageHeader } from './image-header.ts';
import { readOrientation } from './sniff-tiff.ts';

/** Marker segments looked at; a large ICC profile or XMP block is split into some hundreds. */
const segmentsMax = 4096;

/** Start-of-frame markers that libjpeg-turbo decodes: baseline, extended, progressive, and the arithmetic pair. */
const decodableFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
/** Lossless and hierarchical frames: decoders report their size and draw nothing. */
const otherFrames: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf]);

/** The header of a JPEG; undefined when there is no frame that decoders can draw before the first scan. */
export function readJpegHeader(view: ByteView): ImageHeader | undefined {
  let header: ImageHeader | undefined;
  let orientation = 1;
  let offset = 2;
  for (let segment = 0; segment < segmentsMax; segment++) {
    offset = markerAt(view, offset);
    if (!view.has(offset, 4)) return undefined;
    const marker = view.u8(offset + 1);
    // TEM and RSTn stand alone; a second SOI or an EOI before a scan is no picture.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      offset += 2;
      continue;
    }
    if (marker === 0xd8 || marker === 0xd9 || otherFrames.has(marker)) return undefined;
    const length = view.u16(offset + 2);
    if (length < 2 || !view.has(offset + 2, length)) return undefined;
    if (marker === 0xda) {
      if (header === undefined) return undefined;
      return { ...header, orientation, truncated: !hasEnd(view, offset + 2 + length) };
    }
    if (decodableFrames.has(marker)) {
      if (header !== undefined) return undefined;
      header = readFrame(view, offset, marker, length);
      if (header === undefined) return undefined;
    }
    if (marker === 0xe1 && orientation === 1 && view.text(offset + 4, 6) === 'Exif\0\0')
      orientation = readOrientation(
        new ByteView(view.bytes.subarray(offset + 4, offset + 2 + length)),
      );
    offset += 2 + length;
  }
  return undefined;
}

/** Where the next marker starts: bytes that are none are skipped, as decoders do, and so is FF filling. */
function markerAt(view: ByteView, from: number): number {
  let offset = view.bytes.indexOf(0xff, from);
  while (offset !== -1 && view.has(offset, 2)) {
    const next = view.u8(offset + 1);
    if (next !== 0xff && next !== 0x00) return offset;
    offset = view.bytes.indexOf(0xff, offset + 1);
  }
  return view.size;
}

function readFrame(
  view: ByteView,
  offset: number,
  marker: number,
  length: number,
): ImageHeader | undefined {
  const heightPx = view.u16(offset + 5);
  const widthPx = view.u16(offset + 7);
  const channels = view.u8(offset + 9);
  // A height of 0 promises a DNL marker after the scan, which libjpeg-turbo does not read.
  if (length < 8 + 3 * channels || widthPx === 0 || heightPx === 0 || channels === 0)
    return undefined;
  return {
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
