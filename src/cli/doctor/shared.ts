/** The check of `platen doctor` on the shared database. */
import type { Config } from '../../settings.ts';
import { errorMessage } from '../exit-codes.ts';
import type { Check } from './data.ts';
import { loadPostgres, parseDatabaseUrl } from '../../store/database/shared-port.ts';
import type { DatabaseAddress, Postgres } from '../../store/database/shared-port.ts';

/** Whether the database of `PLATEN_DATABASE_URL` answers; empty without one. */
export async function checkSharedDatabase(config: Config): Promise<Check[]> {
  const address = parseDatabaseUrl(config.templates.databaseUrl ?? '');
  if (address === undefined) return [];
  try {
    const head = await readHeadOf(address);
    const detail =
      head === undefined
        ? `${address.database} is empty: the first start sets it up`
        : `${address.database} has ${head.position.toLocaleString('en-US')} changes`;
    return [{ status: 'ok', detail }];
  } catch (error) {
    return [
      {
        status: 'problem',
        detail: errorMessage(error),
        advice: 'A node answers the links that its copy knows, and changes nothing meanwhile.',
      },
    ];
  }
}

async function readHeadOf(address: DatabaseAddress): ReturnType<Postgres['findHead']> {
  const { connect, requireSession, findHead } = await loadPostgres();
  const connection = await connect(address);
  try {
    await requireSession(connection, address);
    return await findHead(connection);
  } finally {
    await connection.close();
  }
}
