/** Hosts of several threads that are lost while all of their threads render: whose images are lost, and who is blamed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { RenderPool, RenderPoolOptions } from '../../src/scheduling/pool.ts';
import { threadsOfHosts } from '../../src/scheduling/hosts/hosts.ts';
import { kernelKills } from '../../src/foundation/process-usage.ts';
import { eventually } from '../e2e/service.ts';
import { isRunning } from '../helpers/child-processes.ts';
import { orderJob, pidsOf, startPool, within } from '../fixtures/render-pool.ts';
import type { WorkerOrder } from '../fixtures/render-worker.ts';

/** Two hosts of two threads. */
const threadCount = 4;

const startHosts = (t: Test, limits: RenderPoolOptions['limits'] = {}): Promise<RenderPool> =>
  startPool(t, { threadCount, queueMax: 100, limits: { cpuMsMax: 60_000, ...limits } });

/** A job of an organization of its own, so that it may use every thread. */
const jobOf = (name: string, order: WorkerOrder) => ({
  ...orderJob(order),
  templateKey: `${name}:${JSON.stringify(order)}`,
});

/** Runs an order; the text of its image, or the code of its error. */
async function textOf(pool: RenderPool, name: string, order: WorkerOrder): Promise<string> {
  try {
    const { outcome } = await pool.run(jobOf(name, order), within(60_000));
    return outcome.ok ? Buffer.from(outcome.bytes).toString() : outcome.code;
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}

const allBusy = (pool: RenderPool): Promise<boolean> =>
  eventually(() => pool.busyThreads === threadCount);

t.test('threads stand in two hosts at least, of four threads at most', async (t) => {
  t.same([1, 2, 3, 4, 8, 9, 16].map(threadsOfHosts), [
    [1],
    [1, 1],
    [1, 2],
    [2, 2],
    [4, 4],
    [3, 3, 3],
    [4, 4, 4, 4],
  ]);
});

t.test('a fault in native code loses no image of a bystander', async (t) => {
  const pool = await startHosts(t);
  const [fatal, others] = ['fatal', 'others'].map((name) => join(t.testdir(), name));
  const bad = textOf(pool, 'bad', { waitsFor: fatal ?? '', exits: true });
  const beside = ['a', 'b', 'c'].map((name) =>
    textOf(pool, name, { waitsFor: others ?? '', bytes: 1 }),
  );
  await allBusy(pool);
  writeFileSync(others ?? '', '');
  writeFileSync(fatal ?? '', '');
  t.same(await Promise.all(beside), ['x', 'x', 'x']);
  t.equal(await bad, 'INTERNAL');
  t.same([...pool.quarantine.losses], [['crash', 1]], 'who ends a host alone is guilty');
  t.equal(await textOf(pool, 'a', { bytes: 2 }), 'xx');
  t.equal(pool.busyThreads, 0);
});

t.test(
  'all images arrive when both hosts are killed from outside, and nobody is blamed',
  async (t) => {
    const pool = await startHosts(t);
    const go = join(t.testdir(), 'go');
    const images = ['a', 'b', 'c', 'd'].map((name) =>
      textOf(pool, name, { waitsFor: go, bytes: 1 }),
    );
    await allBusy(pool);
    const killed = pidsOf(pool);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    t.ok(await eventually(() => pool.failures === 2));
    writeFileSync(go, '');
    t.same(await Promise.all(images), ['x', 'x', 'x', 'x']);
    t.same([...pool.quarantine.losses], []);
    t.same(
      pidsOf(pool).filter((pid) => killed.includes(pid)),
      [],
    );
  },
);

t.test(
  'six kills from outside quarantine nothing, and the sixth image is 504 at most',
  async (t) => {
    const pool = await startPool(t, { threadCount: 1 });
    const notesIn = join(t.testdir(), 'notes');
    writeFileSync(notesIn, '');
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const image = textOf(pool, 'a', { notesIn, delayMs: 60_000 });
      for (let kill = 1; kill <= 3; kill += 1) {
        const begins = 3 * round + kill;
        t.ok(await eventually(() => readFileSync(notesIn, 'latin1').split('\n').length > begins));
        for (const pid of pidsOf(pool)) process.kill(pid, 'SIGKILL');
        t.ok(await eventually(() => pool.failures === begins));
      }
      texts.push(await image);
    }
    t.same(texts, ['TIMEOUT', 'TIMEOUT']);
    t.equal(pool.quarantine.size, 0);
    t.equal(await textOf(pool, 'a', { bytes: 1 }), 'x');
  },
);

t.test(
  'an endless native loop loses one render: the other thread of its host finishes',
  async (t) => {
    const pool = await startHosts(t, { cpuMsMax: 300 });
    const bad = textOf(pool, 'bad', { hangs: true });
    const hosts = await Promise.all(
      ['a', 'b', 'c'].map((name) => textOf(pool, name, { delayMs: 1200, reportsHost: true })),
    );
    t.equal(await bad, 'TIMEOUT');
    t.same([...pool.quarantine.losses], [['cpu', 1]]);
    const ended = hosts.filter((host) => !isRunning(Number(host)));
    t.equal(ended.length, 1, 'rendered once, in the host that was killed then');
  },
);

t.test(
  'a thread that never finishes is run elsewhere when its host is killed for another',
  async (t) => {
    const pool = await startHosts(t, { cpuMsMax: 300 });
    const go = join(t.testdir(), 'go');
    const bad = textOf(pool, 'bad', { hangs: true });
    const beside = ['a', 'b', 'c'].map((name) => textOf(pool, name, { waitsFor: go, bytes: 1 }));
    t.equal(await bad, 'TIMEOUT');
    writeFileSync(go, '');
    t.same(await Promise.all(beside), ['x', 'x', 'x']);
    t.same([...pool.quarantine.losses], [['cpu', 1]]);
  },
);

t.test('a full heap ends its thread alone', async (t) => {
  const pool = await startHosts(t);
  const before = pidsOf(pool);
  const bad = textOf(pool, 'bad', { exhausts: true });
  const hosts = ['a', 'b', 'c'].map((name) =>
    textOf(pool, name, { delayMs: 1000, reportsHost: true }),
  );
  t.equal(await bad, 'INTERNAL');
  t.same([...pool.quarantine.losses], [['memory', 1]]);
  t.same(new Set((await Promise.all(hosts)).map(Number)), new Set(before));
  t.same(pidsOf(pool), before, 'both hosts live');
  const after = ['a', 'b', 'c', 'd'].map((name) => textOf(pool, name, { bytes: 1 }));
  t.same(new Set(await Promise.all(after)), new Set(['x']));
});

t.test('a render that waits for its host again is 504 at its deadline', async (t) => {
  const pool = await startPool(t, { threadCount: 1 });
  const job = jobOf('a', { delayMs: 60_000 });
  const image = pool.run(job, within(300));
  await eventually(() => pool.busyThreads === 1);
  for (const pid of pidsOf(pool)) process.kill(pid, 'SIGKILL');
  await t.rejects(image, { code: 'TIMEOUT' });
  t.equal(pool.busyThreads, 0);
});

t.test(
  'the kernel reports the processes that it kills',
  { skip: process.platform !== 'linux' },
  async (t) => {
    t.ok(Number.isInteger(kernelKills()) && kernelKills() >= 0);
  },
);
