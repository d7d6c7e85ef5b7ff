import t from 'tap';
import { AssetCollector, collectUnusedAssets } from '../../src/store/assets/asset-collector.ts';
import {
  createStores,
  holdLock,
  imageLayer,
  insertAssets,
  pngHeader as header,
  publishSample,
  saveSample,
} from './store-fixture.ts';

const dayMs = 24 * 60 * 60 * 1000;

t.test('an old upload goes when no draft and no version names it, and never before', async (t) => {
  const stores = createStores(t);
  const { assets, db } = stores;
  stores.organizations.createOrganization('B', 'org_b');
  const [unused, drafted, versioned, foreign] = ['u', 'd', 'v', 'f'].map((text) =>
    assets.saveAsset('org_a', Buffer.from(text), header),
  ) as [string, string, string, string];
  assets.saveAsset('org_b', Buffer.from('f'), header);
  saveSample(stores, 'draft', { layers: [imageLayer(drafted)] });
  publishSample(stores, 'published', { layers: [imageLayer(versioned)] });
  saveSample(stores, 'published');
  saveSample(stores, 'other', { layers: [imageLayer(foreign)] }, 'org_b');
  const collect = (days: number): Promise<unknown> =>
    collectUnusedAssets(db, assets, 7 * dayMs, Date.now() + days * dayMs);
  t.same(await collect(6), { deleted: 0, bytes: 0 }, 'young');
  t.same(await collect(8), { deleted: 2, bytes: 2 });
  t.equal(assets.findAsset('org_a', unused), undefined);
  t.equal(
    assets.findAsset('org_a', foreign),
    undefined,
    'another organization’s template counts not',
  );
  t.ok(assets.findAsset('org_a', drafted));
  t.ok(assets.findAsset('org_a', versioned));
  t.ok(assets.findAsset('org_b', foreign));
});

t.test('a collection waits for another process’s lock, and its thread does not', async (t) => {
  const stores = createStores(t);
  const { assets, db } = stores;
  const id = assets.saveAsset('org_a', Buffer.from('u'), header);
  const release = holdLock(t, stores);
  let attempts = 0;
  const metTwice = Promise.withResolvers<undefined>();
  const counted = {
    deleteAsset: (organizationUid: string, assetId: string) => {
      attempts += 1;
      if (attempts === 2) metTwice.resolve(undefined);
      return assets.deleteAsset(organizationUid, assetId);
    },
  };
  const collected = collectUnusedAssets(db, counted, dayMs, Date.now() + 2 * dayMs);
  await Promise.race([metTwice.promise, collected]);
  t.ok(assets.findAsset('org_a', id), 'it is there while the lock is');
  release();
  t.same(await collected, { deleted: 1, bytes: 1 });
});

t.test('an asset that only links draw stays as long as they do', async (t) => {
  const { assets, db, use, clock } = createStores(t);
  const [drawn, unused] = ['x', 'y'].map((text) =>
    assets.saveAsset('org_a', Buffer.from(text), header),
  ) as [string, string];
  db.prepare('UPDATE assets SET saved_at = ?').run('2029-01-01T00:00:00.000Z');
  const nowMs = Date.UTC(2030, 0, 1);
  use.noteAsset('org_a', drawn);
  use.noteAsset('org_a', `asset:${'0'.repeat(64)}`);
  use.flush();
  const collect = (days: number): Promise<unknown> =>
    collectUnusedAssets(db, assets, 7 * dayMs, nowMs + days * dayMs);
  t.same(await collect(7), { deleted: 1, bytes: 1 });
  t.ok(assets.findAsset('org_a', drawn));
  t.equal(assets.findAsset('org_a', unused), undefined);
  clock.nowMs = 5 * dayMs;
  use.noteAsset('org_a', drawn);
  use.flush();
  t.same(await collect(8), { deleted: 0, bytes: 0 }, 'drawn again on the sixth day');
  t.same(await collect(13), { deleted: 1, bytes: 1 });
  t.equal(db.prepare('SELECT count(*) FROM asset_use').pluck().get(), 0);
});

t.test('a use is written once a day, however often an image is drawn', async (t) => {
  const { assets, db, use } = createStores(t);
  const id = assets.saveAsset('org_a', Buffer.from('x'), header);
  use.noteAsset('org_a', id);
  use.flush();
  const changes = db.prepare('SELECT total_changes()').pluck();
  const before = changes.get();
  use.noteAsset('org_a', id);
  use.flush();
  t.equal(changes.get(), before);
});

t.test('the same upload again counts as new', async (t) => {
  const { assets, db } = createStores(t);
  const id = assets.saveAsset('org_a', Buffer.from('x'), header);
  db.prepare('UPDATE assets SET saved_at = ?').run('2020-01-01T00:00:00.000Z');
  assets.saveAsset('org_a', Buffer.from('x'), header);
  await collectUnusedAssets(db, assets, dayMs);
  t.ok(assets.findAsset('org_a', id));
});

t.test('what may be unused is looked at a page in a turn', async (t) => {
  const { assets, db, templates } = createStores(t);
  const ids = insertAssets({ db }, 1101);
  // All but the last one.
  const named = ids.slice(0, -1).join(' ');
  saveSample({ templates }, 'hello', { variables: [{ name: 'n', type: 'text', value: named }] });
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  t.same(await collectUnusedAssets(db, assets, dayMs), { deleted: 1, bytes: 1 });
  clearImmediate(next);
  t.ok(turns >= 3, `${turns} turns for three pages`);
});

t.test('a collection runs at once, and its failure is reported', async (t) => {
  const reported: unknown[] = [];
  const tell = (what: unknown): void => void reported.push(what);
  const done = { deleted: 1, bytes: 2 };
  const fail = (): unknown => t.fail();
  await new AssetCollector(() => Promise.resolve(done), tell, fail).close();
  const broken = new Error('no disk');
  await new AssetCollector(() => Promise.reject(broken), fail, tell).close();
  t.same(reported, [done, broken]);
});
