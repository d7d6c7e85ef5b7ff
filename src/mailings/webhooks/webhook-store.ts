/** Webhooks of organizations, and the log of what is sent to them. */
import { createRandomId, writeTransaction } from '../../store/database/database.ts';
import type { Database } from '../../store/database/database.ts';
import { StoreError, storeErrors } from '../../store/database/store-error.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from './delivery.ts';
import { createWebhookSecret, pingType, writePayload } from './message.ts';
import type { WebhookEvent, WebhookEventType } from './message.ts';

/** A webhook as the API shows it, without its secret. */
export interface Webhook {
  id: string;
  url: string;
  events: WebhookEventType[];
  created_at: string;
  /** Time of the first failed attempt since the last success; null if the last attempt succeeded. */
  failing_since: string | null;
  /** The reason why the webhook is disabled: it failed for days, or its server answered 410. Else null. */
  disabled: 'failing' | 'gone' | null;
}

/** Every method throws a `StoreError`. Methods with an organization see only its webhooks. */
export interface WebhookStore {
  /** The secret is returned only once. `CONFLICT` if the organization has too many. */
  createWebhook(
    organizationUid: string,
    options: { url: string; events: readonly WebhookEventType[] },
  ): Webhook & { secret: string };
  /** Oldest first. */
  listWebhooks(organizationUid: string): Webhook[];
  findWebhook(organizationUid: string, id: string): Webhook | undefined;
  /** Deletes its deliveries too. */
  removeWebhook(organizationUid: string, id: string): boolean;
  /** Stores a delivery for each webhook of the organization that wants the event, and returns how many. */
  addEvent(event: WebhookEvent): number;
  /** Stores a `webhook.ping` delivery, also for a disabled webhook, and returns its id; undefined without a webhook. */
  addPing(organizationUid: string, id: string): string | undefined;
  /** Newest first; undefined without a webhook. */
  listDeliveries(
    organizationUid: string,
    id: string,
    page: { limit: number; offset: number },
  ): { total: number; deliveries: Delivery[] } | undefined;
  /** Makes a delivery due now, whatever its state; false if there is none. */
  retryDelivery(organizationUid: string, id: string, deliveryId: string): boolean;
}

/** Upper bound of the webhooks of one organization. */
export const webhooksMax = 20;
/** Upper bound of the deliveries kept for one webhook. Beyond it the oldest are deleted, waiting ones last. */
export const deliveriesMax = 500;

/** Random characters of an id: 119 bits. */
const idCharacters = 20;

interface WebhookRow {
  id: string;
  url: string;
  events_json: string;
  created_at: number;
  failing_since: number | null;
  disabled_cause: Webhook['disabled'];
}

interface DeliveryRow {
  id: string;
  type: Delivery['type'];
  payload: string;
  created_at: number;
  state: DeliveryState;
  next_at: number;
  attempts_json: string;
}

