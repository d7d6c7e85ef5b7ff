/** The queue's promises: bounded, fair between organizations, templates and hosts, and no work that nobody wants. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { ImageError } from '../../src/images/image-error.ts';
import type { ImageLoaderOptions } from '../../src/images/config.ts';
import { createFetchTurns, hostClaims } from '../../src/images/remote-images.ts';
import type { Turns } from '../../src/images/turns.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const wanted = (): boolean => true;
const overloaded = { name: 'ImageError', reason: 'overloaded' };

/** A queue whose fetches, `organization/template/host/number`, end when the test says so. */
function startQueue(options: ImageLoaderOptions = {}): {
  queue: Turns;
  started: string[];
  add: (name: string, isWanted?: () => boolean) => Promise<string>;
  finish: (...names: string[]) => Promise<void>;
} {
  const limits = {
    fetchesMax: 2,
    fetchesPerHostMax: 1,
    fetchesWaitingMax: 2,
    queueWaitMs: 10_000,
    ...options,
  };
  const queue = createFetchTurns(limits);
  const started: string[] = [];
  const running = new Map<string, () => void>();
  return {
    queue,
    started,
    add: (name, isWanted = wanted) => {
      const [organizationUid = '', templateUid = '', host = ''] = name.split('/');
      const requester = { organizationUid, templateUid };
      return queue.run(requester, hostClaims(requester, host, limits), isWanted, () => {
        started.push(name);
        return new Promise((resolve) => {
          running.set(name, () => resolve(name));
        });
      });
    },
    finish: async (...names) => {
      for (const name of names) {
        running.get(name)?.();
        // What the end sets off are promise reactions: one turn of the event loop sees them all.
        await new Promise(setImmediate);
      }
    },
  };
}

