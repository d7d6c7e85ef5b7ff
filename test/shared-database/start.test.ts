import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkSharedDatabase } from '../../src/cli/doctor/shared.ts';
import { parseConfig } from '../../src/settings.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createRowFile } from '../../src/mailings/store/tables/row-file.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { connect } from '../../src/store/shared/connection.ts';
import { moveToPostgres } from '../../src/store/shared/move-database.ts';
import { StoreError } from '../../src/store/database/store-error.ts';
import { findHead } from '../../src/store/shared/shared-schema.ts';
import { freePort } from '../e2e/service.ts';
import { runPlaten } from '../cli/run-platen.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { startNode } from './nodes.ts';
import { openShared, parseDatabaseUrl } from '../../src/store/database/shared-port.ts';
import type { MovedPart } from '../../src/store/database/shared-port.ts';

t.test('an address has a user, a host and a database', async (t) => {
  t.strictSame(
    parseDatabaseUrl('postgres://me:p%40ss@db-1:5433,[::1]/platen?sslmode=verify-full'),
    {
      hosts: [
        { host: 'db-1', port: 5433 },
        { host: '::1', port: 5432 },
      ],
      user: 'me',
      password: 'p@ss',
      database: 'platen',
      sslMode: 'verify-full',
    },
  );
  const wrong = [
    'mysql://me@db/platen',
    'postgres://db/platen',
    'postgres://me@db',
    'postgres://me@db:0/platen',
    'postgres://me@db:70000/platen',
    'postgres://me:%@db/platen',
    'postgres://me@db/platen?sslmode=prefer',
    'postgres://me@a,b,c,d,e,f,g,h,i/platen',
  ];
  for (const url of wrong) t.equal(parseDatabaseUrl(url), undefined, url);
});

t.test('a shared database that cannot be used', { skip: skipsPostgres }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const at = `127.0.0.1:${postgres.port}`;
  const folder = t.testdir();
  const hba = join(postgres.folder, 'cluster', 'pg_hba.conf');
  writeFileSync(hba, 'host all locked all scram-sha-256\nhost all all all trust\n');
  postgres.sql('platen', "CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE poor LOGIN");
  postgres.sql('platen', 'REVOKE ALL ON SCHEMA public FROM PUBLIC; SELECT pg_reload_conf()');
  postgres.sql('postgres', "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");

  let count = 0;
  const open = async (
    address: string | undefined,
    name = `node-${(count += 1)}`,
  ): Promise<void> => {
    const db = openDatabase(join(folder, name, 'platen.db'));
    try {
      const shared = await openShared(db, address);
      await shared?.close();
    } finally {
      db.close();
    }
  };

  await t.test('says in one sentence what is wrong', async (t) => {
    const closed = await freePort();
    const expected: [url: string, message: RegExp][] = [
      [`postgres://locked:wrong@${at}/platen`, /refuses the user locked/],
      [`postgres://postgres@${at}/nothing`, /has no database nothing/],
      [`postgres://poor@${at}/platen`, /user poor .* lacks a right/],
      [`postgres://postgres@${at}/latin`, /encoding LATIN1; expected UTF8/],
      [`postgres://postgres@127.0.0.1:${closed}/platen`, /cannot be reached .* has no copy/],
    ];
    for (const [address, message] of expected) {
      await t.rejects(open(address), { name: 'SharedDatabaseError', message });
    }
  });

  await t.test('a folder is a copy of one shared database, or has data of its own', async (t) => {
    const other = postgres.createDatabase('other');
    await open(url, 'copy');
    await open(url, 'copy');
    await t.rejects(open(other, 'copy'), { message: /is a copy of another shared database/ });
    await t.rejects(open(undefined, 'copy'), { message: /is a copy of a shared database/ });
    const db = openDatabase(join(folder, 'own', 'platen.db'));
    createOrganizationStore(db).createOrganization('mine');
    db.close();
    await t.rejects(open(url, 'own'), { message: /has data of its own/ });
    await t.rejects(open(other, 'own'), { message: /has data of its own/ });
  });

  await t.test('a user that may not change every table is refused', async (t) => {
    const reader = `postgres://reader@${at}/platen`;
    const grant = 'ON ALL TABLES IN SCHEMA public TO reader';
    postgres.sql('platen', `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA public TO reader`);
    postgres.sql('platen', `GRANT SELECT ${grant}`);
    const refusal = (missing: string): { name: string; message: RegExp } => ({
      name: 'SharedDatabaseError',
      message: new RegExp(`user reader .* lacks a right: .*no ${missing}`),
    });
    await t.rejects(open(reader), refusal('DELETE on api_keys'));
    await t.rejects(open(reader, 'copy'), refusal('DELETE on api_keys'), 'also with a copy');
    postgres.sql('platen', `GRANT ALL ${grant}`);
    await open(reader);
    for (const [right, table] of [
      ['INSERT', 'platen_changes'],
      ['UPDATE', 'platen_cluster'],
      ['DELETE', 'platen_campaign_parts'],
    ]) {
      postgres.sql('platen', `REVOKE ${right} ON ${table} FROM reader`);
      await t.rejects(open(reader), refusal(`${right} on ${table}`));
      postgres.sql('platen', `GRANT ${right} ON ${table} TO reader`);
    }
  });

  await t.test('a node sees that another one was first to set it up', async (t) => {
    const empty = parseDatabaseUrl(postgres.createDatabase('empty'));
    if (empty === undefined) throw new Error('It has an address.');
    const connection = await connect(empty);
    t.equal(await findHead(connection), undefined);
    await connection.query('BEGIN');
    const row = "'x' AS cluster, 1 AS position, 'x' AS entry, '[]' AS sequences, 1 AS schema";
    const key = 'ALTER TABLE platen_cluster ADD PRIMARY KEY (cluster)';
    postgres.sql('empty', `CREATE TABLE platen_cluster AS SELECT ${row}; ${key}`);
    t.match(await findHead(connection), { position: 1 });
    await connection.close();
  });

  await t.test('platen doctor asks the shared database', async (t) => {
    const check = (address: string): ReturnType<typeof checkSharedDatabase> =>
      checkSharedDatabase(parseConfig({ PLATEN_DATABASE_URL: address }));
    t.match(await check(url), [{ status: 'ok', detail: /^platen has \d+ changes$/ }]);
    t.match(await check(`postgres://postgres@${at}/nothing`), [
      { status: 'problem', detail: /has no database nothing/ },
    ]);
  });

  await t.test('a schema newer than the code ends the start with exit code 78', async (t) => {
    postgres.sql('platen', 'UPDATE platen_cluster SET schema = 9999');
    const environment = {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_DATA_DIR: join(folder, 'newer'),
      PLATEN_DATABASE_URL: url,
    };
    const ran = await runPlaten(['serve'], { environment });
    t.equal(ran.code, 78);
    t.match(ran.stderr, /^Platen cannot start\. The shared database has schema 9999/);
    t.equal(ran.stderr.trim().split('\n').length, 1);
  });

  await t.test('a host that does not answer is passed over', async (t) => {
    postgres.sql('platen', 'UPDATE platen_cluster SET schema = 1');
    const spare = await freePort();
    const several = `postgres://postgres@127.0.0.1:${spare},${at}/platen`;
    const node = await startNode(t, several, join(folder, 'several'));
    t.ok(node.shared.state.isConnected || node.shared.state.position > 0);
    await node.close();
  });

  await t.test(
    'platen migrate counts what arrived, and leaves an unwritten copy alone',
    async (t) => {
      const moved = postgres.createDatabase('moved');
      const data = join(folder, 'moved');
      const environment = { PLATEN_DATA_DIR: data };
      const shared = { ...environment, PLATEN_DATABASE_URL: moved };
      const there = ['migrate', '--from', 'sqlite', '--to', 'postgres', '--json'];
      const made = await runPlaten(['org', 'create', 'Anna', '--json'], { environment });
      t.equal(made.code, 0, made.stderr);
      const rowsCount = storeTable(data);

      postgres.sql('moved', losesRows);
      const lost = await runPlaten(there, { environment: shared });
      t.match(lost, {
        code: 78,
        stdout: /members .* has 5000 rows in its file .* and 0 in PostgreSQL/,
      });
      t.equal((await runPlaten(['org', 'list'], { environment })).code, 0, 'nothing was changed');
      postgres.sql('moved', 'DROP TABLE platen_table_rows');
      t.equal(await findIdleLimit(data, moved), '0', 'a large file may be read');
      const first = await runPlaten(there, { environment: shared });
      t.equal(first.code, 0, first.stderr);
      const figures = postgres.sql('moved', 'SELECT row_count FROM data_tables').trim();
      t.equal(figures, String(rowsCount), 'wrong figures are corrected');
      const alone = await runPlaten(['org', 'list'], { environment });
      t.equal(alone.code, 78, 'a copy is not written alone');
      const backup = await runPlaten(['backup', join(folder, 'backup.db')], { environment });
      t.match(backup.stderr, /is a copy of a shared database.*pg_dump/);
      const key = await runPlaten(['key', 'create', 'second', '--json'], { environment: shared });
      t.equal(key.code, 0, key.stderr);
      t.equal(postgres.sql('moved', 'SELECT count(*) FROM api_keys').trim(), '2');
    },
  );
});

