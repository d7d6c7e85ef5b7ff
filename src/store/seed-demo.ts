/** Seeds a new installation: the organization `demo`, its key and the sample templates. */
import { isReadOnlyDatabase, writeTransaction } from './database/database.ts';
import type { OrganizationStore } from './organizations/organization-store.ts';
import type { PublishDirectoryOptions } from './publish.ts';
import { listDirectory, publishDirectory } from './publish.ts';
import { StoreError } from './database/store-error.ts';
import { whenFree } from './database/when-free.ts';

export interface SeedDemoOptions extends Omit<PublishDirectoryOptions, 'organizationUid'> {
  organizations: OrganizationStore;
  /** The demo key; without it the first start creates one. */
  demoApiKey?: string | undefined;
}

export const demoOrganizationUid = 'org_demo';

/**
 * Seeds an empty database in one transaction, and returns the key if this call created it, to show it once. A
 * configured key is never returned, so that no journal contains it. Later calls add only what is missing: a
 * configured key that is not valid, and samples with a new uid (after an upgrade). Nothing is overwritten.
 *
 * A database with other organizations and no demo stays unchanged, unless a key is configured.
 */
export function seedDemo(options: SeedDemoOptions): { createdKey?: string } {
  const { db, organizations, templates, demoApiKey } = options;
  const isWanted = (): boolean =>
    demoApiKey !== undefined ||
    !organizations.hasOrganizations() ||
    organizations.findOrganization(demoOrganizationUid) !== undefined;
  if (isReadOnlyDatabase(db) || !isWanted()) return {};
  return writeTransaction(db, 'Seeding the demo organization', () => {
    // Checked again under the write lock: another process may have seeded the database.
    if (!isWanted()) return {};
    const createdKey = ensureOrganization(organizations, demoApiKey);
    const missing = listDirectory(options.directory).filter((uid) => !templates.isUidTaken(uid));
    publishDirectory({ ...options, organizationUid: demoOrganizationUid }, missing);
    return createdKey === undefined ? {} : { createdKey };
  });
}

/** `seedDemo`, unless another process locks the database for 2 s: then it calls `onSkip`, and a later start seeds. */
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

/** Returns the created key; undefined for an existing or a configured one. */
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
