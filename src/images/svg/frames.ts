/** The wire to the process that draws SVG: length-prefixed frames over its standard streams. */
import type { Writable } from 'node:stream';

/** One message: a small JSON value, and bytes. */
export interface Frame {
  head: unknown;
  body: Uint8Array;
}

/** What is to be drawn: a file at a size that its own gives, or a layer's markup at exactly this size in device pixels. */
export type SvgOrder = 'draw' | { widthPx: number; heightPx: number };

/** What the process says of a drawing; `body` of its frame is the PNG. */
export type SvgAnswer = (
  | { ok: true; widthPx: number; heightPx: number; scale: number }
  | { ok: false; problem: string }
) & {
  /** The process has used so much that the next drawing might meet a limit for what others used. */
  isSpent: boolean;
};

/** Bytes of the two lengths before a frame. */
const prefixBytes = 8;
/** A head is a line of JSON; more comes from a process that cannot be trusted any longer. */
const headBytesMax = 16 * 1024;
/** The largest source and the largest drawing stay below. */
const bodyBytesMax = 32 * 1024 * 1024;

/** Writes one frame. */
export function writeFrame(stream: Writable, head: unknown, body: Uint8Array): void {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(json.byteLength, 0);
  prefix.writeUInt32LE(body.byteLength, 4);
  stream.write(Buffer.concat([prefix, json]));
  stream.write(body);
}

/** Puts frames together from chunks of any size; holds no more than one frame's announced bytes. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** The frames that `chunk` completes. Throws when a frame announces more than one may have, or no JSON. */
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

  /** The bytes so far in one piece, when the first piece has not `wanted` of them. */
  #join(wanted: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.byteLength >= wanted)
      return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
