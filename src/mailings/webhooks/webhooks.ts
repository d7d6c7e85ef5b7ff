/** Webhooks: sends events to the servers of organizations. The rest of the service calls `emit`. */
import type { Log } from '../../foundation/log.ts';
import type { Database } from '../../store/database/database.ts';
import { afterStored } from '../../store/database/write-route.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { WebhookEvent } from './message.ts';
import { ManualSends } from './manual-sends.ts';
import { createMessagePoster } from './post-message.ts';
import type { MessagePoster, PostSettings } from './post-message.ts';
import { WebhookSender } from './sender.ts';
import { createWebhookStore } from './webhook-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** The store, which wakes the sender after adding a delivery. */
export interface Webhooks
  extends
    Omit<WebhookStore, 'addEvent'>,
    Pick<MessagePoster, 'checkUrl' | 'post'>,
    Pick<DeliveryQueue, 'deleteExpired'> {
  /**
   * Sends an event to the webhooks of its organization, at least once each. The transaction joins the caller's: the
   * event is stored with the caller's work, and is sent after a kill too. Throws a `StoreError`. A caller without a
   * transaction repeats the call with `whenFree`.
   */
  emit(event: WebhookEvent): void;
  /** Counts a ping or a retry of an organization. Throws TOO_MANY_REQUESTS beyond the limit. */
  takeManualSend(organizationUid: string): void;
  /** Starts sending, including deliveries that an earlier process left. */
  start(): void;
  /** Stops sending. Running attempts have `graceMs` to end. */
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
  const manualSends = new ManualSends();
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
    takeManualSend: (organizationUid) => manualSends.take(organizationUid),
    checkUrl: (url) => poster.checkUrl(url),
    post: (message, now, signal) => poster.post(message, now, signal),
    deleteExpired: (deletionsMax) => queue.deleteExpired(deletionsMax),
    start: () => sender.wake(),
    close: (graceMs) => sender.close(graceMs),
  };
}
