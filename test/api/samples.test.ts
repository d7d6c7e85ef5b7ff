import t from 'tap';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';

const pool = await sharePool();

t.test('every organization sees the samples, draws them, and makes one its own', async (t) => {
  const { call, otherKey, service } = await startOrganizationApi(t, pool);
  const { assets } = service.stores;
  const { samples } = (await call('GET', '/v1/samples')).body as {
    samples: { uid: string; name: string; category: string; width: number; height: number }[];
  };
  t.match(
    samples.find(({ uid }) => uid === 'welcome-banner'),
    { name: 'Welcome banner', category: 'samples', lang: 'en', width: 1200, height: 630 },
  );

  const read = await call('GET', '/v1/samples/welcome-banner');
  const [id = ''] = /asset:[0-9a-f]{64}/.exec(read.text) ?? [];
  t.ok(service.samples.findImage(id), 'its images are known by their ids');
  const drawn = await call('POST', '/v1/preview', { body: { template: read.body } });
  t.equal(drawn.status, 200, 'so it is drawn before it is copied');
  t.equal(drawn.headers.get('x-render-warnings'), null);
  t.match(await call('POST', '/v1/templates', { body: read.body }), {
    status: 400,
    text: /asset/,
  });

  const body = { uid: 'mine', name: 'My banner' };
  const copied = await call('POST', '/v1/samples/welcome-banner/copy', { body });
  t.equal(copied.status, 201, copied.text);
  t.match(copied.body, { uid: 'mine', version: null });
  t.equal(copied.headers.get('location'), '/v1/templates/mine');
  const document = await call('GET', '/v1/templates/mine/document');
  t.same(document.body, { ...(read.body as object), name: 'My banner' });
  const stored = await assets.findFile('org_a', id);
  t.match(readImageHeader(stored?.bytes ?? Buffer.alloc(0)), { format: 'jpeg' });
  t.equal(assets.findFile('org_b', id), undefined, 'another organization has none of it');
  t.equal((await call('POST', '/v1/templates/mine/publish')).status, 200);
  t.equal((await service.get('mine')).status, 200);

  const taken = await call('POST', '/v1/samples/quote/copy', { body: { uid: 'mine' } });
  t.equal(taken.status, 409);
  const again = await call('POST', '/v1/samples/quote/copy', { key: otherKey });
  t.match(again.body, { uid: /^tpl_/ });
});

t.test('a sample has an image for thumbnails, and starts have categories', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const { samples } = (await call('GET', '/v1/samples')).body as {
    samples: { uid: string; category: string; lang: string }[];
  };
  t.match(
    samples.find(({ uid }) => uid === 'cart-hebrew'),
    { category: 'shop', lang: 'he' },
  );
  const first = await call('GET', '/v1/samples/cart-hebrew/image');
  t.equal(first.status, 200);
  t.equal(first.headers.get('content-type'), 'image/webp');
  t.match(first.headers.get('cache-control'), /private, max-age/);
  const again = await call('GET', '/v1/samples/cart-hebrew/image');
  t.equal(again.text, first.text);
  t.equal((await call('GET', '/v1/samples/nothing/image')).status, 404);
});

t.test('a copy that fails leaves nothing behind', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const path = '/v1/samples/welcome-banner/copy';
  t.equal((await call('POST', path, { body: { uid: 'mine' } })).status, 201);
  const { assets } = service.stores;
  const kept = assets.listAssets('org_a', 100, 0).total;
  t.equal(
    (await call('POST', '/v1/samples/event-ticket/copy', { body: { uid: 'mine' } })).status,
    409,
  );
  t.equal(assets.listAssets('org_a', 100, 0).total, kept, 'no image without its template');
  t.equal((await call('POST', '/v1/samples/nothing/copy')).status, 404);
  t.equal((await call('GET', '/v1/samples/nothing')).status, 404);
});