/** Names of fetches, each of a host of its own. */
const hostsOf = (template: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${template}/${template.replace('/', '')}${index}/`);

t.test('a host over its share waits while others pass it', async (t) => {
  const { add, started, finish, queue } = startQueue();
  const all = [add('A/a/x/1'), add('B/b/x/2'), add('B/b/y/1')];
  t.strictSame(started, ['A/a/x/1', 'B/b/y/1']);
  t.equal(queue.waiting, 1);
  await finish('B/b/y/1');
  t.strictSame(started, ['A/a/x/1', 'B/b/y/1'], 'a slot alone is not enough');
  await finish('A/a/x/1');
  t.strictSame(started, ['A/a/x/1', 'B/b/y/1', 'B/b/x/2']);
  await finish('B/b/x/2');
  t.strictSame(await Promise.all(all), ['A/a/x/1', 'B/b/x/2', 'B/b/y/1']);
  t.equal(queue.running, 0);
});

t.test('fetches that hang leave slots to the other templates and organizations', async (t) => {
  const { add, started, finish, queue } = startQueue({ fetchesMax: 8, fetchesWaitingMax: 32 });
  const hanging = [...hostsOf('A/a', 8), ...hostsOf('A/b', 8)];
  const all = hanging.map((name) => add(name));
  t.equal(started.filter((name) => name.startsWith('A/a/')).length, 4, 'half for a template');
  t.equal(started.length, 6, 'three quarters for an organization');
  all.push(...hostsOf('B/c', 3).map((name) => add(name)));
  t.strictSame(started.slice(6), hostsOf('B/c', 2), 'a newcomer is served at once');
  await finish(hanging[0] ?? '');
  t.strictSame(started.slice(8), ['B/c/Bc2/'], 'and comes next, however long others have waited');
  await finish(...hanging, ...hostsOf('B/c', 3), ...hanging);
  await Promise.all(all);
  t.equal(queue.running + queue.waiting, 0);
});

t.test('in a full queue who has the most requests makes way', async (t) => {
  const { add, finish, started, queue } = startQueue({ fetchesMax: 1, fetchesWaitingMax: 8 });
  const many = hostsOf('A/a', 5);
  const all = many.slice(0, 4).map((name) => add(name));
  const last = t.rejects(add(many[4] ?? ''), overloaded, 'the newest of the most makes way');
  await t.rejects(add('A/a/more/'), overloaded, 'half of the waiting slots for a template');
  const others = [...hostsOf('A/b', 2), ...hostsOf('B/b', 2), 'C/c/x/'];
  t.equal(queue.waiting, 4);
  all.push(...others.map((name) => add(name)));
  await last;
  // In each round at least one ends.
  for (const _ of all) await finish(...many, ...others);
  t.equal((await Promise.all(all)).length, started.length);
  t.strictSame(started.slice(1, 4), ['B/b/Bb0/', 'C/c/x/', 'A/b/Ab0/'], 'served longest ago first');
});

t.test('a wait has an end', async (t) => {
  const { add, finish, queue } = startQueue({ fetchesMax: 1, queueWaitMs: 20 });
  const first = add('A/a/x/');
  await t.rejects(add('B/b/y/'), overloaded);
  t.equal(queue.waiting, 0);
  await finish('A/a/x/');
  await first;
});

/** Fetches of one host, of which the first has taken 50 ms and the second runs. */
async function startSlowHost(
  options: ImageLoaderOptions,
): Promise<ReturnType<typeof startQueue> & { all: Promise<unknown>[] }> {
  const queue = startQueue({ fetchesMax: 8, ...options });
  const all = [queue.add('A/a/slow/1'), queue.add('A/a/slow/2')];
  await delay(50);
  await queue.finish('A/a/slow/1');
  return { ...queue, all };
}

t.test('a refusal says when it is worth asking again', async (t) => {
  const { add, finish, queue, all } = await startSlowHost({ fetchesWaitingMax: 100 });
  const names = Array.from({ length: 50 }, (_, index) => `A/a/slow/${index + 3}`);
  all.push(...names.map((name) => add(name)));
  const error = await add('A/a/slow/more').catch((reason: unknown) => reason);
  t.match(error, overloaded);
  t.ok(Number((error as ImageError).retryAfterSeconds) >= 3, '51 of 50 ms');
  await finish('A/a/slow/2', ...names);
  await Promise.all(all);
  t.equal(queue.waiting, 0);
});

t.test('a wait without prospect is refused at once', async (t) => {
  const { add, finish, queue, all } = await startSlowHost({
    fetchesWaitingMax: 1000,
    queueWaitMs: 1000,
  });
  const names = Array.from({ length: 60 }, (_, index) => `A/a/slow/${index + 3}`);
  const others = names.map((name) => add(name).catch((reason: unknown) => reason));
  t.ok(queue.waiting > 0 && queue.waiting <= 40, `${queue.waiting} wait for at most 2 s`);
  const free = add('A/a/quick/');
  t.equal(queue.running, 2, 'other hosts are not concerned');
  const waiting = queue.waiting;
  const newcomer = add('B/b/slow/1');
  t.equal(queue.waiting, waiting + 1, 'nor who has not asked for so much of this one');
  await finish('A/a/slow/2', 'B/b/slow/1', ...names, 'A/a/quick/');
  await Promise.all([...all, ...others, free, newcomer]);
  t.equal(queue.running, 0);
});

t.test('what nobody wants any more is not started', async (t) => {
  const { add, finish, started } = startQueue({ fetchesMax: 1 });
  let isWanted = true;
  const all = [add('A/a/x/'), add('C/c/z/')];
  const given = t.rejects(
    add('B/b/y/', () => isWanted),
    overloaded,
  );
  isWanted = false;
  await finish('A/a/x/', 'C/c/z/');
  await given;
  await Promise.all(all);
  t.strictSame(started, ['A/a/x/', 'C/c/z/']);
});

t.test('what nobody wants any more is evicted for a newcomer', async (t) => {
  const { add, finish, started } = startQueue({ fetchesMax: 1, fetchesWaitingMax: 1 });
  const first = add('A/a/x/');
  const given = t.rejects(
    add('B/b/y/', () => false),
    overloaded,
  );
  const newcomer = add('C/c/z/');
  await given;
  await finish('A/a/x/', 'C/c/z/');
  await Promise.all([first, newcomer]);
  t.strictSame(started, ['A/a/x/', 'C/c/z/']);
});

t.test('work that fails gives its slot back', async (t) => {
  const { queue } = startQueue({ fetchesMax: 1 });
  const broken = new Error('broken');
  await t.rejects(
    queue.run(testRequester, [], wanted, () => Promise.reject(broken)),
    broken,
  );
  t.equal(await queue.run(testRequester, [], wanted, () => Promise.resolve('next')), 'next');
  t.equal(queue.running, 0);
});
