/** Gives a new installation something to look at: the organization `demo`, its key and the sample templates. */
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import type { OrganizationStore } from './organizations/organization-store.ts';
import type { PublishDirectoryOptions } from './publish.ts';
import { listDirectory, publishDirectory } from './publish.ts';
import { StoreError } from './database/store-error.ts';
import { whenFree } from './database/when-free.ts';

export interface SeedDemoOptions extends Omit<PublishDirectoryOptions, 'organizationUid'> {
  organizations: OrganizationStore;
  /** Fixes the demo key; without it the first start makes one. */
  demoApiKey?: string | undefined;
}

export const demoOrganizationUid = 'org_demo';

/**
 * Seeds an empty database, in one transaction; returns the key when this call made one, to be
 * shown once. A fixed key is never returned: whoever set it knows it, and a journal must not. Afterwards it only adds what is missing: a fixed key that is not valid, and samples
 * whose uid does not exist (new ones after an upgrade). What exists is never overwritten.
 *
 * A database with other organizations and no demo stays as it is, unless a key is fixed.
 */
export function seedDemo(options: SeedDemoOptions): { createdKey?: string } {
  const { db, organizations, templates, demoApiKey } = options;
  const isWanted = (): boolean =>
    demoApiKey !== undefined ||
    !organizations.hasOrganizations() ||
    organizations.findOrganization(demoOrganizationUid) !== undefined;
  if (isReadOnlyDatabase(db) || !isWanted()) return {};
  return writeTransaction(db, 'Seeding the demo organization', () => {
    // Again, under the write lock: another process may have seeded meanwhile.
    if (!isWanted()) return {};
    const createdKey = ensureOrganization(organizations, demoApiKey);
    const missing = listDirectory(options.directory).filter((uid) => !templates.isUidTaken(uid));
    publishDirectory({ ...options, organizationUid: demoOrganizationUid }, missing);
    return createdKey === undefined ? {} : { createdKey };
  });
}

/** `seedDemo`, unless another process keeps the database locked for 2 s: `onSkip` is told, and a later start seeds. */
export async function seedWhenFree(
  options: SeedDemoOptions,
  onSkip: (error: StoreError) => void,
): Promise<{ createdKey?: string }> {
  try {
    return await whenFree(() => seedDemo(options));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'BUSY') throw error;
    onSkip(error);
    return {};
  }
}

/** Returns the key that it made; undefined for one that was there, or that the operator fixed. */
function ensureOrganization(
  organizations: OrganizationStore,
  demoApiKey: string | undefined,
): string | undefined {
  const isNew = organizations.findOrganization(demoOrganizationUid) === undefined;
  if (isNew) organizations.createOrganization('demo', demoOrganizationUid);
  if (demoApiKey !== undefined) {
    organizations.ensureKey(demoOrganizationUid, { name: 'demo', key: demoApiKey });
    return undefined;
  }
  return isNew ? organizations.createKey(demoOrganizationUid, { name: 'demo' }) : undefined;
}
