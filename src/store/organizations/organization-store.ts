/** Stores organizations, the owners of templates, assets and keys. */
import { domainToASCII } from 'node:url';
import type { ApiKeyStore, KeyOwner } from './api-key-store.ts';
import { checkedName, createApiKeyStore } from './api-key-store.ts';
import type { Database } from '../database/database.ts';
import { writeTransaction, createRandomId } from '../database/database.ts';
import type { EmbedTokenStore } from './embed-token-store.ts';
import { createEmbedTokenStore } from './embed-token-store.ts';
import type { SigningKeyStore } from './signing-key-store.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';

export type Organization = KeyOwner;

export interface OrganizationStore extends ApiKeyStore, EmbedTokenStore, SigningKeyStore {
  /**
   * Stores a new organization, with a random uid by default. Throws a `StoreError`: `INVALID` for an
   * empty name, a name over 200 characters or a uid other than `org_…`, and `TAKEN` for an existing uid.
   */
  createOrganization(name: string, uid?: string): Organization;
  findOrganization(uid: string): Organization | undefined;
  /** All organizations, oldest first. */
  listOrganizations(): (Organization & { created_at: string })[];
  /** False in an empty database. */
  hasOrganizations(): boolean;
  /** The allowed image hosts of the organization. Undefined: any public host. Takes one SELECT and is never stale. */
  findImageHosts(uid: string): readonly string[] | undefined;
  /**
   * Allows images from at most 100 hosts only: `example.com`, or `*.example.com` for every name below it. An empty list
   * allows no host; undefined allows any public host. Names are stored in lower case, international names in ASCII.
   * Throws a `StoreError` `INVALID` and changes nothing for an unknown organization or an invalid host name.
   */
  setImageHosts(uid: string, hosts: readonly string[] | undefined): void;
}

const imageHostsMax = 100;
/** A DNS name has at most 253 characters, a label 63 (RFC 1035 section 2.3.4). */
const hostPattern = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

const uidPattern = /^org_[A-Za-z0-9_-]{1,60}$/;

/** Creates the store of a connection. `nowMs` is the wall clock, ms since the epoch. */
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
  const list = db.prepare<[], Organization & { created_at: string }>(
    'SELECT uid, name, created_at FROM organizations ORDER BY created_at, uid',
  );
  const findHosts = db
    .prepare<[string], string | null>('SELECT image_hosts FROM organizations WHERE uid = ?')
    .pluck();
  const setHosts = db.prepare<[string | null, string]>(
    'UPDATE organizations SET image_hosts = ? WHERE uid = ?',
  );
  const findAny = db.prepare<[], { uid: string }>('SELECT uid FROM organizations LIMIT 1');
  return {
    ...createApiKeyStore(db, nowMs),
    ...createEmbedTokenStore(db, nowMs),
    ...createSigningKeyStore(db, nowMs),
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
    listOrganizations: () => storeErrors('Listing organizations', () => list.all()),
    hasOrganizations: () =>
      storeErrors('Looking for organizations', () => findAny.get() !== undefined),
    findImageHosts(uid) {
      const json = storeErrors('Looking up image hosts', () => findHosts.get(uid));
      return typeof json === 'string' ? (JSON.parse(json) as string[]) : undefined;
    },
    setImageHosts(uid, hosts) {
      const json = hosts === undefined ? null : JSON.stringify(checkedHosts(hosts));
      const { changes } = writeTransaction(db, 'Storing image hosts', () =>
        setHosts.run(json, uid),
      );
      if (changes === 0) throw new StoreError('INVALID', `Organization ${uid} does not exist.`);
    },
  };
}

/** Returns the hosts sorted and without duplicates, so that equal sets have equal lists. */
function checkedHosts(hosts: readonly string[]): string[] {
  if (hosts.length > imageHostsMax) {
    throw new StoreError('INVALID', `At most ${imageHostsMax} image hosts can be listed.`);
  }
  return [...new Set(hosts.map(checkedHost))].toSorted();
}

function checkedHost(text: string): string {
  const [, wildcard = '', name = ''] = /^(\*\.)?(.*)$/.exec(text.trim()) ?? [];
  // `domainToASCII` would silently remove a path or a port.
  const host = /[^\p{L}\p{M}\p{N}._-]/u.test(name) ? '' : domainToASCII(name.replace(/\.$/, ''));
  if (hostPattern.test(host)) return `${wildcard}${host}`;
  throw new StoreError(
    'INVALID',
    `"${text.slice(0, 100)}" is no host name: expected one such as images.example.com or *.example.com.`,
  );
}