/** A table that takes rows and keeps none. */
const losesRows = `CREATE TABLE platen_table_rows (
    file bigint NOT NULL, key bytea NOT NULL, cells text NOT NULL, revision bigint NOT NULL, PRIMARY KEY (file, key));
  CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER lose BEFORE INSERT ON platen_table_rows FOR EACH ROW EXECUTE FUNCTION lose()`;

/** How long the connection of a move may say nothing; the move fails. */
async function findIdleLimit(dataDirectory: string, url: string): Promise<unknown> {
  const address = parseDatabaseUrl(url);
  if (address === undefined) throw new Error(`${url} is no address.`);
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  let limit: unknown;
  const part: MovedPart = {
    prepare: () => undefined,
    async save(connection) {
      const [row] = await connection.query('SHOW idle_in_transaction_session_timeout');
      limit = row?.[0];
      throw new StoreError('IO', 'The disk is gone.');
    },
    load: () => Promise.resolve(),
    compare: () => Promise.reject(new Error('Nothing was saved.')),
  };
  const move = moveToPostgres(db, address, { rows: part });
  await move.catch(() => undefined);
  db.close();
  return limit;
}

/** Gives the one organization of a data folder a table, as a service leaves it that was killed in a change; returns the number of its rows. */
function storeTable(dataDirectory: string): number {
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  const tables = createTableStore(db, join(dataDirectory, 'tables'));
  const [organization] = createOrganizationStore(db).listOrganizations();
  const { fileId, path } = tables.newFile();
  const writer = createRowFile(path);
  const count = 5000;
  for (let row = 0; row < count; row += 1) {
    writer.insert(row, `k${row}`, JSON.stringify([`k${row}`, `Name ${row}`]));
  }
  const content = { fileId, key: 'id', columns: ['id', 'name'], ...writer.finish() };
  tables.replaceTable(organization?.uid ?? '', 'members', { ...content, rows: count - 1 });
  tables.close();
  db.close();
  return count;
}
