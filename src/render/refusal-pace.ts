/** Slows down clients that ask again as soon as they are refused: refusing them would take the processor from rendering. */
import type { Reply } from '../http/reply.ts';

/** Refusals answered at once: 2,000 a second, some 60 µs of the main thread each (measured). */
const atOnceMax = 200;
const windowMs = 100;

/**
 * Milliseconds until the others are answered. A client that waits for each answer then sends at most one request a
 * second; a network may have 2,500 connections. Longer, and floods that do not wait would use up all connections.
 */
const holdMs = 1000;

/** One a service. Whatever the flood, a refusal is answered at once or after `holdMs`. */
export class RefusalPace {
  #windowEndMs = 0;
  #left = 0;

  /** The refusal, now or later. */
  pace(refusal: Reply): Reply | Promise<Reply> {
    const nowMs = performance.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + windowMs;
      this.#left = atOnceMax;
    }
    this.#left -= 1;
    if (this.#left >= 0) return refusal;
    return new Promise((resolve) => setTimeout(resolve, holdMs, refusal));
  }
}
