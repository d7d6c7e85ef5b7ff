import { createHash } from 'node:crypto';
import t from 'tap';
import { assetBytesMax } from '../../src/store/assets/asset-row.ts';
import { createStores, openStores } from './store-fixture.ts';

const header = { format: 'jpeg', widthPx: 30, heightPx: 20, orientation: 6 } as const;
const bytes = Buffer.from('an image, as far as the store is concerned');
const digest = createHash('sha256').update(bytes).digest('hex');

t.test(
  'an asset comes back as it was saved, in shared memory, the same object each time',
  async (t) => {
    const stores = createStores(t);
    t.equal(stores.assets.saveAsset('org_a', bytes, header), `asset:${digest}`);
    const found = await stores.assets.findAsset('org_a', `asset:${digest}`);
    t.match(found, { ...header, digest });
    t.ok(found?.bytes.buffer instanceof SharedArrayBuffer);
    t.ok(bytes.equals(found?.bytes ?? new Uint8Array()));
    t.equal(found?.bytes.buffer.byteLength, bytes.byteLength, 'not a slice of something larger');
    stores.db.close();
    t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), found, 'no second read');
  },
);

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

t.test('the same bytes are stored once an organization', (t) => {
  const stores = createStores(t);
  stores.organizations.createOrganization('B', 'org_b');
  for (const organization of ['org_a', 'org_a', 'org_b']) {
    t.equal(stores.assets.saveAsset(organization, bytes, header), `asset:${digest}`);
  }
  t.equal(stores.db.prepare('SELECT count(*) FROM assets').pluck().get(), 2);
  t.end();
});

t.test('an asset is its organization’s alone', (t) => {
  const stores = createStores(t);
  stores.organizations.createOrganization('B', 'org_b');
  const id = stores.assets.saveAsset('org_a', bytes, header);
  t.ok(stores.assets.findAsset('org_a', id));
  t.equal(stores.assets.findAsset('org_b', id), undefined);
  t.end();
});

t.test('what is no id of a stored asset finds nothing', (t) => {
  const { assets } = createStores(t);
  const ids = [
    '',
    digest,
    `asset:${digest}`,
    'asset:',
    `asset:${'z'.repeat(64)}`,
    `asset:${digest}0`,
  ];
  for (const id of ids) t.equal(assets.findAsset('org_a', id), undefined);
  t.end();
});

t.test('what another process uploads is found at once', (t) => {
  const stores = createStores(t);
  t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), undefined);
  openStores(t, stores.path).assets.saveAsset('org_a', bytes, header);
  t.ok(stores.assets.findAsset('org_a', `asset:${digest}`));
  t.end();
});

t.test('no bytes, too many, and an unknown organization are refused', (t) => {
  const { assets } = createStores(t);
  t.throws(() => assets.saveAsset('org_a', Buffer.alloc(0), header), { code: 'INVALID' });
  const large = Buffer.alloc(32 * 1024 * 1024 + 1);
  t.throws(() => assets.saveAsset('org_a', large, header), {
    code: 'INVALID',
    message: /33554433/,
  });
  t.throws(() => assets.saveAsset('org_none', bytes, header), { code: 'INVALID' });
  t.throws(() => assets.saveAsset('org_a', bytes, { ...header, orientation: 9 }), {
    code: 'INVALID',
  });
  t.end();
});

t.test('an organization has at most 100,000 assets, whatever their size', (t) => {
  const stores = createStores(t);
  const { changes } = stores.db
    .prepare(
      `WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers LIMIT 100000)
       INSERT INTO assets (organization_uid, digest, format, width_px, height_px, orientation, pixel_ratio,
                           size_bytes, created_at, saved_at, bytes)
       SELECT 'org_a', printf('%064d', number), 'png', 1, 1, 1, 1, 1, '2020-01-01T00:00:00.000Z',
              '2020-01-01T00:00:00.000Z', x'01' FROM numbers`,
    )
    .run();
  t.equal(changes, 100_000);
  t.throws(() => stores.assets.saveAsset('org_a', bytes, header), {
    name: 'QuotaError',
    message: /has 100000 assets/,
  });
  t.ok(stores.assets.deleteAsset('org_a', `asset:${'1'.padStart(64, '0')}`));
  t.ok(stores.assets.saveAsset('org_a', bytes, header), 'one that is deleted leaves its place');
  t.end();
});

t.test('a damaged asset is an error and never a broken image', (t) => {
  const stores = createStores(t);
  const id = stores.assets.saveAsset('org_a', bytes, header);
  const damages = ["bytes = x'01'", "format = 'tiger'"];
  for (const change of damages) {
    const work = stores.db.transaction(() => {
      stores.db.exec(`UPDATE assets SET ${change}`);
      t.throws(() => stores.assets.findAsset('org_a', id), {
        name: 'StoreError',
        code: 'CORRUPT',
        message: new RegExp(digest),
      });
      throw new Error('take it back');
    });
    t.throws(work, { message: 'take it back' });
  }
  t.ok(stores.assets.findAsset('org_a', id));
  stores.assets.close();
  t.ok(stores.assets.findAsset('org_a', id), 'closing only forgets what is in memory');
  t.end();
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

t.test('an upload that is taken back is not remembered', (t) => {
  const stores = createStores(t);
  const work = stores.db.transaction(() => {
    t.ok(stores.assets.findAsset('org_a', stores.assets.saveAsset('org_a', bytes, header)));
    throw new Error('no');
  });
  t.throws(work);
  t.equal(stores.assets.findAsset('org_a', `asset:${digest}`), undefined);
  t.end();
});
