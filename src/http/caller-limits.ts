/** Limits of one server for callers by their network: requests to an endpoint, and invalid keys. */
import { createHash } from 'node:crypto';
import { AppError } from '../foundation/errors.ts';
import { RequestCounts } from '../foundation/request-counts.ts';
import type { CountLimit } from '../foundation/request-counts.ts';
import { organizationShares } from '../foundation/thread-shares.ts';

/** Requests of one network, an IPv4 address or a /64 of IPv6, that an endpoint answers. */
export interface RateLimit extends CountLimit {
  /** What is counted, for the message: `searches`. */
  what: string;
}

/**
 * Invalid keys of one network. Keys have 190 bits, so guessing cannot succeed. The limit reduces the load of programs
 * with an old key, of which one network may have many.
 */
const invalidKeys: RateLimit = { what: 'invalid API keys', countMax: 300, windowSeconds: 60 };

/** Uses of one invalid key, for a program with an old key that runs in many networks. */
const invalidKeyUses: RateLimit = { ...invalidKeys };

export const failuresPerNetworkMax = invalidKeys.countMax;
export const failuresPerKeyMax = invalidKeyUses.countMax;

function tooMany(what: string, waitMs: number, reason: string): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many ${what}; try again later.`;
  return new AppError('TOO_MANY_REQUESTS', message, { reason, retryAfterSeconds });
}

/** Counts invalid keys by the network of their client, and each key over all networks. */
export class KeyThrottle {
  readonly #nowMs: () => number;
  readonly #byNetwork = new RequestCounts(invalidKeys);
  readonly #byKey = new RequestCounts(invalidKeyUses);

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
    return waitMs === 0 ? undefined : tooMany(invalidKeys.what, waitMs, 'key-throttle');
  }
}

/** All limits of a server that count by network. Endpoints that name the same limit share it. */
export class CallerLimits {
  readonly #throttle = new KeyThrottle();
  readonly #counts = new Map<RateLimit, RequestCounts>();

  /** Counts a request to an endpoint with `limit`. Throws TOO_MANY_REQUESTS if its network has sent too many. */
  count(limit: RateLimit, network: string, nowMs: number = performance.now()): void {
    const counts = this.#counts.get(limit) ?? new RequestCounts(limit);
    this.#counts.set(limit, counts);
    const waitMs = counts.add(network, nowMs);
    if (waitMs > 0) throw tooMany(`${limit.what} from this address`, waitMs, 'rate');
  }

  /**
   * Resolves when a caller without a valid key may be answered. Rejects with TOO_MANY_REQUESTS as `KeyThrottle` does, and
   * with OVERLOADED if callers without a key use too much of the thread. An empty `apiKey` is no invalid one.
   */
  async admitRefusal(network: string, apiKey: string): Promise<void> {
    const refusal = apiKey === '' ? undefined : this.#throttle.fail(network, apiKey);
    if (refusal !== undefined) throw refusal;
    await organizationShares.take('', 0);
  }
}
