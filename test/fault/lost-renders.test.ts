/** Processes that are lost in the middle of load, behind the real server: what else fails, and what is refused afterwards. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { imageLayer, textVariable } from '../e2e/published.ts';
import { eventually } from '../e2e/service.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { orderJob, pidsOf, startPool, within } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';

const fatalWidthPx = 13;
const fatal = { exitsForWidthPx: fatalWidthPx };

const pool = await startPool(t, { threadCount: 2, queueMax: 100 });
const { get, publish, records, stores } = await serveRenders(t, { pool, timeoutMs: 20_000 });
stores.organizations.createOrganization('B', 'org_b');

/** Templates with an image of the link; each width is another document. */
const card = (width: number, changes: Partial<Template> = {}): Partial<Template> => ({
  width,
  variables: [
    textVariable('name', ''),
    { name: 'photo', type: 'image', value: '' },
    { name: 'logo', type: 'image', value: '' },
  ],
  layers: [imageLayer('{{photo}}'), imageLayer('{{logo}}', { id: 'logo' })],
  ...changes,
});

let images = 0;

/** An image that no link had before, as a data URL. */
function imageOf(widthPx: number): string {
  images += 1;
  const base64 = pngOf({ widthPx, heightPx: images }).toString('base64');
  return encodeURIComponent(`data:image/png;base64,${base64}`);
}

const statusOf = async (target: string): Promise<number> => (await get(target)).status;
const lossesOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = pool.failures;
  await work();
  return pool.failures - before;
};

t.test('a fault in native code loses what is in flight there alone', async (t) => {
  const waitsFor = join(t.testdir(), 'done');
  publish('held', {}, { waitsFor });
  publish('hello');
  await statusOf('hello?name=known');
  const held = get('held');
  const waiting = ['1', '2', '3', '4'].map((name) => get(`hello?name=${name}`));
  const beside = await Promise.all(waiting);
  for (const pid of pidsOf(pool).slice(0, 1)) process.kill(pid, 'SIGSEGV');
  writeFileSync(waitsFor, '');
  const statuses = [(await held).status, ...beside.map(({ status }) => status)];
  t.ok([200, 500].includes(statuses[0] ?? 0));
  t.same(statuses.slice(1), [200, 200, 200, 200]);
  // The signal may arrive after the answer of `held`: a render that is sent before would be lost, too.
  t.ok(await eventually(() => pool.failures === 1));
  const after = await Promise.all([5, 6, 7, 8].map((index) => statusOf(`hello?name=${index}`)));
  t.same(after, [200, 200, 200, 200]);
  t.equal(pool.isReady, true);
});

t.test('a version that loses two renders is 503 until there is another one', async (t) => {
  publish('fatal', {}, { exits: true });
  publish('covered', { onError: 'image' }, { exits: true });
  const lost = await get('fatal?name=1');
  t.equal(lost.status, 500);
  t.match(await lost.json(), { error: { code: 'INTERNAL', requestId: /^req_/ } });
  t.match(records.at(-1), { status: 500, cause: 'lost' });
  t.equal(await statusOf('fatal?name=2'), 500);
  const none = await lossesOf(async () => {
    const refused = await get('fatal?name=3');
    t.equal(refused.status, 503);
    t.match(await refused.json(), { error: { code: 'QUARANTINED' } });
  });
  t.equal(none, 0, 'a refusal touches no process');
  const errors: (string | null)[] = [];
  for (const name of ['1', '2', '3']) {
    const shown = await get(`covered?name=${name}`);
    t.equal(shown.status, 200);
    errors.push(shown.headers.get('x-render-error'));
  }
  t.same(errors, ['INTERNAL', 'INTERNAL', 'QUARANTINED']);
  t.equal(await statusOf('hello?name=other'), 200, 'others are rendered');
  publish('fatal', {}, { bytes: 3 });
  t.equal(await statusOf('fatal?name=4'), 200, 'a new version is rendered');
  t.equal(await statusOf('fatal?name=4&_version=1'), 503, 'the old one is not');
  await pool.quarantine.release('org_a', 'fatal');
  t.equal(await statusOf('fatal?_version=1'), 500, 'after a release it is tried again');
});

t.test('waiting renders of what is refused meanwhile end no process', async (t) => {
  const job = { ...orderJob({ exits: true }), templateKey: 'org_a:waiting' };
  const codes: string[] = [];
  const losses = await lossesOf(async () => {
    const ends = Array.from({ length: 6 }, () => pool.run(job, within(20_000)));
    for (const end of await Promise.allSettled(ends)) {
      codes.push(end.status === 'rejected' ? String(end.reason.code) : 'rendered');
    }
  });
  t.ok(losses <= 3, `${losses}: two, and one that ran beside them`);
  t.same(new Set(codes), new Set(['INTERNAL', 'QUARANTINED']));
  t.equal(codes.filter((code) => code === 'INTERNAL').length, losses);
});

t.test('an image of a link that ends processes is 400, or drawn as its default', async (t) => {
  publish('card', card(300), fatal);
  publish('default', card(301, { onImageError: 'default' }), fatal);
  const bad = imageOf(fatalWidthPx);
  for (const beside of [imageOf(8), imageOf(8)]) {
    t.equal(await statusOf(`card?photo=${bad}&logo=${beside}`), 500);
    t.equal(await statusOf(`default?photo=${bad}`), 500);
    t.equal(await statusOf(`card?photo=${beside}`), 200, 'one beside it once is not guilty');
  }
  const none = await lossesOf(async () => {
    const refused = await get(`card?photo=${bad}`);
    t.equal(refused.status, 400);
    t.match(await refused.json(), { error: { message: /image of "photo" ended two processes/ } });
    t.equal(await statusOf(`default?photo=${bad}`), 200, 'drawn as its default');
  });
  t.equal(none, 0);
  t.equal(await statusOf('card?name=Ada'), 200, 'the version is rendered');
});

t.test('a new fatal image each time ends five renders, then the default or none', async (t) => {
  publish('many', card(302), fatal, 'org_b');
  publish('borne', card(303, { onImageError: 'default' }), fatal, 'org_b');
  const statusesOf = async (uid: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let link = 0; link < 7; link += 1) {
      statuses.push(await statusOf(`${uid}?name=Ada&photo=${imageOf(fatalWidthPx)}`));
    }
    return statuses;
  };
  t.same(await statusesOf('many'), [500, 500, 500, 500, 500, 503, 503]);
  const refused = await get(`many?photo=${imageOf(8)}`);
  t.match(await refused.json(), { error: { code: 'QUARANTINED', message: /images of links/ } });
  t.match(refused.headers.get('retry-after'), /^(5\d\d|600)$/);
  const headers = { 'Sec-Fetch-Dest': 'image' };
  const substitute = await get(`many?name=Ada&photo=${imageOf(fatalWidthPx)}`, { headers });
  t.match(await substitute.json(), { images: [], values: [['name', 'Ada']] }, 'for a reader');
  t.equal(await statusOf('many?name=Grace'), 200, 'links without an image are rendered');
  t.same(await statusesOf('borne'), [500, 500, 500, 500, 500, 200, 200]);
});

t.test('a process that is killed while it is idle is replaced at once', async (t) => {
  const before = pool.failures;
  for (const pid of pidsOf(pool)) process.kill(pid, 'SIGKILL');
  t.ok(await eventually(() => pool.failures === before + 2));
  t.equal(await statusOf('hello?name=replaced'), 200);
  t.equal(pool.isReady, true);
});
