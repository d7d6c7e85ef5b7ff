/** `platen migrate` with one object of every kind, there and back, killed in the middle, and refused. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import t from 'tap';
import type { Test } from 'tap';
import { repository, runPlaten } from '../cli/run-platen.ts';
import type { Ran } from '../cli/run-platen.ts';
import { eventually, freePort, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import type { Postgres } from '../helpers/postgres.ts';
import { fillService, seenOf } from './content.ts';
import { stop } from './table-calls.ts';

const timeoutMs = 200_000;
t.setTimeout(timeoutMs);

const there = ['migrate', '--from', 'sqlite', '--to', 'postgres', '--json'];
const back = ['migrate', '--from', 'postgres', '--to', 'sqlite', '--json'];

t.test('platen migrate', { skip: skipsPostgres, timeout: timeoutMs }, async (t) => {
  const postgres = await startPostgres(t);
  const folder = t.testdir();
  const data = join(folder, 'data');
  const environmentOf = (url: string, dataDirectory = data): Record<string, string> => ({
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_DATABASE_URL: url,
  });
  const migrate = (args: readonly string[], url: string, dataDirectory = data): Promise<Ran> =>
    runPlaten(args, { environment: environmentOf(url, dataDirectory) });
  const start = (dataDirectory: string, url?: string): Promise<Service> =>
    startService(t, {
      dataDirectory,
      environment: {
        PLATEN_PUBLIC_URL: 'https://images.example.com',
        ...(url === undefined ? {} : { PLATEN_DATABASE_URL: url }),
      },
    });

  const first = await start(data);
  const content = await fillService(t, first, 10_000);
  const seen = await seenOf(first, content);
  const busy = await migrate(there, postgres.createDatabase('busy'));
  t.match(busy, { code: 75, stdout: /has .*platen\.db open: stop the service first/ });
  t.strictSame(await seenOf(first, content), seen, 'the service goes on');
  await stop(first);
  /** A copy of the stopped service, which is moved nowhere. */
  const kept = join(folder, 'kept');
  cpSync(data, kept, { recursive: true });
  const url = postgres.createDatabase('moved');

  await t.test('everything is there, and back again', async (t) => {
    const moved = await migrate(there, url);
    t.equal(moved.code, 0, moved.stdout + moved.stderr);
    const returned = await migrate(back, url, join(folder, 'empty'));
    t.equal(returned.code, 0, returned.stdout + returned.stderr);
    t.strictSame(tablesOf(returned), tablesOf(moved), 'with equal counts and digests');
    for (const name of ['templates', 'fonts', 'short_links', 'template_comments', 'campaigns']) {
      t.ok(
        tablesOf(moved).some((table) => table.name === name && table.rows > 0),
        name,
      );
    }
    const alone = await start(join(folder, 'empty'));
    t.strictSame(await seenOf(alone, content), seen, 'a service by itself');
    await stop(alone);
    const node = await start(data, url);
    t.strictSame(await seenOf(node, content), seen, 'a node');
    await stop(node);
  });

  await t.test('a move to PostgreSQL that is killed has moved nothing, or all', async (t) => {
    const killed = join(folder, 'killed');
    cpSync(kept, killed, { recursive: true });
    const target = postgres.createDatabase('killed');
    // The move waits for this table, which it would make.
    postgres.sql('killed', rowsTable);
    const unlock = await lock(t, postgres, 'killed', 'platen_table_rows');
    await killWaiting(t, postgres, there, environmentOf(target, killed), 'relation');
    await unlock();
    t.equal(postgres.sql('killed', "SELECT to_regclass('platen_cluster')").trim(), '');
    const listed = await runPlaten(['org', 'list'], { environment: { PLATEN_DATA_DIR: killed } });
    t.equal(listed.code, 0, 'the folder is a database by itself');

    const set = (names: string): string =>
      postgres.sql('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${names}'`) +
      postgres.sql('postgres', 'SELECT pg_reload_conf()');
    set('nobody');
    await killWaiting(t, postgres, there, environmentOf(target, killed), 'SyncRep');
    set('');
    t.ok(
      await eventually(
        () => postgres.sql('killed', "SELECT to_regclass('platen_cluster')").trim() !== '',
      ),
      'the commit waited for a standby, and is there',
    );
    const again = await migrate(there, target, killed);
    t.equal(again.code, 0, again.stdout + again.stderr);
    const node = await start(killed, target);
    t.strictSame(await seenOf(node, content), seen);
    await stop(node);
  });

  await t.test('a text that PostgreSQL cannot store is named', async (t) => {
    const odd = join(folder, 'odd');
    cpSync(kept, odd, { recursive: true });
    const db = new BetterSqlite3(join(odd, 'platen.db'));
    db.exec("UPDATE template_comments SET text = 'a' || char(0) || 'b'");
    db.close();
    const refused = await migrate(there, postgres.createDatabase('odd'), odd);
    t.match(refused, {
      code: 78,
      stdout:
        /template_comments has the character U\+0000 in the column text of the row with id \w+/,
    });
    t.equal(postgres.sql('odd', "SELECT to_regclass('platen_cluster')").trim(), '');
  });

  await t.test('a move to SQLite that is killed is done again', async (t) => {
    const target = join(folder, 'returned');
    const unlock = await lock(t, postgres, 'moved', 'platen_campaign_files');
    await killWaiting(t, postgres, back, environmentOf(url, target), 'relation');
    await unlock();
    const again = await migrate(back, url, target);
    t.equal(again.code, 0, again.stdout + again.stderr);
    const service = await start(target);
    t.strictSame(await seenOf(service, content), seen);
    await stop(service);
  });

  await t.test('what cannot be moved ends with one sentence and exit code 78', async (t) => {
    const at = `127.0.0.1:${postgres.port}`;
    postgres.sql('moved', 'CREATE ROLE poor LOGIN');
    postgres.createDatabase('blank');
    postgres.sql('blank', 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
    postgres.sql(
      'postgres',
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
    );
    const fresh = join(folder, 'fresh');
    const refused = async (
      args: readonly string[],
      target: string,
      dataDirectory: string,
      message: RegExp,
    ): Promise<void> => {
      const { code, stderr } = await migrate(args.slice(0, -1), target, dataDirectory);
      t.equal(code, 78, `${target}: ${stderr}`);
      t.match(stderr, message);
      t.equal(stderr.trim().split('\n').length, 1, stderr);
    };
    await refused(there, `postgres://poor@${at}/blank`, kept, /user poor .* lacks a right/);
    await refused(back, `postgres://poor@${at}/moved`, fresh, /user poor .* lacks a right/);
    await refused(there, url, kept, /moved has data already/);
    await refused(there, url, data, /is a copy of a shared database already/);
    await refused(back, url, kept, /has other data/);
    await refused(back, `postgres://postgres@${at}/blank`, fresh, /has no data of Platen/);
    await refused(there, `postgres://postgres@${at}/latin`, kept, /encoding LATIN1; expected UTF8/);
    await refused(there, `postgres://postgres@${at}/nothing`, kept, /has no database nothing/);
    await refused(there, 'mysql://db/platen', kept, /PLATEN_DATABASE_URL/);
    postgres.sql('moved', 'UPDATE platen_cluster SET schema = 9999');
    await refused(back, url, fresh, /has schema 9999/);
    const closed = await migrate(
      there,
      `postgres://postgres@127.0.0.1:${await freePort()}/x`,
      kept,
    );
    t.match(closed, { code: 69, stdout: /cannot be reached/ });
    const listed = await runPlaten(['org', 'list'], { environment: { PLATEN_DATA_DIR: kept } });
    t.equal(listed.code, 0, 'the data is as it was');
  });
});

