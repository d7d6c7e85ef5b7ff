/** Stores API keys as digests. Each request reads its key from the database, so that a revocation applies at once. */
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  allScopes,
  heldScopes,
  keyScopes,
  scopesText,
  summaryColumns,
  toKeySummary,
} from './api-key.ts';
import type { ApiKeySummary, EmbedRights, KeyRow, KeyScope, SummaryRow } from './api-key.ts';
import type { Database } from '../database/database.ts';
import { writeNote, writeTransaction, createRandomId } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** The organization of a key. */
export interface KeyOwner {
  uid: string;
  name: string;
}

/** The organization and the scopes of a key. */
export interface KeyHolder extends KeyOwner {
  keyId: number;
  scopes: readonly KeyScope[];
  /** The restrictions of a request with an embed token. */
  embed?: EmbedRights;
}

/** A new key; `key` is returned only once. */
export interface NewApiKey extends ApiKeySummary {
  key: string;
}

/** Options of a new key. */
export interface ApiKeyOptions {
  /** 1 to 200 UTF-16 units. */
  name: string;
  /** Default: a random key, `pk_live_` and 32 of `0-9A-Za-z`, 190 bits. */
  key?: string;
  /** Default: all scopes. */
  scopes?: readonly KeyScope[];
}

export interface ApiKeyStore {
  /**
   * Stores a key and returns it, only once. Throws a `StoreError`: `TAKEN` if the given key exists, `INVALID` for a
   * wrong key or name, or `CONFLICT` if the organization has 100 valid keys.
   */
  issueKey(organizationUid: string, options: ApiKeyOptions): NewApiKey;
  /** As `issueKey`, but returns only the key. */
  createKey(organizationUid: string, options: ApiKeyOptions): string;
  /**
   * Makes this key valid for the organization, even after a revocation. True if it is new. Throws `TAKEN` if it belongs
   * to another organization.
   */
  ensureKey(organizationUid: string, options: { name: string; key: string }): boolean;
  /** All valid keys, and revoked keys among the newest 200. Newest first. */
  listKeys(organizationUid: string): ApiKeySummary[];
  /** One valid key of the organization. */
  findKey(organizationUid: string, id: number): ApiKeySummary | undefined;
  /**
   * Revokes a key, at once for every process. False if the organization has no such valid key. With `keepsWriter`,
   * throws a `StoreError` `CONFLICT` for the last key that may write.
   */
  revokeKey(organizationUid: string, id: number, options?: { keepsWriter: boolean }): boolean;
  /** Revokes a key and stores a new one with the same name and scopes; undefined if there is no such valid key. */
  rotateKey(organizationUid: string, id: number): NewApiKey | undefined;
  /**
   * The holder of a key; undefined for an unknown or revoked key. Never stale: it takes a hash and one SELECT. Writes
   * `last_used_at` at most once a minute.
   */
  findByKey(key: string): KeyHolder | undefined;
}

const nameCharactersMax = 200;
/** Maximum length of a key; longer ones are refused without a hash. Generated keys have 40 characters. */
const keyCharactersMax = 200;
/** Characters that a header value may contain. */
const keyPattern = /^[\x21-\x7e]+$/;
const randomCharacters = 32;
const prefixCharactersMax = 12;
const lastUsedEveryMs = 60_000;
/** Maximum number of valid keys of an organization: one for each program. */
const validKeysMax = 100;
/** Number of newest keys that lists include even if they are revoked. */
const listedRevokedMax = 200;
/** Maximum number of revoked keys that a new key deletes. Lists no longer include these keys. */
const forgottenMax = 1000;

