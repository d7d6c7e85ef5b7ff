/** The WebAssembly kernels of the encoders (`wasm/*.as`) and their memory: one instance per thread. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** TypeScript declares `WebAssembly` in its browser library only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** Exports of the module; addresses are bytes in `memory`. `wasm/*.as` document them. */
interface Kernels {
  readonly memory: Memory;
  heapStart(): number;
  jpegBytes(width: number, height: number, isHalved: boolean): number;
  jpegDivisors(): number;
  isOpaque(pixels: number): boolean;
  encodeJpegBlocks(width: number, height: number, isHalved: boolean): number;
  jpegTokens(): number;
  jpegUnitEnds(): number;
  jpegCodes(): number;
  jpegCounts(): number;
  countJpegSymbols(from: number, start: number, end: number, by: number): void;
  countJpegBits(from: number, start: number, end: number): number;
  selectJpegScan(from: number, end: number, scan: number, to: number): number;
  writeJpegInterval(from: number, end: number, to: number): number;
  spliceJpegInterval(
    row: number,
    before: number,
    after: number,
    rowBits: number,
    from: number,
    start: number,
    end: number,
    to: number,
  ): number;
  filterPngRows(rows: number, stride: number, pixelBytes: number, type: number, to: number): void;
  packRgb(pixels: number, to: number): number;
  pngColors(): number;
  indexPngPixels(pixels: number, known: number, to: number): number;
  adler32(from: number, length: number): number;
  countPngBytes(from: number, length: number): number;
  pngCodes(): number;
  writePngLiterals(from: number, length: number, to: number, bits: number, count: number): number;
  countPngBits(from: number, length: number): number;
  copyPngBits(
    from: number,
    start: number,
    end: number,
    to: number,
    bits: number,
    count: number,
  ): number;
  pngPendingBits(): number;
  pngPendingCount(): number;
  beginPngRepeats(from: number, rowBytes: number, pixelBytes: number, shortest: number): void;
  findPngRepeats(from: number, end: number): number;
  pngFrequencies(): number;
  pngRepeatCodes(): number;
  writePngRepeats(to: number, bits: number, count: number): number;
}

/** Bytes of a page of the module's memory (WebAssembly 2.0, 4.2.8). */
const pageBytes = 65_536;

/**
 * Bound of the kernels' heap, which never shrinks: the size of an image must not determine that of the heap. The largest
 * use is a patch of nearly half of a PNG band of 32 rows of 12,288 pixels: 6.6 MiB. The heap then has the pixels, the
 * filtered bytes before and after, and the deflated band twice.
 */
export const heapBytesMax = 8 * 1024 * 1024;

const file = packagePath('workers/encode/wasm/kernels.wasm');
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));

export const kernels = instance.exports as Kernels;

/**
 * Reserves `bytes` from the start of the heap; returns that address and the memory. Invalidates the data of the
 * previous call, and possibly earlier views of the memory. Throws a RangeError above `heapBytesMax`.
 */
export function reserve(bytes: number): { heap: number; memory: ArrayBuffer } {
  if (bytes > heapBytesMax) {
    throw new RangeError(`the kernels were asked for ${bytes} bytes, the limit is ${heapBytesMax}`);
  }
  const heap = kernels.heapStart();
  const missing = heap + bytes - kernels.memory.buffer.byteLength;
  if (missing > 0) kernels.memory.grow(Math.ceil(missing / pageBytes));
  return { heap, memory: kernels.memory.buffer };
}

/**
 * Returns `bytes` in the kernels' memory, copied to the start of the heap unless they are in this memory already. At
 * least `spareBytes` + 7 bytes after them are free.
 */
export function loadBytes(
  bytes: Uint8Array,
  spareBytes: number,
): { address: number; memory: ArrayBuffer } {
  if (bytes.buffer === kernels.memory.buffer) {
    reserve(bytes.byteOffset + bytes.length + spareBytes + 7 - kernels.heapStart());
    return { address: bytes.byteOffset, memory: kernels.memory.buffer };
  }
  const { heap, memory } = reserve(bytes.length + spareBytes + 7);
  new Uint8Array(memory, heap, bytes.length).set(bytes);
  return { address: heap, memory };
}
