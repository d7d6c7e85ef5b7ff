/** `platen migrate`: moves the data of a service between SQLite and PostgreSQL. */
import { existsSync } from 'node:fs';
import { loadConfig } from '../settings.ts';
import { openAsItIs, openDatabase } from '../store/database/database.ts';
import { StoreError, storeErrors } from '../store/database/store-error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { databasePath } from './local-database.ts';
import { table } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { loadPostgres, parseDatabaseUrl } from '../store/database/shared-port.ts';

/** The database of a service. */
export type Engine = 'sqlite' | 'postgres';

/** Moves the data. JSON: `{"from","to","tables":[{"name","rows","digest"}]}`. */
export async function migrate(
  { from, to }: { from: Engine; to: Engine },
  terminal: Terminal,
): Promise<ExitCode> {
  if (from === to) {
    throw new CommandError(exitCodes.usage, `--from and --to are both ${from}: expected two.`);
  }
  const config = loadConfig();
  const address = parseDatabaseUrl(config.templates.databaseUrl ?? '');
  if (address === undefined) {
    throw new CommandError(
      exitCodes.usage,
      'PLATEN_DATABASE_URL is not set; expected the PostgreSQL database.',
    );
  }
  const path = databasePath(config);
  if (from === 'sqlite' && !existsSync(path)) {
    throw new CommandError(
      exitCodes.noInput,
      `There is no database ${path}: set PLATEN_DATA_DIR to the service's data directory.`,
    );
  }
  if (existsSync(path)) requireAlone(path);
  const { equalKeysProblems, moveMailings } = await import('../mailings/commands.ts');
  const { moveToPostgres, moveToSqlite } = await loadPostgres();
  const db = openDatabase(path);
  try {
    const move = to === 'postgres' ? moveToPostgres : moveToSqlite;
    const mailings = moveMailings(db, config.templates.dataDirectory, (name) =>
      terminal.warn(`The shared database lacks ${name}: the move goes on without it.`),
    );
    const tables = await move(db, address, mailings);
    for (const problem of equalKeysProblems(db, config.templates.dataDirectory)) {
      terminal.warn(`${problem}.`);
    }
    const lines = tables.map(({ name, rows: count, digest }) => [name, String(count), digest]);
    terminal.result(
      { from, to, tables },
      `${table(['table', 'rows', 'digest'], lines)}\nAll rows are equal in ${path} and in ${address.database}.`,
    );
    return exitCodes.ok;
  } finally {
    db.close();
  }
}

/** Throws a `CommandError` if another program has the database open. Changes of a running service would be lost. */
function requireAlone(path: string): void {
  try {
    storeErrors(`Opening the database ${path}`, () => {
      const db = openAsItIs(path);
      try {
        db.pragma('busy_timeout = 0');
        // Only the last connection can leave the write-ahead log mode. Opening the database enters this mode again.
        db.pragma('journal_mode = DELETE');
      } finally {
        db.close();
      }
    });
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'BUSY')) throw error;
    throw new CommandError(
      exitCodes.busy,
      `Another program has ${path} open: stop the service first, because what it stores meanwhile would be lost.`,
    );
  }
}
