/** Bodies of responses that clients have not read: a bound on their memory, and the release of evicted bodies. */
import type { HttpResponse } from 'uWebSockets.js';

/** Default of `bytesMax`. */
const unreadBytesMaxDefault = 64 * 1024 * 1024;

/** The group of a waiting response: the organization whose data it contains, then the network of the client. */
export type UnreadGroup = readonly [organizationUid: string, network: string];

interface Waiting {
  buffer: ArrayBufferLike;
  group: UnreadGroup;
}

/**
 * Counts the bytes of bodies that wait for their clients; a body counts once for any number of clients. Above the
 * bound, connections are closed: the one with the longest wait, of the network with most bytes, of the organization
 * with most bytes. So clients that do not read affect only readers of the same organization. Cached bodies count too,
 * because a cache may evict them at any time.
 */
export class UnreadAnswers {
  readonly #bytesMax: number;
  readonly #waiting = new Map<HttpResponse, Waiting>();
  readonly #held = new HeldBodies();
  #closed = 0;
  #dropped: Uint8Array[] = [];

  constructor(bytesMax = unreadBytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#held.bytes;
  }

  /** Connections that were closed because of the bound. */
  get closed(): number {
    return this.#closed;
  }

  /**
   * Adds a response that waits for its client; the caller must call `remove`. Connections above the bound are closed in
   * the next turn, because this response may be among them and is being written in this turn.
   */
  add(response: HttpResponse, { buffer }: Uint8Array, group: UnreadGroup): void {
    this.#waiting.set(response, { buffer, group });
    this.#held.add(response, buffer, group);
    if (this.#isExceeded) setImmediate(() => this.#closeExcess());
  }

  remove(response: HttpResponse): void {
    const waiting = this.#waiting.get(response);
    if (waiting === undefined) return;
    this.#waiting.delete(response);
    this.#held.remove(response, waiting.buffer, waiting.group);
  }

  /** A single response may be larger than the bound. */
  get #isExceeded(): boolean {
    return this.#held.bytes > this.#bytesMax && this.#waiting.size > 1;
  }

  #closeExcess(): void {
    while (this.#isExceeded) {
      const response = this.#held.firstOfLargest();
      if (response === undefined) return;
      this.#closed += 1;
      response.close();
      this.remove(response);
    }
  }

  /**
   * Frees an evicted body. V8 counts bodies as external memory, and would mark its whole heap after every 64 MiB of
   * them. A later turn of the event loop frees the body, because in this turn requests that found it before start their
   * responses. A body that a client still reads is left to the garbage collector.
   */
  free(body: Uint8Array): void {
    if (this.#dropped.length === 0) setImmediate(() => this.#freeDropped());
    this.#dropped.push(body);
  }

  #freeDropped(): void {
    const bodies = this.#dropped;
    this.#dropped = [];
    for (const { buffer, byteLength } of bodies) {
      const isFree = !this.#held.has(buffer) && byteLength === buffer.byteLength;
      if (isFree && buffer instanceof ArrayBuffer) buffer.transfer(0);
    }
  }
}

/** The bodies of a group, and of the groups within it. */
class HeldBodies {
  bytes = 0;
  /** The responses, longest wait first. */
  readonly #responses = new Set<HttpResponse>();
  /** Number of responses that hold each buffer. */
  readonly #holders = new Map<ArrayBufferLike, number>();
  readonly #parts = new Map<string, HeldBodies>();

  has(buffer: ArrayBufferLike): boolean {
    return this.#holders.has(buffer);
  }

  add(response: HttpResponse, buffer: ArrayBufferLike, [name, ...names]: readonly string[]): void {
    const holders = this.#holders.get(buffer) ?? 0;
    if (holders === 0) this.bytes += buffer.byteLength;
    this.#holders.set(buffer, holders + 1);
    this.#responses.add(response);
    if (name === undefined) return;
    const part = this.#parts.get(name) ?? new HeldBodies();
    this.#parts.set(name, part);
    part.add(response, buffer, names);
  }

  remove(
    response: HttpResponse,
    buffer: ArrayBufferLike,
    [name = '', ...names]: readonly string[],
  ): void {
    const holders = (this.#holders.get(buffer) ?? 1) - 1;
    if (holders > 0) this.#holders.set(buffer, holders);
    else {
      this.#holders.delete(buffer);
      this.bytes -= buffer.byteLength;
    }
    this.#responses.delete(response);
    const part = this.#parts.get(name);
    if (part === undefined) return;
    part.remove(response, buffer, names);
    if (part.#responses.size === 0) this.#parts.delete(name);
  }

  /** The response with the longest wait in the part with most bytes; the oldest part among equals. */
  firstOfLargest(): HttpResponse | undefined {
    let largest: HeldBodies | undefined;
    for (const part of this.#parts.values()) {
      if (largest === undefined || part.bytes > largest.bytes) largest = part;
    }
    if (largest !== undefined) return largest.firstOfLargest();
    const [first] = this.#responses;
    return first;
  }
}

/** Throws for a body that was freed; the server then closes the connection instead of sending an empty image. */
export function requireBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.detached)
    throw new Error('The body of a response was freed.');
}
