/** Slows down whoever tries API keys that are not valid, and leaves those alone whose key is. */
import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** Milliseconds over which failures are counted. */
const windowMs = 60_000;

/** Failures of one network in a window: a program with an old key is told of it, a search is not worth it. */
export const failuresPerNetworkMax = 30;

/** Failures of one key in a window, from wherever: a revoked key in many programs costs no look-ups. */
export const failuresPerKeyMax = 10;

/** Networks and keys that are counted at a time, and valid keys that are known: some 100 bytes each. */
const entriesMax = 10_000;

/** Characters of a key that are looked at; longer ones are none. */
const keyCharactersMax = 200;

interface Failures {
  count: number;
  /** End of the window, on the clock of `nowMs`. */
  untilMs: number;
}

/**
 * Counts failed keys by the network they come from and by the key itself. A key that was valid lately passes although
 * its network is held up: behind one address there may be many callers. Keys are held as digests.
 */
export class KeyThrottle {
  readonly #nowMs: () => number;
  /** In the order of their ends, because all windows are equally long. */
  readonly #failures = new Map<string, Failures>();
  readonly #valid = new Set<string>();

  /** `nowMs` is a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** True while no failure is counted: nobody can be held up, and nothing need be asked. */
  get isQuiet(): boolean {
    return this.#failures.size === 0;
  }

  /** What speaks against looking a key up: TOO_MANY_REQUESTS with the seconds to wait; undefined when nothing does. */
  refusal(key: string, network: string): AppError | undefined {
    this.#forgetPast();
    if (this.isQuiet || key === '') return undefined;
    const digest = digestOf(key);
    if (this.#valid.has(digest)) return undefined;
    const waitMs = Math.max(
      this.#waitMs(`network ${network}`, failuresPerNetworkMax),
      this.#waitMs(`key ${digest}`, failuresPerKeyMax),
    );
    if (waitMs === 0) return undefined;
    return new AppError('TOO_MANY_REQUESTS', 'Too many invalid API keys; try again later.', {
      reason: 'key-throttle',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }

  /** Counts a key that is not valid; none at all is no attempt. */
  fail(key: string, network: string): void {
    if (key === '') return;
    this.#forgetPast();
    const digest = digestOf(key);
    this.#valid.delete(digest);
    this.#count(`network ${network}`);
    this.#count(`key ${digest}`);
  }

  /** Notes a key that was found valid. */
  succeed(key: string): void {
    if (key === '') return;
    const digest = digestOf(key);
    this.#valid.delete(digest);
    this.#valid.add(digest);
    dropOldest(this.#valid);
  }

  #waitMs(name: string, failuresMax: number): number {
    const failures = this.#failures.get(name);
    return failures === undefined || failures.count < failuresMax
      ? 0
      : failures.untilMs - this.#nowMs();
  }

  #count(name: string): void {
    const failures = this.#failures.get(name);
    if (failures !== undefined) {
      failures.count += 1;
      return;
    }
    this.#failures.set(name, { count: 1, untilMs: this.#nowMs() + windowMs });
    dropOldest(this.#failures);
  }

  #forgetPast(): void {
    const now = this.#nowMs();
    for (const [name, { untilMs }] of this.#failures) {
      if (untilMs > now) return;
      this.#failures.delete(name);
    }
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>): void {
  if (entries.size <= entriesMax) return;
  const [oldest = ''] = entries.keys();
  entries.delete(oldest);
}

function digestOf(key: string): string {
  return createHash('sha256').update(key.slice(0, keyCharactersMax)).digest('base64');
}
