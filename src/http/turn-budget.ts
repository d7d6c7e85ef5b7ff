/** The time that the requests of one turn of the event loop may take before other connections have their turn. */
import { performance } from 'node:perf_hooks';
import { turnNowMs } from '../foundation/deadline.ts';

/** Milliseconds of a turn in which responses are sent at once: enough for some hundred of the cheapest. */
const turnMsMax = 10;
/** Responses sent at once in any case: a thread that waits for a core may take long for the first ones. */
const requestsMin = 64;

/**
 * Counts the requests of a turn. In one turn, the parser delivers all pipelined requests of a packet, up to 14,000, for
 * all connections. So 20 connections blocked the service for 11 s.
 */
export class TurnBudget {
  #turnMs = Number.NaN;
  #requests = 0;

  /** Counts a request, which arrived in the turn that began at `startedMs`. */
  count(startedMs: number): void {
    if (startedMs !== this.#turnMs) this.#requests = 0;
    this.#turnMs = startedMs;
    this.#requests += 1;
  }

  /** Whether the turn in which a request arrived has exceeded `turnMsMax` and is not over. */
  isLate(startedMs: number): boolean {
    if (startedMs !== this.#turnMs || this.#requests <= requestsMin) return false;
    return startedMs === turnNowMs() && performance.now() - startedMs > turnMsMax;
  }
}

/** Late responses that are sent in one turn: 6 ms with images of 48 KB. */
const lateAnswersMax = 64;

/**
 * Spreads responses that become ready at once after their handlers have returned, such as those of thousands of
 * requests for one render. Sends `lateAnswersMax` in a turn, in order, with other requests in between.
 */
export class LateAnswers {
  #turnMs = Number.NaN;
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  /** Calls `answer` now, or in a later turn. It must not throw. */
  run(answer: () => void): void {
    const turnMs = turnNowMs();
    if (turnMs !== this.#turnMs) this.#count = 0;
    this.#turnMs = turnMs;
    this.#count += 1;
    if (this.#count <= lateAnswersMax && this.#waiting.length === 0) return answer();
    if (this.#waiting.push(answer) === 1) setImmediate(() => this.#continue());
  }

  #continue(): void {
    const next = this.#waiting.splice(0, lateAnswersMax);
    if (this.#waiting.length > 0) setImmediate(() => this.#continue());
    for (const answer of next) answer();
  }
}
