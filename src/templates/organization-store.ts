/** Organizations, which own templates, assets and API keys. */
import type { ApiKeyStore, KeyOwner } from './api-key-store.ts';
import { checkedName, createApiKeyStore } from './api-key-store.ts';
import type { Database } from './database.ts';
import { writeTransaction } from './database.ts';
import { createRandomId } from './random-id.ts';
import { StoreError, storeErrors } from './store-error.ts';

export type Organization = KeyOwner;

export interface OrganizationStore extends ApiKeyStore {
  /**
   * Stores a new organization; without a uid it gets a random one. Throws a `StoreError`: `INVALID`
   * for a name of none or over 200 characters or another uid than `org_…`, `TAKEN` for one that exists.
   */
  createOrganization(name: string, uid?: string): Organization;
  findOrganization(uid: string): Organization | undefined;
  /** False in an empty database. */
  hasOrganizations(): boolean;
}

const uidPattern = /^org_[A-Za-z0-9_-]{1,60}$/;

/** One store a connection. `nowMs` is the wall clock, milliseconds since the epoch. */
export function createOrganizationStore(
  db: Database,
  nowMs: () => number = Date.now,
): OrganizationStore {
  const insert = db.prepare<[string, string, string]>(
    'INSERT INTO organizations (uid, name, created_at) VALUES (?, ?, ?)',
  );
  const find = db.prepare<[string], Organization>(
    'SELECT uid, name FROM organizations WHERE uid = ?',
  );
  const findAny = db.prepare<[], { uid: string }>('SELECT uid FROM organizations LIMIT 1');
  return {
    ...createApiKeyStore(db, nowMs),
    createOrganization(name, uid = createRandomId('org_', 16)) {
      if (!uidPattern.test(uid)) {
        throw new StoreError(
          'INVALID',
          'The uid of an organization must be org_ and 1 to 60 of A-Z, a-z, 0-9, _ and -.',
        );
      }
      const organization = { uid, name: checkedName(name) };
      return writeTransaction(db, `Creating organization ${uid}`, () => {
        if (find.get(uid) !== undefined) {
          throw new StoreError('TAKEN', `Organization ${uid} exists already.`);
        }
        insert.run(uid, organization.name, new Date(nowMs()).toISOString());
        return organization;
      });
    },
    findOrganization: (uid) => storeErrors('Looking up an organization', () => find.get(uid)),
    hasOrganizations: () =>
      storeErrors('Looking for organizations', () => findAny.get() !== undefined),
  };
}
