/** Processes that run out of memory, compute without end or are held by one organization, behind the real server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { RenderPoolOptions } from '../../src/scheduling/pool.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import type { WorkerOrder } from '../fixtures/render-worker.ts';

const threadCount = 2;
const mebibyte = 1024 ** 2;
const limits = { cpuMsMax: 60_000 };

/** Renders that cost their process alone: what they do, within which limits, and how they end. */
const losses: [what: string, WorkerOrder, RenderPoolOptions['limits'], cause: RegExp, number][] = [
  ['fills its heap', { exhausts: true }, limits, /memory|crash/, 500],
  [
    'takes too much native memory',
    { holdsBytes: 600 * mebibyte },
    { ...limits, residentBytesMax: 400 * mebibyte },
    /memory/,
    500,
  ],
  [
    'takes more at once than the kernel gives',
    { holdsBytes: 3584 * mebibyte },
    { ...limits, residentBytesMax: Infinity },
    /memory/,
    500,
  ],
  ['computes without end', { hangs: true }, { cpuMsMax: 300 }, /cpu/, 504],
  ['waits for what never comes', { delayMs: 2 ** 30 }, { stalledMsMax: 1000 }, /stalled/, 504],
  ['is stopped by a signal', { stops: true }, { stalledMsMax: 1000 }, /stopped/, 504],
];

async function checkLoss(t: Test, [, order, given, cause, status]: (typeof losses)[number]) {
  const pool = await startPool(t, { threadCount, limits: given ?? {} });
  const { get, publish } = await serveRenders(t, { pool, timeoutMs: 30_000 });
  publish('bad', {}, order);
  publish('hello');
  const bad = get('bad');
  const beside = await Promise.all([1, 2, 3].map((index) => get(`hello?name=${index}`)));
  t.same(new Set(beside.map((answer) => answer.status)), new Set([200]));
  const answer = await bad;
  t.equal(answer.status, status);
  t.match(await answer.json(), { error: { code: status === 504 ? 'TIMEOUT' : 'INTERNAL' } });
  t.match([...pool.quarantine.losses], [[cause, 1]]);
  const after = await Promise.all([4, 5, 6, 7].map((index) => get(`hello?name=${index}`)));
  t.same(new Set(after.map((each) => each.status)), new Set([200]), 'another takes its place');
  t.equal(pool.busyThreads, 0);
}

for (const loss of losses) {
  t.test(`a render that ${loss[0]} loses its process alone`, (t) => checkLoss(t, loss));
}

t.test('expensive renders leave a process to others, and to what is cheap', async (t) => {
  const pool = await startPool(t, { threadCount, queueMax: 100 });
  const { get, publish, stores } = await serveRenders(t, { pool });
  stores.organizations.createOrganization('B', 'org_b');
  const released = join(t.testdir(), 'released');
  publish('endless', {}, { waitsFor: released });
  publish('own');
  publish('other', {}, {}, 'org_b');
  t.equal((await get('own?name=first')).status, 200, 'from now on it is known to be cheap');

  const expensive = [1, 2, 3, 4].map((index) => get(`endless?name=${index}`));
  while (pool.queueLength < 3) await new Promise(setImmediate);
  t.equal((await get('other?name=1')).status, 200, 'a first render of another organization');
  t.equal((await get('own?name=second')).status, 200, 'and what is cheap of the same one');
  t.equal(pool.busyThreads, 1, 'their costs are unknown: one process is kept free of them');
  t.equal(pool.queueLength, 3);

  writeFileSync(released, '');
  const answers = await Promise.all(expensive);
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'all of them are drawn');
});
