/** More than can be served, callers who leave, and a clock that jumps, behind the real server. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { imageLayer, textVariable } from '../e2e/published.ts';
import { eventually } from '../e2e/service.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { head } from '../fixtures/raw-http.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';

const card: Partial<Template> = {
  variables: [textVariable('name', ''), { name: 'photo', type: 'image', value: '' }],
  layers: [imageLayer('{{photo}}')],
};
const png = pngOf({ widthPx: 1, heightPx: 1 });
let isUp = true;
const origin = await startOrigin({
  '/a.png': (_, response) => {
    if (isUp) response.writeHead(200, { 'Cache-Control': 'max-age=600' }).end(png);
    else response.writeHead(503).end();
  },
  '/hang': () => undefined,
});
const pool = await startPool(t, { threadCount: 2, queueMax: 40 });
const timeoutMs = 3000;
const service = await serveRenders(t, { pool, origins: [origin], timeoutMs });
const { get, publish, stores } = service;
stores.organizations.createOrganization('B', 'org_b');
const photo = (path: string): string => `photo=${encodeURIComponent(origin.url(path))}`;
const isIdle = (): boolean => service.flights.size + pool.queueLength + pool.busyThreads === 0;

t.test('what finds no slot is 503 with a time, without a fetch; the rest is served', async (t) => {
  const waitsFor = join(t.testdir(), 'done');
  publish('busy', card, { waitsFor });
  publish('kept');
  t.equal((await get('kept?name=1')).status, 200);
  const statuses: number[] = [];
  const flood = Array.from({ length: 60 }, async (_, index) => {
    statuses.push((await get(`busy?name=${index}`)).status);
  });
  t.ok(await eventually(() => statuses.includes(503)));
  const fetched = origin.requests.length;
  const refused = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((name) => get(`busy?name=x${name}&${photo(`/a.png?${name}`)}`)),
  );
  for (const answer of refused) {
    t.equal(answer.status, 503);
    t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
    t.match(await answer.json(), { error: { code: 'OVERLOADED' } });
  }
  t.ok(origin.requests.length <= fetched + 1, 'at most the first of its kind asks for its image');
  t.equal((await get('kept?name=1')).headers.get('server-timing'), 'cache;desc=hit');
  writeFileSync(waitsFor, '');
  await Promise.all(flood);
  t.ok(statuses.filter((status) => status === 200).length > 10, 'who was let in is served');
  t.same(new Set(statuses), new Set([200, 503]));
});

t.test('links to hosts that hang are 503 with a time, those of others are served', async (t) => {
  publish('flooded', card);
  publish('neighbour', card);
  publish('foreign', card, {}, 'org_b');
  const at = (uid: string, host: string, path: string): string => {
    const url = `http://${host}.localhost:${origin.port}${path}`;
    return `${uid}?photo=${encodeURIComponent(url)}`;
  };
  const statuses: number[] = [];
  const flood = Array.from({ length: 200 }, async (_, index) => {
    const answer = await get(at('flooded', `evil${index}`, `/hang?${index}`));
    statuses.push(answer.status);
    if (answer.status === 503) t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
  });
  t.ok(await eventually(() => statuses.includes(503)), 'the flood itself is refused in part');
  for (const uid of ['neighbour', 'foreign']) {
    t.equal((await get(at(uid, 'good', `/a.png?${uid}`))).status, 200, uid);
  }
  await Promise.all(flood);
});

const leavers: [stage: string, target: (index: number) => string, isReached: () => boolean][] = [
  [
    'the wait for an image',
    (index) => `photo?${photo(`/hang?leaver${index}`)}`,
    () => origin.requests.some((request) => request.includes('leaver')),
  ],
  ['the queue and the render', (index) => `slow?name=${index}`, () => pool.busyThreads > 0],
  ['the sending of the answer', () => 'large?name=same', () => service.cache.figures.bytes > 2e6],
];

for (const [stage, target, isReached] of leavers) {
  t.test(`callers who leave during ${stage} leave nothing behind`, async (t) => {
    publish('photo', card);
    publish('slow', {}, { delayMs: 20 });
    publish('large', {}, { bytes: 3_000_000 });
    const sockets = Array.from({ length: 8 }, () => connect(service.port, '127.0.0.1').pause());
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const [index, socket] of sockets.entries()) {
      socket.on('error', () => undefined).write(head('GET', `/v1/render/${target(index)}`));
    }
    t.ok(await eventually(isReached));
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    t.ok(await eventually(isIdle), 'nothing is held for them');
    t.equal((await get(`kept?name=${encodeURIComponent(stage)}`)).status, 200);
  });
}

const realNow = Date.now;
t.teardown(() => {
  Date.now = realNow;
});

for (const [jump, byMs] of [
  ['back', -3_600_000],
  ['forward', 3_600_000],
] as const) {
  t.test(`a wall clock that jumps ${jump} by an hour changes nothing for readers`, async (t) => {
    Date.now = realNow;
    isUp = true;
    publish('card', { ...card, width: 100 + jump.length });
    publish('short', {}, { delayMs: 200 });
    publish('never', {}, { delayMs: timeoutMs + 1000 });
    const key = stores.organizations.createKey('org_a', { name: jump });
    const target = `card?${photo(`/a.png?${jump}`)}`;
    const first = await get(target);
    t.equal(first.status, 200);
    const etag = first.headers.get('etag') ?? '';
    const [short, never] = [get(`short?name=${jump}`), get(`never?name=${jump}`)];
    Date.now = () => realNow() + byMs;
    t.equal((await short).status, 200, 'what is under way is finished');
    t.ok([503, 504].includes((await never).status), 'deadlines hold');
    t.ok(await eventually(isIdle));
    isUp = false;
    t.equal((await get(target)).headers.get('server-timing'), 'cache;desc=hit');
    t.equal((await get(`${target}&name=x`)).status, 200, 'the image is kept as its origin said');
    t.equal((await get(target, { headers: { 'If-None-Match': etag } })).status, 304);
    t.ok(stores.organizations.findByKey(key) !== undefined, 'keys are valid');
    publish('card', { ...card, width: 200 + jump.length });
    t.not((await get(target)).headers.get('etag'), etag, 'a new version is seen');
    t.equal((await get(`card?${photo(`/a.png?gone${jump}`)}`)).status, 400);
  });
}
