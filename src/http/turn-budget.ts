/** The time that the requests of one turn of the event loop may take before other connections have their turn. */
import { performance } from 'node:perf_hooks';
import { turnNowMs } from '../foundation/deadline.ts';

/** Milliseconds of a turn in which answers are sent at once: some hundred of the cheapest. */
const turnMsMax = 10;
/** The number that is sent at once in any case: a thread that waits for a core is slow with its first answers. */
const requestsMin = 64;

/**
 * Counts the requests of a turn. The parser hands over all pipelined requests of a packet in one turn, 14,000 in the
 * largest, and those of all connections: 20 connections stopped the service for 11 s.
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

  /** Whether the turn in which a request arrived still goes on, and has taken long. */
  isLate(startedMs: number): boolean {
    if (startedMs !== this.#turnMs || this.#requests <= requestsMin) return false;
    return startedMs === turnNowMs() && performance.now() - startedMs > turnMsMax;
  }
}

/** Answers of one turn that come after their handlers: 6 ms with images of 48 KB. */
const lateAnswersMax = 64;

/**
 * Spreads answers that come at once after their handlers have returned, such as those of thousands who waited for one
 * render: so many a turn, in order, with other requests in between.
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
