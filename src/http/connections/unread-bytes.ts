/** Bounds what the kernel holds of answers that callers do not read, by network: no option of a socket is in reach here. */
import type { HttpResponse } from 'uWebSockets.js';
import type { ClientAddresses } from './client-address.ts';
import type { ConnectionCensus } from './census.ts';
import type { Exchange } from '../exchange.ts';
import { writeTimeoutMs } from '../respond.ts';

const mebibyte = 1024 * 1024;

export interface UnreadLimits {
  /**
   * Bytes of one network that the kernel may hold unread: the answers in flight to thousands of slow readers. One
   * connection alone holds up to 4 MiB without `platen-sysctl.conf`.
   */
  networkBytesMax: number;
  /** Of all networks together; beyond it each has a sixteenth of `networkBytesMax`. */
  bytesMax: number;
  /** The kernel is asked each time that so many bytes were sent: 17 ms of sending, for 1 ms of asking. */
  askEveryBytes: number;
}

export const unreadLimits: UnreadLimits = {
  networkBytesMax: 64 * mebibyte,
  bytesMax: 512 * mebibyte,
  askEveryBytes: 64 * mebibyte,
};

/** Milliseconds between two questions while a network is over its limit. */
const askEveryMs = 250;

interface WaitingAnswer {
  network: string;
  bytes: number;
  /** Sends it, unless its caller has left meanwhile. */
  start: () => void;
}

/**
 * Decides whether an answer is handed to the kernel now. As long as no network is over its limit an answer costs an
 * addition. Otherwise each answer of such a network waits until its callers have read.
 */
export class UnreadBytes {
  readonly #census: ConnectionCensus;
  readonly #addresses: ClientAddresses;
  readonly #limits: UnreadLimits;
  #port = 0;
  #sentBytes = 0;
  /** By network, while one is over its limit: what the kernel said, and what was handed over since. */
  #estimates: Map<string, number> | undefined;
  #limit: number;
  #waiting: WaitingAnswer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(census: ConnectionCensus, addresses: ClientAddresses, limits: UnreadLimits) {
    this.#census = census;
    this.#addresses = addresses;
    this.#limits = limits;
    this.#limit = limits.networkBytesMax;
  }

  /** The port that is listened on. */
  set port(port: number) {
    this.#port = port;
  }

  /** Answers that wait for their network's readers. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /**
   * Calls `send` at once, or when the readers of the answer's network have read enough, or when its caller has left. A
   * connection that waits for 30 s is closed.
   */
  whenAdmitted(
    response: HttpResponse,
    exchange: Exchange,
    bodyBytes: number,
    send: () => void,
  ): void {
    if (bodyBytes === 0 || exchange.isAborted) return send();
    let timer: NodeJS.Timeout | undefined;
    const start = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      exchange.onAborted = undefined;
      send();
    };
    if (this.#admit(response, bodyBytes, start)) return send();
    exchange.outliveHandler(response);
    exchange.onAborted = start;
    timer = setTimeout(() => response.close(), writeTimeoutMs).unref();
  }

  /** Counts an answer. False: it must not be sent yet, and `start` is called when it may be. */
  #admit(response: HttpResponse, bytes: number, start: () => void): boolean {
    if (this.#estimates === undefined) {
      this.#sentBytes += bytes;
      if (this.#sentBytes < this.#limits.askEveryBytes) return true;
      this.#ask();
      if (this.#estimates === undefined) return true;
    }
    const peer = response.getRemoteAddress();
    if (this.#addresses.isTrusted(peer)) return true;
    const network = this.#addresses.networkOf(peer, '');
    if (this.#take(network, bytes)) return true;
    this.#waiting.push({ network, bytes, start });
    return false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  /** One answer of each network may always go, however large it is. */
  #take(network: string, bytes: number): boolean {
    const held = this.#estimates?.get(network) ?? 0;
    if (held > 0 && held + bytes > this.#limit) return false;
    this.#estimates?.set(network, held + bytes);
    return true;
  }

  #ask(): void {
    const { networkBytesMax, bytesMax } = this.#limits;
    this.#sentBytes = 0;
    // All sockets together hold less than one network may: the tables would say so too, for 200 times the CPU time.
    if (this.#estimates === undefined && this.#census.heldBytesMax <= networkBytesMax) return;
    const held = this.#census.unreadBytes(this.#port);
    let sum = 0;
    let most = 0;
    for (const bytes of held.values()) {
      sum += bytes;
      most = Math.max(most, bytes);
    }
    this.#limit = sum > bytesMax ? networkBytesMax / 16 : networkBytesMax;
    const isOver = most > this.#limit || this.#waiting.length > 0;
    this.#estimates = isOver ? held : undefined;
    clearTimeout(this.#timer);
    if (isOver) this.#timer = setTimeout(() => this.#askAgain(), askEveryMs).unref();
  }

  #askAgain(): void {
    this.#ask();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) {
      if (this.#take(answer.network, answer.bytes)) answer.start();
      else this.#waiting.push(answer);
    }
  }
}
