/**
 * Types, errors and addresses of a PostgreSQL database that several nodes share. Other folders import them from
 * `shared-port.ts`.
 */
import { StoreError } from './store-error.ts';

/** The service cannot use the shared database until an operator changes something. The message says what to change. */
export class SharedDatabaseError extends Error {
  override name = 'SharedDatabaseError';
}

/** A value of a row: one of four types that SQLite and PostgreSQL share. */
export type Value = string | number | Buffer | null;

export type Row = readonly Value[];

/** Keys of changed rows by the name of their table. */
export type ChangedKeys = ReadonlyMap<string, readonly Row[]>;

/** One connection. The caller of `connect` closes it. After a loss, queries reject with a `StoreError` `AWAY`. */
export interface Connection {
  /** Begins a transaction. */
  begin(): Promise<void>;
  /** Rows as arrays, in the order of the selected columns. A later answer than `limitMs` counts as a loss. */
  query(sql: string, values?: readonly Value[], limitMs?: number): Promise<Value[][]>;
  /** Calls `listener` for each notification. */
  onNotification(listener: () => void): void;
  /** Calls `listener` once when the connection is lost. */
  onLost(listener: () => void): void;
  readonly isLost: boolean;
  close(): Promise<void>;
}

/** Statements in PostgreSQL that belong to a write. Such a write has a separate transaction. */
export interface WriteBeside {
  /** The caller's connection, on which the transaction has begun. Default: the connection of the writer. */
  connection?: Connection;
  /** Runs before the write, on the newest state. The write rejects with its error. */
  prepare?(connection: Connection): Promise<void>;
  /** Runs after the write. */
  store?(connection: Connection): Promise<void>;
}

/** The address of a file in a row. */
export interface FileAddress {
  table: 'assets' | 'fonts';
  organizationUid: string;
  /** Digest of the row. */
  digest: string;
  column: 'bytes' | 'drawing';
  /** SHA-256 of the file, in hex. */
  fileDigest: string;
}

/** Reads files that a node's database lacks. */
export interface FileReader {
  /**
   * Reads a file. Rejects with a `StoreError`: `AWAY`, also after too long a wait, or `ABSENT` for a missing or damaged
   * file.
   */
  read(address: FileAddress): Promise<Buffer>;
}

/** The error of a file that is not here. */
export function absentFile(digest: string): StoreError {
  return new StoreError('ABSENT', `This node does not have the file ${digest} yet.`);
}

/** State of the shared database for operators. */
export interface SharedState {
  isConnected: boolean;
  /** Number of the last change that this node has. */
  position: number;
}

/** The shared database of a process. The caller of `openShared` closes it before the node's database. */
export interface SharedDatabase {
  readonly state: SharedState;
  /** Files of assets and fonts, which the node's database lacks. */
  readonly files: FileReader;
  /** Id of the node's copy of all tables. It changes when the node copies all tables again. */
  readonly copyName: string;
  /**
   * Calls `listener` after each change of the node's copy, with the keys of changed rows, or undefined if they are not
   * all known.
   */
  onMove(listener: (changes: ChangedKeys | undefined) => void): void;
  /** As `whenFree`, with the statements of `beside` in the same transaction of PostgreSQL. */
  write<Result>(write: () => Result, beside: WriteBeside): Promise<Result>;
  /**
   * Runs `work` with a separate connection, which closes afterwards. Rejects with a `StoreError`, or with the error of
   * `work`.
   */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Connects as `use` does. The caller closes the connection. */
  connect(): Promise<Connection>;
  /** Stores the waiting writes and closes the connections. */
  close(): Promise<void>;
}

// Maximum idle time of a transaction in PostgreSQL, because the machine of the node may be cut off.

/** For a transaction that may hold locks. */
export const idleTransactionTimeout = '10s';
/** For a transaction that copies rows of a data table and holds no locks: the node's disk may be slow. */
export const idleCopyTimeout = '60s';

/** Rows of a table, as they are compared after a move. */
export interface TableDigest {
  name: string;
  rows: number;
  /** The SHA-256 digests of all rows, combined by XOR, so that the order of rows does not matter. */
  digest: string;
}

/** Data outside of the tables of SQLite that moves with them. */
export interface MovedPart {
  /** Called before the tables move to PostgreSQL. Corrects what their rows say of the data. */
  prepare(): void;
  /** Stores the data in PostgreSQL, within the transaction that stores the tables. */
  save(connection: Connection): Promise<void>;
  /** Writes the data that the rows in SQLite name. */
  load(connection: Connection): Promise<void>;
  /** Checks the data in PostgreSQL. Rejects with a `SharedDatabaseError`, or with a `StoreError` for damaged files. */
  compare(connection: Connection): Promise<TableDigest>;
}

/** The value of a file column in a node's database. No image or font file has a length of one byte. */
export const apartMark = Buffer.of(0);

/** Whether the value is the mark, so that the file is only in PostgreSQL. */
export function isApart(bytes: Uint8Array): boolean {
  return bytes.byteLength === apartMark.byteLength && bytes[0] === apartMark[0];
}

/** Servers of one database, of which one accepts writes. */
export interface DatabaseAddress {
  hosts: readonly { host: string; port: number }[];
  user: string;
  password: string | undefined;
  database: string;
  /** `require` encrypts; `verify-full` also checks the certificate and the host name. */
  sslMode: 'disable' | 'require' | 'verify-full';
}

const portDefault = 5432;
const hostsMax = 8;

const urlPattern =
  /^postgres(?:ql)?:\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)\/([^/?#]+)(?:\?sslmode=(disable|require|verify-full))?$/;
const hostPattern = /^(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** The parts of an address; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const [, user, password, hostList = '', database, sslMode = 'disable'] =
    urlPattern.exec(text) ?? [];
  const hosts = hostList.split(',').map((each) => {
    const [, host = '', port] = hostPattern.exec(each) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? portDefault) };
  });
  if (user === undefined || database === undefined || hosts.length > hostsMax) return undefined;
  if (hosts.some(({ host, port }) => host === '' || port < 1 || port > 65_535)) return undefined;
  try {
    return {
      hosts,
      user: decodeURIComponent(user),
      password: password === undefined ? undefined : decodeURIComponent(password),
      database: decodeURIComponent(database),
      sslMode: sslMode as DatabaseAddress['sslMode'],
    };
  } catch {
    return undefined;
  }
}
