import t from 'tap';
import {
  createStores,
  holdLock,
  insertAssets,
  openStores,
  publishSample,
} from './store-fixture.ts';

const dayMs = 24 * 60 * 60 * 1000;

t.test('templates are listed by how often they were drawn of late', async (t) => {
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
  stores.templates.archive('org_a', 'b');
  t.same(use.mostUsed(5), ['a'], 'an archived template is not reported');
});

t.test('what a lock keeps from being written is counted with the next', async (t) => {
  const stores = createStores(t);
  const { use } = stores;
  publishSample(stores, 'a');
  publishSample(stores, 'b');
  use.count('a');
  use.count('a');
  const release = holdLock(t, stores);
  t.throws(() => use.flush(), { code: 'BUSY' });
  release();
  use.count('b');
  use.flush();
  t.same(use.mostUsed(5), ['a', 'b']);
});

t.test('what was published is reported once, also when another process did it', async (t) => {
  const fresh = createStores(t);
  publishSample(fresh, 'before');
  t.same(fresh.use.newlyPublished(), [], 'what was there is not new');
  const other = openStores(t, fresh.path);
  publishSample(other, 'second');
  publishSample(other, 'third');
  t.same(fresh.use.newlyPublished().toSorted(), ['second', 'third']);
  t.same(fresh.use.newlyPublished(), []);
});

t.test('what is counted is written in parts beside requests', async (t) => {
  const stores = createStores(t);
  const { use, db } = stores;
  publishSample(stores, 'a');
  use.count('a');
  for (const id of insertAssets(stores, 1200)) use.noteAsset('org_a', id);
  const written = db.prepare('SELECT count(*) FROM asset_use').pluck();
  const parts: unknown[] = [];
  for (let isMore = true; isMore; parts.push(written.get())) isMore = use.flushPart();
  t.same(parts, [499, 999, 1200], 'the count of a template is one of the first 500 rows');
  t.same(use.mostUsed(1), ['a']);
  t.equal(use.flushPart(), false, 'nothing waits');
});
