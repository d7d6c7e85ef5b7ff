import { getPriority } from 'node:os';
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
  const two = await startPool(t, { threadCount: 2 });
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
  t.equal(two.busyThreads, 1, '960 MB each: the second waits although a process is free');
  t.equal(two.queueLength, 1);
  const small = two.run(orderJob({}), within(10_000));
  t.equal(two.queueLength, 1, 'what needs no memory passes it');
  await Promise.all([first, second, small]);
  const beside = [two.run(orderJob({ delayMs: 20 }), within(10_000)), run(1)];
  t.equal(two.busyThreads, 2, 'and runs beside one that decodes nothing');
  await Promise.all(beside);
  const admitted = [600e6, 400e6].map((decodeBytes) => run(20, { ...large, decodeBytes }));
  t.equal(two.busyThreads, 2, 'what was estimated from the header counts instead');
  await Promise.all(admitted);
  const larger = [600e6, 500e6].map((decodeBytes) => run(20, { ...large, decodeBytes }));
  t.equal(two.busyThreads, 1);
  await Promise.all(larger);
});

t.test('a slot that is held while images are fetched counts, and is given back', async (t) => {
  const order = orderJob({ delayMs: 20 });
  // Eight tell what a kind costs, and as many that it costs what it is estimated at.
  for (let count = 0; count < 16; count += 1) await pool.run(order, within(10_000));
  const runs = [1, 2, 3].map(() => pool.run(order, within(10_000)));
  const slots = Array.from({ length: 30 }, () => pool.admit(order, within(10_000)));
  t.equal(pool.queueLength, 2, 'those whose images are fetched do not wait yet');
  // 40 to 60 ms of what waits, and of 600 ms of what is announced a quarter of the time left.
  const refusal = { code: 'OVERLOADED', reason: 'wait' };
  t.throws(() => pool.admit(order, within(200)), refusal);
  const late = pool.run(order, within(200));
  t.equal(pool.queueLength, 2, 'and a job without a slot is never among them');
  for (const slot of slots.slice(1)) slot.leave();
  t.doesNotThrow(() => pool.admit(order, within(1500)).leave());
  await t.rejects(late, refusal);
  await Promise.all(runs);
  t.match(await slots[0]?.run(order, within(10_000)), { outcome: { ok: true } });
});

t.test('what is more expensive than estimated is refused before its deadline', async (t) => {
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
});

t.test('a job whose deadline passed in the queue starts only if somebody joined it', async (t) => {
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
});

t.test('a throw in a worker is INTERNAL, and its text goes to the log alone', async (t) => {
  await t.rejects(pool.run(orderJob({ throws: 'secret' }), within(5000)), {
    code: 'INTERNAL',
    message: /^(?!.*secret)/,
    detail: /secret/,
  });
});

t.test('a first render that fails is reported, and the pool is not ready', async (t) => {
  const cold = createPool(t);
  const answer = { ok: false, code: 'INTERNAL', detail: 'no fonts' } as const;
  await t.rejects(cold.warmUp(orderJob({ answer }), within(20_000)), { message: /no fonts/ });
  t.equal(cold.isReady, false);
});

t.test('a pool is ready after its first render, however slow that was', async (t) => {
  const cold = createPool(t);
  await cold.warmUp(orderJob({ delayMs: 3000 }), within(20_000));
  t.equal(cold.isReady, true);
  const runs = [1, 2, 3].map(() => cold.run(orderJob({ bytes: 1 }), within(2500)));
  for (const run of await Promise.all(runs)) t.equal(textOf(run), 'x');
});

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

t.test('a process does its first job before it takes its low priority', async (t) => {
  const cold = createPool(t);
  const priority = async (): Promise<string> =>
    textOf(await cold.run(orderJob({ reportsPriority: true }), within(20_000)));
  t.equal(await priority(), String(getPriority()));
  // The host lowers it when it learns that the first job is done: a moment after the answer.
  while ((await priority()) !== '10') t.comment('not yet');
});
