import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase, writeNote, writeTransaction } from '../../src/store/database/database.ts';
import { createStores, openStores } from './store-fixture.ts';

t.test('a new database has the settings that keep every commit', async (t) => {
  const path = join(t.testdir(), 'deep', 'er', 'platen.sqlite');
  const db = openDatabase(path);
  t.teardown(() => db.close());
  const simple = (pragma: string): unknown => db.pragma(pragma, { simple: true });
  t.equal(simple('journal_mode'), 'wal');
  t.equal(simple('synchronous'), 2, 'FULL');
  t.equal(simple('foreign_keys'), 1);
  t.equal(simple('trusted_schema'), 0);
  t.equal(simple('busy_timeout'), 2000);
  t.equal(simple('journal_size_limit'), 64 * 1024 * 1024);
  t.equal(statSync(join(path, '..')).mode & 0o777, 0o700, 'the folder is the owner’s alone');
  const internal = db
    .prepare<[], { name: string; strict: number }>(
      "SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite%'",
    )
    .all();
  const tables = [
    'api_keys asset_use assets brand_kits campaign_runs campaign_warm_use campaigns',
    'contact_key data_tables document_references failing_templates first_open_counts',
    'first_opens fonts idempotent_requests link_errors link_statistics link_use',
    'lost_renders node_tables organizations short_links signing_keys template_access template_comments',
    'template_labels template_use template_versions templates unindexed_documents',
    'webhook_deliveries webhooks',
  ];
  const names = internal.map(({ name }) => name).toSorted();
  t.equal(names.join(' '), tables.join(' '));
  for (const { name, strict } of internal) t.equal(strict, 1, `${name} is STRICT`);
});

t.test('its files are the owner’s alone, also when they were not', async (t) => {
  const directory = t.testdir();
  const path = join(directory, 'platen.sqlite');
  const files = [path, `${path}-wal`, `${path}-shm`];
  const modes = (): number[] => files.map((file) => statSync(file).mode & 0o777);
  const first = openDatabase(path);
  t.teardown(() => first.close());
  t.same(modes(), [0o600, 0o600, 0o600]);
  t.equal(statSync(join(directory, 'platen.marker')).mode & 0o777, 0o600);
  for (const file of files) chmodSync(file, 0o644);
  openDatabase(path).close();
  t.same(modes(), [0o600, 0o600, 0o600], 'tightened');
});

t.test('a file that is no database is refused with what to do', async (t) => {
  const path = join(t.testdir(), 'platen.sqlite');
  writeFileSync(path, 'this is not a database, it is a letter to my aunt. '.repeat(400));
  const message = /platen\.sqlite failed: .* restore the newest backup/;
  t.throws(() => openDatabase(path), { name: 'StoreError', code: 'CORRUPT', message });
});

t.test('a path that cannot hold a file is refused with what to do', async (t) => {
  const directory = t.testdir({ file: 'x' });
  mkdirSync(join(directory, 'platen.sqlite'));
  t.throws(() => openDatabase(join(directory, 'platen.sqlite')), { code: 'IO' });
  t.throws(() => openDatabase(join(directory, 'file', 'platen.sqlite')), { code: 'IO' });
});

t.test('a transaction that throws leaves nothing, and a bug keeps its own error', async (t) => {
  const { db, organizations } = createStores(t);
  const work = (): void => {
    organizations.createOrganization('B', 'org_b');
    throw new RangeError('a bug');
  };
  t.throws(() => writeTransaction(db, 'Testing', work), new RangeError('a bug'));
  t.equal(organizations.findOrganization('org_b'), undefined);
});

t.test('a note does not wait for the lock and leaves the settings as they were', async (t) => {
  const stores = createStores(t);
  const other = openStores(t, stores.path);
  const rename = stores.db.prepare("UPDATE organizations SET name = 'noted'");
  other.db.exec('BEGIN IMMEDIATE');
  let waitsMs: unknown;
  const note = (): void => {
    waitsMs = stores.db.pragma('busy_timeout', { simple: true });
    rename.run();
  };
  t.equal(writeNote(stores.db, note), false);
  t.equal(waitsMs, 0, 'the usual wait is 2 s');
  other.db.exec('ROLLBACK');
  t.equal(writeNote(stores.db, note), true);
  t.equal(stores.organizations.findOrganization('org_a')?.name, 'noted');
  t.equal(stores.db.pragma('synchronous', { simple: true }), 2);
  t.equal(stores.db.pragma('busy_timeout', { simple: true }), 2000);
  stores.db.pragma('busy_timeout = 0');
  writeNote(stores.db, () => rename.run());
  t.equal(stores.db.pragma('busy_timeout', { simple: true }), 0);
});

t.test('a connection that must not wait gives a lock back at once', async (t) => {
  const { path } = createStores(t);
  const db = openDatabase(path, { lockWaitMs: 0 });
  t.teardown(() => db.close());
  t.equal(db.pragma('busy_timeout', { simple: true }), 0);
});
