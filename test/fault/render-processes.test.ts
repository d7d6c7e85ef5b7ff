/** Processes that die, run out of memory or never come back, behind the real server. */
import t from 'tap';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t, { processCount: 2 });

/** Asks for images one after the other until one has come from each process that is there now. */
async function everyProcessDraws(get: (target: string) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const pair = await Promise.all([get(`hello?name=${name}1`), get(`hello?name=${name}2`)]);
    statuses.push(...pair.map(({ status }) => status));
  }
  return statuses;
}

t.test('a process that is killed in the middle of a render loses that render alone', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('dying', {}, { delayMs: 60, exits: true });
  publish('slow', {}, { delayMs: 60 });
  publish('hello');
  const before = pool.processFailures;
  const [dying, beside, ...waiting] = await Promise.all([
    get('dying'),
    get('slow'),
    ...[1, 2, 3, 4].map((index) => get(`hello?name=${index}`)),
  ]);
  t.equal(dying?.status, 500);
  t.match(await dying?.json(), { error: { code: 'INTERNAL', requestId: /^req_/ } });
  t.equal(beside?.status, 200, 'the other process');
  t.same(new Set(waiting.map(({ status }) => status)), new Set([200]), 'and all that waited');
  t.equal(records.find(({ status }) => status === 500)?.cause, 'lost');
  t.same(new Set(await everyProcessDraws(get)), new Set([200]));
  t.equal(pool.isReady, true);
  t.equal(pool.busyProcesses, 0);
  t.ok(pool.processFailures >= before);
});

t.test('a render process whose heap is full ends, not the service', async (t) => {
  const { get, publish } = await startService(t, { pool, timeoutMs: 30_000 });
  publish('huge', {}, { exhausts: true });
  publish('hello');
  const huge = get('huge');
  t.equal((await get('hello?name=beside')).status, 200);
  const answer = await huge;
  t.equal(answer.status, 500);
  t.notMatch(await answer.text(), /memory|heap/i, 'and the reader does not learn why');
  t.same(new Set(await everyProcessDraws(get)), new Set([200]), 'another takes its place');
});

t.test(
  'a job that takes too much native memory loses its process, by the cause memory',
  async (t) => {
    const limited = await startPool(t, {
      processCount: 2,
      limits: { residentBytesMax: 400 * 1024 ** 2, cpuMsMax: 60_000 },
    });
    const { get, publish } = await startService(t, { pool: limited, timeoutMs: 30_000 });
    publish('hoarding', {}, { holdsBytes: 600 * 1024 ** 2 });
    publish('hello');
    const hoarding = get('hoarding');
    t.equal((await get('hello?name=beside')).status, 200);
    t.equal((await hoarding).status, 500);
    t.equal(limited.quarantine.losses.get('memory'), 1);
    t.same(new Set(await everyProcessDraws(get)), new Set([200]), 'another takes its place');
  },
);

t.test('the kernel refuses memory that is taken between two looks at a process', async (t) => {
  const limited = await startPool(t, {
    limits: { residentBytesMax: Infinity, cpuMsMax: 60_000 },
  });
  const { get, publish } = await startService(t, { pool: limited, timeoutMs: 30_000 });
  publish('unbounded', {}, { holdsBytes: 3.5 * 1024 ** 3 });
  t.equal((await get('unbounded')).status, 500);
  t.equal(limited.quarantine.losses.get('memory'), 1);
});

t.test('a job that computes without end loses its process, its reader gets 504', async (t) => {
  const limited = await startPool(t, { processCount: 2, limits: { cpuMsMax: 300 } });
  const { get, publish } = await startService(t, { pool: limited, timeoutMs: 20_000 });
  publish('endless', {}, { hangs: true });
  publish('hello');
  const endless = get('endless');
  const others = await Promise.all([1, 2, 3, 4, 5].map((index) => get(`hello?name=${index}`)));
  t.same(new Set(others.map(({ status }) => status)), new Set([200]));
  const answer = await endless;
  t.equal(answer.status, 504);
  t.match(await answer.json(), { error: { code: 'TIMEOUT' } });
  t.same(new Set(await everyProcessDraws(get)), new Set([200]), 'another takes its place');
  t.equal(limited.busyProcesses, 0);
});

t.test('a job that waits for what never comes loses its process, too', async (t) => {
  const limited = await startPool(t, { processCount: 2, limits: { stalledMsMax: 1000 } });
  const { get, publish } = await startService(t, { pool: limited, timeoutMs: 20_000 });
  publish('asleep', {}, { delayMs: 2 ** 30 });
  publish('hello');
  t.equal((await get('asleep')).status, 504);
  t.same(new Set(await everyProcessDraws(get)), new Set([200]));
});
