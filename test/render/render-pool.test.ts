import t from 'tap';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Deadline } from '../../src/foundation/deadline.ts';
import type { PooledRender } from '../../src/scheduling/pool.ts';
import { createPool, orderJob, startPool, within } from '../fixtures/render-pool.ts';

/** The text that a job's image consists of. */
function textOf({ outcome }: PooledRender): string {
  return outcome.ok ? Buffer.from(outcome.bytes).toString() : outcome.detail;
}

// One pool for all that leave it as it was: a process takes a second to start on a busy machine.
const pool = await startPool(t);

t.test('a job goes to a process and its bytes come back as a buffer of their own', async (t) => {
  const { outcome, queuedMs } = await pool.run(orderJob({ bytes: 5 }), within(5000));
  t.match(outcome, { ok: true });
  t.ok(outcome.ok && outcome.bytes.buffer.byteLength === 5, 'it fills its whole buffer');
  t.ok(queuedMs >= 0);
});

t.test(
  'jobs run in the order in which they came, no more at a time than there are processes',
  async (t) => {
    const ended: number[] = [];
    const runs = [50, 1, 1, 1].map(async (delayMs, index) => {
      await pool.run(orderJob({ delayMs }), within(10_000));
      ended.push(index);
    });
    t.equal(pool.busyProcesses, 1);
    t.equal(pool.queueLength, 3);
    await Promise.all(runs);
    t.same(ended, [0, 1, 2, 3]);
    t.equal(pool.busyProcesses, 0);
  },
);

t.test('a full queue refuses with OVERLOADED and the time to come back', async (t) => {
  const accepted = Array.from({ length: 11 }, (_, index) =>
    pool.run(orderJob({ delayMs: index === 0 ? 50 : 1 }), within(10_000)),
  );
  await t.rejects(pool.run(orderJob({}), within(10_000)), {
    code: 'OVERLOADED',
    reason: 'queue',
    retryAfterSeconds: 1,
  });
  await Promise.all(accepted);
  t.ok(await pool.run(orderJob({}), within(5000)), 'and accepts again afterwards');
});

t.test('large images in the queue are bounded by their bytes', async (t) => {
  const running = pool.run(orderJob({ delayMs: 50 }), within(10_000));
  const bytes = new Uint8Array(new SharedArrayBuffer(300 * 1024 * 1024));
  const image = {
    digest: 'd',
    format: 'png',
    widthPx: 1,
    heightPx: 1,
    orientation: 1,
    bytes,
  } as const;
  const waiting = pool.run(orderJob({}, [['a', image]]), within(10_000));
  await t.rejects(pool.run(orderJob({}, [['b', image]]), within(10_000)), { code: 'OVERLOADED' });
  await Promise.all([running, waiting]);
});

t.test('processes decode no more at a time than fits the memory', async (t) => {
  const two = await startPool(t, { processCount: 2 });
  const large = {
    digest: 'd',
    format: 'jpeg',
    widthPx: 16_000,
    heightPx: 10_000,
    orientation: 1,
    bytes: new Uint8Array(new SharedArrayBuffer(1)),
  } as const;
  const run = (delayMs: number, image: SourceImage = large): Promise<PooledRender> =>
    two.run(orderJob({ delayMs }, [['a', image]]), within(10_000));
  const first = run(50);
  const second = run(1);
  t.equal(two.busyProcesses, 1, '960 MB each: the second waits although a process is free');
  t.equal(two.queueLength, 1);
  const small = two.run(orderJob({}), within(10_000));
  t.equal(two.queueLength, 1, 'what needs no memory passes it');
  await Promise.all([first, second, small]);
  const beside = [two.run(orderJob({ delayMs: 20 }), within(10_000)), run(1)];
  t.equal(two.busyProcesses, 2, 'and runs beside one that decodes nothing');
  await Promise.all(beside);
  const admitted = [600e6, 400e6].map((decodeBytes) => run(20, { ...large, decodeBytes }));
  t.equal(two.busyProcesses, 2, 'what was estimated from the header counts instead');
  await Promise.all(admitted);
  const larger = [600e6, 500e6].map((decodeBytes) => run(20, { ...large, decodeBytes }));
  t.equal(two.busyProcesses, 1);
  await Promise.all(larger);
});

t.test('a wait that would take more than half of the time left is refused at once', async (t) => {
  const order = { delayMs: 20 };
  // Eight tell what a kind costs, and as many that it costs what it is estimated at.
  for (let count = 0; count < 16; count += 1) await pool.run(orderJob(order), within(10_000));
  const runs = Array.from({ length: 8 }, () => pool.run(orderJob(order), within(10_000)));
  // Jobs like these take 20 ms, and nine stand before the next one.
  const refused = pool.run(orderJob(order), within(300));
  await t.rejects(refused, { code: 'OVERLOADED', reason: 'wait', retryAfterSeconds: 1 });
  t.equal(pool.queueLength, 7, 'and it was never among them');
  await Promise.all(runs);
});

t.test('a slot that is held while images are fetched counts, and is given back', async (t) => {
  const order = orderJob({ delayMs: 20 });
  const runs = [1, 2, 3].map(() => pool.run(order, within(10_000)));
  const slots = Array.from({ length: 30 }, () => pool.admit(order, within(10_000)));
  t.equal(pool.queueLength, 2, 'those whose images are fetched do not wait yet');
  // 40 to 60 ms of what waits, and of 600 ms of what is announced a quarter of the time left.
  t.throws(() => pool.admit(order, within(200)), { code: 'OVERLOADED', reason: 'wait' });
  for (const slot of slots.slice(1)) slot.leave();
  t.doesNotThrow(() => pool.admit(order, within(400)).leave());
  await Promise.all(runs);
  t.match(await slots[0]?.run(order, within(10_000)), { outcome: { ok: true } });
});

