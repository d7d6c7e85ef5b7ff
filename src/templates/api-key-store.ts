/** API keys: stored as digests only, looked up in the database each time, so that a revoked one ends at once. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from './database.ts';
import { writeNote, writeTransaction } from './database.ts';
import { createRandomId } from './random-id.ts';
import { StoreError, storeErrors } from './store-error.ts';

/** Whose key it is. */
export interface KeyOwner {
  uid: string;
  name: string;
}

/** A key as it may be shown: never the key itself. Timestamps are ISO 8601 UTC or null. */
export interface ApiKeySummary {
  id: number;
  name: string;
  /** Its first characters, at most a third of it. */
  prefix: string;
  created_at: string;
  /** At most a minute late. */
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface ApiKeyStore {
  /**
   * Stores a key, a random one (`pk_live_` and 32 of `0-9A-Za-z`, 190 bits) unless it is given, and
   * returns it: the only time that it can be seen. `TAKEN` when the given one exists already.
   */
  createKey(organizationUid: string, options: { name: string; key?: string }): string;
  /**
   * Makes sure that this very key is valid for the organization, also when it had been revoked.
   * True when it was new. `TAKEN` when it is another organization's.
   */
  ensureKey(organizationUid: string, options: { name: string; key: string }): boolean;
  /** Newest first, revoked ones included. */
  listKeys(organizationUid: string): ApiKeySummary[];
  /** Ends a key, at once for every process. False when the organization has no such valid key. */
  revokeKey(organizationUid: string, id: number): boolean;
  /**
   * Whose key this is; undefined for an unknown or revoked one. A hash and one SELECT, so that
   * nothing can be stale, and at most one write a minute for `last_used_at`.
   */
  findByKey(key: string): KeyOwner | undefined;
}

const nameCharactersMax = 200;
/** Longer ones are refused before they cost a hash; ours have 40. */
const keyCharactersMax = 200;
/** What a header value can carry. */
const keyPattern = /^[\x21-\x7e]+$/;
const randomCharacters = 32;
const prefixCharactersMax = 12;
const lastUsedEveryMs = 60_000;

interface KeyRow {
  id: number;
  digest: Buffer;
  last_used_at: string | null;
  uid: string;
  name: string;
}

function prepareStatements(db: Database) {
  return {
    findOrganization: db.prepare<[string], { uid: string }>(
      'SELECT uid FROM organizations WHERE uid = ?',
    ),
    insert: db.prepare<[string, string, Buffer, string, string]>(
      `INSERT INTO api_keys (organization_uid, name, digest, prefix, created_at)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    findOwner: db.prepare<[Buffer], { id: number; organization_uid: string }>(
      'SELECT id, organization_uid FROM api_keys WHERE digest = ?',
    ),
    revive: db.prepare<[number]>(
      'UPDATE api_keys SET revoked_at = NULL WHERE id = ? AND revoked_at IS NOT NULL',
    ),
    list: db.prepare<[string], ApiKeySummary>(
      `SELECT id, name, prefix, created_at, last_used_at, revoked_at FROM api_keys
       WHERE organization_uid = ? ORDER BY id DESC`,
    ),
    revoke: db.prepare<[string, number, string]>(
      `UPDATE api_keys SET revoked_at = ?
       WHERE id = ? AND organization_uid = ? AND revoked_at IS NULL`,
    ),
    find: db.prepare<[Buffer], KeyRow>(
      `SELECT k.id, k.digest, k.last_used_at, o.uid, o.name
       FROM api_keys k JOIN organizations o ON o.uid = k.organization_uid
       WHERE k.digest = ? AND k.revoked_at IS NULL`,
    ),
    touch: db.prepare<[string, number]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?'),
  };
}

/** `nowMs` is the wall clock, milliseconds since the epoch. */
export function createApiKeyStore(db: Database, nowMs: () => number): ApiKeyStore {
  const statements = prepareStatements(db);
  const now = (): string => new Date(nowMs()).toISOString();
  const noteLastUse = createLastUseNotes(db, nowMs, (at, id) => statements.touch.run(at, id));

  const createKey: ApiKeyStore['createKey'] = (organizationUid, { name, key = randomKey() }) => {
    checkKey(key);
    return writeTransaction(db, 'Storing an API key', () => {
      if (statements.findOrganization.get(organizationUid) === undefined) {
        throw new StoreError('INVALID', `Organization ${organizationUid} does not exist.`);
      }
      if (statements.findOwner.get(digestOf(key)) !== undefined) throw taken();
      const prefix = key.slice(0, Math.min(prefixCharactersMax, Math.floor(key.length / 3)));
      statements.insert.run(organizationUid, checkedName(name), digestOf(key), prefix, now());
      return key;
    });
  };

  return {
    createKey,
    ensureKey(organizationUid, options) {
      checkKey(options.key);
      return writeTransaction(db, 'Storing an API key', () => {
        const owner = statements.findOwner.get(digestOf(options.key));
        if (owner === undefined) {
          createKey(organizationUid, options);
          return true;
        }
        if (owner.organization_uid !== organizationUid) throw taken();
        statements.revive.run(owner.id);
        return false;
      });
    },
    listKeys: (organizationUid) =>
      storeErrors('Listing API keys', () => statements.list.all(organizationUid)),
    revokeKey: (organizationUid, id) =>
      writeTransaction(
        db,
        'Revoking an API key',
        () => statements.revoke.run(now(), id, organizationUid).changes === 1,
      ),
    findByKey(key) {
      if (!isPlausibleKey(key)) return undefined;
      const digest = digestOf(key);
      const row = storeErrors('Looking up an API key', () => statements.find.get(digest));
      if (row === undefined || !timingSafeEqual(row.digest, digest)) return undefined;
      noteLastUse(row);
      return { uid: row.uid, name: row.name };
    },
  };
}

/** Keeps `last_used_at` at most a minute behind, and after a failed write leaves the disk alone for a minute. */
function createLastUseNotes(
  db: Database,
  nowMs: () => number,
  write: (at: string, id: number) => void,
): (row: KeyRow) => void {
  let failedAtMs = -Infinity;
  return (row) => {
    const now = nowMs();
    const lastMs = row.last_used_at === null ? -Infinity : Date.parse(row.last_used_at);
    // The wall clock may have been set back: a time far in the future is as old as one far behind.
    if (Math.abs(now - lastMs) < lastUsedEveryMs) return;
    if (Math.abs(now - failedAtMs) < lastUsedEveryMs) return;
    if (!writeNote(db, () => write(new Date(now).toISOString(), row.id))) failedAtMs = now;
  };
}

function randomKey(): string {
  return createRandomId('pk_live_', randomCharacters);
}

function isPlausibleKey(key: string): boolean {
  return key.length <= keyCharactersMax && keyPattern.test(key);
}

function checkKey(key: string): void {
  if (isPlausibleKey(key)) return;
  throw new StoreError(
    'INVALID',
    `An API key must be 1 to ${keyCharactersMax} visible ASCII characters without spaces.`,
  );
}

function taken(): StoreError {
  return new StoreError('TAKEN', 'The API key exists already: choose another one.');
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The name of a key or an organization, if it has 1 to 200 UTF-16 units; else throws `INVALID`. */
export function checkedName(name: string): string {
  if (name.length >= 1 && name.length <= nameCharactersMax) return name;
  throw new StoreError('INVALID', `A name must have 1 to ${nameCharactersMax} characters.`);
}
