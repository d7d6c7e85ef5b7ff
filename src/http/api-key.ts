/** API keys of requests: the organization that a key belongs to, its scopes, and a limit for invalid keys. */
import { AppError } from '../foundation/errors.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';
import { createHash } from 'node:crypto';

/** The store of keys. Returns undefined for an empty, malformed, unknown or revoked key. */
export interface KeyHolders<Holder> {
  findByKey(key: string): Holder | undefined;
}

/** Returns the holder of a key, whatever its scopes. Throws UNAUTHORIZED with the specification's sentence. */
export function requireValidKey<Holder>(apiKey: string, holders: KeyHolders<Holder>): Holder {
  const holder = holders.findByKey(apiKey);
  if (holder === undefined) {
    throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
  }
  return holder;
}

/**
 * Returns the holder of a key with `scope`. Throws UNAUTHORIZED with the specification's sentence if the key is not
 * valid, and FORBIDDEN if it lacks the scope.
 */
export function requireKeyHolder<Holder extends { scopes: readonly KeyScope[] }>(
  apiKey: string,
  holders: KeyHolders<Holder>,
  scope: KeyScope,
): Holder {
  const holder = requireValidKey(apiKey, holders);
  if (!holder.scopes.includes(scope)) {
    throw new AppError(
      'FORBIDDEN',
      `This API key lacks the scope "${scope}": use a key that has it.`,
      { reason: 'scope' },
    );
  }
  return holder;
}

// A limit for networks and keys that send invalid keys. Valid keys, and requests that need none, do not count.

/** Window in which failures are counted. */
const windowMs = 60_000;

/**
 * Failures of one network in a window. Keys have 190 bits, so guessing cannot succeed. The limit reduces the load of
 * programs with an old key, of which one network may have many.
 */
export const failuresPerNetworkMax = 300;

/** Failures of one key in a window, for a program with an old key that runs in many networks. */
export const failuresPerKeyMax = 300;

/** Networks, and keys, counted at a time: some 100 bytes each. */
const entriesMax = 10_000;

interface Failures {
  count: number;
  /** End of the window, on the clock of `nowMs`. */
  untilMs: number;
}

/** Counts failures by name in windows of a minute. Above `entriesMax` names, the oldest are forgotten. */
class FailureCounts {
  readonly #countMax: number;
  /** In the order of their ends, because all windows are equally long. */
  readonly #failures = new Map<string, Failures>();

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  get size(): number {
    return this.#failures.size;
  }

  /** Counts one failure. Returns the milliseconds until the window ends if there were too many, else 0. */
  add(name: string, nowMs: number): number {
    this.#forgetPast(nowMs);
    const failures = this.#failures.get(name);
    if (failures === undefined) {
      this.#failures.set(name, { count: 1, untilMs: nowMs + windowMs });
      this.#dropOldest();
      return 0;
    }
    failures.count += 1;
    return failures.count <= this.#countMax ? 0 : failures.untilMs - nowMs;
  }

  #forgetPast(nowMs: number): void {
    for (const [name, { untilMs }] of this.#failures) {
      if (untilMs > nowMs) return;
      this.#failures.delete(name);
    }
  }

  #dropOldest(): void {
    if (this.#failures.size <= entriesMax) return;
    const [oldest = ''] = this.#failures.keys();
    this.#failures.delete(oldest);
  }
}

/** Counts invalid keys by the network of their client, and each key over all networks. */
export class KeyThrottle {
  readonly #nowMs: () => number;
  readonly #byNetwork = new FailureCounts(failuresPerNetworkMax);
  readonly #byKey = new FailureCounts(failuresPerKeyMax);

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Networks and keys that are counted now. */
  get size(): { networks: number; keys: number } {
    return { networks: this.#byNetwork.size, keys: this.#byKey.size };
  }

  /**
   * Counts an invalid key, of which only the digest is kept. Returns TOO_MANY_REQUESTS with the seconds to wait if its
   * network has sent too many, or if the key was sent too often.
   */
  fail(network: string, apiKey: string): AppError | undefined {
    const nowMs = this.#nowMs();
    const digest = createHash('sha256').update(apiKey).digest('base64url');
    const waitMs = Math.max(this.#byNetwork.add(network, nowMs), this.#byKey.add(digest, nowMs));
    if (waitMs === 0) return undefined;
    return new AppError('TOO_MANY_REQUESTS', 'Too many invalid API keys; try again later.', {
      reason: 'key-throttle',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
}
