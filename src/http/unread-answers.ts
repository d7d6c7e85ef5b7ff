/** Bodies of answers that their clients have not read yet: a bound on their memory, and what may be freed beside them. */
import type { HttpResponse } from 'uWebSockets.js';

/** Default of `bytesMax`. */
const unreadBytesMaxDefault = 64 * 1024 * 1024;

/**
 * Counts the bytes of bodies that wait for their clients, each body once however many clients read it. When they exceed
 * the bound, the connections that have waited longest are closed: a body that is kept by a cache counts as well, because
 * a cache may drop it at any time.
 */
export class UnreadAnswers {
  readonly #bytesMax: number;
  /** In order of their starts. */
  readonly #waiting = new Map<HttpResponse, ArrayBufferLike>();
  /** How many responses hold each buffer. */
  readonly #holders = new Map<ArrayBufferLike, number>();
  #bytes = 0;
  #closed = 0;
  #dropped: Uint8Array[] = [];

  constructor(bytesMax = unreadBytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Connections that were closed because of the bound. */
  get closed(): number {
    return this.#closed;
  }

  /** Adds a response that waits for its client; `remove` must be called in the end. */
  add(response: HttpResponse, { buffer }: Uint8Array): void {
    const holders = this.#holders.get(buffer) ?? 0;
    if (holders === 0) this.#bytes += buffer.byteLength;
    this.#holders.set(buffer, holders + 1);
    this.#waiting.set(response, buffer);
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#bytesMax || oldest === response) return;
      this.#closed += 1;
      oldest.close();
      this.remove(oldest);
    }
  }

  remove(response: HttpResponse): void {
    const buffer = this.#waiting.get(response);
    if (buffer === undefined) return;
    this.#waiting.delete(response);
    const holders = (this.#holders.get(buffer) ?? 1) - 1;
    if (holders > 0) {
      this.#holders.set(buffer, holders);
      return;
    }
    this.#holders.delete(buffer);
    this.#bytes -= buffer.byteLength;
  }

  /**
   * Frees a body that no later request finds. V8 counts bodies as memory of its own, and would mark its whole heap after
   * every 64 MiB of them. It happens in a later turn of the event loop: in this one, requests that found the body before
   * start their responses. The garbage collector frees what a slow client still reads.
   */
  free(body: Uint8Array): void {
    if (this.#dropped.length === 0) setImmediate(() => this.#freeDropped());
    this.#dropped.push(body);
  }

  #freeDropped(): void {
    const bodies = this.#dropped;
    this.#dropped = [];
    for (const { buffer, byteLength } of bodies) {
      const isFree = !this.#holders.has(buffer) && byteLength === buffer.byteLength;
      if (isFree && buffer instanceof ArrayBuffer) buffer.transfer(0);
    }
  }
}

/** Throws for a body that was freed: the connection is closed, because an empty image would be a broken one. */
export function requireBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.detached)
    throw new Error('The body of a response was freed.');
}
