import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { loadMigrations, migrateDatabase } from '../../src/store/database/migrate.ts';

const shipped = new URL('../../data/migrations/', import.meta.url).pathname;
const databaseModule = new URL('../../src/store/database/database.ts', import.meta.url).href;

t.test('each migration is applied once, in order, and counted', async (t) => {
  const db = openDatabase(join(t.testdir(), 'platen.sqlite'));
  t.teardown(() => db.close());
  const migrations = loadMigrations(shipped);
  t.equal(db.pragma('user_version', { simple: true }), migrations.length);
  const more = [
    ...migrations,
    { version: migrations.length + 1, name: '0-a.sql', sql: 'CREATE TABLE a (x) ' },
    { version: migrations.length + 2, name: '0-b.sql', sql: 'ALTER TABLE a ADD COLUMN y' },
  ];
  migrateDatabase(db, more);
  migrateDatabase(db, more);
  t.equal(db.pragma('user_version', { simple: true }), more.length);
  t.match(db.pragma('table_info(a)'), [{ name: 'x' }, { name: 'y' }]);
});

t.test('a migration that fails leaves the database as it was', async (t) => {
  const db = openDatabase(join(t.testdir(), 'platen.sqlite'));
  t.teardown(() => db.close());
  const migrations = loadMigrations(shipped);
  const step = (index: number, sql: string) => ({
    version: migrations.length + index,
    name: `00${index}-step.sql`,
    sql,
  });
  const good = step(1, 'CREATE TABLE good (x)');
  const bad = step(2, 'CREATE TABLE half (x); CREATE TABLE half (x)');
  t.throws(() => migrateDatabase(db, [...migrations, good, bad]), {
    code: 'SCHEMA',
    message: /^Migration 002-step\.sql failed: table half already exists\..*as it was before/,
  });
  db.pragma('foreign_keys = OFF');
  const orphan = step(
    1,
    `INSERT INTO api_keys (organization_uid, name, digest, prefix, created_at)
     VALUES ('org_none', 'x', zeroblob(32), '', '2030-01-01T00:00:00.000Z')`,
  );
  const refusal = { code: 'SCHEMA', message: /refer to nothing/ };
  t.throws(() => migrateDatabase(db, [...migrations, orphan]), refusal);
  t.equal(db.pragma('user_version', { simple: true }), migrations.length);
  const leftovers = db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('good', 'half')");
  t.same(leftovers.all(), []);
  t.equal(db.prepare('SELECT count(*) FROM api_keys').pluck().get(), 0);
});

t.test('a database of a newer version is refused with what to do', async (t) => {
  const path = join(t.testdir(), 'platen.sqlite');
  const db = openDatabase(path);
  const known = loadMigrations(shipped).length;
  db.pragma(`user_version = ${known + 4}`);
  db.close();
  t.throws(() => openDatabase(path), {
    code: 'SCHEMA',
    message: `${path} has schema ${known + 4}, but this version of Platen knows schemas up to ${known}: start the newer version again, or restore a backup made before the upgrade.`,
  });
});

t.test('a database of another program is refused and not touched', async (t) => {
  const path = join(t.testdir(), 'platen.sqlite');
  const db = openDatabase(path);
  db.pragma('application_id = 7');
  db.close();
  t.throws(() => openDatabase(path), { code: 'SCHEMA', message: /database of another program/ });
});

t.test('migration files that do not count from 001 without a gap are refused', async (t) => {
  const directory = t.testdir({
    gap: { '001-a.sql': '', '003-b.sql': '' },
    twice: { '001-a.sql': '', '001-b.sql': '' },
    odd: { '1-a.sql': '' },
    fine: { '002-b.sql': 'b', '001-a.sql': 'a', 'README.md': '' },
  });
  t.throws(() => loadMigrations(join(directory, 'gap')), { message: /003-b.*expected 002-<name>/ });
  t.throws(() => loadMigrations(join(directory, 'twice')), { code: 'SCHEMA' });
  t.throws(() => loadMigrations(join(directory, 'odd')), { code: 'SCHEMA' });
  t.same(loadMigrations(join(directory, 'fine')), [
    { version: 1, name: '001-a.sql', sql: 'a' },
    { version: 2, name: '002-b.sql', sql: 'b' },
  ]);
  t.equal(loadMigrations(shipped).length, readdirSync(shipped).length, 'no stray file is shipped');
});

t.test('processes that start at once on an empty folder do not both migrate', async (t) => {
  const path = join(t.testdir(), 'data', 'platen.sqlite');
  // Each waits for a line, so that all open the file in the same moment. Migrating twice would fail.
  const script = `
    import { openDatabase } from ${JSON.stringify(databaseModule)};
    process.stdin.once('data', () => {
      const db = openDatabase(${JSON.stringify(path)});
      process.stdout.write(String(db.pragma('user_version', { simple: true })));
      process.exit(0);
    });
    process.stdout.write('ready ');`;
  const children = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    const isReady = once(child.stdout, 'data');
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output.text += chunk.toString();
      });
    }
    return { child, output, isReady, hasClosed: once(child, 'close') };
  });
  await Promise.all(children.map(({ isReady }) => isReady));
  for (const { child } of children) child.stdin.write('go\n');
  await Promise.all(children.map(({ hasClosed }) => hasClosed));
  const version = loadMigrations(shipped).length;
  t.same(
    children.map(({ output }) => output.text),
    children.map(() => `ready ${version}`),
  );
});