const columns = 'id, url, events_json, created_at, failing_since, disabled_cause';

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createWebhookStore(db: Database, nowMs: () => number = Date.now): WebhookStore {
  const list = db.prepare<[string], WebhookRow>(
    `SELECT ${columns} FROM webhooks WHERE organization_uid = ? ORDER BY created_at, id`,
  );
  const find = db.prepare<[string, string], WebhookRow>(
    `SELECT ${columns} FROM webhooks WHERE id = ? AND organization_uid = ?`,
  );
  const insert = db.prepare<[string, string, string, string, string, number]>(
    `INSERT INTO webhooks (id, organization_uid, url, secret, events_json, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare<[string, string]>(
    'DELETE FROM webhooks WHERE id = ? AND organization_uid = ?',
  );
  const listDeliveries = createDeliveryReader(db);
  const retry = db.prepare<[number, string, string]>(
    "UPDATE webhook_deliveries SET state = 'waiting', next_at = ? WHERE id = ? AND webhook_id = ?",
  );
  const addDelivery = createDeliveryWriter(db, nowMs);
  return {
    createWebhook: (organizationUid, { url, events }) =>
      writeTransaction(db, 'Storing a webhook', () => {
        if (list.all(organizationUid).length >= webhooksMax) throw tooMany();
        const id = createRandomId('wh_', idCharacters);
        const secret = createWebhookSecret();
        insert.run(id, organizationUid, url, secret, JSON.stringify(events), nowMs());
        return { ...toWebhook(find.get(id, organizationUid) as WebhookRow), secret };
      }),
    listWebhooks: (organizationUid) =>
      storeErrors('Listing webhooks', () => list.all(organizationUid).map(toWebhook)),
    findWebhook: (organizationUid, id) =>
      storeErrors('Reading a webhook', () => {
        const row = find.get(id, organizationUid);
        return row && toWebhook(row);
      }),
    removeWebhook: (organizationUid, id) =>
      writeTransaction(
        db,
        'Deleting a webhook',
        () => remove.run(id, organizationUid).changes === 1,
      ),
    addEvent: ({ organizationUid, type, data }) =>
      writeTransaction(db, `Noting the event ${type}`, () => {
        const receivers = list
          .all(organizationUid)
          .map(toWebhook)
          .filter(({ events, disabled }) => disabled === null && events.includes(type));
        for (const { id } of receivers) addDelivery(id, type, data);
        return receivers.length;
      }),
    addPing: (organizationUid, id) =>
      writeTransaction(db, 'Noting a ping', () =>
        find.get(id, organizationUid) === undefined
          ? undefined
          : addDelivery(id, pingType, { webhook: id }),
      ),
    listDeliveries: (organizationUid, id, page) =>
      storeErrors('Listing the deliveries of a webhook', () =>
        find.get(id, organizationUid) === undefined ? undefined : listDeliveries(id, page),
      ),
    retryDelivery: (organizationUid, id, deliveryId) =>
      writeTransaction(
        db,
        'Repeating a delivery',
        () =>
          find.get(id, organizationUid) !== undefined &&
          retry.run(nowMs(), deliveryId, id).changes === 1,
      ),
  };
}

/** Makes the function that reads a page of the log of a webhook, newest first. */
function createDeliveryReader(
  db: Database,
): (
  webhookId: string,
  page: { limit: number; offset: number },
) => { total: number; deliveries: Delivery[] } {
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?')
    .pluck();
  const list = db.prepare<[string, number, number], DeliveryRow>(
    `SELECT id, type, payload, created_at, state, next_at, attempts_json
     FROM webhook_deliveries WHERE webhook_id = ? ORDER BY sequence DESC LIMIT ? OFFSET ?`,
  );
  return (webhookId, { limit, offset }) => ({
    total: count.get(webhookId) ?? 0,
    deliveries: list.all(webhookId, limit, offset).map(toDelivery),
  });
}

/** Makes the function that stores a delivery, due now, and returns its id; it runs in a transaction. */
function createDeliveryWriter(
  db: Database,
  nowMs: () => number,
): (webhookId: string, type: Delivery['type'], data: WebhookEvent['data']) => string {
  const insert = db.prepare<[string, string, string, string, number, number]>(
    `INSERT INTO webhook_deliveries (id, webhook_id, type, payload, created_at, state, next_at, attempts_json)
     VALUES (?, ?, ?, ?, ?, 'waiting', ?, '[]')`,
  );
  const trim = db.prepare<[string, number]>(
    `DELETE FROM webhook_deliveries WHERE sequence IN (
       SELECT sequence FROM webhook_deliveries WHERE webhook_id = ?
       ORDER BY state = 'waiting' DESC, sequence DESC LIMIT -1 OFFSET ?)`,
  );
  return (webhookId, type, data) => {
    const now = nowMs();
    const id = createRandomId('msg_', idCharacters);
    insert.run(id, webhookId, type, writePayload(type, data, now), now, now);
    trim.run(webhookId, deliveriesMax);
    return id;
  };
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events_json) as WebhookEventType[],
    created_at: new Date(row.created_at).toISOString(),
    failing_since: row.failing_since === null ? null : new Date(row.failing_since).toISOString(),
    disabled: row.disabled_cause,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const isWaiting = row.state === 'waiting';
  return {
    id: row.id,
    type: row.type,
    created_at: new Date(row.created_at).toISOString(),
    state: row.state,
    next_attempt_at: isWaiting ? new Date(row.next_at).toISOString() : null,
    attempts: JSON.parse(row.attempts_json) as DeliveryAttempt[],
    payload: JSON.parse(row.payload) as unknown,
  };
}

function tooMany(): StoreError {
  return new StoreError(
    'CONFLICT',
    `The organization has ${webhooksMax} webhooks, the most there can be: delete one that is not used any more.`,
  );
}
