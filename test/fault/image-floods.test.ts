/** Links that name ever new hosts which never answer: who sends them waits, and nobody else. */
import { join } from 'node:path';
import t from 'tap';
import { sendAtRate } from '../../bench/harness/open-loop.ts';
import { plainImage } from '../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer } from '../e2e/published.ts';
import { keepAsking } from '../e2e/request.ts';
import type { Answer } from '../e2e/request.ts';
import { startService } from '../e2e/service.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { startOrigin } from '../fixtures/images-origin.ts';

const png = await plainImage('#00ff00');
const quietKey = 'key-of-the-quiet-organization';
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, organizations }) => {
  organizations.createOrganization('Quiet', 'org_quiet');
  organizations.createKey('org_quiet', { name: 'test', key: quietKey });
  const card = {
    variables: [{ name: 'photo', type: 'image' as const, value: '' }],
    layers: [imageLayer('{{photo}}')],
  };
  publish('flooded', card);
  publish('neighbour', card);
  publish('quiet', card, 'org_quiet');
});
const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
t.teardown(() => dns.close());
const origin = await startOrigin({
  '/hang': () => undefined,
  '/a.png': (_request, response) => response.end(png),
});
t.teardown(() => origin.close());
const service = await startService(t, {
  dataDirectory,
  origins: [origin],
  environment: { PLATEN_IMAGES_DNS_SERVERS: dns.server },
});

const target = (uid: string, host: string, path: string): string =>
  `${uid}?photo=${encodeURIComponent(`http://${host}.test:${origin.port}${path}`)}`;

t.test('hosts that hang take no fetch from other organizations and templates', async (t) => {
  // The first fetch of all loads code.
  for (const uid of ['quiet', 'neighbour', 'flooded']) {
    t.equal((await service.render(target(uid, 'first', `/a.png?${uid}`))).status, 200);
  }
  let isOver = false;
  const flood = sendAtRate({
    base: service.base,
    perSecond: 120,
    seconds: 4,
    pathOf: (index) => `/v1/render/${target('flooded', `evil${index}`, `/hang?${index}`)}`,
  }).finally(() => (isOver = true));
  // The queue is full before the others come.
  while ((await service.metric('platen_image_fetches_waiting')) < 10);
  const upload = (index: number): Promise<Answer> => {
    const body = JSON.stringify({ url: `http://up.test:${origin.port}/a.png?${index}` });
    return service.get('/v1/assets', { method: 'POST', headers: { 'X-API-Key': quietKey }, body });
  };
  const beside = await Promise.all([
    keepAsking(
      (index) => service.render(target('quiet', 'good', `/a.png?q${index}`)),
      () => isOver,
    ),
    keepAsking(
      (index) => service.render(target('neighbour', 'good', `/a.png?n${index}`)),
      () => isOver,
    ),
    keepAsking(upload, () => isOver),
  ]);
  const names = ['another organization', 'another template', 'an upload'] as const;
  for (const [index, answers] of beside.entries()) {
    const statuses = new Set(answers.map(({ status }) => status));
    t.same(statuses, new Set([200]), `${names[index]}`);
  }
  const { latenciesMs, withoutRetryAfter } = await flood;
  t.equal(withoutRetryAfter, 0);
  const refused = latenciesMs[503] ?? [];
  t.ok(refused.length > 0, 'the flood itself is refused in part');
  t.notMatch(service.process.stderr, /"level":"error"/);
});
