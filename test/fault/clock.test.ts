/** A wall clock that is put back or forward while the service runs. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const hourMs = 3_600_000;
const pool = await startPool(t, { processCount: 2 });

const card: Partial<Template> = {
  variables: [
    { name: 'name', type: 'text', value: 'World' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [{ id: 'a', type: 'image', x: 0, y: 0, width: 9, height: 9, src: '{{photo}}' }],
};

const realNow = Date.now;
t.teardown(() => {
  Date.now = realNow;
});

for (const [jump, byMs] of [
  ['back', -hourMs],
  ['forward', hourMs],
] as const) {
  t.test(`a wall clock that jumps ${jump} by an hour changes nothing for readers`, async (t) => {
    Date.now = realNow;
    let isUp = true;
    const origin = await startOrigin({
      '/a.png': (_, response) =>
        isUp
          ? response
              .writeHead(200, { 'Cache-Control': 'max-age=600' })
              .end(pngOf({ widthPx: 1, heightPx: 1 }))
          : response.writeHead(503).end(),
      '/failing.png': (_, response) => response.writeHead(503).end(),
    });
    const { get, publish, stores, records } = await startService(t, {
      pool,
      origins: [origin],
      timeoutMs: 700,
    });
    publish('card', card);
    publish('slow', card, { delayMs: 200 });
    publish('never', card, { delayMs: 1500 });
    const key = stores.organizations.createKey('org_a', { name: 'test' });
    const target = `card?photo=${encodeURIComponent(origin.url('/a.png'))}`;
    const first = await get(target);
    t.equal(first.status, 200);

    const slow = get('slow');
    const never = get('never');
    Date.now = () => realNow() + byMs;

    t.equal((await slow).status, 200, 'what was under way is finished');
    t.equal((await never).status, 504, 'deadlines hold');
    // Its process is busy for longer, and a new version would wait for it.
    while (pool.busyProcesses > 0) await new Promise((resolve) => setImmediate(resolve));
    const again = await get(target);
    t.equal(
      again.headers.get('server-timing')?.startsWith('cache;desc=hit'),
      true,
      'a kept image is kept',
    );
    const other = await get(`${target}&name=other`);
    t.equal(other.status, 200);
    t.equal(origin.requests.length, 1, 'and so is the image, for as long as its origin said');
    const etag = first.headers.get('etag') ?? '';
    t.equal((await get(target, { headers: { 'If-None-Match': etag } })).status, 304);
    t.ok(stores.organizations.findByKey(key) !== undefined, 'keys are valid');
    publish('card', { ...card, width: 123 });
    t.not((await get(target)).headers.get('etag'), etag, 'a new version is seen');
    isUp = false;
    t.equal(
      (await get(`card?photo=${encodeURIComponent(origin.url('/failing.png'))}`)).status,
      400,
    );
    t.equal(records.filter(({ status }) => status >= 500 && status !== 504).length, 0);
  });
}
