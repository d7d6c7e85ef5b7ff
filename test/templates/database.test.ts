import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase, writeNote, writeTransaction } from '../../src/store/database/database.ts';
import { createStores, openStores, publishSample, saveSample } from './store-fixture.ts';

t.test('a new database has the settings that keep every commit', (t) => {
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
  t.same(internal.map(({ name }) => name).toSorted(), [
    'api_keys',
    'asset_use',
    'assets',
    'brand_kits',
    'campaign_runs',
    'campaign_warm_use',
    'campaigns',
    'contact_key',
    'data_tables',
    'document_references',
    'failing_templates',
    'first_open_counts',
    'first_opens',
    'fonts',
    'idempotent_requests',
    'link_errors',
    'link_statistics',
    'link_use',
    'lost_renders',
    'node_tables',
    'organizations',
    'short_links',
    'signing_keys',
    'template_comments',
    'template_labels',
    'template_use',
    'template_versions',
    'templates',
    'unindexed_documents',
    'webhook_deliveries',
    'webhooks',
  ]);
  t.ok(
    internal.every(({ strict }) => strict === 1),
    'every table is STRICT',
  );
  t.end();
});

t.test('its files are the owner’s alone, also when they were not', (t) => {
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
  t.end();
});

t.test('a file that is no database is refused with what to do', (t) => {
  const path = join(t.testdir(), 'platen.sqlite');
  writeFileSync(path, 'this is not a database, it is a letter to my aunt. '.repeat(400));
  t.throws(() => openDatabase(path), {
    name: 'StoreError',
    code: 'CORRUPT',
    message: /platen\.sqlite failed: .* restore the newest backup/,
  });
  t.end();
});

t.test('a path that cannot hold a file is refused with what to do', (t) => {
  const directory = t.testdir({ file: 'x' });
  mkdirSync(join(directory, 'platen.sqlite'));
  t.throws(() => openDatabase(join(directory, 'platen.sqlite')), { code: 'IO' });
  t.throws(() => openDatabase(join(directory, 'file', 'platen.sqlite')), { code: 'IO' });
  t.end();
});

t.test('a full disk fails the write with a sentence, changes nothing, and reads go on', (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const pages = Number(stores.db.pragma('page_count', { simple: true }));
  stores.db.pragma(`max_page_count = ${pages}`);
  const bytes = Buffer.alloc(1024 * 1024, 7);
  const header = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 } as const;
  t.throws(() => stores.assets.saveAsset('org_a', bytes, header), {
    name: 'StoreError',
    code: 'FULL',
    message: /^Saving asset [0-9a-f]{64} failed: .*Free some space/,
  });
  t.equal(stores.db.inTransaction, false);
  t.equal(stores.db.prepare('SELECT count(*) FROM assets').pluck().get(), 0);
  t.equal(stores.templates.findPublished('hello')?.version, 1);
  stores.db.pragma('max_page_count = 100000');
  t.match(stores.assets.saveAsset('org_a', bytes, header), /^asset:/);
  t.end();
});

t.test('a database that cannot be written says so and goes on reading', (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  stores.db.pragma('query_only = ON');
  t.throws(() => saveSample(stores, 'other'), { code: 'READONLY', message: /permissions/ });
  t.equal(stores.templates.findPublished('hello')?.version, 1);
  t.end();
});

t.test('a lock that another process keeps fails the write and no read', (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const other = openStores(t, stores.path);
  other.db.exec('BEGIN IMMEDIATE');
  stores.db.pragma('busy_timeout = 0');
  t.throws(() => saveSample(stores, 'other'), { code: 'BUSY', message: /Try again/ });
  t.equal(stores.templates.findPublished('hello')?.version, 1);
  t.equal(stores.templates.listTemplates('org_a', 20, 0).total, 1);
  other.db.exec('ROLLBACK');
  t.equal(saveSample(stores, 'other').created, true);
  t.end();
});

t.test('a transaction that throws leaves nothing behind, and a bug keeps its own error', (t) => {
  const { db, organizations } = createStores(t);
  const work = (): void => {
    organizations.createOrganization('B', 'org_b');
    throw new RangeError('a bug');
  };
  t.throws(() => writeTransaction(db, 'Testing', work), new RangeError('a bug'));
  t.equal(organizations.findOrganization('org_b'), undefined);
  t.end();
});

t.test('a note does not wait for the lock and leaves the settings as they were', (t) => {
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
  t.equal(
    writeNote(stores.db, () => rename.run()),
    true,
  );
  t.equal(stores.organizations.findOrganization('org_a')?.name, 'noted');
  t.equal(stores.db.pragma('synchronous', { simple: true }), 2);
  t.equal(stores.db.pragma('busy_timeout', { simple: true }), 2000);
  stores.db.pragma('busy_timeout = 0');
  writeNote(stores.db, () => rename.run());
  t.equal(stores.db.pragma('busy_timeout', { simple: true }), 0);
  t.end();
});

t.test('a connection that must not wait gives a lock back at once', (t) => {
  const { path } = createStores(t);
  const db = openDatabase(path, { lockWaitMs: 0 });
  t.teardown(() => db.close());
  t.equal(db.pragma('busy_timeout', { simple: true }), 0);
  t.end();
});
