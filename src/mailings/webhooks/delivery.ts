/** One event for one webhook: its attempts, the time of the next one, and its end. */
import { pingType } from './message.ts';
import type { WebhookEventType } from './message.ts';

/** One attempt, as the log shows it. */
export interface DeliveryAttempt {
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  duration_ms: number;
  /** Null without an answer. */
  status: number | null;
  /** Null after a success; else it continues a sentence that starts with the URL. */
  error: string | null;
  /** The first 1,024 bytes of the answer, as text. */
  answer: string | null;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A delivery as the API shows it. */
export interface Delivery {
  /** The `webhook-id` of its messages. */
  id: string;
  type: WebhookEventType | typeof pingType;
  created_at: string;
  state: DeliveryState;
  /** Null unless the delivery waits. */
  next_attempt_at: string | null;
  /** The last attempts, oldest first. */
  attempts: DeliveryAttempt[];
  /** The body of its messages. */
  payload: unknown;
}

/** Upper bound of the attempts that a delivery keeps: its whole schedule, and some manual retries. */
export const attemptsKeptMax = 20;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays from a failed attempt to the next, as Standard Webhooks recommend: 75 hours in all. */
const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Share of a delay that is added at random, so that the messages of an outage are not retried all at once. */
const jitterMax = 0.2;

/** Milliseconds until the next attempt after `attempts` attempts; undefined after the last. `random` is in [0, 1). */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + jitterMax * random));
}

/** Time in ms of failed attempts after which a webhook is disabled. It is longer than the schedule of one message. */
export const failingMsMax = 5 * 24 * hour;

/** 410 Gone: the receiver wants no more messages. */
export const goneStatus = 410;
