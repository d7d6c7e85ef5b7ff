/** Limits what an organization sends by hand, because each message may be answered in the most expensive way. */
import { AppError } from '../../foundation/errors.ts';
import { RequestCounts } from '../../foundation/request-counts.ts';

/** Pings and retries of deliveries of one organization in a minute: each of its webhooks once, and some again. */
export const manualSendsMax = 30;
const windowSeconds = 60;

export class ManualSends {
  readonly #nowMs: () => number;
  readonly #counts = new RequestCounts({ countMax: manualSendsMax, windowSeconds });

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Counts a message. Throws TOO_MANY_REQUESTS when the organization has sent too many in this minute. */
  take(organizationUid: string): void {
    const waitMs = this.#counts.add(organizationUid, this.#nowMs());
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
  }
}

function tooMany(retryAfterSeconds: number): AppError {
  const message = `The organization has sent ${manualSendsMax} pings and retries within a minute, the limit: send it again in ${retryAfterSeconds} s.`;
  return new AppError('TOO_MANY_REQUESTS', message, { reason: 'webhook-sends', retryAfterSeconds });
}
