/** The compiled loops of the encoders (`wasm/*.as`) and their memory: one of each in a thread. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** TypeScript describes this one for browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** What the module exports; addresses are bytes in `memory`. `wasm/jpeg.as` and `wasm/png.as` say what each does. */
interface Kernels {
  readonly memory: Memory;
  heapStart(): number;
  jpegBytes(width: number, height: number, isHalved: boolean): number;
  jpegDivisors(): number;
  encodeJpegBlocks(width: number, height: number, isHalved: boolean): number;
  jpegTokens(): number;
  jpegUnitEnds(): number;
  filterPngRows(rows: number, stride: number, pixelBytes: number, type: number, to: number): void;
  packRgb(pixels: number, to: number): number;
  adler32(from: number, length: number): number;
  pngCodes(): number;
  writePngLiterals(from: number, length: number, to: number, bits: number, count: number): number;
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
 * Memory that a caller may ask for: it never shrinks, so a picture may not tell how much there is. The most is asked for a
 * PNG's band of 32 rows of 12 288 pixels with its filtered bytes and the room to deflate them, 6.03 MiB.
 */
export const heapBytesMax = 8 * 1024 * 1024;

const file = packagePath('workers/encode/wasm/kernels.wasm');
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));

export const kernels = instance.exports as Kernels;

/**
 * Makes `bytes` free from the heap's start on, where that is, and all of memory as it is afterwards. What the call
 * before has left there is lost; views of memory that were made before may be. Throws a RangeError over `heapBytesMax`.
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
 * `bytes` in the kernels' memory, where they are already or copied to the heap's start, with `room` bytes free behind
 * them and seven more.
 */
export function lendBytes(
  bytes: Uint8Array,
  room: number,
): { address: number; memory: ArrayBuffer } {
  if (bytes.buffer === kernels.memory.buffer) {
    reserve(bytes.byteOffset + bytes.length + room + 7 - kernels.heapStart());
    return { address: bytes.byteOffset, memory: kernels.memory.buffer };
  }
  const { heap, memory } = reserve(bytes.length + room + 7);
  new Uint8Array(memory, heap, bytes.length).set(bytes);
  return { address: heap, memory };
}
