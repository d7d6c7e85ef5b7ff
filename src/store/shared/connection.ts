/** Connects to the shared PostgreSQL database and translates its errors. */
import pg from 'pg';
import { errorCodeOf } from '../../foundation/errors.ts';
import { AnsweredError, StoreError } from '../database/store-error.ts';
import { idleTransactionTimeout, SharedDatabaseError } from '../database/shared-contract.ts';
import type { Connection, DatabaseAddress, Value } from '../database/shared-contract.ts';

/** The oldest supported version of PostgreSQL, as `server_version_num`. */
const serverVersionMin = 140_000;

const connectTimeoutMs = 3000;
/** Maximum time in ms for the answer to a query. A commit may wait for a standby. */
export const answerTimeoutMs = 15_000;
/** Maximum time for `BEGIN`, which waits for no lock: a node that is cut off rejects its first write after it. */
const beginTimeoutMs = 5000;
/** Maximum time for which a writer waits for the locks of other writers. */
const lockTimeout = '5s';

/** Positions, ids and times are below 2^53, so that a number holds them exactly. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connects to the server that accepts writes. Throws a `SharedDatabaseError`, or a `StoreError` `AWAY`. */
export async function connect(address: DatabaseAddress): Promise<Connection> {
  let reason = '';
  for (const { host, port } of address.hosts) {
    const client = createClient(address, host, port);
    const connection = createConnection(client);
    try {
      await client.connect();
      if (await isPrimary(connection)) return connection;
      reason = `${host}:${port} is a standby, or has default_transaction_read_only = on`;
    } catch (error) {
      const refusal = refusalOf(error, address);
      if (refusal !== undefined) {
        await connection.close();
        throw refusal;
      }
      reason = `${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
    }
    await connection.close();
  }
  throw new StoreError('AWAY', `The shared database cannot be reached (${reason}).`);
}

/**
 * Throws a `SharedDatabaseError` if a pooler gives the server session of `connection` to other clients between
 * transactions. Nodes keep settings, locks and `LISTEN` in their sessions.
 */
export async function requireSession(
  connection: Connection,
  address: DatabaseAddress,
): Promise<void> {
  const first = await sessionOf(connection);
  const other = await connect(address);
  try {
    // A pooler reserves the session for this transaction until the transaction ends.
    await other.begin();
    const second = await sessionOf(other);
    if (second !== first && (await sessionOf(connection)) === first) return;
  } finally {
    await other.close();
  }
  throw new SharedDatabaseError(
    'The server of PLATEN_DATABASE_URL is a pooler that works by transaction: expected one that works by session (of PgBouncer, pool_mode = session), or PostgreSQL itself.',
  );
}

async function sessionOf(connection: Connection): Promise<Value | undefined> {
  return (await connection.query('SELECT pg_backend_pid()'))[0]?.[0];
}

function createClient(address: DatabaseAddress, host: string, port: number): pg.Client {
  const { user, password, database, sslMode } = address;
  return new pg.Client({
    host,
    port,
    user,
    ...(password === undefined ? {} : { password }),
    database,
    // The certificate is checked against this host name or IP address.
    ssl: sslMode === 'disable' ? false : { rejectUnauthorized: sslMode === 'verify-full', host },
    application_name: 'platen',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    types,
  });
}

function createConnection(client: pg.Client): Connection {
  let isLost = false;
  const listeners: (() => void)[] = [];
  const lose = (): void => {
    if (isLost) return;
    isLost = true;
    for (const listener of listeners) listener();
  };
  client.on('error', lose);
  client.on('end', lose);
  const ask: Connection['query'] = async (text, values, limitMs = answerTimeoutMs) => {
    if (isLost) throw away('the connection was lost');
    // `pg` accepts this limit for one query, but the type of a query lacks it.
    const limit: pg.ClientConfig = { query_timeout: limitMs };
    const given = values === undefined ? {} : { values: [...values] };
    try {
      return (await client.query<Value[]>({ text, rowMode: 'array', ...given, ...limit })).rows;
    } catch (error) {
      // After a timeout, a late answer would be taken for the answer to the next query.
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') lose();
      throw error;
    }
  };
  return {
    async begin() {
      await ask('BEGIN', undefined, beginTimeoutMs);
    },
    query: ask,
    onNotification: (listener) => void client.on('notification', listener),
    onLost: (listener) => void listeners.push(listener),
    get isLost() {
      return isLost;
    },
    async close() {
      lose();
      // A connection that hangs may never end.
      await Promise.race([client.end().catch(() => undefined), pause()]);
    },
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200).unref());
}

/**
 * Sets the session's settings independently of the server's defaults, and returns whether the server accepts writes.
 * Throws a `SharedDatabaseError`.
 */
async function isPrimary(connection: Connection): Promise<boolean> {
  const [row] = await connection.query(
    `SELECT current_setting('server_version_num'), current_setting('server_version'),
       current_setting('server_encoding'),
       (pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on')::text,
       set_config('lock_timeout', '${lockTimeout}', false),
       (SELECT count(set_config(name, '0', false)) FROM pg_settings
        WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_session_timeout')),
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('standard_conforming_strings', 'on', false),
       set_config('idle_in_transaction_session_timeout', '${idleTransactionTimeout}', false),
       CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
         THEN set_config('synchronous_commit', 'on', false) END`,
  );
  const [number, version, encoding, onlyReads] = row ?? [];
  if (Number(number) < serverVersionMin) {
    throw new SharedDatabaseError(
      `The server of PLATEN_DATABASE_URL is PostgreSQL ${String(version)}; expected 14 or newer: upgrade it, or name another server.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new SharedDatabaseError(
      `The database of PLATEN_DATABASE_URL has the encoding ${String(encoding)}; expected UTF8: create it with ENCODING 'UTF8'.`,
    );
  }
  // An operator who lets transactions only read stops changes, as for a switchover: such a server is no primary.
  return onlyReads !== 'true';
}

/** The error of a permanent failure, such as a wrong password; undefined for others. */
function refusalOf(error: unknown, address: DatabaseAddress): SharedDatabaseError | undefined {
  if (error instanceof SharedDatabaseError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const refuse = (sentence: string): SharedDatabaseError =>
    new SharedDatabaseError(`${sentence} (${detail})`);
  switch (errorCodeOf(error)) {
    case '28P01':
    case '28000':
      return refuse(
        `The server of PLATEN_DATABASE_URL refuses the user ${address.user}: check its name, its password, and pg_hba.conf.`,
      );
    case '3D000':
      return refuse(
        `The server of PLATEN_DATABASE_URL has no database ${address.database}: create it with createdb.`,
      );
    case '42501':
    case '3F000':
      return lacksRight(address, detail);
    default:
      return undefined;
  }
}

/** The error of a user with too few rights. `detail` names one that is missing. */
export function lacksRight({ user }: DatabaseAddress, detail: string): SharedDatabaseError {
  return new SharedDatabaseError(
    `The user ${user} of PLATEN_DATABASE_URL lacks a right: it needs CREATE on the schema, and all rights on the tables. (${detail})`,
  );
}

/** Converts an error of a query to the error of a write or of a start. */
export function toSharedError(error: unknown, address: DatabaseAddress): Error {
  if (error instanceof StoreError || error instanceof SharedDatabaseError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = errorCodeOf(error) ?? '';
  if (code === '55P03') {
    return new StoreError(
      'BUSY',
      'Other nodes kept the shared database locked for too long, and nothing was changed: try again.',
      error,
    );
  }
  if (isDataError(error)) {
    return new StoreError(
      'INVALID',
      `The shared database cannot store the value, and nothing was changed: ${detail}.`,
    );
  }
  const refusal = refusalOf(error, address);
  if (refusal !== undefined) return refusal;
  if (!isAnswer(error)) return away(detail);
  return new AnsweredError(
    `The shared database answers with an error, and nothing was changed (${detail}).`,
    error,
  );
}

/** As `toSharedError` in a running service: a permanent failure becomes `AWAY`, because an operator may correct it. */
export function toRunningError(error: unknown, address: DatabaseAddress): Error {
  const known = toSharedError(error, address);
  if (!(known instanceof SharedDatabaseError)) return known;
  if (isAnswer(error)) return new AnsweredError(known.message, known);
  return new StoreError('AWAY', known.message, known);
}

/** The error for the caller of `connection`: as `toRunningError` if the database caused it, else unchanged. */
export function toCallerError(
  error: unknown,
  connection: Connection | undefined,
  address: DatabaseAddress,
): unknown {
  return isDatabaseFailure(error, connection) ? toRunningError(error, address) : error;
}

/** Whether PostgreSQL refuses a statement. After a `FATAL` error it ends the connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL';
}

/** Whether the database caused the failure, not the work itself. Without a connection, the work never began. */
export function isDatabaseFailure(error: unknown, connection: Connection | undefined): boolean {
  return connection?.isLost !== false || error instanceof pg.DatabaseError;
}

/** Whether PostgreSQL refuses a value, such as a text with the character U+0000 (class 22 of its codes). */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true;
}

/** The error of a database that cannot be reached and has not stored the write. */
function away(detail: string): StoreError {
  return new StoreError(
    'AWAY',
    `The shared database cannot be reached, and nothing was changed (${detail}).`,
  );
}
