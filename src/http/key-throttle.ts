/** Slows down whoever sends API keys that are not valid; a valid key, and what needs none, is never asked about. */
import { AppError } from '../errors.ts';

/** Milliseconds over which failures are counted. */
const windowMs = 60_000;

/**
 * Failures of one network in a window. Keys have 190 bits, so that no number of attempts finds one: this is against the noise of
 * programs with an old key, of which one network may have many.
 */
export const failuresPerNetworkMax = 300;

/** Networks that are counted at a time: some 100 bytes each. */
const entriesMax = 10_000;

interface Failures {
  count: number;
  /** End of the window, on the clock of `nowMs`. */
  untilMs: number;
}

/** Counts invalid keys by the network they come from. */
export class KeyThrottle {
  readonly #nowMs: () => number;
  /** In the order of their ends, because all windows are equally long. */
  readonly #failures = new Map<string, Failures>();

  /** `nowMs` is a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Networks that are counted now. */
  get size(): number {
    return this.#failures.size;
  }

  /** Counts a key that was found invalid; TOO_MANY_REQUESTS with the seconds to wait when its network has sent too many. */
  fail(network: string): AppError | undefined {
    const nowMs = this.#nowMs();
    this.#forgetPast(nowMs);
    const failures = this.#failures.get(network);
    if (failures === undefined) {
      this.#failures.set(network, { count: 1, untilMs: nowMs + windowMs });
      this.#dropOldest();
      return undefined;
    }
    failures.count += 1;
    if (failures.count <= failuresPerNetworkMax) return undefined;
    return new AppError('TOO_MANY_REQUESTS', 'Too many invalid API keys; try again later.', {
      reason: 'key-throttle',
      retryAfterSeconds: Math.ceil((failures.untilMs - nowMs) / 1000),
    });
  }

  #forgetPast(nowMs: number): void {
    for (const [network, { untilMs }] of this.#failures) {
      if (untilMs > nowMs) return;
      this.#failures.delete(network);
    }
  }

  #dropOldest(): void {
    if (this.#failures.size <= entriesMax) return;
    const [oldest = ''] = this.#failures.keys();
    this.#failures.delete(oldest);
  }
}