t.test(
  'what turns out to be more expensive than estimated is refused before its deadline',
  async (t) => {
    const run = (delayMs: number): Promise<PooledRender> =>
      pool.run(
        {
          ...orderJob({}),
          templateKey: 'org_a:changing',
          values: new Map([['order', `{"delayMs":${delayMs}}`]]),
        },
        within(2000),
      );
    for (let count = 0; count < 8; count += 1) await run(1);
    const ends = await Promise.allSettled(Array.from({ length: 12 }, () => run(300)));
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.reason] : []));
    t.ok(reasons.includes('late'), reasons.join(' '));
    t.ok(ends.filter(({ status }) => status === 'fulfilled').length >= 2, 'the others are drawn');
  },
);

t.test('a template that floods the queue does not hold up another one', async (t) => {
  const ended: string[] = [];
  const run = async (organization: string, delayMs: number): Promise<void> => {
    const job = { ...orderJob({ delayMs }), templateKey: `${organization}:${delayMs}` };
    await pool.run(job, within(10_000));
    ended.push(organization);
  };
  const runs = [0, 0, 0, 0, 0, 0, 0, 0].map(() => run('org_flood', 10));
  runs.push(run('org_quiet', 10));
  await Promise.all(runs);
  t.ok(ended.indexOf('org_quiet') <= 3, ended.join(' '));
});

t.test(
  'a job whose deadline passed in the queue is not started, unless somebody joined it',
  async (t) => {
    const running = pool.run(orderJob({ delayMs: 50 }), within(10_000));
    // Slots taken in time, whose images came too late.
    const runLate = (job: RenderJob, deadline: Deadline): Promise<PooledRender> =>
      pool.admit(job, within(10_000)).run(job, deadline);
    const expiring = runLate(orderJob({ throws: 'started' }), within(0));
    const joined = within(0);
    const extended = runLate(orderJob({ bytes: 2 }), joined);
    joined.extendTo(performance.now() + 10_000);
    await t.rejects(expiring, { code: 'TIMEOUT' });
    await running;
    t.equal(textOf(await extended), 'xx');
  },
);

t.test('a throw in a worker is INTERNAL, and its text goes to the log alone', async (t) => {
  await t.rejects(pool.run(orderJob({ throws: 'secret' }), within(5000)), {
    code: 'INTERNAL',
    message: /^(?!.*secret)/,
    detail: /secret/,
  });
});

t.test('a process that dies fails its own job alone, and another takes its place', async (t) => {
  const dying = pool.run(orderJob({ exits: true }), within(10_000));
  const next = pool.run(orderJob({ bytes: 3 }), within(10_000));
  await t.rejects(dying, { code: 'INTERNAL', reason: 'lost' });
  t.equal(textOf(await next), 'xxx');
});

t.test('a lost job of several rows quarantines nothing: its rows are proved alone', async (t) => {
  const templateKey = 'org_a:rows';
  const proof = { fileBytesMax: 1, more: [[['name', 'Ann']]] } as const;
  const jobOf = (order: string): RenderJob => ({
    ...orderJob({}),
    templateKey,
    values: new Map([['order', order]]),
  });
  const rows = { ...jobOf('{"exits":true}'), proof } as unknown as RenderJob;
  for (let count = 0; count < 2; count += 1) {
    await t.rejects(pool.run(rows, within(10_000)), { code: 'INTERNAL', reason: 'lost' });
  }
  const row = jobOf('{"bytes":2}');
  t.equal(textOf(await pool.run(row, within(10_000))), 'xx');
  for (let count = 0; count < 2; count += 1) {
    await t.rejects(pool.run(jobOf('{"exits":true}'), within(10_000)), {
      code: 'INTERNAL',
      reason: 'lost',
    });
  }
  await t.rejects(pool.run(row, within(10_000)), { code: 'QUARANTINED' });
});

t.test('a first render that fails is reported, and the pool is not ready', async (t) => {
  const cold = createPool(t);
  const answer = { ok: false, code: 'INTERNAL', detail: 'no fonts' } as const;
  await t.rejects(cold.warmUp(orderJob({ answer }), within(20_000)), { message: /no fonts/ });
  t.equal(cold.isReady, false);
});

t.test(
  'a pool is ready after its first render, and a slow one does not make later waits look long',
  async (t) => {
    const cold = createPool(t);
    await cold.warmUp(orderJob({ delayMs: 3000 }), within(20_000));
    t.equal(cold.isReady, true);
    const runs = [1, 2, 3].map(() => cold.run(orderJob({ bytes: 1 }), within(2500)));
    for (const run of await Promise.all(runs)) t.equal(textOf(run), 'x');
  },
);

t.test('closing refuses what waits and lets what runs end', async (t) => {
  const closing = await startPool(t);
  const running = closing.run(orderJob({ delayMs: 30, bytes: 1 }), within(10_000));
  const waiting = closing.run(orderJob({}), within(10_000));
  const closed = closing.close(5000);
  await t.rejects(waiting, { code: 'OVERLOADED', reason: 'closing' });
  t.equal(textOf(await running), 'x');
  await closed;
  await t.rejects(closing.run(orderJob({}), within(5000)), { code: 'OVERLOADED' });
});
