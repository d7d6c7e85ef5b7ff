import t from 'tap';
import { createStores, openStores, publishSample } from './store-fixture.ts';

const dayMs = 24 * 60 * 60 * 1000;

t.test('templates are listed by how often they were drawn of late', (t) => {
  const stores = createStores(t);
  const { use, clock } = stores;
  for (const uid of ['a', 'b', 'c']) publishSample(stores, uid);
  for (let count = 0; count < 10; count += 1) use.count('a');
  for (let count = 0; count < 6; count += 1) use.count('b');
  t.same(use.mostUsed(5), [], 'nothing is read that was not written');
  use.flush();
  t.same(use.mostUsed(5), ['a', 'b']);
  t.same(use.mostUsed(1), ['a']);
  clock.nowMs = 7 * dayMs;
  use.count('b');
  use.count('nobody');
  use.flush();
  t.same(use.mostUsed(5), ['a', 'b'], '10 of a week ago weigh 5; 6 and one of today weigh 4');
  use.count('b');
  use.count('b');
  use.flush();
  t.same(use.mostUsed(5), ['b', 'a']);
  t.end();
});

t.test('what a lock keeps from being written is counted with the next', (t) => {
  const stores = createStores(t);
  const { use, db } = stores;
  publishSample(stores, 'a');
  publishSample(stores, 'b');
  db.pragma('busy_timeout = 0');
  const other = openStores(t, stores.path);
  use.count('a');
  use.count('a');
  other.db.exec('BEGIN IMMEDIATE');
  t.throws(() => use.flush(), { code: 'BUSY' });
  other.db.exec('ROLLBACK');
  use.count('b');
  use.flush();
  t.same(use.mostUsed(5), ['a', 'b']);
  t.end();
});

t.test('an archived template is not reported', (t) => {
  const stores = createStores(t);
  const { use, db } = stores;
  publishSample(stores, 'gone');
  use.count('gone');
  use.flush();
  db.exec("UPDATE templates SET archived_at = '2030-01-01T00:00:00.000Z' WHERE uid = 'gone'");
  t.same(use.mostUsed(5), []);
  t.end();
});

t.test('what was published is reported once, also when another process did it', (t) => {
  const fresh = createStores(t);
  publishSample(fresh, 'before');
  t.same(fresh.use.newlyPublished(), [], 'what was there is not new');
  const other = openStores(t, fresh.path);
  publishSample(other, 'second');
  publishSample(other, 'third');
  t.same(fresh.use.newlyPublished().toSorted(), ['second', 'third']);
  t.same(fresh.use.newlyPublished(), []);
  t.end();
});

t.test('what is counted is written in parts beside requests', (t) => {
  const stores = createStores(t);
  const { use, db } = stores;
  const insert = db.prepare(
    `INSERT INTO assets (organization_uid, digest, format, width_px, height_px, orientation, pixel_ratio,
                         size_bytes, created_at, saved_at, bytes)
     VALUES ('org_a', ?, 'png', 1, 1, 1, 1, 1, '2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z', x'00')`,
  );
  publishSample(stores, 'a');
  const digests = Array.from({ length: 1200 }, (_, index) => String(index).padStart(64, '0'));
  db.transaction(() => {
    for (const digest of digests) insert.run(digest);
  })();
  use.count('a');
  for (const digest of digests) use.noteAsset('org_a', `asset:${digest}`);
  const written = db.prepare('SELECT count(*) FROM asset_use').pluck();
  const parts: unknown[] = [];
  for (let isMore = true; isMore; parts.push(written.get())) isMore = use.flushPart();
  t.same(parts, [499, 999, 1200], 'the count of a template is one of the first 500 rows');
  t.same(use.mostUsed(1), ['a']);
  t.equal(use.flushPart(), false, 'nothing waits');
  t.end();
});
