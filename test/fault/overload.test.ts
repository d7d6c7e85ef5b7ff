/** Ten times as much as the processes can draw: an admitted request gets an image, all others get a time to retry at once. */
import { join } from 'node:path';
import t from 'tap';
import { sendAtRate } from '../../bench/harness/open-loop.ts';
import { image } from '../e2e/image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { keepAsking } from '../e2e/request.ts';
import type { Answer } from '../e2e/request.ts';
import { startService } from '../e2e/service.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService as startRenderService } from '../fixtures/render-service.ts';

const deadlineMs = 8000;
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, organizations }) => {
  organizations.createOrganization('Quiet', 'org_quiet');
  const small = { variables: [textVariable('name', 'friend')], layers: [textLayer('{{name}}')] };
  // Some 100 ms of a process each: a PNG of 4.3 megapixels, of which no pixel is as it was.
  publish('expensive', {
    width: 1200,
    height: 900,
    variables: [...small.variables, { name: 'color', type: 'color', value: '#ff0000' }],
    layers: [
      { id: 'back', type: 'rect', x: 0, y: 0, width: 1200, height: 900, fill: '{{color}}' },
      ...small.layers,
    ],
  });
  publish('small', small);
  publish('quiet', small, 'org_quiet');
});
const service = await startService(t, {
  dataDirectory,
  environment: { PLATEN_RENDER_TIMEOUT_MS: String(deadlineMs) },
});

const statusesOf = (answers: readonly Answer[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

t.test('under ten times the load everybody is served or refused at once', async (t) => {
  const target = (index: number): string =>
    `expensive.png?_scale=2&name=Reader+${index}&color=${index % 2 === 0 ? '%2300ff00' : '%230000ff'}`;
  const drawn = 5;
  for (let index = 1; index <= drawn; index += 1) await service.render(target(-index));
  const measuredMs = performance.now();
  for (let index = 1; index <= drawn; index += 1) await service.render(target(-drawn - index));
  const perSecond = (drawn * 1000) / (performance.now() - measuredMs);
  const kept = await service.render('small?name=kept');

  let isOver = false;
  const flood = sendAtRate({
    base: service.base,
    perSecond: 10 * perSecond,
    seconds: 4,
    pathOf: (index) => `/v1/render/${target(index)}`,
  }).finally(() => (isOver = true));
  const headers = { 'X-API-Key': testOrganization.key };
  const etag = kept.headers.etag ?? '';
  const beside = await Promise.all([
    keepAsking(
      () => service.render('small?name=kept'),
      () => isOver,
    ),
    keepAsking(
      () => service.get('/healthz'),
      () => isOver,
    ),
    keepAsking(
      () => service.get('/v1/templates', { headers }),
      () => isOver,
    ),
    keepAsking(
      (index) => service.render(`quiet?name=${index}`),
      () => isOver,
    ),
    keepAsking(
      (index) => service.render(`small?name=${index}`),
      () => isOver,
    ),
    keepAsking(
      () => service.render('small?name=kept', { headers: { 'If-None-Match': etag } }),
      () => isOver,
    ),
  ]);
  const { latenciesMs, failures, withoutRetryAfter, sent } = await flood;

  const [served = [], refused = [], late = []] = [200, 503, 504].map(
    (status) => latenciesMs[status],
  );
  t.equal(served.length + refused.length + late.length, sent, 'nothing but images and refusals');
  // On a machine that others make ten times slower in the meantime, some of those who were let in are not in time.
  t.ok(late.length <= 1 + refused.length / 10, `${late.length} were let in and came too late`);
  t.equal(failures, 0);
  t.equal(withoutRetryAfter, 0, 'each refusal says when to come back');
  t.ok(refused.length > sent / 2, 'most of it is too much');
  // How many, and how soon the others are refused, is a matter of speed, which the bench measures.
  t.ok(served.length > 0, 'and images are drawn beside it');

  const [hits, health, api, quiet, small, unchanged] = beside;
  for (const answers of [hits, health, api]) t.same(statusesOf(answers), [200]);
  t.same(statusesOf(unchanged), [304]);
  t.same(statusesOf(quiet), [200], 'another organization has its part of the processes');
  t.same(statusesOf(small), [200], 'and so has another template of the same organization');
  t.ok(Math.min(quiet.length, small.length) >= 5, `${quiet.length}, ${small.length} images`);

  await image(t, await service.render(target(-100)));
  t.notMatch(service.process.stderr, /"level":"error"/);
});

t.test(
  'a refusal costs no fetch: nothing is asked of an origin for who cannot be served',
  async (t) => {
    const origin = await startOrigin({
      '/a.png': (_, response) => response.writeHead(200).end(pngOf({ widthPx: 1, heightPx: 1 })),
    });
    const pool = await startPool(t);
    const small = await startRenderService(t, { pool, origins: [origin], timeoutMs: 1500 });
    small.publish(
      'slow',
      {
        variables: [
          { name: 'photo', type: 'image', value: '' },
          { name: 'name', type: 'text', value: '' },
        ],
        layers: [{ id: 'a', type: 'image', x: 0, y: 0, width: 9, height: 9, src: '{{photo}}' }],
      },
      { delayMs: 50 },
    );
    // Eight tell what the template costs; 40 that need no fetch fill the queue.
    for (let index = 0; index < 8; index += 1) await small.get(`slow?photo=&name=${index}`);
    const filling = Array.from({ length: 40 }, (_, index) => small.get(`slow?name=fill-${index}`));
    while (pool.queueLength < 5) await new Promise((resolve) => setImmediate(resolve));
    const asked = 50;
    const answers = await Promise.all(
      Array.from({ length: asked }, (_, index) =>
        small.get(`slow?photo=${encodeURIComponent(origin.url(`/a.png?${index}`))}`),
      ),
    );
    const refused = answers.filter(({ status }) => status === 503).length;
    t.ok(refused >= asked / 2, `${refused} refused`);
    t.ok(origin.requests.length <= asked / 2, `${origin.requests.length} fetched`);
    await Promise.all(filling);
  },
);
