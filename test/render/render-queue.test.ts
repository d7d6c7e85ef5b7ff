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

t.test('of one template, first in is first out', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (const name of ['1', '2', '3']) queue.push(work('a', 'x', 10, name));
  t.same(takeAll(queue), ['1', '2', '3']);
  t.equal(queue.take(), undefined);
  t.end();
});

t.test('organizations take turns however much each of them asks for', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 4; count += 1) queue.push(work('a', 'a'));
  for (let count = 0; count < 2; count += 1) queue.push(work('b', 'b'));
  t.same(takeAll(queue), ['a', 'b', 'a', 'b', 'a', 'a']);
  t.end();
});

t.test('templates share what their organization gets, not what others get', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (const template of ['a1', 'a2', 'a1', 'a2']) queue.push(work('a', template));
  for (let count = 0; count < 4; count += 1) queue.push(work('b', 'b'));
  t.same(takeAll(queue), ['a1', 'b', 'a2', 'b', 'a1', 'b', 'a2', 'b']);
  t.end();
});

t.test('turns are counted in time: ten cheap renders for an expensive one', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 3; count += 1) queue.push(work('a', 'expensive', 100));
  for (let count = 0; count < 20; count += 1) queue.push(work('b', 'cheap', 10));
  const order = takeAll(queue);
  t.equal(order.slice(0, 12).filter((name) => name === 'cheap').length, 10);
  t.equal(order.slice(0, 12).filter((name) => name === 'expensive').length, 2);
  t.end();
});

t.test('what a render has really cost is charged to its template and organization', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 4; count += 1) {
    queue.push(work('a', 'a'));
    queue.push(work('b', 'b'));
  }
  const first = queue.take();
  if (first !== undefined) queue.settle(first, 20);
  t.same(takeAll(queue).slice(0, 4), ['b', 'b', 'b', 'a']);
  t.end();
});

t.test('what is given back puts nobody before those who wait', (t) => {
  const queue = new RenderQueue<NamedWork>();
  queue.push(work('a', 'a', 1000));
  const first = queue.take();
  for (let count = 0; count < 5; count += 1) queue.push(work('a', 'a', 10));
  queue.push(work('b', 'b', 10));
  if (first !== undefined) queue.settle(first, -990);
  t.ok(takeAll(queue).indexOf('b') <= 1);
  t.end();
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

t.test('waiting times count one’s own template whole and others as far as is fair', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (let count = 0; count < 10; count += 1) queue.push(work('a', 'flood', 10));
  t.equal(queue.aheadMs(work('a', 'flood', 10)).allMs, 100);
  t.equal(queue.aheadMs(work('a', 'other', 10)).allMs, 10, 'the other one of the organization');
  t.equal(queue.aheadMs(work('b', 'other', 30)).allMs, 30, 'of another organization');
  queue.push(work('b', 'b', 10));
  t.equal(queue.aheadMs(work('b', 'b', 10)).allMs, 30);
  t.equal(queue.aheadMs(work('a', 'flood', 10)).allMs, 110);
  t.end();
});

t.test('what is announced counts where it is asked for, until it is withdrawn', (t) => {
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
  t.end();
});

t.test('draining removes every work', (t) => {
  const queue = new RenderQueue<NamedWork>();
  for (const name of ['1', '2']) queue.push(work('a', 'x', 10, name));
  queue.push(work('b', 'y', 10, 'y'));
  t.same(
    queue
      .dropLate(() => true)
      .map(({ name }) => name)
      .toSorted(),
    ['1', '2', 'y'],
  );
  t.equal(queue.length, 0);
  t.equal(queue.aheadMs(work('a', 'x', 10)).allMs, 0);
  t.end();
});

t.test('who may not start now lets the next in fair order pass, and keeps its turn', (t) => {
  const queue = new RenderQueue<NamedWork>();
  const expensive = (template: string): NamedWork => ({
    ...work('a', template, 100),
    isCheap: false,
  });
  queue.push(expensive('a1'));
  queue.push(expensive('a2'));
  queue.push(work('a', 'a3'));
  queue.push(work('b', 'b1'));
  const mayStart = ({ isCheap }: NamedWork): boolean => isCheap;
  t.equal(queue.take(mayStart)?.name, 'a3', 'the same organization, another template');
  t.equal(queue.take(mayStart)?.name, 'b1');
  t.equal(queue.take(mayStart), undefined);
  t.equal(queue.length, 2);
  t.same(takeAll(queue), ['a1', 'a2']);
  t.end();
});
