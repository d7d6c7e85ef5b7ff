/** Render processes that are lost in the middle of load, behind the real server: what else fails, and what is refused afterwards. */
import { hash } from 'node:crypto';
import { getPriority } from 'node:os';
import sharp from 'sharp';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Variable } from '#language/schema/template.ts';
import { createLog } from '../../src/foundation/log.ts';
import { createLostRenderStore } from '../../src/store/lost-render-store.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { eventually } from '../e2e/service.ts';
import { createPool, orderJob, startPool, within } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const statusesOf = (answers: readonly Response[]): number[] => answers.map(({ status }) => status);

for (const signal of ['SIGSEGV', 'SIGKILL', 'SIGABRT'] as const) {
  t.test(`${signal} of a render process fails what is in flight there alone`, async (t) => {
    const pool = await startPool(t, { processCount: 2, queueMax: 100 });
    const { get, publish } = await startService(t, { pool, timeoutMs: 20_000 });
    publish('load', {}, { delayMs: 40 });
    const load = Array.from({ length: 24 }, (_, index) => get(`load?name=${index}`));
    // The first two are being rendered, the others wait.
    await load[0];
    const [victim] = pool.pids;
    process.kill(victim ?? 0, signal);
    const failed = statusesOf(await Promise.all(load)).filter((status) => status !== 200);
    t.ok(failed.length <= 1, failed.join(' '));
    t.same(new Set(failed), new Set(failed.length === 0 ? [] : [500]));
    const answers = await Promise.all([1, 2, 3, 4].map((index) => get(`load?name=after${index}`)));
    t.same(new Set(statusesOf(answers)), new Set([200]));
    t.equal(pool.processFailures, 1);
    t.equal(pool.isReady, true);
  });
}

t.test(
  'a version that loses two renders is refused, also after a restart, until it is released',
  async (t) => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((_level, line) =>
      lines.push(JSON.parse(line) as Record<string, unknown>),
    );
    const pool = await startPool(t, { processCount: 1, log });
    const { get, publish, stores } = await startService(t, { pool, timeoutMs: 20_000 });
    pool.quarantine.attach(createLostRenderStore(stores.db));
    publish('fatal', {}, { exits: true });
    publish('covered', { onError: 'image' }, { exits: true });
    publish('hello');
    t.same(statusesOf([await get('fatal?name=1'), await get('fatal?name=2')]), [500, 500]);
    t.match(
      lines.filter(({ event }) => event === 'render lost'),
      [
        { organization: 'org_a', template: 'fatal', version: 1, cause: 'exit', quarantined: false },
        { organization: 'org_a', template: 'fatal', version: 1, cause: 'exit', quarantined: true },
      ],
    );
    const failures = pool.processFailures;
    const refused = await get('fatal?name=3');
    t.equal(refused.status, 503);
    t.match(await refused.json(), {
      error: { code: 'QUARANTINED', message: /publish a new version/ },
    });
    t.equal((await get('hello')).status, 200, 'others are rendered');
    const cards = [
      await get('covered?name=1'),
      await get('covered?name=2'),
      await get('covered?name=3'),
    ];
    t.same(statusesOf(cards), [200, 200, 200]);
    t.same(
      cards.map(({ headers }) => headers.get('x-render-error')),
      ['INTERNAL', 'INTERNAL', 'QUARANTINED'],
    );
    t.equal(pool.processFailures, failures + 2, 'a refusal touches no process');
    t.equal(pool.quarantine.losses.get('exit'), 4);

    const next = await startPool(t);
    next.quarantine.attach(createLostRenderStore(stores.db));
    const { templateKey } = stores.templates.findPublished('fatal') ?? { templateKey: '' };
    t.throws(() => next.admit({ templateKey, format: 'png', scale: 1, values: [] }, within(1000)), {
      code: 'QUARANTINED',
    });
    publish('fatal', {}, { bytes: 3 });
    t.equal((await get('fatal?name=4')).status, 200, 'a new version is rendered');
    t.equal((await get('fatal?name=4&_version=1')).status, 503, 'the old one is not');
    await next.quarantine.release('org_a', 'fatal');
    pool.quarantine.refresh();
    t.equal(
      (await get('fatal?name=5&_version=1')).status,
      500,
      'after a release it is tried again',
    );
  },
);

t.test('a release ends the quarantine of every template with an equal document', async (t) => {
  const pool = await startPool(t);
  const { call, service } = await startOrganizationApi(t, pool);
  pool.quarantine.attach(createLostRenderStore(service.stores.db));
  t.teardown(() => pool.quarantine.close());
  // Equal documents of one organization are one to render processes.
  service.publish('first', {}, { exits: true });
  service.publish('second', {}, { exits: true });
  service.publish('foreign', {}, { exits: true }, 'org_b');
  const statusOf = async (target: string): Promise<number> => (await service.get(target)).status;
  const quarantineOf = async (uid: string): Promise<unknown> =>
    ((await call('GET', `/v1/templates/${uid}`)).body as { quarantine: unknown }).quarantine;
  for (const name of ['one', 'two']) {
    t.equal(await statusOf(`first?name=${name}`), 500);
    t.equal(await statusOf(`foreign?name=${name}`), 500);
  }
  t.equal(await statusOf('first?name=three'), 503);
  t.equal(await statusOf('second?name=three'), 503);
  t.match(await quarantineOf('second'), { version: 1, reason: 'exit' });

  t.equal((await call('POST', '/v1/templates/second/release', { body: {} })).status, 204);
  t.equal(await quarantineOf('second'), null);
  t.equal(await quarantineOf('first'), null);
  t.equal(await statusOf('second?name=four'), 500, 'the second is rendered again');
  t.equal(await statusOf('foreign?name=four'), 503, 'that of another organization is not');
  pool.quarantine.refresh();
  t.equal(await statusOf('first?name=five'), 500, 'the database keeps nothing of the first');
});

