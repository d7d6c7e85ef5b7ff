/** The sending of one event to one webhook: its attempts, when the next one is due, and what ends it. */
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
  /** The first characters of the answer. */
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
  /** Null unless it waits. */
  next_attempt_at: string | null;
  /** The last ones, oldest first. */
  attempts: DeliveryAttempt[];
  /** The body of its messages. */
  payload: unknown;
}

/** Attempts that a delivery keeps: all of its schedule, and some that a person asked for. */
export const attemptsKeptMax = 20;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** From an attempt that failed to the next: the schedule that Standard Webhooks recommend, 75 hours in all. */
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

/** Up to a fifth more, so that the messages of an outage do not come back all at once. */
const jitterMax = 0.2;

/** Milliseconds until the next attempt after this many; undefined if there is none. `random` is in [0, 1). */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + jitterMax * random));
}

/** How long every attempt fails until a webhook is disabled: longer than the schedule of one message. */
export const failingMsMax = 5 * 24 * hour;

/** "Gone" says that a receiver wants no more messages. */
export const goneStatus = 410;
