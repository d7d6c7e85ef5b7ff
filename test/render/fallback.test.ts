import t from 'tap';
import type { Template } from '#shared/template-schema.ts';
import { readImageHeader } from '../../src/images/sniff-image.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

const withImage: Partial<Template> = {
  onError: 'image',
  variables: [
    { name: 'name', type: 'text', value: 'World' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [{ id: 'picture', type: 'image', x: 0, y: 0, width: 9, height: 9, src: '{{photo}}' }],
};

t.test('where a template asks for it, an error is answered with its default picture', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('card', withImage);
  for (const query of ['name=A&photo=nonsense', '_scale=9', `name=${'x'.repeat(2001)}`]) {
    const answer = await get(`card?${query}`);
    t.equal(answer.status, 200, query.slice(0, 20));
    t.equal(answer.headers.get('x-render-error'), 'BAD_REQUEST');
    t.equal(answer.headers.get('cache-control'), 'public, max-age=15');
    t.equal(answer.headers.get('etag'), null);
    t.equal(answer.headers.get('content-type'), 'image/png');
    t.match(await answer.json(), {
      values: [
        ['name', 'World'],
        ['photo', ''],
      ],
    });
  }
  t.match(records[0], { status: 200, cacheState: 'fallback', cause: 'url' });
  t.equal(records[1]?.cause, 'option');
});

t.test(
  'where the default cannot be drawn either, a plain card stands in, in the link’s format',
  async (t) => {
    const { get, publish } = await startService(t, { pool });
    for (const [extension, format, width] of [
      ['png', 'png', 401],
      ['jpg', 'jpeg', 402],
      ['webp', 'webp', 403],
      ['avif', 'avif', 404],
    ] as const) {
      // A document each: two losses quarantine one.
      publish(`broken-${format}`, { width, onError: 'image' }, { throws: 'always' });
      const answer = await get(`broken-${format}.${extension}`);
      t.equal(answer.headers.get('x-render-error'), 'INTERNAL');
      t.equal(answer.headers.get('content-type'), `image/${format}`);
      const header = readImageHeader(new Uint8Array(await answer.arrayBuffer()));
      t.match(header, { format, widthPx: 600, heightPx: 314 });
    }
  },
);

t.test(
  'a service that is too slow draws nothing more: the kept default, else the card',
  async (t) => {
    const { get, publish } = await startService(t, { pool, timeoutMs: 150 });
    publish('slow', { onError: 'image' }, { delayMs: 300 });
    const card = await get('slow?name=A');
    t.equal(card.headers.get('x-render-error'), 'TIMEOUT');
    t.ok(readImageHeader(new Uint8Array(await card.arrayBuffer())));
  },
);

t.test('401 and 404 stay errors, and no error opens a closed template', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('closed', { onError: 'image', linkAuth: 'key' });
  publish('open', { onError: 'image' });
  t.equal((await get('closed')).status, 401);
  t.equal((await get('closed?_version=x')).status, 401);
  t.equal((await get('open?_version=7')).status, 404);
  t.equal((await get('nobody')).status, 404);
});

t.test('a template that does not ask for it answers with the error', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('plain');
  t.equal((await get('plain?_scale=9')).status, 400);
});
