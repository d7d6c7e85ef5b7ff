/** After the warm-up a render process has run what most templates need. */
import { join } from 'node:path';
import t from 'tap';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { mixedJob, warmUp, warmUpJob } from '../../src/scheduling/warm-up.ts';
import { createPool, within } from '../fixtures/render-pool.ts';

const processCount = 2;
const repository = join(import.meta.dirname, '../..');
const pool = createPool(t, {
  filename: join(repository, 'workers/render-process.ts'),
  fontConfigFile: await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-test')),
  processCount,
});
await pool.warmUp(warmUpJob, within(30_000));

t.test(
  'every process has drawn it, as it is meant to look, and keeps no base render',
  async (t) => {
    await warmUp(pool, processCount, within(30_000));
    for (const format of ['png', 'jpeg'] as const) {
      const job = mixedJob(format, 'somebody else');
      const runs = await Promise.all([pool.run(job, within(9000)), pool.run(job, within(9000))]);
      for (const { outcome } of runs) {
        t.match(outcome, { ok: true, drawn: 'plan', warnings: [], degraded: false }, format);
        t.match(
          outcome,
          { baseRender: { isKept: false } },
          'over a base render for this job alone',
        );
      }
    }
  },
);

t.test('it makes way for readers', async (t) => {
  let drawn = 0;
  const busy = {
    queueLength: 1,
    run: () => {
      drawn += 1;
      throw new Error('a reader is kept waiting');
    },
  };
  await warmUp(busy, processCount, within(1000));
  t.equal(drawn, 0);
});
