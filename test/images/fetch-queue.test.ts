/** The queue's promises: bounded, fair between hosts, and no work that nobody wants. */
import t from 'tap';
import { FetchQueue } from '../../src/images/fetch-queue.ts';
import type { FetchQueueOptions } from '../../src/images/fetch-queue.ts';

const wanted = (): boolean => true;

/** A queue whose fetches end when the test says so. */
function startQueue(options: Partial<FetchQueueOptions> = {}): {
  queue: FetchQueue;
  started: string[];
  add: (name: string, isWanted?: () => boolean) => Promise<string>;
  finish: (name: string) => Promise<void>;
} {
  const queue = new FetchQueue({
    fetchesMax: 2,
    fetchesPerHostMax: 1,
    fetchesWaitingMax: 2,
    queueWaitMs: 10_000,
    ...options,
  });
  const started: string[] = [];
  const running = new Map<string, () => void>();
  return {
    queue,
    started,
    add: (name, isWanted = wanted) =>
      queue.run(name.slice(0, 1), isWanted, () => {
        started.push(name);
        return new Promise((resolve) => {
          running.set(name, () => resolve(name));
        });
      }),
    finish: async (name) => {
      running.get(name)?.();
      // What the end sets off are promise reactions: one turn of the event loop sees them all.
      await new Promise(setImmediate);
    },
  };
}

t.test('a host over its share waits while others pass it', async (t) => {
  const { add, started, finish, queue } = startQueue();
  const all = [add('a1'), add('a2'), add('b1')];
  t.strictSame(started, ['a1', 'b1']);
  t.equal(queue.waiting, 1);
  await finish('b1');
  t.strictSame(started, ['a1', 'b1'], 'a place alone is not enough');
  await finish('a1');
  t.strictSame(started, ['a1', 'b1', 'a2']);
  await finish('a2');
  t.strictSame(await Promise.all(all), ['a1', 'a2', 'b1']);
  t.equal(queue.running, 0);
});

t.test('who waits longest comes first', async (t) => {
  const { add, started, finish } = startQueue({ fetchesMax: 1 });
  const all = [add('a'), add('b'), add('c')];
  await finish('a');
  await finish('b');
  await finish('c');
  await Promise.all(all);
  t.strictSame(started, ['a', 'b', 'c']);
});

t.test('a full queue refuses at once', async (t) => {
  const { add, finish, queue } = startQueue({ fetchesMax: 1 });
  const all = [add('a'), add('b'), add('c')];
  await t.rejects(add('d'), { name: 'ImageError', reason: 'overloaded' });
  t.equal(queue.waiting, 2);
  for (const name of ['a', 'b', 'c']) await finish(name);
  await Promise.all(all);
});

t.test('a wait has an end', async (t) => {
  const { add, finish, queue } = startQueue({ fetchesMax: 1, queueWaitMs: 20 });
  const first = add('a');
  await t.rejects(add('b'), { name: 'ImageError', reason: 'overloaded' });
  t.equal(queue.waiting, 0);
  await finish('a');
  await first;
});

t.test('what nobody wants any more is not started', async (t) => {
  const { add, finish, started } = startQueue({ fetchesMax: 1 });
  let isWanted = true;
  const all = [add('a'), add('c')];
  const given = t.rejects(
    add('b', () => isWanted),
    { name: 'ImageError', reason: 'overloaded' },
  );
  isWanted = false;
  await finish('a');
  await finish('c');
  await given;
  await Promise.all(all);
  t.strictSame(started, ['a', 'c']);
});

t.test('what nobody wants any more makes room for a newcomer', async (t) => {
  const { add, finish, started } = startQueue({ fetchesMax: 1, fetchesWaitingMax: 1 });
  const first = add('a');
  const given = t.rejects(
    add('b', () => false),
    { name: 'ImageError', reason: 'overloaded' },
  );
  const newcomer = add('c');
  await given;
  await finish('a');
  await finish('c');
  await Promise.all([first, newcomer]);
  t.strictSame(started, ['a', 'c']);
});

t.test('work that fails gives its place back', async (t) => {
  const { queue } = startQueue({ fetchesMax: 1 });
  const broken = new Error('broken');
  await t.rejects(
    queue.run('a', wanted, () => Promise.reject(broken)),
    broken,
  );
  t.equal(await queue.run('a', wanted, () => Promise.resolve('next')), 'next');
  t.equal(queue.running, 0);
});
