/** Sends due deliveries, a few at a time, on the main thread of the process. */
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../../foundation/log.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { DeliveryQueue, DueDelivery } from './delivery-queue.ts';
import { postTimeoutMs } from './post-message.ts';
import type { MessagePoster, PostOutcome } from './post-message.ts';

/** Upper bound of concurrent attempts. Each holds a socket and some kilobytes. */
const attemptsMax = 8;
/** Upper bound for an organization, so that its slow receivers delay no others. A webhook has one attempt at a time. */
const attemptsPerOrganizationMax = 4;

/** Duration of a claim in ms: an attempt and the write of its result. After a kill, the attempt is repeated then. */
const claimMs = postTimeoutMs + 5000;

/** Upper bound in ms between two looks: another process may add events, or the wall clock may be set. */
const lookEveryMsMax = 60_000;
/** Delay in ms of the next look after a failed one, or while due deliveries wait for a running attempt. */
const lookAgainMs = 5000;

export interface SenderOptions {
  queue: DeliveryQueue;
  poster: MessagePoster;
  log: Log;
  /** The wall clock, ms since the epoch. */
  nowMs?: () => number;
}

/** Sends until it is closed. It never throws and never rejects. */
export class WebhookSender {
  readonly #queue: DeliveryQueue;
  readonly #poster: MessagePoster;
  readonly #log: Log;
  readonly #nowMs: () => number;
  readonly #inFlight = new Map<DueDelivery, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Whether `wake` was called during a look. */
  #isWoken = false;
  #isClosed = false;

  constructor({ queue, poster, log, nowMs = Date.now }: SenderOptions) {
    this.#queue = queue;
    this.#poster = poster;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Looks for due deliveries in the next turn of the event loop, after the caller's transaction is stored. */
  wake(): void {
    if (this.#isLooking) this.#isWoken = true;
    else this.#lookIn(0);
  }

  /** Starts no more attempts, waits up to `graceMs` for running ones, and aborts the rest: they are repeated later. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const timer = setTimeout(() => this.#stopped.abort(), graceMs);
    await Promise.all(this.#inFlight.values());
    clearTimeout(timer);
    await this.#poster.close();
  }

  #lookIn(delayMs: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delayMs).unref();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    let delayMs = lookAgainMs;
    try {
      for (const delivery of this.#queue.findDue()) {
        if (this.#isClosed || this.#inFlight.size >= attemptsMax) break;
        if (!this.#mayStart(delivery)) continue;
        const untilMs = this.#nowMs() + claimMs;
        const isClaimed = await whenFree(() => this.#queue.claim(delivery.sequence, untilMs));
        if (isClaimed && !this.#isClosed) this.#inFlight.set(delivery, this.#attempt(delivery));
      }
      const untilDueMs = (this.#queue.nextDueMs() ?? Infinity) - this.#nowMs();
      // A delivery that is due already waits for a running attempt, whose end wakes the sender.
      if (untilDueMs > 0) delayMs = Math.min(untilDueMs, lookEveryMsMax);
    } catch (error) {
      this.#log.warn('webhooks', { detail: errorText(error) });
    } finally {
      this.#isLooking = false;
      this.#lookIn(this.#isWoken ? 0 : delayMs);
      this.#isWoken = false;
    }
  }

  #mayStart({ webhookId, organizationUid }: DueDelivery): boolean {
    const running = [...this.#inFlight.keys()];
    const ofOrganization = running.filter((each) => each.organizationUid === organizationUid);
    return (
      ofOrganization.length < attemptsPerOrganizationMax &&
      !ofOrganization.some((each) => each.webhookId === webhookId)
    );
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { sequence } = delivery;
    const atMs = this.#nowMs();
    const startedMs = performance.now();
    try {
      const outcome = await this.#post(delivery, atMs);
      await whenFree(() => {
        if (outcome === undefined) return this.#queue.release(sequence);
        return this.#queue.finish(delivery, {
          at: new Date(atMs).toISOString(),
          duration_ms: Math.round(performance.now() - startedMs),
          status: outcome.status ?? null,
          error: outcome.error ?? null,
          answer: outcome.answer ?? null,
        });
      });
    } catch (error) {
      // The claim expires, and the message is sent again.
      this.#log.warn('webhooks', { detail: errorText(error) });
    } finally {
      this.#inFlight.delete(delivery);
      this.wake();
    }
  }

  /** Undefined if the close of the sender aborted the attempt. */
  async #post(delivery: DueDelivery, nowMs: number): Promise<PostOutcome | undefined> {
    try {
      return await this.#poster.post(delivery, nowMs, this.#stopped.signal);
    } catch (error) {
      if (this.#stopped.signal.aborted) return undefined;
      throw error;
    }
  }
}
