/** Bodies of answers that their clients have not read yet: a bound on the memory that slow or stalled clients hold. */
import type { HttpResponse } from 'uWebSockets.js';

/** Default of `bytesMax`. */
export const unreadBytesMaxDefault = 64 * 1024 * 1024;

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

  /** Adds a response that waits for its client; `remove` must be called in the end, also after `close` was. */
  add(response: HttpResponse, { buffer }: Uint8Array): void {
    const holders = this.#holders.get(buffer) ?? 0;
    if (holders === 0) this.#bytes += buffer.byteLength;
    this.#holders.set(buffer, holders + 1);
    this.#waiting.set(response, buffer);
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#bytesMax || oldest === response) return;
      this.#closed += 1;
      // Its end removes it.
      oldest.close();
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
}