function prepareStatements(db: Database) {
  return {
    findOrganization: db.prepare<[string], { uid: string }>(
      'SELECT uid FROM organizations WHERE uid = ?',
    ),
    insert: db.prepare<[string, string, Buffer, string, string, string], SummaryRow>(
      `INSERT INTO api_keys (organization_uid, name, digest, prefix, scopes, created_at)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING ${summaryColumns}`,
    ),
    countValid: db
      .prepare<[string], number>(
        'SELECT count(*) FROM api_keys WHERE organization_uid = ? AND revoked_at IS NULL',
      )
      .pluck(),
    hasOtherWriter: db
      .prepare<[string, number], number>(
        `SELECT EXISTS (SELECT 1 FROM api_keys WHERE organization_uid = ? AND revoked_at IS NULL
           AND (scopes = '${allScopes}' OR instr(scopes, 'write') > 0) AND id <> ?)`,
      )
      .pluck(),
    findOwner: db.prepare<[Buffer], { id: number; organization_uid: string }>(
      'SELECT id, organization_uid FROM api_keys WHERE digest = ?',
    ),
    revive: db.prepare<[number]>(
      'UPDATE api_keys SET revoked_at = NULL WHERE id = ? AND revoked_at IS NOT NULL',
    ),
    list: db.prepare<[{ uid: string; revokedMax: number }], SummaryRow>(
      `SELECT ${summaryColumns} FROM api_keys
       WHERE organization_uid = :uid AND (revoked_at IS NULL OR id IN
         (SELECT id FROM api_keys WHERE organization_uid = :uid ORDER BY id DESC LIMIT :revokedMax))
       ORDER BY id DESC`,
    ),
    forgetRevoked: db.prepare<{ uid: string; keptMax: number }>(
      `DELETE FROM api_keys WHERE id IN (
         SELECT id FROM api_keys WHERE organization_uid = :uid AND revoked_at IS NOT NULL
         ORDER BY id DESC LIMIT ${forgottenMax} OFFSET :keptMax)`,
    ),
    findValid: db.prepare<[string, number], SummaryRow>(
      `SELECT ${summaryColumns} FROM api_keys
       WHERE organization_uid = ? AND id = ? AND revoked_at IS NULL`,
    ),
    revoke: db.prepare<[string, number, string]>(
      `UPDATE api_keys SET revoked_at = ?, embed_secret = NULL
       WHERE id = ? AND organization_uid = ? AND revoked_at IS NULL`,
    ),
    find: db.prepare<[Buffer], KeyRow>(
      `SELECT k.id, k.digest, k.scopes, k.last_used_at, o.uid, o.name
       FROM api_keys k JOIN organizations o ON o.uid = k.organization_uid
       WHERE k.digest = ? AND k.revoked_at IS NULL`,
    ),
    touch: db.prepare<[string, number]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?'),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** Creates the store. `nowMs` is the wall clock, ms since the epoch. */
export function createApiKeyStore(db: Database, nowMs: () => number): ApiKeyStore {
  const statements = prepareStatements(db);
  const now = (): string => new Date(nowMs()).toISOString();
  const noteLastUse = createLastUseNotes(db, nowMs, (at, id) => statements.touch.run(at, id));

  const issueKey: ApiKeyStore['issueKey'] = (organizationUid, options) => {
    const { name, key = randomKey(), scopes = keyScopes } = options;
    checkKey(key);
    return writeTransaction(db, 'Storing an API key', () =>
      insertKey(statements, organizationUid, { name, key, scopes }, now()),
    );
  };
  const findKey: ApiKeyStore['findKey'] = (organizationUid, id) => {
    const row = storeErrors('Looking up an API key', () =>
      statements.findValid.get(organizationUid, id),
    );
    return row === undefined ? undefined : toKeySummary(row);
  };

  return {
    issueKey,
    findKey,
    createKey: (organizationUid, options) => issueKey(organizationUid, options).key,
    ensureKey(organizationUid, options) {
      checkKey(options.key);
      return writeTransaction(db, 'Storing an API key', () => {
        const owner = statements.findOwner.get(digestOf(options.key));
        if (owner === undefined) {
          issueKey(organizationUid, options);
          return true;
        }
        if (owner.organization_uid !== organizationUid) throw taken();
        statements.revive.run(owner.id);
        return false;
      });
    },
    listKeys: (uid) =>
      storeErrors('Listing API keys', () =>
        statements.list.all({ uid, revokedMax: listedRevokedMax }).map(toKeySummary),
      ),
    revokeKey: (organizationUid, id, { keepsWriter } = { keepsWriter: false }) =>
      writeTransaction(db, 'Revoking an API key', () => {
        const isWriter = findKey(organizationUid, id)?.scopes.includes('write') === true;
        if (keepsWriter && isWriter && statements.hasOtherWriter.get(organizationUid, id) !== 1) {
          throw lastWriter();
        }
        return statements.revoke.run(now(), id, organizationUid).changes === 1;
      }),
    rotateKey: (organizationUid, id) =>
      writeTransaction(db, 'Rotating an API key', () => {
        const old = findKey(organizationUid, id);
        if (old === undefined) return undefined;
        statements.revoke.run(now(), id, organizationUid);
        return issueKey(organizationUid, { name: old.name, scopes: old.scopes });
      }),
    findByKey(key) {
      if (!isPlausibleKey(key)) return undefined;
      const digest = digestOf(key);
      const row = storeErrors('Looking up an API key', () => statements.find.get(digest));
      if (row === undefined || !timingSafeEqual(row.digest, digest)) return undefined;
      noteLastUse(row);
      return { uid: row.uid, name: row.name, keyId: row.id, scopes: heldScopes(row.scopes) };
    },
  };
}

function insertKey(
  statements: Statements,
  organizationUid: string,
  { name, key, scopes }: Required<ApiKeyOptions>,
  createdAt: string,
): NewApiKey {
  if (statements.findOrganization.get(organizationUid) === undefined) {
    throw new StoreError('INVALID', `Organization ${organizationUid} does not exist.`);
  }
  const digest = digestOf(key);
  if (statements.findOwner.get(digest) !== undefined) throw taken();
  if ((statements.countValid.get(organizationUid) ?? 0) >= validKeysMax) throw tooMany();
  statements.forgetRevoked.run({ uid: organizationUid, keptMax: listedRevokedMax });
  const prefix = key.slice(0, Math.min(prefixCharactersMax, Math.floor(key.length / 3)));
  const row = statements.insert.get(
    organizationUid,
    checkedName(name),
    digest,
    prefix,
    scopesText(scopes),
    createdAt,
  );
  if (row === undefined) throw new Error('A stored API key has no row.');
  return { ...toKeySummary(row), key };
}

/** Creates the function that updates `last_used_at`, at most once a minute, also after a failed write. */
function createLastUseNotes(
  db: Database,
  nowMs: () => number,
  write: (at: string, id: number) => void,
): (row: KeyRow) => void {
  let failedAtMs = -Infinity;
  return (row) => {
    const now = nowMs();
    const lastMs = row.last_used_at === null ? -Infinity : Date.parse(row.last_used_at);
    // The wall clock may have been set back: a time far in the future counts as old.
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

function tooMany(): StoreError {
  return new StoreError(
    'CONFLICT',
    `The organization has ${validKeysMax} valid API keys, the most there can be: revoke one that is not used any more.`,
  );
}

function lastWriter(): StoreError {
  return new StoreError(
    'CONFLICT',
    'This is the last key that may write, and without one nothing could be changed any more: create another one first.',
  );
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns a name of 1 to 200 UTF-16 units, of a key or an organization; else throws `INVALID`. */
export function checkedName(name: string): string {
  if (name.length >= 1 && name.length <= nameCharactersMax) return name;
  throw new StoreError('INVALID', `A name must have 1 to ${nameCharactersMax} characters.`);
}
