import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { eventually } from '../e2e/service.ts';
import { childrenOf, isRunning } from '../helpers/child-processes.ts';

interface Report {
  ends: [number | null, string | null][];
  state: string;
  pids: number[];
}

t.test('a thread that ends takes its processes along, and leaves no child behind', async (t) => {
  const before = childrenOf(process.pid);
  const thread = new Worker(join(import.meta.dirname, '../fixtures/thread-with-processes.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  const [{ ends, state, pids }] = (await once(thread, 'message')) as [Report];
  t.same(ends, [
    [3, null],
    [null, 'SIGTERM'],
    [4, null],
    [null, 'SIGKILL'],
  ]);
  t.equal(state, 'drawn');
  t.equal(pids.filter(isRunning).length, 2);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  thread.postMessage('fill your heap');
  await t.rejects(once(thread, 'exit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  t.ok(await eventually(() => !pids.some(isRunning)));
  t.same(childrenOf(process.pid), before);
});
