/** Delays refusals for clients that repeat a refused request at once: their refusals would take CPU time of renders. */
import type { Reply } from '../../http/reply.ts';

/** Refusals sent at once in a window: 2,000 a second, some 60 µs of the main thread each (measured). */
const atOnceMax = 200;
const windowMs = 100;

/** Delay of all other refusals. With a longer one, clients that do not wait would use all 10,000 connections. */
const holdMs = 1000;

/** The pace of refusals of one service: each is sent at once or after `holdMs`. */
export class RefusalPace {
  #windowEndMs = 0;
  #left = 0;

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
