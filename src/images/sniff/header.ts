/** Shared parts of all readers of image headers: bounds-checked reads of an untrusted file, and the header type. */
import type { SourceFormat } from '#wire/render-job.ts';

/**
 * Reads numbers and ASCII from untrusted bytes.
 *
 * No read throws. A read that is not wholly inside the bytes returns 0 or ''. No format allows a size of 0, so a
 * truncated header never gives an image. Loops must still compare their position with `size`, so that they end.
 */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly #data: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.size = bytes.byteLength;
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  has(offset: number, length: number): boolean {
    return offset >= 0 && length >= 0 && offset + length <= this.size;
  }

  u8(offset: number): number {
    return this.has(offset, 1) ? this.#data.getUint8(offset) : 0;
  }

  u16(offset: number, littleEndian = false): number {
    return this.has(offset, 2) ? this.#data.getUint16(offset, littleEndian) : 0;
  }

  u24(offset: number, littleEndian = false): number {
    if (!this.has(offset, 3)) return 0;
    const first = this.#data.getUint8(offset);
    const last = this.#data.getUint8(offset + 2);
    const middle = this.#data.getUint8(offset + 1) << 8;
    return littleEndian ? first | middle | (last << 16) : (first << 16) | middle | last;
  }

  u32(offset: number, littleEndian = false): number {
    return this.has(offset, 4) ? this.#data.getUint32(offset, littleEndian) : 0;
  }

  i32(offset: number, littleEndian = false): number {
    return this.has(offset, 4) ? this.#data.getInt32(offset, littleEndian) : 0;
  }

  /** `length` bytes as Latin-1 text; '' if any of them is missing. Meant for tags of a few bytes. */
  text(offset: number, length: number): string {
    if (!this.has(offset, length)) return '';
    return String.fromCharCode(...this.bytes.subarray(offset, offset + length));
  }
}

// The header of an image file, read before a decoder runs.

/**
 * The data of a file's header.
 *
 * `widthPx` and `heightPx` are ≥ 1, as the file stores them, before an EXIF rotation. `orientation` is the EXIF value 1
 * … 8. AVIF has rotation in its format, not in EXIF, and its decoders apply it. So the sides of an AVIF are those after
 * the rotation, and its orientation is 1.
 */
export interface ImageHeader {
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  /** Images in the file (animation frames, pages, icon sizes), as counted, not as the header claims; ≥ 1. */
  frames: number;
  /** Bits of one channel, 1 … 64. */
  bitDepth: number;
  /** Channels, ≥ 1; indexed colour counts as 3, or 4 with transparency. */
  channels: number;
  /** Adam7 PNG, JPEG of several scans, interlaced GIF: the decoder holds more than the pixels. */
  interlaced: boolean;
  /** JPEG only: the blocks of 8 × 8 samples that all scans together pass over. */
  scanBlocks?: number;
  /** The file ends too early: a decoder would leave a part of the image blank. */
  truncated: boolean;
}
