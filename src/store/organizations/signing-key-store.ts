/** Stores signing keys of templates, which protect links against changes. */
import type { Database } from '../database/database.ts';
import { writeTransaction, createRandomId } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** The summary of a signing key for the API, without the key itself. */
export interface SigningKeySummary {
  id: number;
  /** The first 8 characters of the key, for recognition. */
  prefix: string;
  /** ISO 8601 UTC with milliseconds. */
  created_at: string;
}

/** A new signing key; `key` is returned only once. */
export interface NewSigningKey extends SigningKeySummary {
  key: string;
}

/** Methods apply to templates in use of one organization. They return undefined or false if it has no such template. */
export interface SigningKeyStore {
  /**
   * Creates a key, `sk_` and 43 characters of `0-9A-Za-z` (256 bits). The previous key stays valid until it is removed,
   * so that links can be replaced gradually. Throws a `StoreError` `CONFLICT` if there are two keys already.
   */
  createSigningKey(organizationUid: string, uid: string): NewSigningKey | undefined;
  /** Newest first, at most two. */
  listSigningKeys(organizationUid: string, uid: string): SigningKeySummary[] | undefined;
  /** Revokes a key: every process refuses its links at once. */
  removeSigningKey(organizationUid: string, uid: string, id: number): boolean;
  /**
   * The valid keys of a template, newest first, to create or check a signature. Takes one SELECT and is never stale.
   */
  findSigningKeys(uid: string): string[];
}

/** Maximum number of valid keys: the key in use and its successor. */
const validKeysMax = 2;
/** Length of the random part: as many bits as HMAC-SHA256 can use (RFC 2104 section 3). */
const randomCharacters = 43;
const prefixCharacters = 8;

const keyPrefix = 'sk_';

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
export function createSigningKeyStore(db: Database, nowMs: () => number): SigningKeyStore {
  const findTemplate = db
    .prepare<[string, string], number>(
      'SELECT id FROM templates WHERE uid = ? AND organization_uid = ? AND archived_at IS NULL',
    )
    .pluck();
  const list = db.prepare<[number], SigningKeySummary>(
    `SELECT id, substr(secret, 1, ${prefixCharacters}) AS prefix, created_at
     FROM signing_keys WHERE template_id = ? ORDER BY id DESC`,
  );
  const insert = db.prepare<[number, string, string]>(
    'INSERT INTO signing_keys (template_id, secret, created_at) VALUES (?, ?, ?)',
  );
  const remove = db.prepare<[number, number]>(
    'DELETE FROM signing_keys WHERE id = ? AND template_id = ?',
  );
  const findSecrets = db
    .prepare<[string], string>(
      `SELECT s.secret FROM signing_keys s JOIN templates t ON t.id = s.template_id
       WHERE t.uid = ? ORDER BY s.id DESC`,
    )
    .pluck();
  return {
    createSigningKey: (organizationUid, uid) =>
      writeTransaction(db, `Storing a signing key of template ${uid}`, () => {
        const templateId = findTemplate.get(uid, organizationUid);
        if (templateId === undefined) return undefined;
        if (list.all(templateId).length >= validKeysMax) throw tooMany(uid);
        const key = createRandomId(keyPrefix, randomCharacters);
        const created_at = new Date(nowMs()).toISOString();
        const { lastInsertRowid } = insert.run(templateId, key, created_at);
        const prefix = key.slice(0, prefixCharacters);
        return { id: Number(lastInsertRowid), prefix, created_at, key };
      }),
    listSigningKeys: (organizationUid, uid) =>
      storeErrors(`Listing the signing keys of template ${uid}`, () => {
        const templateId = findTemplate.get(uid, organizationUid);
        return templateId === undefined ? undefined : list.all(templateId);
      }),
    removeSigningKey: (organizationUid, uid, id) =>
      writeTransaction(db, `Removing a signing key of template ${uid}`, () => {
        const templateId = findTemplate.get(uid, organizationUid);
        return templateId !== undefined && remove.run(id, templateId).changes === 1;
      }),
    findSigningKeys: (uid) =>
      storeErrors(`Reading the signing keys of template ${uid}`, () => findSecrets.all(uid)),
  };
}

function tooMany(uid: string): StoreError {
  return new StoreError(
    'CONFLICT',
    `The template ${uid} has ${validKeysMax} signing keys, the most there can be: remove the one that is not used any more.`,
  );
}
