/** The framing of messages between the service and its child programs: length-prefixed frames over a socket. */
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
 * Writes one frame with as few system calls as possible; `head` is JSON. `body` must not change until `onWritten` is
 * called, which happens only if there is a body.
 */
export function writeFrame(
  socket: Socket,
  head: string,
  body?: Uint8Array,
  onWritten?: () => void,
): void {
  const headBytes = Buffer.byteLength(head);
  const start = Buffer.allocUnsafe(prefixBytes + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(body?.byteLength ?? 0, 4);
  start.write(head, prefixBytes);
  if (body === undefined || body.byteLength === 0) {
    socket.write(start);
    return;
  }
  socket.cork();
  socket.write(start);
  socket.write(body, onWritten);
  socket.uncork();
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

/** Descriptor of the socket to the service; 0 to 2 are the standard streams. */
const socketDescriptor = 3;
/** A frame usually fits into the buffer. */
const childBufferBytes = 64 * 1024;

/** Opens the socket of a child program, which ends with the service. */
export function openSocket(reader: FrameReader, take: (frame: Frame) => void): Socket {
  const socket = socketOf({ fd: socketDescriptor }, childBufferBytes, (chunk) => {
    for (const frame of reader.push(chunk)) take(frame);
  });
  // The service has ended. Native code does not notice; the shell that started this process does.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => process.exit(0));
  // Signals to a whole control group or terminal are for the service, which ends its programs when their work is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  return socket;
}
