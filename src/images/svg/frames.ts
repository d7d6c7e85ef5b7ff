/** The protocol of the SVG process: length-prefixed frames over its standard streams. */
import type { Writable } from 'node:stream';

/** One message: a small JSON value, and bytes. */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

/** A request: draw a file at a size derived from the file's size, or a layer's markup at this size in device pixels. */
export type SvgOrder = 'draw' | { widthPx: number; heightPx: number };

/** The answer of the process; the `body` of its frame is the PNG. */
export type SvgAnswer = (
  | { ok: true; widthPx: number; heightPx: number; scale: number }
  | { ok: false; problem: string }
) & {
  /** The process must be replaced: earlier drawings have used so much that the next one could exceed a limit. */
  isSpent: boolean;
};

/** Bytes of the two lengths before a frame. */
const prefixBytes = 8;
/** Upper bound of a head, which is a small JSON value: only a compromised process sends more. */
const headBytesMax = 16 * 1024;
/** Upper bound of a body, above the largest source and the largest drawing. */
const bodyBytesMax = 32 * 1024 * 1024;

export function writeFrame(stream: Writable, head: unknown, body: Uint8Array): void {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(json.byteLength, 0);
  prefix.writeUInt32LE(body.byteLength, 4);
  stream.write(Buffer.concat([prefix, json]));
  stream.write(body);
}

/** Assembles frames from chunks of any size. The announced size of a frame is bounded. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** Returns the frames that `chunk` completes. Throws for a frame over the size limits or with an invalid head. */
  push(chunk: Uint8Array): Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.byteLength;
    const frames: Frame[] = [];
    for (let frame = this.#take(); frame !== undefined; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Frame | undefined {
    if (this.#length < prefixBytes) return undefined;
    const prefix = this.#join(prefixBytes);
    const headBytes = prefix.readUInt32LE(0);
    const bodyBytes = prefix.readUInt32LE(4);
    if (headBytes > headBytesMax || bodyBytes > bodyBytesMax)
      throw new Error('a frame is too large');
    const size = prefixBytes + headBytes + bodyBytes;
    if (this.#length < size) return undefined;
    const all = this.#join(size);
    this.#chunks = [all.subarray(size)];
    this.#length -= size;
    const head: unknown = JSON.parse(all.toString('utf8', prefixBytes, prefixBytes + headBytes));
    return { head, body: all.subarray(prefixBytes + headBytes, size) };
  }

  /** Returns the first chunk if it has `wanted` bytes, else all chunks joined. */
  #join(wanted: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.byteLength >= wanted)
      return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
