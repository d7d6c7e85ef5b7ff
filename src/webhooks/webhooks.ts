/** Webhooks: tells the servers of organizations what happened. The rest of the service calls `emit`. */
import type { Log } from '../foundation/log.ts';
import type { Database } from '../store/database/database.ts';
import { afterStored } from '../store/database/write-route.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { WebhookEvent } from './message.ts';
import { createMessagePoster } from './post-message.ts';
import type { MessagePoster, PostSettings } from './post-message.ts';
import { WebhookSender } from './sender.ts';
import { createWebhookStore } from './webhook-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** The store, which wakes the sender where there is something to send. */
export interface Webhooks
  extends
    Omit<WebhookStore, 'addEvent'>,
    Pick<MessagePoster, 'checkUrl' | 'post'>,
    Pick<DeliveryQueue, 'deleteExpired'> {
  /**
   * Has an event sent to the webhooks of its organization, at least once each. One transaction, which becomes part of the
   * caller's: the event is kept if the caller's work is, and it is sent after a kill too. Throws a `StoreError`; a
   * caller without a transaction repeats it with `whenFree`.
   */
  emit(event: WebhookEvent): void;
  /** Begins to send, also what an earlier process left. */
  start(): void;
  /** Ends it: attempts in flight have `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface WebhooksOptions {
  db: Database;
  settings: PostSettings;
  log: Log;
  /** The wall clock, ms since the epoch. */
  nowMs?: () => number;
}

/** Creates the webhooks of a service; nothing is sent before `start`. */
export function createWebhooks({ db, settings, log, nowMs = Date.now }: WebhooksOptions): Webhooks {
  const store = createWebhookStore(db, nowMs);
  const queue = createDeliveryQueue(db, nowMs);
  const poster = createMessagePoster(settings);
  const sender = new WebhookSender({ queue, poster, log, nowMs });
  const wake = (): void => afterStored(() => sender.wake());
  return {
    ...store,
    addPing(organizationUid, id) {
      const deliveryId = store.addPing(organizationUid, id);
      if (deliveryId !== undefined) wake();
      return deliveryId;
    },
    retryDelivery(organizationUid, id, deliveryId) {
      const isFound = store.retryDelivery(organizationUid, id, deliveryId);
      if (isFound) wake();
      return isFound;
    },
    emit(event) {
      if (store.addEvent(event) > 0) wake();
    },
    checkUrl: (url) => poster.checkUrl(url),
    post: (message, now, signal) => poster.post(message, now, signal),
    deleteExpired: (deletionsMax) => queue.deleteExpired(deletionsMax),
    start: () => sender.wake(),
    close: (graceMs) => sender.close(graceMs),
  };
}
