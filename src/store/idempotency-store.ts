/** Stores requests with an Idempotency-Key and their answers, so that a repeated request takes effect once. */
import type { Database } from './database/database.ts';
import { writeTransaction } from './database/database.ts';

/** A request, by digests of 32 bytes. */
export interface IdempotentRequest {
  organizationUid: string;
  /** Digest of its keys. */
  keyDigest: Buffer;
  /** Digest of its content. */
  fingerprint: Buffer;
}

/** An earlier request with the same keys. */
export interface EarlierRequest {
  isEqual: boolean;
  ageMs: number;
  /** Null until the request is answered. */
  answer: Buffer | null;
}

/** Every method throws a `StoreError`. */
export interface IdempotencyStore {
  /** Records a request and returns undefined, or returns the earlier request with the same keys. */
  begin(request: IdempotentRequest): EarlierRequest | undefined;
  finish(keyDigest: Buffer, answer: Buffer): void;
  /** Deletes a request, so that its keys can be used again. */
  forget(keyDigest: Buffer): void;
  /** Deletes up to `deletionsMax` requests older than a day, at most 100; returns their number. */
  deleteExpired(deletionsMax: number): number;
}

/** Time for which a request is kept, 24 hours. */
const keptMs = 24 * 60 * 60 * 1000;

/** Maximum number of requests that one call deletes; each may have an answer of 16 KiB. */
const deletedMax = 100;

/** Maximum number of requests of one organization; a further one replaces the oldest. */
export const requestsMax = 10_000;

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createIdempotencyStore(
  db: Database,
  nowMs: () => number = Date.now,
): IdempotencyStore {
  const find = db.prepare<
    [Buffer, number],
    { fingerprint: Buffer; created_at: number; answer: Buffer | null }
  >(
    'SELECT fingerprint, created_at, answer FROM idempotent_requests WHERE key_digest = ? AND created_at > ?',
  );
  const insert = db.prepare<[Buffer, string, Buffer, number]>(
    'INSERT OR REPLACE INTO idempotent_requests (key_digest, organization_uid, fingerprint, created_at) VALUES (?, ?, ?, ?)',
  );
  const count = db
    .prepare<[string], number>(
      'SELECT count(*) FROM idempotent_requests WHERE organization_uid = ?',
    )
    .pluck();
  const removeOldest = db.prepare<[string, number]>(
    `DELETE FROM idempotent_requests WHERE key_digest IN
       (SELECT key_digest FROM idempotent_requests WHERE organization_uid = ? ORDER BY created_at LIMIT ?)`,
  );
  const update = db.prepare<[Buffer, Buffer]>(
    'UPDATE idempotent_requests SET answer = ? WHERE key_digest = ?',
  );
  const remove = db.prepare<[Buffer]>('DELETE FROM idempotent_requests WHERE key_digest = ?');
  const removeExpired = db.prepare<[number, number]>(
    `DELETE FROM idempotent_requests WHERE key_digest IN
       (SELECT key_digest FROM idempotent_requests WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
  );
  const doing = 'Noting a request with an Idempotency-Key';
  return {
    begin: ({ organizationUid, keyDigest, fingerprint }) =>
      writeTransaction(db, doing, () => {
        const found = find.get(keyDigest, nowMs() - keptMs);
        if (found !== undefined) {
          const { created_at: createdMs, answer } = found;
          return {
            isEqual: found.fingerprint.equals(fingerprint),
            ageMs: nowMs() - createdMs,
            answer,
          };
        }
        const excess = (count.get(organizationUid) ?? 0) + 1 - requestsMax;
        if (excess > 0) removeOldest.run(organizationUid, excess);
        insert.run(keyDigest, organizationUid, fingerprint, nowMs());
        return undefined;
      }),
    finish: (keyDigest, answer) => {
      writeTransaction(db, doing, () => update.run(answer, keyDigest));
    },
    forget: (keyDigest) => {
      writeTransaction(db, doing, () => remove.run(keyDigest));
    },
    deleteExpired: (deletionsMax) =>
      writeTransaction(
        db,
        'Deleting old requests',
        () => removeExpired.run(nowMs() - keptMs, Math.min(deletionsMax, deletedMax)).changes,
      ),
  };
}
