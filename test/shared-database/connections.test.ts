/** Connections to PostgreSQL servers with settings, proxies and certificates that nodes did not choose. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { runPlaten } from '../cli/run-platen.ts';
import { eventually, freePort } from '../e2e/service.ts';
import { toApiError } from '../../src/api/request/store-errors.ts';
import { connect } from '../../src/store/shared/connection.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { onlyFull } from '../helpers/extent.ts';
import { olderPrograms, skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import type { Postgres } from '../helpers/postgres.ts';
import { digestOf, settled, startNode } from './nodes.ts';
import type { Node } from './nodes.ts';
import { parseDatabaseUrl } from '../../src/store/database/shared-port.ts';

/** What `platen doctor` says. */
const reached = /encrypted is empty: the first start sets it up/;

/** Between the limits of a look and of other answers, 2 s and 15 s. */
const silentMsMax = 10_000;

const create = ({ write, organizations }: Node, name: string): Promise<unknown> =>
  write(() => organizations.createOrganization(name));

t.test('a server that was not set up for nodes', { skip: skipsPostgres || onlyFull }, async (t) => {
  const postgres = await startPostgres(t);
  const folder = t.testdir();

  await t.test('nodes replace defaults of their role that they cannot live with', async (t) => {
    const url = postgres.createDatabase('defaults');
    for (const setting of [
      "statement_timeout = '20s'",
      "lock_timeout = '1ms'",
      "idle_session_timeout = '20s'",
      "idle_in_transaction_session_timeout = '20ms'",
      "default_transaction_isolation = 'serializable'",
      'synchronous_commit = off',
      "bytea_output = 'escape'",
      'standard_conforming_strings = off',
    ]) {
      postgres.sql('postgres', `ALTER DATABASE defaults SET ${setting}`);
    }
    const address = parseDatabaseUrl(url);
    if (address === undefined) throw new Error(`${url} is no address.`);
    const connection = await connect(address);
    const names = [
      'statement_timeout',
      'idle_session_timeout',
      'default_transaction_isolation',
      'synchronous_commit',
    ];
    const settings = names.map((name) => `current_setting('${name}')`).join();
    t.same(await connection.query(`SELECT ${settings}`), [['0', '0', 'read committed', 'on']]);
    await connection.close();
    const nodes = [
      await startNode(t, url, join(folder, 'a')),
      await startNode(t, url, join(folder, 'b')),
    ];
    const made = Array.from({ length: 20 }, (_, index) =>
      create(nodes[index % 2] as Node, `organization ${index}`),
    );
    await Promise.all(made);
    await settle(t, postgres, 'defaults', nodes);
  });

  await t.test('a server whose transactions only read by default is no primary', async (t) => {
    postgres.createDatabase('reads');
    postgres.sql('postgres', 'CREATE ROLE reader SUPERUSER LOGIN');
    const url = `postgres://reader@127.0.0.1:${postgres.port}/reads`;
    const address = parseDatabaseUrl(url);
    if (address === undefined) throw new Error(`${url} is no address.`);
    for (const target of ['ROLE reader', 'SYSTEM']) {
      postgres.sql('postgres', `ALTER ${target} SET default_transaction_read_only = on`);
      postgres.sql('postgres', 'SELECT pg_reload_conf()');
      t.ok(
        await eventually(async () => {
          const connection = await connect(address).catch((error: Error) => error);
          if (connection instanceof Error)
            return /default_transaction_read_only/.test(connection.message);
          await connection.close();
          return false;
        }),
        target,
      );
      postgres.sql('postgres', `ALTER ${target} RESET default_transaction_read_only`);
      postgres.sql('postgres', 'SELECT pg_reload_conf()');
      t.ok(
        await eventually(async () => {
          const connection = await connect(address).catch(() => undefined);
          await connection?.close();
          return connection !== undefined;
        }),
        `${target}, again`,
      );
    }
  });

  await t.test('an error that the database answers is not called a lost connection', async (t) => {
    const node = await startNode(t, postgres.createDatabase('refuses'), join(folder, 'refuses'));
    const refusals: [condition: string, message: RegExp][] = [
      ['disk_full', /answers with an error, and nothing was changed \(No space left\)/],
      ['read_only_sql_transaction', /answers with an error, .* \(No space left\)/],
      ['insufficient_privilege', /user postgres .* lacks a right: .* \(No space left\)/],
    ];
    for (const [condition, message] of refusals) {
      postgres.sql(
        'refuses',
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
           AS $$ BEGIN RAISE ${condition} USING MESSAGE = 'No space left'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
      const error = await create(node, condition).catch((reason: unknown) => reason);
      t.match(error, { code: 'AWAY', message });
      t.match(toApiError(error), {
        code: 'OVERLOADED',
        message: /^The shared database answers with an error/,
      });
      postgres.sql('refuses', 'DROP FUNCTION refuse CASCADE');
      await create(node, condition);
    }
  });

  await t.test('a node whose connection is silent looks over another one', async (t) => {
    const url = postgres.createDatabase('silent');
    const node = await startNode(t, url, join(folder, 'silent'));
    const find = (): string =>
      postgres
        .sql(
          'silent',
          "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE application_name = 'platen'",
        )
        .trim();
    t.ok(await eventually(() => node.shared.state.isConnected && /^\d+$/.test(find())));
    const pid = Number(find());
    const other = await startNode(t, url, join(folder, 'heard'));
    process.kill(pid, 'SIGSTOP');
    try {
      await create(other, 'unheard');
      const hasChange = (): boolean => node.organizations.listOrganizations().length === 1;
      t.ok(await eventually(hasChange, silentMsMax));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  await t.test('a full queue of notifications refuses no write, and nodes follow', async (t) => {
    const url = postgres.createDatabase('queue');
    const nodes = [
      await startNode(t, url, join(folder, 'c')),
      await startNode(t, url, join(folder, 'd')),
    ];
    postgres.sql(
      'queue',
      `SET allow_system_table_mods = on;
       CREATE OR REPLACE FUNCTION pg_catalog.pg_notification_queue_usage() RETURNS double precision
         LANGUAGE sql AS 'SELECT 0.9::double precision';
       CREATE OR REPLACE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'too many notifications in the NOTIFY queue'; END $$`,
    );
    for (const [index, node] of nodes.entries()) await create(node, `organization ${index}`);
    await settle(t, postgres, 'queue', nodes);
  });

  await t.test('a pooler works by session, or is refused', needsPgBouncer(), async (t) => {
    postgres.createDatabase('pooled');
    const start = async (mode: string): Promise<Node> => {
      const port = await startPgBouncer(t, postgres, mode);
      return startNode(t, `postgres://postgres@127.0.0.1:${port}/pooled`, join(folder, mode));
    };
    await t.rejects(start('transaction'), /is a pooler that works by transaction/);
    const node = await start('session');
    await create(node, 'through a pooler');
    await settle(t, postgres, 'pooled', [node]);
  });

  await t.test('verify-full checks the authority and the name', async (t) => {
    const { key, cert } = makeCertificate(['localhost']);
    const cluster = join(postgres.folder, 'cluster');
    const { uid, gid } = statSync(cluster);
    for (const [name, text] of [
      ['server.key', key],
      ['server.crt', cert],
    ] as const) {
      const path = join(cluster, name);
      writeFileSync(path, text, { mode: 0o600 });
      chownSync(path, uid, gid);
    }
    postgres.createDatabase('encrypted');
    postgres.sql('postgres', 'ALTER SYSTEM SET ssl = on');
    postgres.sql('postgres', 'SELECT pg_reload_conf()');
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, cert);
    const ask = async (host: string, mode: string, isKnown: boolean): Promise<string> => {
      const ran = await runPlaten(['doctor'], {
        environment: {
          PLATEN_DATA_DIR: join(folder, `${host}-${mode}-${isKnown}`),
          PLATEN_DATABASE_URL: `postgres://postgres@${host}:${postgres.port}/encrypted?sslmode=${mode}`,
          ...(isKnown ? { NODE_EXTRA_CA_CERTS: authority } : {}),
        },
      });
      return ran.stdout + ran.stderr;
    };
    t.match(await ask('localhost', 'verify-full', true), reached);
    t.match(await ask('127.0.0.1', 'verify-full', true), /not in the cert/);
    t.match(await ask('localhost', 'verify-full', false), /self-signed/);
    t.match(await ask('127.0.0.1', 'require', false), reached);
  });
});

/** Undefined, and the test is skipped, where the server cannot be installed. */
async function startOlder(t: Test, version: string): Promise<Postgres | undefined> {
  const programs = skipsPostgres === false ? olderPrograms(t, version) : undefined;
  if (programs !== undefined) return startPostgres(t, [], programs);
  t.comment(`npm could not install PostgreSQL ${version}`);
  return undefined;
}

t.test('a server before version 14 ends the start with exit code 78', async (t) => {
  const postgres = await startOlder(t, '13.23.0-beta.16');
  if (postgres === undefined) return;
  const environment = {
    PLATEN_DATA_DIR: join(t.testdir(), 'data'),
    PLATEN_DATABASE_URL: postgres.createDatabase('platen'),
  };
  const ran = await runPlaten(['serve'], { environment });
  t.equal(ran.code, 78);
  t.match(ran.stderr, /is PostgreSQL 13\.\d+; expected 14 or newer: upgrade it/);
});

t.test('nodes share a database of version 14', async (t) => {
  const postgres = await startOlder(t, '14.23.0-beta.17');
  if (postgres === undefined) return;
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const a = await startNode(t, url, join(folder, 'a'));
  const b = await startNode(t, url, join(folder, 'b'));
  const made = [a, b, a, b].map((node, index) =>
    node.write(() => node.organizations.createOrganization(`organization ${index}`)),
  );
  t.equal(new Set((await Promise.all(made)).map(({ uid }) => uid)).size, 4);
  await settled(t, postgres, [a, b]);
  t.equal(digestOf(a.db), digestOf(b.db));
});

/** Every node has all rows. */
async function settle(
  t: Test,
  postgres: Postgres,
  database: string,
  nodes: readonly Node[],
): Promise<void> {
  await settled(t, postgres, nodes, database);
  t.equal(new Set(nodes.map(({ db }) => digestOf(db))).size, 1);
}

function needsPgBouncer(): { skip?: string } {
  return spawnSync('pgbouncer', ['--version']).status === 0
    ? {}
    : { skip: 'pgbouncer is not installed' };
}

/** Starts one in front of a server; it ends with the test. Resolves with its port. */
async function startPgBouncer(t: Test, postgres: Postgres, mode: string): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'platen-pgbouncer-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const { uid, gid } = statSync(postgres.folder);
  chmodSync(folder, 0o755);
  const path = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgres.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'ignore_startup_parameters = extra_float_digits',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const child = spawn('pgbouncer', [path], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] });
  let reported = '';
  child.stderr.on('data', (chunk: Buffer) => (reported += chunk.toString()));
  t.teardown(() => void child.kill('SIGKILL'));
  if (!(await eventually(() => reported.includes('process up')))) throw new Error(reported);
  return port;
}
