/** The framing of messages between the service and its child programs: length-prefixed frames over a socket. */
import { writevSync } from 'node:fs';
import { Socket } from 'node:net';

/** One message: a JSON value, and bytes. */
export interface Frame {
  head: unknown;
  /** Owned by the receiver; fills its whole buffer. */
  body: Uint8Array;
}

/** Upper bounds of the parts of a frame in bytes: a compromised program may announce any. */
export interface FrameBounds {
  headBytesMax: number;
  bodyBytesMax: number;
}

/** Bytes of the two lengths before a frame: head and body. */
const prefixBytes = 8;

/**
 * Writes one frame with as few system calls as possible; `head` is JSON. `body` must not change before it is
 * written.
 */
export function writeFrame(socket: Socket, head: string, body?: Uint8Array): void {
  const start = startOf(head, body);
  if (body === undefined || body.byteLength === 0) {
    socket.write(start);
    return;
  }
  socket.cork();
  socket.write(start);
  socket.write(body);
  socket.uncork();
}

/** The lengths of a frame, and its head. */
function startOf(head: string, body: Uint8Array | undefined): Buffer {
  const headBytes = Buffer.byteLength(head);
  const start = Buffer.allocUnsafe(prefixBytes + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(body?.byteLength ?? 0, 4);
  start.write(head, prefixBytes);
  return start;
}

type Allocate = (bytes: number, head: unknown) => ArrayBufferLike;

const allocatePrivate: Allocate = (bytes) => Buffer.allocUnsafeSlow(bytes).buffer;

/** Assembles frames from chunks of any size; each body is copied once, into its own buffer. */
export class FrameReader {
  readonly #bounds: FrameBounds;
  readonly #allocate: Allocate;
  #stage: 'prefix' | 'head' | 'body' = 'prefix';
  /** Reused for each frame. */
  readonly #prefix = Buffer.alloc(prefixBytes);
  #target: Uint8Array = this.#prefix;
  #filled = 0;
  #head: unknown;
  #bodyBytes = 0;

  /** `allocate` returns the memory of the body that follows a head. */
  constructor(bounds: FrameBounds, allocate = allocatePrivate) {
    this.#bounds = bounds;
    this.#allocate = allocate;
  }

  /** Returns the frames that `chunk` completes. Throws if a frame announces too many bytes, or its head is not JSON. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.byteLength) {
      const taken = Math.min(chunk.byteLength - at, this.#target.byteLength - this.#filled);
      this.#target.set(chunk.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled < this.#target.byteLength) break;
      const frame = this.#advance();
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  /** Starts the next part of a frame; returns the frame after its last part. */
  #advance(): Frame | undefined {
    if (this.#stage === 'prefix') {
      const headBytes = this.#prefix.readUInt32LE(0);
      this.#bodyBytes = this.#prefix.readUInt32LE(4);
      const { headBytesMax, bodyBytesMax } = this.#bounds;
      if (headBytes === 0 || headBytes > headBytesMax || this.#bodyBytes > bodyBytesMax)
        throw new Error('A frame has a length that no frame has.');
      // Pooled memory is safe, because a head is parsed at once.
      this.#expect('head', Buffer.allocUnsafe(headBytes));
      return undefined;
    }
    if (this.#stage === 'head') {
      const { buffer, byteOffset, byteLength } = this.#target;
      this.#head = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString());
      if (this.#bodyBytes > 0) {
        this.#expect('body', new Uint8Array(this.#allocate(this.#bodyBytes, this.#head)));
        return undefined;
      }
    }
    const frame = { head: this.#head, body: this.#bodyBytes > 0 ? this.#target : noBody };
    this.#head = undefined;
    this.#expect('prefix', this.#prefix);
    return frame;
  }

  #expect(stage: 'prefix' | 'head' | 'body', target: Uint8Array): void {
    this.#stage = stage;
    this.#filled = 0;
    this.#target = target;
  }
}

const noBody = new Uint8Array(0);

// The sockets of both sides.

/**
 * Opens a socket that reads into one buffer: other sockets allocate 64 KiB for each read. `onChunk` gets bytes that are
 * valid only during the call.
 */
export function socketOf(
  source: { fd: number } | { handle: unknown },
  bufferBytes: number,
  onChunk: (chunk: Uint8Array) => void,
): Socket {
  const buffer = new Uint8Array(bufferBytes);
  const callback = (length: number): boolean => {
    onChunk(buffer.subarray(0, length));
    return true;
  };
  const onread = { buffer, callback };
  const socket = new Socket({ ...source, readable: true, writable: true, onread });
  socket.resume();
  return socket;
}

/** Descriptors of the sockets from and to the service; 0 to 2 are the standard streams, and 4 is for the guard. */
const inputDescriptor = 3;
/** Writing blocks, because Node has not opened it. */
const outputDescriptor = 5;
/** A frame usually fits into the buffer. */
const childBufferBytes = 64 * 1024;

/** Bytes of the memory that the threads of a program share to write. */
export const writeLockBytes = 4;

/**
 * Writes one frame from any thread of a child program, and returns when it is written. `head` is JSON; `lock` has
 * `writeLockBytes`. A thread that gave its frame to another one would have to wake it.
 */
export function writeToService(lock: SharedArrayBuffer, head: string, body?: Uint8Array): void {
  let rest = [startOf(head, body), body ?? noBody];
  const owner = new Int32Array(lock);
  while (Atomics.compareExchange(owner, 0, 0, 1) !== 0) Atomics.wait(owner, 0, 1);
  try {
    while (rest.length > 0) rest = partsAfter(rest, writevSync(outputDescriptor, rest));
  } finally {
    Atomics.store(owner, 0, 0);
    Atomics.notify(owner, 0, 1);
  }
}

/** What is left of `parts` after so many bytes. */
function partsAfter(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return parts.flatMap((part) => {
    const taken = Math.min(left, part.byteLength);
    left -= taken;
    return taken === part.byteLength ? [] : [part.subarray(taken)];
  });
}

/** Reads what the service sends to this child program, which ends with the service. */
export function readFromService(reader: FrameReader, take: (frame: Frame) => void): void {
  const socket = socketOf({ fd: inputDescriptor }, childBufferBytes, (chunk) => {
    for (const frame of reader.push(chunk)) take(frame);
  });
  // The service has ended. Native code does not notice; the shell that started this process does.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => process.exit(0));
  // Signals to a whole control group or terminal are for the service, which ends its programs when their work is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
}
