/** The queue of waiting deliveries for the sender: find due ones, claim them, finish them. */
import { isReadOnlyDatabase, writeTransaction } from '../../store/database/database.ts';
import type { Database } from '../../store/database/database.ts';
import { storeErrors } from '../../store/database/store-error.ts';
import { attemptsKeptMax, failingMsMax, goneStatus, retryDelayMs } from './delivery.ts';
import type { DeliveryAttempt, DeliveryState } from './delivery.ts';
import type { OutgoingMessage } from './post-message.ts';

/** A delivery that is due. */
export interface DueDelivery extends OutgoingMessage {
  sequence: number;
  webhookId: string;
  organizationUid: string;
}

/** Every method throws a `StoreError`. */
export interface DeliveryQueue {
  /** The oldest due delivery of each webhook. */
  findDue(): DueDelivery[];
  /** Claims a due delivery until `untilMs`; false if another process has claimed it, or it was deleted. */
  claim(sequence: number, untilMs: number): boolean;
  /** Releases a claimed delivery, as if it had not been tried. */
  release(sequence: number): void;
  /** Stores an attempt, and the new state of the delivery and its webhook. */
  finish(delivery: DueDelivery, attempt: DeliveryAttempt): void;
  /** When the next delivery is due, ms since the epoch; undefined if none waits. */
  nextDueMs(): number | undefined;
  /** Deletes up to `deletionsMax` deliveries older than 30 days; returns how many. */
  deleteExpired(deletionsMax: number): number;
}

/** Time in ms for which a delivery stays in the log. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Upper bound of the deliveries that `findDue` returns, one a webhook. */
const dueMax = 100;

/** Creates the queue of a connection. `nowMs` is the wall clock, ms since the epoch; `random` is in [0, 1). */
export function createDeliveryQueue(
  db: Database,
  nowMs: () => number = Date.now,
  random: () => number = Math.random,
): DeliveryQueue {
  const due = db.prepare<[number, number], DueDelivery>(
    `SELECT d.sequence, d.id, d.webhook_id AS webhookId, d.payload, w.url, w.secret,
       w.organization_uid AS organizationUid
     FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
     WHERE d.sequence IN (
       SELECT min(sequence) FROM webhook_deliveries
       WHERE state = 'waiting' AND next_at <= ? GROUP BY webhook_id)
     ORDER BY d.next_at LIMIT ?`,
  );
  const claim = db.prepare<[number, number, number]>(
    "UPDATE webhook_deliveries SET next_at = ? WHERE sequence = ? AND state = 'waiting' AND next_at <= ?",
  );
  const release = db.prepare<[number, number]>(
    "UPDATE webhook_deliveries SET next_at = ? WHERE sequence = ? AND state = 'waiting'",
  );
  const next = db
    .prepare<[], number | null>(
      "SELECT min(next_at) FROM webhook_deliveries WHERE state = 'waiting'",
    )
    .pluck();
  const removeExpired = db.prepare<[number, number]>(
    `DELETE FROM webhook_deliveries WHERE sequence IN
       (SELECT sequence FROM webhook_deliveries WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
  );
  const noteAttempt = createAttemptWriter(db, nowMs, random);
  const noteHealth = createHealthWriter(db, nowMs);
  return {
    findDue: () => storeErrors('Looking for due webhooks', () => due.all(nowMs(), dueMax)),
    claim: (sequence, untilMs) =>
      !isReadOnlyDatabase(db) &&
      writeTransaction(
        db,
        'Sending a webhook',
        () => claim.run(untilMs, sequence, nowMs()).changes === 1,
      ),
    release: (sequence) => {
      writeTransaction(db, 'Giving a webhook back', () => release.run(nowMs(), sequence));
    },
    finish: ({ sequence, webhookId }, attempt) => {
      writeTransaction(db, 'Noting a webhook', () => {
        noteAttempt(sequence, attempt);
        noteHealth(webhookId, attempt);
      });
    },
    nextDueMs: () => storeErrors('Looking for the next webhook', () => next.get()) ?? undefined,
    deleteExpired: (deletionsMax) =>
      writeTransaction(
        db,
        'Deleting old deliveries',
        () => removeExpired.run(nowMs() - keptMs, deletionsMax).changes,
      ),
  };
}

/** Makes the function that adds an attempt to its delivery, which then is delivered, waits again or has failed. */
function createAttemptWriter(
  db: Database,
  nowMs: () => number,
  random: () => number,
): (sequence: number, attempt: DeliveryAttempt) => void {
  const find = db
    .prepare<[number], string>('SELECT attempts_json FROM webhook_deliveries WHERE sequence = ?')
    .pluck();
  const save = db.prepare<[string, DeliveryState, number, number]>(
    'UPDATE webhook_deliveries SET attempts_json = ?, state = ?, next_at = ? WHERE sequence = ?',
  );
  return (sequence, attempt) => {
    const attemptsJson = find.get(sequence);
    // The webhook was deleted meanwhile.
    if (attemptsJson === undefined) return;
    const attempts = [...(JSON.parse(attemptsJson) as DeliveryAttempt[]), attempt];
    const delayMs = retryDelayMs(attempts.length, random());
    const isDelivered = attempt.error === null;
    const state = isDelivered ? 'delivered' : delayMs === undefined ? 'failed' : 'waiting';
    const kept = JSON.stringify(attempts.slice(-attemptsKeptMax));
    save.run(kept, state, nowMs() + (delayMs ?? 0), sequence);
  };
}

/** Makes the function that updates a webhook after an attempt: it works, fails, failed for too long, or is gone. */
function createHealthWriter(
  db: Database,
  nowMs: () => number,
): (webhookId: string, attempt: DeliveryAttempt) => void {
  const works = db.prepare<[string]>(
    'UPDATE webhooks SET failing_since = NULL, disabled_cause = NULL WHERE id = ?',
  );
  const fails = db
    .prepare<[number, string], number>(
      'UPDATE webhooks SET failing_since = coalesce(failing_since, ?) WHERE id = ? RETURNING failing_since',
    )
    .pluck();
  const disable = db.prepare<[string, string]>(
    'UPDATE webhooks SET disabled_cause = ? WHERE id = ?',
  );
  const failWaiting = db.prepare<[string]>(
    "UPDATE webhook_deliveries SET state = 'failed' WHERE webhook_id = ? AND state = 'waiting'",
  );
  return (webhookId, { status, error }) => {
    if (error === null) {
      works.run(webhookId);
      return;
    }
    const since = fails.get(nowMs(), webhookId) ?? nowMs();
    const isGone = status === goneStatus;
    if (!isGone && nowMs() - since < failingMsMax) return;
    disable.run(isGone ? 'gone' : 'failing', webhookId);
    failWaiting.run(webhookId);
  };
}
