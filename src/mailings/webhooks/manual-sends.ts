/** Limits what an organization sends by hand, because each message may be answered in the most expensive way. */
import { AppError } from '../../foundation/errors.ts';

/** Pings and retries of deliveries of one organization in a minute: each of its webhooks once, and some again. */
export const manualSendsMax = 30;
const windowMs = 60_000;

interface Count {
  count: number;
  endsMs: number;
}

export class ManualSends {
  readonly #nowMs: () => number;
  readonly #counts = new Map<string, Count>();

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Counts a message. Throws TOO_MANY_REQUESTS when the organization has sent too many in this minute. */
  take(organizationUid: string): void {
    const nowMs = this.#nowMs();
    const known = this.#counts.get(organizationUid);
    const count = known && known.endsMs > nowMs ? known : { count: 0, endsMs: nowMs + windowMs };
    if (count.count >= manualSendsMax) throw tooMany(Math.ceil((count.endsMs - nowMs) / 1000));
    count.count += 1;
    this.#counts.set(organizationUid, count);
  }
}

function tooMany(retryAfterSeconds: number): AppError {
  const message = `The organization has sent ${manualSendsMax} pings and retries within a minute, the limit: send it again in ${retryAfterSeconds} s.`;
  return new AppError('TOO_MANY_REQUESTS', message, { reason: 'webhook-sends', retryAfterSeconds });
}
