/** `platen org …` and `platen key …`: organizations and their API keys in the database of this machine. */
import { keyScopes } from '../store/organizations/api-key.ts';
import type { KeyScope } from '../store/organizations/api-key.ts';
import { whenFree } from '../store/database/store-error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { chooseOrganization, withLocalDatabase } from './local-database.ts';
import { table } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Creates an organization with a key. JSON: `{"organization":{"uid","name"},"key"}`. */
export function createOrganization(name: string, terminal: Terminal): Promise<ExitCode> {
  return withLocalDatabase({ mayCreate: true }, async ({ organizations, db }) => {
    // In one transaction: otherwise an error could leave an organization without a key.
    const create = db.transaction(() => {
      const { uid } = organizations.createOrganization(name);
      return {
        organization: { uid, name },
        key: organizations.createKey(uid, { name: 'first' }),
      };
    });
    const made = await whenFree(() => create.immediate());
    terminal.result(
      made,
      `Organization ${made.organization.uid} (${name})\nIts API key, shown this once:  ${made.key}`,
    );
    return exitCodes.ok;
  });
}

/** Lists the organizations. JSON: `{"organizations":[{"uid","name","created_at"}]}`. */
export function listOrganizations(terminal: Terminal): Promise<ExitCode> {
  return withLocalDatabase({ mayCreate: false }, ({ organizations }) => {
    const all = organizations.listOrganizations();
    const rows = all.map(({ uid, name, created_at }) => [uid, name, created_at]);
    terminal.result({ organizations: all }, table(['uid', 'name', 'created'], rows));
    return exitCodes.ok;
  });
}

/** Creates an API key. JSON: `{"key","id","name","scopes"}`. */
export function createKey(
  name: string,
  { org, scopes = keyScopes.join(',') }: { org?: string; scopes?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const wanted = parseScopes(scopes);
  return withLocalDatabase({ mayCreate: false }, async ({ organizations }) => {
    const { uid } = chooseOrganization(organizations, org);
    const { key, id } = await whenFree(() => organizations.issueKey(uid, { name, scopes: wanted }));
    terminal.result(
      { key, id, name, scopes: wanted },
      `Key ${id} "${name}" of ${uid}, for ${wanted.join(' and ')}, shown this once:  ${key}`,
    );
    return exitCodes.ok;
  });
}

/** Revokes a key, immediately and also for a running service. JSON: `{"id","revoked":true}`. */
export function revokeKey(
  idText: string,
  { org }: { org?: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const id = /^\d{1,15}$/.test(idText) ? Number(idText) : undefined;
  if (id === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `"${idText}" is no id of a key: expected a number as platen key list shows it.`,
    );
  }
  return withLocalDatabase({ mayCreate: false }, async ({ organizations }) => {
    const { uid } = chooseOrganization(organizations, org);
    if (!(await whenFree(() => organizations.revokeKey(uid, id)))) {
      throw new CommandError(
        exitCodes.problems,
        `The organization ${uid} has no valid key ${id}: platen key list shows those that it has.`,
      );
    }
    terminal.result({ id, revoked: true }, `Key ${id} of ${uid} has ended.`);
    return exitCodes.ok;
  });
}

/** Lists the keys. JSON: `{"keys":[{"id","name","prefix","scopes","created_at","last_used_at","revoked_at"}]}`. */
export function listKeys({ org }: { org?: string }, terminal: Terminal): Promise<ExitCode> {
  return withLocalDatabase({ mayCreate: false }, ({ organizations }) => {
    const keys = organizations.listKeys(chooseOrganization(organizations, org).uid);
    const rows = keys.map((key) => [
      String(key.id),
      key.name,
      `${key.prefix}…`,
      key.scopes.join(','),
      key.created_at,
      key.last_used_at ?? 'never',
      key.revoked_at === null ? 'valid' : `ended ${key.revoked_at}`,
    ]);
    const headings = ['id', 'name', 'begins', 'scopes', 'created', 'last used', 'state'];
    terminal.result({ keys }, table(headings, rows));
    return exitCodes.ok;
  });
}

function parseScopes(text: string): KeyScope[] {
  return text.split(',').map((word) => {
    const scope = keyScopes.find((known) => known === word.trim());
    if (scope !== undefined) return scope;
    throw new CommandError(
      exitCodes.usage,
      `"${word}" is no scope: expected ${keyScopes.join(', ')}, or several with commas.`,
    );
  });
}
