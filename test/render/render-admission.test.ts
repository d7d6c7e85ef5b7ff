import t from 'tap';
import type { AppError } from '../../src/foundation/errors.ts';
import {
  outlookAtTurn,
  outlookOf,
  refusalError,
  refusalOf,
} from '../../src/scheduling/admission.ts';
import type { Backlog } from '../../src/scheduling/admission.ts';
import { RenderQueue } from '../../src/scheduling/queue.ts';
import type { QueuedWork } from '../../src/scheduling/queue.ts';

function work(organization: string, template: string, costMs = 10): QueuedWork {
  return { organization, template, costMs, isCheap: true };
}

function backlog(works: readonly QueuedWork[], queueMax = 1000, threadCount = 2, runningMs = 0) {
  const queue = new RenderQueue<QueuedWork>();
  for (const each of works) queue.push(each);
  return { queue, queueMax, threadCount, expensiveThreads: threadCount - 1, runningMs };
}

/** What a work that arrives with so many milliseconds left gets. */
function refused(next: QueuedWork, remainingMs: number, waiting: Backlog): AppError | undefined {
  const outlook = outlookOf(next, waiting);
  const refusal = refusalOf(next, remainingMs, outlook);
  return refusal && refusalError(refusal, outlook.waitMs);
}

t.test('a render is let in while its wait is less than half of the time left', async (t) => {
  const hundred = Array.from({ length: 100 }, () => work('a', 'x'));
  // 100 × 10 ms on two processes.
  t.equal(refused(work('a', 'x'), 1100, backlog(hundred)), undefined);
  const refusal = refused(work('a', 'x'), 900, backlog(hundred));
  t.match(refusal, { code: 'OVERLOADED', reason: 'wait', retryAfterSeconds: 1 });
});

t.test('Retry-After is the time in which the processes do what stands before', async (t) => {
  const many = Array.from({ length: 400 }, () => work('a', 'x', 100));
  const after = (threadCount: number): unknown =>
    refused(work('a', 'x', 100), 10_000, backlog(many, 1000, threadCount))?.retryAfterSeconds;
  t.equal(after(2), 20);
  t.equal(after(4), 10);
  t.equal(after(1), 40);
  const hours = backlog([work('a', 'x', 9e6)]);
  t.equal(refused(work('a', 'x'), 1, hours)?.retryAfterSeconds, 60, 'a minute at most');
});

t.test('after the deadline the answer is 504', async (t) => {
  t.match(refused(work('a', 'x'), 0, backlog([])), { code: 'TIMEOUT' });
});

t.test('a template that fills the queue leaves slots for others, and an organization too', (t) => {
  const fill = (names: (index: number) => QueuedWork): ReturnType<typeof backlog> => {
    const full = backlog([], 100);
    for (let index = 0; ; index += 1) {
      const next = names(index);
      if (refused(next, 1e9, full) !== undefined) return full;
      full.queue.push(next);
    }
  };
  const flooded = fill(() => work('a', 'x'));
  t.ok(flooded.queue.length > 90, 'alone it has nearly all of it');
  t.match(refused(work('a', 'x'), 1e9, flooded), { reason: 'queue' });
  t.equal(refused(work('a', 'y'), 1e9, flooded), undefined);
  const crowded = fill((index) => work('a', `${index % 7}`));
  t.match(refused(work('a', 'other'), 1e9, crowded), { reason: 'queue' });
  t.equal(refused(work('b', 'x'), 1e9, crowded), undefined);
  t.end();
});

t.test('images that are on their way take at most half of the queue', async (t) => {
  const stalled = backlog([], 1000);
  for (let count = 0; count < 5000; count += 1) stalled.queue.announce(work('a', 'x', 100));
  t.equal(refused(work('a', 'x'), 1000, stalled), undefined);
  for (let count = 0; count < 60; count += 1) stalled.queue.push(work('a', 'x'));
  // 300 ms of what waits are more than the other half of 500 ms.
  t.match(refused(work('a', 'x'), 1000, stalled), { reason: 'wait' });
});

t.test('processes that are lost do not count, and with none of them nobody waits', async (t) => {
  const some = Array.from({ length: 50 }, () => work('a', 'x'));
  t.equal(refused(work('a', 'x'), 800, backlog(some, 1000, 2)), undefined);
  t.match(refused(work('a', 'x'), 800, backlog(some, 1000, 1)), { reason: 'wait' });
  const lost = refused(work('a', 'x'), 10_000, backlog([], 1000, 0));
  t.match(lost, { reason: 'stuck', retryAfterSeconds: 3 });
});

t.test('one of each template is believed to be quick, but not let in before the others', (t) => {
  const busy = backlog(Array.from({ length: 50 }, () => work('a', 'x')));
  t.equal(refused(work('a', 'expensive', 60_000), 2000, busy), undefined);
  busy.queue.announce(work('a', 'expensive', 60_000));
  t.match(refused(work('a', 'expensive', 60_000), 2000, busy), { reason: 'wait' });
  const each = Array.from({ length: 200 }, (_, index) => work('a', `t${index}`, 450));
  const many = backlog(each);
  t.match(refused(work('a', 'another', 450), 10_000, many), { reason: 'wait' });
  t.end();
});

t.test('expensive renders wait for the processes that they may hold', async (t) => {
  const expensive = { ...work('a', 'x', 100), isCheap: false };
  const flood = Array.from({ length: 20 }, () => expensive);
  const refusal = refused(expensive, 3500, backlog(flood, 1000, 2));
  t.match(refusal, { reason: 'wait', retryAfterSeconds: 2 }, '2 s on one process');
  const cheap = work('a', 'x');
  t.equal(refused(cheap, 3500, backlog(flood, 1000, 2)), undefined, '1 s on two');
  const other = { ...work('b', 'x', 100), isCheap: false };
  t.equal(refused(other, 3500, backlog(flood, 1000, 2)), undefined);
  t.equal(refused(expensive, 4500, backlog(flood, 1000, 1)), undefined, 'one has all');
});

t.test('at its turn a render starts where it can be in time, and the only one is tried', (t) => {
  const atTurn = (costMs: number, isOnly: boolean): unknown =>
    refusalOf(work('a', 'x', costMs), 1000, outlookAtTurn(isOnly));
  t.equal(atTurn(900, false), undefined);
  t.equal(atTurn(1100, false), 'wait');
  t.equal(atTurn(9000, true), undefined);
  t.equal(refusalOf(work('a', 'x'), -1, outlookAtTurn(true)), 'deadline');
  t.end();
});
