/** Bodies of answers that their clients have not read yet: a bound on their memory, and what may be freed beside them. */
import type { HttpResponse } from 'uWebSockets.js';

/** Default of `bytesMax`. */
const unreadBytesMaxDefault = 64 * 1024 * 1024;

/** By what waiting answers are grouped: the organization whose data they show, and then the network of the client. */
export type UnreadGroup = readonly [organizationUid: string, network: string];

interface Waiting {
  buffer: ArrayBufferLike;
  group: UnreadGroup;
}

/**
 * Counts the bytes of bodies that wait for their clients, each body once however many clients read it. When they exceed
 * the bound, connections are closed: of the organization that holds most, in the network that holds most of it, the one
 * that has waited longest. So clients that do not read cut the readers of no other organization. A body that is kept by
 * a cache counts as well, because a cache may drop it at any time.
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
   * Adds a response that waits for its client; `remove` must be called in the end. What exceeds the bound is closed in
   * the next turn: this response may be the one, and it is being written in this turn.
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

  /** A single answer may be larger than the bound. */
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
      const isFree = !this.#held.has(buffer) && byteLength === buffer.byteLength;
      if (isFree && buffer instanceof ArrayBuffer) buffer.transfer(0);
    }
  }
}

/** The bodies of a group, and of the groups within it. */
class HeldBodies {
  bytes = 0;
  /** In order of their starts. */
  readonly #responses = new Set<HttpResponse>();
  /** How many responses hold each buffer. */
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

  /** The response that has waited longest in the part that holds most; of equal parts, in the oldest. */
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

/** Throws for a body that was freed: the connection is closed, because an empty image would be a broken one. */
export function requireBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.detached)
    throw new Error('The body of a response was freed.');
}
