import t from 'tap';
import { RenderQueue } from '../../src/scheduling/queue.ts';
import type { QueuedWork } from '../../src/scheduling/queue.ts';

interface NamedWork extends QueuedWork {
  name: string;
}

function work(organization: string, template: string, costMs = 10, name = template): NamedWork {
  return { organization, template, costMs, isCheap: true, name };
}

/** The names of everything in the queue, in the order of their turns. */
function takeAll(queue: RenderQueue<NamedWork>): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) names.push(next.name);
  return names;
}

/** A queue of these works, each a name `organization/template`, in the order in which they come. */
function queueOf(names: string, costMs = 10): RenderQueue<NamedWork> {
  const queue = new RenderQueue<NamedWork>();
  for (const [index, name] of names.split(' ').entries()) {
    const [organization = '', template = ''] = name.split('/');
    queue.push(work(organization, template, costMs, `${template}${index}`));
  }
  return queue;
}

t.test('organizations and then their templates take turns, first in first out', async (t) => {
  for (const [names, order] of [
    ['a/x a/x a/x', 'x0 x1 x2'],
    ['a/a a/a a/a a/a b/b b/b', 'a0 b4 a1 b5 a2 a3'],
    ['a/c a/d a/c a/d b/b b/b b/b b/b', 'c0 b4 d1 b5 c2 b6 d3 b7'],
  ] as const) {
    const queue = queueOf(names);
    t.equal(takeAll(queue).join(' '), order);
    t.equal(queue.take(), undefined);
    t.equal(queue.length, 0);
  }
});

t.test('what a render has really cost is charged to its template and organization', async (t) => {
  const queue = queueOf('a/a b/b a/a b/b a/a b/b a/a b/b');
  const first = queue.take();
  if (first !== undefined) queue.settle(first, 20);
  t.same(takeAll(queue).slice(0, 4), ['b1', 'b3', 'b5', 'a2']);
  const templates = queueOf('a/c a/d a/c a/d');
  const costly = templates.take();
  if (costly !== undefined) templates.settle(costly, 20);
  t.same(takeAll(templates), ['d1', 'd3', 'c2']);
});

t.test('what is given back puts nobody before those who wait', async (t) => {
  const queue = new RenderQueue<NamedWork>();
  queue.push(work('a', 'a', 1000));
  const first = queue.take();
  for (let count = 0; count < 5; count += 1) queue.push(work('a', 'a', 10));
  queue.push(work('b', 'b', 10));
  if (first !== undefined) queue.settle(first, -990);
  t.ok(takeAll(queue).indexOf('b') <= 1);
});

t.test('asking for one expensive render after the other does not win the turns of others', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 40; count += 1) queue.push(work('a', 'cheap', 10));
  const order: string[] = [];
  for (let count = 0; count < 24; count += 1) {
    // Never more than one of it waits.
    if (!order.slice(-1).includes('expensive') || count === 0) {
      if (queue.lengthsOf(work('b', 'expensive')).template === 0)
        queue.push(work('b', 'expensive', 100));
    }
    order.push(queue.take()?.name ?? '');
  }
  t.ok(order.filter((name) => name === 'expensive').length <= 3, order.join(' '));
  t.end();
});

t.test('waiting times count one’s own template whole and others as far as is fair', async (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 10; count += 1) queue.push(work('a', 'flood', 10));
  t.equal(queue.aheadMs(work('a', 'flood', 10)).allMs, 100);
  t.equal(queue.aheadMs(work('a', 'other', 10)).allMs, 10, 'the other one of the organization');
  t.equal(queue.aheadMs(work('b', 'other', 30)).allMs, 30, 'of another organization');
  queue.push(work('b', 'b', 10));
  t.equal(queue.aheadMs(work('b', 'b', 10)).allMs, 30);
  t.equal(queue.aheadMs(work('a', 'flood', 10)).allMs, 110);
});

t.test('what is announced counts where it is asked for, until it is withdrawn', async (t) => {
  const queue = new RenderQueue<NamedWork>();
  const coming = work('a', 'x', 25);
  queue.announce(coming);
  queue.announce(coming);
  t.equal(queue.announced, 2);
  t.equal(queue.length, 0);
  t.equal(queue.aheadMs(coming).allMs, 0);
  t.equal(queue.aheadMs(coming, true).allMs, 50);
  queue.withdraw(coming);
  t.equal(queue.aheadMs(coming, true).allMs, 25);
  queue.withdraw(coming);
  t.equal(queue.aheadMs(coming, true).allMs, 0);
});

t.test('who may not start now lets the next in fair order pass, and keeps its turn', async (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (const name of ['a1', 'a2']) queue.push({ ...work('a', name, 100), isCheap: false });
  queue.push(work('a', 'a3'));
  queue.push(work('b', 'b1'));
  const mayStart = ({ isCheap }: NamedWork): boolean => isCheap;
  t.equal(queue.take(mayStart)?.name, 'a3', 'the same organization, another template');
  t.equal(queue.take(mayStart)?.name, 'b1');
  t.equal(queue.take(mayStart), undefined);
  t.equal(queue.length, 2);
  t.same(takeAll(queue), ['a1', 'a2']);
});
