/** Opens the service's database on this machine for commands. The service may run at the same time. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../settings.ts';
import { loadConfig } from '../settings.ts';
import type { Database } from '../store/database/database.ts';
import { openDatabase } from '../store/database/database.ts';
import type { Organization, OrganizationStore } from '../store/organizations/organization-store.ts';
import { createOrganizationStore } from '../store/organizations/organization-store.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { openShared } from '../store/database/shared-port.ts';
import type { SharedDatabase } from '../store/database/shared-port.ts';

/** An open database, which the caller closes. */
export interface LocalDatabase {
  path: string;
  config: Config;
  db: Database;
  /** Undefined without PLATEN_DATABASE_URL. */
  shared: SharedDatabase | undefined;
  organizations: OrganizationStore;
  close(): Promise<void>;
}

/** The path of the database file of a configuration. */
export function databasePath(config: Config): string {
  return join(resolve(config.templates.dataDirectory), 'platen.db');
}

/**
 * Opens the database in `PLATEN_DATA_DIR`. With `PLATEN_DATABASE_URL`, it is a replica of that database. Without it, a
 * missing database is created only with `mayCreate`: otherwise a wrong folder would look like an empty service. Rejects
 * with a `ConfigError`, a `StoreError`, a `SharedDatabaseError`, or a `CommandError` for a missing database.
 */
export async function openLocalDatabase({
  mayCreate,
}: {
  mayCreate: boolean;
}): Promise<LocalDatabase> {
  const config = loadConfig();
  const path = databasePath(config);
  const { databaseUrl } = config.templates;
  if (!mayCreate && databaseUrl === undefined && !existsSync(path)) {
    throw new CommandError(
      exitCodes.noInput,
      `There is no database ${path}. Set PLATEN_DATA_DIR to the service's data directory, or make one: platen serve, or platen org create.`,
    );
  }
  const db = openDatabase(path);
  try {
    const shared = await openShared(db, databaseUrl);
    const close = async (): Promise<void> => {
      await shared?.close();
      db.close();
    };
    return { path, config, db, shared, organizations: createOrganizationStore(db), close };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the database and closes it after `work`. */
export async function withLocalDatabase<Result>(
  options: { mayCreate: boolean },
  work: (local: LocalDatabase) => Result | Promise<Result>,
): Promise<Result> {
  const local = await openLocalDatabase(options);
  try {
    return await work(local);
  } finally {
    await local.close();
  }
}

/**
 * The organization with this uid or name; if `wanted` is undefined, the only organization. Throws a `CommandError` that
 * lists all if there is not exactly one.
 */
export function chooseOrganization(
  organizations: OrganizationStore,
  wanted: string | undefined,
): Organization {
  const all = organizations.listOrganizations();
  const found = all.filter(({ uid, name }) => uid === wanted || name === wanted);
  const candidates = wanted === undefined ? all : found;
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const list = all.map(({ uid, name }) => `${uid} (${name})`).join(', ');
  if (all.length === 0) {
    throw new CommandError(
      exitCodes.noInput,
      'The database has no organization yet: platen org create <name>.',
    );
  }
  if (wanted === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `The database has several organizations, choose one with --org: ${list}.`,
    );
  }
  throw found.length > 1
    ? new CommandError(
        exitCodes.usage,
        `"${wanted}" is the name of several organizations, use the uid: ${list}.`,
      )
    : new CommandError(
        exitCodes.noInput,
        `There is no organization "${wanted}". There are: ${list}.`,
      );
}
