/** Two processes of one machine over one data folder, behind HAProxy and nginx with the files of deploy/. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { Template } from '#language/schema/template.ts';
import { createCampaign, getCampaign, key } from '../campaigns/campaign-client.ts';
import { needs, needsNginxScripts, startHaproxy, startNginx } from '../deploy/start-proxies.ts';
import { converse, request } from '../deploy/proxy-parts.ts';
import { fillDataDirectory, testDocument, textLayer, textVariable } from './published.ts';
import { eventually, startService } from './service.ts';
import type { Service } from './service.ts';

t.setTimeout(300_000);

const card = (text: string): Template =>
  testDocument({
    variables: [textVariable('name', 'friend')],
    layers: [textLayer(`${text} {{name}}`)],
  });

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', card('Hello'));
});
const first = await startService(t, { dataDirectory });
const second = await startService(t, { dataDirectory });
const both = [first, second];

const post = (
  service: Service,
  path: string,
  body = '',
): Promise<{ status: number; text: string }> =>
  service.get(path, { method: 'POST', headers: key, body });

const people = ['Amanda Castillo', 'Zoë O’Hara', '李小龍', 'محمد علي', 'Ольга Иванова'];

/** Links to different images. */
const linksOf = (letter: string): string[] =>
  Array.from({ length: 40 }, (_, index) => {
    const name = `${people[index % people.length]} ${letter}${index}`;
    return `/v1/render/card?name=${encodeURIComponent(name)}&_scale=1`;
  });

/** The same links as another program writes them. */
const respell = (link: string): string =>
  link.replace(/(name=.*)&(_scale=1)/, '$2&utm_source=letter&$1').replaceAll('%20', '+');

for (const [proxy, start, needed] of [
  ['HAProxy', startHaproxy, needs('haproxy', '-v')],
  [
    'nginx',
    (t: Test, ports: readonly number[]) => startNginx(t, 'nginx-fleet.conf', ports),
    needsNginxScripts,
  ],
] as const) {
  t.test(`behind ${proxy}, one of them draws a link, however it is spelled`, needed, async (t) => {
    const open = await start(t, [first.port, second.port]);
    await drawsEach(t, open, linksOf(proxy));
  });
}

/** Each of these links, opened in two spellings, is drawn once. */
async function drawsEach(t: Test, open: () => Socket, links: readonly string[]): Promise<void> {
  const misses = (): Promise<number[]> =>
    Promise.all(both.map((each) => each.metric('platen_renders_total{cache="miss"}')));
  const before = await misses();
  for (const link of [...links, ...links.toReversed().map(respell)]) {
    // Each on a connection of its own, as readers have; again where busy cores make a service refuse it.
    let answer = '';
    const isAnswered = async (): Promise<boolean> => {
      answer = await converse(open(), [request(link)]);
      return !answer.startsWith('HTTP/1.1 503 ');
    };
    await eventually(isAnswered);
    if (!answer.startsWith('HTTP/1.1 200 ')) t.fail(answer.slice(0, 2000));
  }
  const drawn = (await misses()).map((count, index) => count - (before[index] ?? 0));
  t.equal(
    drawn.reduce((sum, count) => sum + count, 0),
    links.length,
  );
  t.ok(Math.min(...drawn) > 8, `each draws a share: ${drawn.join(', ')}`);
}

t.test('what one of them changes, the other follows', async (t) => {
  const etag = async (service: Service): Promise<string | undefined> =>
    (await service.render('card?name=Amanda')).headers.etag;
  const old = await etag(second);
  await first.get('/v1/templates/card', {
    method: 'PUT',
    headers: key,
    body: JSON.stringify(card('Goodbye')),
  });
  t.equal((await post(first, '/v1/templates/card/publish')).status, 200);
  const now = await etag(first);
  t.not(now, old);
  t.ok(await eventually(async () => (await etag(second)) === now, 1000), 'a publication');

  const made = await post(first, '/v1/keys', JSON.stringify({ name: 'short', scopes: ['read'] }));
  const { id, key: secret } = JSON.parse(made.text) as { id: string; key: string };
  const statusOf = async (): Promise<number> =>
    (await second.get('/v1/templates', { headers: { 'X-API-Key': secret } })).status;
  t.ok(await eventually(async () => (await statusOf()) === 200, 1000), 'a key');
  await first.get(`/v1/keys/${id}`, { method: 'DELETE', headers: key });
  t.ok(await eventually(async () => (await statusOf()) === 401, 1000), 'its end');
});

t.test('each takes campaigns, and one of them runs those of both', async (t) => {
  for (const service of both) {
    const { status, body } = await createCampaign(service, 'card', 'proof', 'name\nAmanda\nBob\n');
    t.equal(status, 202);
    const isDone = async (): Promise<boolean> =>
      (await getCampaign(service, body.id)).state === 'finished';
    t.ok(await eventually(isDone), `by ${service.port}`);
  }
});

t.test('images that a campaign has made before sending answer links of both', async (t) => {
  const names = Array.from({ length: 400 }, (_, index) => `N${index}`);
  const { body } = await createCampaign(first, 'card', 'warm', ['name', ...names].join('\n'));
  const isDone = async (): Promise<boolean> =>
    (await getCampaign(first, body.id)).state === 'finished';
  t.ok(await eventually(isDone));
  for (const service of both) {
    // Once it was answered, an image is in memory.
    const left = [...names];
    const isWarm = async (): Promise<boolean> => {
      const { headers } = await service.render(`card?name=${left.pop()}&_version=2`);
      return String(headers['server-timing']).includes('desc=warm');
    };
    t.ok(await eventually(isWarm), `by ${service.port}`);
  }
});

// Last, and no teardown: tap removes the folder before those run, and fails where a service still writes.
t.test('each ends when it is asked to, also beside the other', async (t) => {
  for (const { process } of both) {
    process.kill('SIGTERM');
    t.strictSame(await process.ended, { code: 0, signal: null });
  }
});