interface MovedTable {
  name: string;
  rows: number;
  digest: string;
}

function tablesOf(ran: Ran): MovedTable[] {
  return (ran.json() as { tables: MovedTable[] }).tables;
}

/** As the set-up makes it. */
const rowsTable = `CREATE TABLE platen_table_rows (
  file bigint NOT NULL, key bytea NOT NULL, cells text NOT NULL, revision bigint NOT NULL, PRIMARY KEY (file, key))`;

/** Locks a table until the function that it resolves with has ended. */
async function lock(
  t: Test,
  postgres: Postgres,
  database: string,
  table: string,
): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    host: '127.0.0.1',
    port: postgres.port,
    user: 'postgres',
    database,
  });
  await client.connect();
  let isEnded = false;
  const end = async (): Promise<void> => {
    if (!isEnded) await client.end();
    isEnded = true;
  };
  t.teardown(end);
  await client.query(`BEGIN; LOCK TABLE ${table}`);
  return end;
}

/** Runs a command until the server keeps it waiting for `event`, and kills it there. */
async function killWaiting(
  t: Test,
  postgres: Postgres,
  args: readonly string[],
  environment: Record<string, string>,
  event: string,
): Promise<void> {
  const child: ChildProcess = spawn(
    join(repository, 'node_modules/.bin/node'),
    [join(repository, 'dist/platen.js'), ...args],
    { env: { HOME: homedir(), PATH: process.env['PATH'], ...environment }, stdio: 'ignore' },
  );
  const waits = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = '${event}'`;
  t.ok(await eventually(() => postgres.sql('postgres', waits).trim() === '1'), `waits: ${event}`);
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  t.strictSame(await ended, [null, 'SIGKILL']);
  const ends =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platen'";
  postgres.sql('postgres', ends);
}
