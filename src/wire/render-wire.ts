/** The wire between the service and its render processes: length-prefixed frames over a socket pair. */
import type { Socket } from 'node:net';
import type {
  OrganizationFontFamily,
  RenderJob,
  RenderOutcome,
  SourceImage,
} from './render-job.ts';

/** One message: a JSON value, and bytes. */
export interface WireFrame {
  head: unknown;
  /** Owned by the receiver; fills its whole buffer. */
  body: Uint8Array<ArrayBuffer>;
}

/** Argument of a render process. */
export interface RenderProcessOptions {
  /** Upper bound of cached base renders in bytes; absent: 128 MiB. */
  baseRendersBytesMax?: number | undefined;
  /** Upper bound of cached decoded images in bytes; absent: 32 MiB. */
  drawablesBytesMax?: number | undefined;
  /** Niceness after the first job, from 0 to 19, the lowest priority; absent: as processes that answer links. */
  niceness?: number | undefined;
}

/** Memory of a render process in bytes. */
export interface ProcessFigures {
  /** Capacity that V8 holds for JavaScript objects. */
  heapBytes: number;
  baseRendersBytes: number;
  drawablesBytes: number;
}

/** Messages of a process: an outcome, or its figures. */
export type WireOutcome = RenderOutcome & { figures?: ProcessFigures };

/** A document with its `templateKey`. */
export type JobTemplate = Pick<RenderJob, 'templateJson'> & { fonts?: OrganizationFontFamily[] };

/**
 * Messages of the service. A process keeps templates by key and image files by `imageKey` until the service sends
 * `forget`. Each is thus sent once: `template` and `image` precede the first job that needs them.
 */
export type WireOrder =
  | { kind: 'template'; key: string; template: JobTemplate }
  /** The body is the file. */
  | { kind: 'image'; key: string }
  | {
      kind: 'job';
      job: Omit<RenderJob, 'templateJson' | 'fonts' | 'values' | 'images' | 'subject'> & {
        /** Pairs, because JSON has no maps, and a variable may be called `__proto__`. */
        values: [name: string, value: string][];
        images: [source: string, image: Omit<SourceImage, 'bytes'> & { key: string }][];
      };
      /** Keys of templates and images that no later job needs unless they are sent again. */
      forget: string[];
    };

/** Bytes of the two lengths before a frame: head and body. */
const prefixBytes = 8;
/** Upper bound of a head in bytes. A job has its values, an outcome the report of every layer. */
const headBytesMax = 64 * 1024 * 1024;
/** Upper bound of a body in bytes: more than any admitted image file and any rendered file. */
const bodyBytesMax = 512 * 1024 * 1024;

/** Key of an image file on the wire: its digest names the image, and an SVG may be drawn in several sizes. */
export function imageKey({ digest, widthPx, heightPx, bytes }: SourceImage): string {
  return `${digest}:${widthPx}x${heightPx}:${bytes.byteLength}`;
}

/**
 * Writes one frame with as few system calls as possible. `body` must not change until `onWritten` is called, which
 * happens only if there is a body.
 */
export function writeFrame(
  socket: Socket,
  head: unknown,
  body?: Uint8Array,
  onWritten?: () => void,
): void {
  const json = JSON.stringify(head);
  const headBytes = Buffer.byteLength(json);
  const start = Buffer.allocUnsafe(prefixBytes + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(body?.byteLength ?? 0, 4);
  start.write(json, prefixBytes);
  if (body === undefined || body.byteLength === 0) {
    socket.write(start);
    return;
  }
  socket.cork();
  socket.write(start);
  socket.write(body, onWritten);
  socket.uncork();
}

/** Assembles frames from chunks of any size; each body is copied once, into its own buffer. */
export class WireReader {
  #stage: 'prefix' | 'head' | 'body' = 'prefix';
  /** Reused for each frame. */
  readonly #prefix = Buffer.alloc(prefixBytes);
  #target: Buffer<ArrayBuffer> = this.#prefix;
  #filled = 0;
  #head: unknown;
  #bodyBytes = 0;

  /** Returns the frames that `chunk` completes. Throws if a frame announces too many bytes, or its head is not JSON. */
  push(chunk: Uint8Array): WireFrame[] {
    const frames: WireFrame[] = [];
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
  #advance(): WireFrame | undefined {
    if (this.#stage === 'prefix') {
      const headBytes = this.#target.readUInt32LE(0);
      this.#bodyBytes = this.#target.readUInt32LE(4);
      if (headBytes === 0 || headBytes > headBytesMax || this.#bodyBytes > bodyBytesMax)
        throw new Error('A frame has a length that no frame has.');
      // Pooled memory is safe, because a head is parsed at once.
      this.#expect('head', Buffer.allocUnsafe(headBytes));
      return undefined;
    }
    if (this.#stage === 'head') {
      this.#head = JSON.parse(this.#target.toString());
      if (this.#bodyBytes > 0) {
        this.#expect('body', Buffer.allocUnsafeSlow(this.#bodyBytes));
        return undefined;
      }
    }
    const { buffer } = this.#bodyBytes > 0 ? this.#target : noBody;
    const frame = { head: this.#head, body: new Uint8Array(buffer) };
    this.#head = undefined;
    this.#expect('prefix', this.#prefix);
    return frame;
  }

  #expect(stage: 'prefix' | 'head' | 'body', target: Buffer<ArrayBuffer>): void {
    this.#stage = stage;
    this.#filled = 0;
    this.#target = target;
  }
}

const noBody = new Uint8Array(0);