t.test('an image of a link that ends processes is refused, and the version is not', async (t) => {
  const pool = await startPool(t);
  const { get, publish } = await startService(t, { pool, timeoutMs: 20_000 });
  const imageOf = async (background: string): Promise<string> => {
    const png = sharp({ create: { width: 8, height: 8, channels: 3, background } }).png();
    return `data:image/png;base64,${(await png.toBuffer()).toString('base64')}`;
  };
  const digestOf = (url = ''): string =>
    hash('sha256', Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  const [fatal, second, third, sound] = await Promise.all(
    ['#f00', '#ff0', '#f0f', '#0f0'].map(imageOf),
  );
  const photo = (id: string, name: string): Layer => ({
    id,
    type: 'image',
    x: 0,
    y: 0,
    width: 10,
    height: 10,
    src: `{{${name}}}`,
  });
  const variables: Variable[] = ['photo', 'logo'].map((name) => {
    return { name, type: 'image', value: '' };
  });
  const layers = [photo('a', 'photo'), photo('b', 'logo')];
  for (const [uid, changes] of [
    ['card', {}],
    ['covered', { onImageError: 'default' }],
  ] as const)
    publish(
      uid,
      { variables, layers, ...changes },
      { exitsFor: [fatal, third].map((url) => digestOf(url)) },
    );
  const target = (uid: string, images: Record<string, string | undefined>): string =>
    `${uid}?${Object.entries(images)
      .map(([name, image = '']) => `${name}=${encodeURIComponent(image)}`)
      .join('&')}`;

  t.equal((await get(target('card', { photo: fatal }))).status, 500);
  t.equal((await get(target('card', { photo: fatal }))).status, 500, 'one loss is no proof');
  const failures = pool.processFailures;
  const refused = await get(target('card', { logo: sound, photo: fatal }));
  t.equal(refused.status, 400);
  t.match(await refused.json(), { error: { message: /image of "photo" ended two processes/ } });
  t.equal(pool.processFailures, failures, 'a refusal touches no process');

  const pair = target('card', { photo: third, logo: second });
  t.equal((await get(pair)).status, 500);
  t.equal(
    (await get(target('card', { photo: second }))).status,
    200,
    'a sound one beside it is not',
  );
  t.equal((await get(target('card', { photo: third }))).status, 500);
  t.equal((await get(target('card', { photo: third }))).status, 400);
  t.equal((await get(target('card', { photo: sound }))).status, 200, 'the version is rendered');
  t.equal(pool.quarantine.size, 0);
  t.equal((await get(target('covered', { photo: fatal }))).status, 500);
  t.equal((await get(target('covered', { photo: fatal }))).status, 500);
  t.equal((await get(target('covered', { photo: fatal }))).status, 200, 'drawn as its default');
});

t.test('a preview that loses two renders is refused as a bad request', async (t) => {
  const pool = await startPool(t);
  const job = { ...orderJob({ exits: true }), templateKey: 'org_a:preview:digest' };
  for (const reason of ['lost', 'lost']) {
    await t.rejects(pool.run(job, within(20_000)), { code: 'INTERNAL', reason });
  }
  await t.rejects(pool.run(job, within(20_000)), { code: 'BAD_REQUEST', reason: 'quarantine' });
  t.match(await pool.run(orderJob({}), within(20_000)), { outcome: { ok: true } });
});

t.test('waiting renders of a document that is quarantined meanwhile end no process', async (t) => {
  const pool = await startPool(t);
  const job = { ...orderJob({ exits: true }), templateKey: 'org_a:fatal' };
  const ends = await Promise.allSettled(
    Array.from({ length: 6 }, () => pool.run(job, within(20_000))),
  );
  const codes = ends.map((end) => (end.status === 'rejected' ? end.reason.code : 'rendered'));
  t.same(
    codes.map(String).toSorted((a, b) => a.localeCompare(b)),
    [...Array(2).fill('INTERNAL'), ...Array(4).fill('QUARANTINED')],
  );
  t.equal(pool.processFailures, 2);
});

t.test('a process that is killed before its first job is replaced at once', async (t) => {
  const pool = await startPool(t);
  const [victim = 0] = pool.pids;
  process.kill(victim, 'SIGKILL');
  t.ok(await eventually(() => pool.processFailures === 1));
  t.equal(pool.isReady, true);
  t.match(await pool.run(orderJob({}), within(20_000)), { outcome: { ok: true } });
});

t.test('a process does its first job before it takes its low priority', async (t) => {
  const pool = createPool(t);
  const priorityOf = async (): Promise<string> => {
    const { outcome } = await pool.run(orderJob({ reportsPriority: true }), within(20_000));
    return outcome.ok ? Buffer.from(outcome.bytes).toString() : outcome.detail;
  };
  t.equal(await priorityOf(), String(getPriority()));
  t.equal(await priorityOf(), '10');
});
