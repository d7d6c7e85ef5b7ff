import { createHash } from 'node:crypto';
import t from 'tap';
import { assetBytesMax } from '../../src/store/assets/asset-row.ts';
import {
  createStores,
  createTwoOrganizations,
  insertAssets,
  openStores,
  readOne,
} from './store-fixture.ts';

const header = { format: 'jpeg', widthPx: 30, heightPx: 20, orientation: 6 } as const;
const bytes = Buffer.from('an image, as far as the store is concerned');
const digest = createHash('sha256').update(bytes).digest('hex');

t.test('an asset comes back as saved, in shared memory, the same object each time', async (t) => {
  const stores = createStores(t);
  t.equal(stores.assets.saveAsset('org_a', bytes, header), `asset:${digest}`);
  const found = await stores.assets.findAsset('org_a', `asset:${digest}`);
  t.match(found, { ...header, digest });
  t.ok(found?.bytes.buffer instanceof SharedArrayBuffer);
  t.ok(bytes.equals(found?.bytes ?? new Uint8Array()));
  t.equal(found?.bytes.buffer.byteLength, bytes.byteLength, 'not a slice of something larger');
  stores.db.close();
  t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), found, 'no second read');
});

t.test('a file that many read is one copy, until it is deleted', async (t) => {
  const stores = createStores(t);
  // More than is kept.
  const large = Buffer.alloc(assetBytesMax, 'large');
  const ids = [large, bytes].map((file) => stores.assets.saveAsset('org_a', file, header));
  for (const id of ids) {
    const file = await stores.assets.findFile('org_a', id);
    t.equal((await stores.assets.findFile('org_a', id))?.bytes, file?.bytes);
    t.equal(file?.type, 'image/jpeg');
    t.equal(stores.assets.findFile('org_b', id), undefined);
    stores.assets.deleteAsset('org_a', id);
    t.equal(stores.assets.findFile('org_a', id), undefined);
  }
});

t.test('the same bytes are stored once an organization, for it alone', async (t) => {
  const stores = createTwoOrganizations(t);
  for (const organization of ['org_a', 'org_a']) {
    t.equal(stores.assets.saveAsset(organization, bytes, header), `asset:${digest}`);
  }
  t.ok(stores.assets.findAsset('org_a', `asset:${digest}`));
  t.equal(stores.assets.findAsset('org_b', `asset:${digest}`), undefined);
  stores.assets.saveAsset('org_b', bytes, header);
  t.equal(readOne(stores, 'SELECT count(*) FROM assets'), 2);
});

t.test('an id without a stored asset finds nothing', async (t) => {
  const { assets } = createStores(t);
  const ids = ['', 'asset:', `asset:${digest}`, `asset:${'z'.repeat(64)}`, `asset:${digest}0`];
  for (const id of [digest, ...ids]) t.equal(assets.findAsset('org_a', id), undefined);
});

t.test('what another process uploads is found at once', async (t) => {
  const stores = createStores(t);
  t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), undefined);
  openStores(t, stores.path).assets.saveAsset('org_a', bytes, header);
  t.ok(stores.assets.findAsset('org_a', `asset:${digest}`));
});

t.test('no bytes, too many, and an unknown organization are refused', async (t) => {
  const { assets } = createStores(t);
  t.throws(() => assets.saveAsset('org_a', Buffer.alloc(0), header), { code: 'INVALID' });
  const large = Buffer.alloc(32 * 1024 * 1024 + 1);
  const tooLarge = { code: 'INVALID', message: /33554433/ };
  t.throws(() => assets.saveAsset('org_a', large, header), tooLarge);
  t.throws(() => assets.saveAsset('org_none', bytes, header), { code: 'INVALID' });
  const turned = { ...header, orientation: 9 };
  t.throws(() => assets.saveAsset('org_a', bytes, turned), { code: 'INVALID' });
});

t.test('an organization has at most 100,000 assets, whatever their size', async (t) => {
  const stores = createStores(t);
  const [first = '', ...others] = insertAssets(stores, 100_000);
  t.equal(others.length, 99_999);
  t.throws(() => stores.assets.saveAsset('org_a', bytes, header), {
    name: 'QuotaError',
    message: /has 100000 assets/,
  });
  t.ok(stores.assets.deleteAsset('org_a', first));
  t.ok(stores.assets.saveAsset('org_a', bytes, header), 'one that is deleted leaves its place');
});

t.test('a damaged asset is an error and never a broken image', async (t) => {
  const stores = createStores(t);
  const id = stores.assets.saveAsset('org_a', bytes, header);
  const damages = ["bytes = x'01'", "format = 'tiger'"];
  for (const change of damages) {
    const work = stores.db.transaction(() => {
      stores.db.exec(`UPDATE assets SET ${change}`);
      const error = { name: 'StoreError', code: 'CORRUPT', message: new RegExp(digest) };
      t.throws(() => stores.assets.findAsset('org_a', id), error);
      throw new Error('take it back');
    });
    t.throws(work, { message: 'take it back' });
  }
  t.ok(stores.assets.findAsset('org_a', id));
  stores.assets.close();
  t.ok(stores.assets.findAsset('org_a', id), 'closing only forgets what is in memory');
});

t.test('the drawing of an SVG tells that HTML in its file is not drawn', async (t) => {
  const { assets } = createStores(t);
  const isReported = async (inside: string): Promise<true | undefined> => {
    const file = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
    const id = assets.saveAsset('org_a', file, header, bytes);
    return (await assets.findAsset('org_a', id))?.hasForeignObject;
  };
  t.equal(await isReported('<foreignObject width="9" height="9"/>'), true);
  t.equal(await isReported('<rect width="9" height="9"/>'), undefined);
});

t.test('an upload that is taken back is not remembered', async (t) => {
  const stores = createStores(t);
  const work = stores.db.transaction(() => {
    t.ok(stores.assets.findAsset('org_a', stores.assets.saveAsset('org_a', bytes, header)));
    throw new Error('no');
  });
  t.throws(work);
  t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), undefined);
});

t.test('a large asset is read in another thread, once for all that ask', async (t) => {
  const stores = createStores(t);
  const { assets, db } = stores;
  const large = Buffer.alloc(1024 * 1024, 'large');
  const id = assets.saveAsset('org_a', large, header);
  const reads = [assets.findAsset('org_a', id), assets.findAsset('org_a', id)];
  t.ok(reads.every((read) => read instanceof Promise));
  const [first, second] = await Promise.all(reads.map(async (read) => read));
  t.equal(first, second);
  t.ok(large.equals(first?.bytes ?? new Uint8Array()));
  t.equal(assets.findAsset('org_a', id), first);

  const other = Buffer.alloc(1024 * 1024, 'other');
  const gone = assets.saveAsset('org_a', other, header);
  const reading = assets.findAsset('org_a', gone);
  assets.deleteAsset('org_a', gone);
  await reading;
  t.equal(assets.findAsset('org_a', gone), undefined, 'a deleted one is not kept');

  const damaged = assets.saveAsset('org_a', other, header);
  db.prepare('UPDATE assets SET bytes = ? WHERE digest = ?').run(
    Buffer.alloc(1024 * 1024, 'changed'),
    damaged.replace('asset:', ''),
  );
  await t.rejects(Promise.resolve(assets.findAsset('org_a', damaged)), { code: 'CORRUPT' });
});
