import t from 'tap';
import { Deadline } from '../../src/foundation/deadline.ts';
import {
  isWorthStarting,
  latenessOf,
  lateError,
  refusalOf,
} from '../../src/scheduling/admission.ts';
import { RenderQueue } from '../../src/scheduling/queue.ts';
import type { QueuedWork } from '../../src/scheduling/queue.ts';

function work(organization: string, template: string, costMs = 10): QueuedWork {
  return { organization, template, costMs, isCheap: true };
}

function backlog(works: readonly QueuedWork[], queueMax = 1000, threads = 2, runningMs = 0) {
  const queue = new RenderQueue<QueuedWork>();
  for (const each of works) queue.push(each);
  return { queue, queueMax, threads, expensiveThreads: threads - 1, runningMs };
}

const within = (ms: number): Deadline => new Deadline(performance.now() + ms);

t.test('a render is let in while its wait is less than half of the time left', (t) => {
  const hundred = Array.from({ length: 100 }, () => work('a', 'x'));
  // 100 × 10 ms on two threads.
  t.equal(refusalOf(work('a', 'x'), within(1100), backlog(hundred)), undefined);
  const refusal = refusalOf(work('a', 'x'), within(900), backlog(hundred));
  t.match(refusal, { code: 'OVERLOADED', reason: 'wait', retryAfterSeconds: 1 });
  t.end();
});

t.test('Retry-After is the time in which the threads do what stands before', (t) => {
  const many = Array.from({ length: 400 }, () => work('a', 'x', 100));
  const after = (threads: number): unknown =>
    refusalOf(work('a', 'x', 100), within(10_000), backlog(many, 1000, threads))?.retryAfterSeconds;
  t.equal(after(2), 20);
  t.equal(after(4), 10);
  t.equal(after(1), 40);
  const hours = backlog([work('a', 'x', 9e6)]);
  t.equal(refusalOf(work('a', 'x'), within(1), hours)?.retryAfterSeconds, 60, 'a minute at most');
  t.end();
});

t.test('who is refused late is told the same time, and 504 when it is over', (t) => {
  const many = backlog(Array.from({ length: 400 }, () => work('a', 'x', 100)));
  const late = { ...work('a', 'x', 100), deadline: within(500) };
  t.match(lateError(late, many), { code: 'OVERLOADED', reason: 'late', retryAfterSeconds: 20 });
  t.match(lateError({ ...late, deadline: within(-1) }, many), { code: 'TIMEOUT' });
  t.end();
});

t.test('a dear render waits for its own kind and a cheap one for its own', (t) => {
  const posters = Array.from({ length: 10 }, () => work('a', 'poster', 1000));
  const waiting = backlog(posters);
  t.match(refusalOf(work('a', 'poster', 1000), within(5000), waiting), { reason: 'wait' });
  t.equal(refusalOf(work('a', 'hello', 2), within(5000), waiting), undefined);
  t.end();
});

t.test('a template that fills the queue leaves places for others, and an organization too', (t) => {
  const fill = (names: (index: number) => QueuedWork): ReturnType<typeof backlog> => {
    const full = backlog([], 100);
    for (let index = 0; ; index += 1) {
      const next = names(index);
      if (refusalOf(next, within(1e9), full) !== undefined) return full;
      full.queue.push(next);
    }
  };
  const flooded = fill(() => work('a', 'x'));
  t.ok(flooded.queue.length > 90, 'alone it has nearly all of it');
  t.match(refusalOf(work('a', 'x'), within(1e9), flooded), { reason: 'queue' });
  t.equal(refusalOf(work('a', 'y'), within(1e9), flooded), undefined);
  const crowded = fill((index) => work('a', `${index % 7}`));
  t.match(refusalOf(work('a', 'other'), within(1e9), crowded), { reason: 'queue' });
  t.equal(refusalOf(work('b', 'x'), within(1e9), crowded), undefined);
  t.end();
});

t.test('images that are on their way take at most half of the room', (t) => {
  const stalled = backlog([], 1000);
  for (let count = 0; count < 5000; count += 1) stalled.queue.announce(work('a', 'x', 100));
  t.equal(refusalOf(work('a', 'x'), within(1000), stalled), undefined);
  for (let count = 0; count < 60; count += 1) stalled.queue.push(work('a', 'x'));
  // 300 ms of what waits are more than the other half of 500 ms.
  t.match(refusalOf(work('a', 'x'), within(1000), stalled), { reason: 'wait' });
  t.end();
});

t.test('threads that are lost do not count, and with none of them nobody waits', (t) => {
  const some = Array.from({ length: 50 }, () => work('a', 'x'));
  t.equal(refusalOf(work('a', 'x'), within(800), backlog(some, 1000, 2)), undefined);
  t.match(refusalOf(work('a', 'x'), within(800), backlog(some, 1000, 1)), { reason: 'wait' });
  const lost = refusalOf(work('a', 'x'), within(10_000), backlog([], 1000, 0));
  t.match(lost, { reason: 'stuck', retryAfterSeconds: 3 });
  const later = { ...work('a', 'x'), deadline: within(10_000) };
  t.match(lateError(later, backlog([], 1000, 0)), { reason: 'late', retryAfterSeconds: 1 });
  t.match(latenessOf(work('a', 'x'), within(10_000), backlog([], 1000, 0)), {
    code: 'OVERLOADED',
  });
  t.end();
});

t.test('who was let in is refused only when the wait outlasts all of the time left', (t) => {
  const hundred = Array.from({ length: 100 }, () => work('a', 'x'));
  t.equal(latenessOf(work('a', 'x'), within(600), backlog(hundred)), undefined);
  t.match(latenessOf(work('a', 'x'), within(400), backlog(hundred)), { reason: 'wait' });
  t.match(latenessOf(work('a', 'x'), within(9000), backlog(hundred, 100)), { reason: 'queue' });
  t.end();
});

t.test('one of each template is believed to be quick, but not let in before the others', (t) => {
  const busy = backlog(Array.from({ length: 50 }, () => work('a', 'x')));
  t.equal(refusalOf(work('a', 'dear', 60_000), within(2000), busy), undefined);
  t.equal(latenessOf(work('a', 'dear', 60_000), within(2000), busy), undefined);
  busy.queue.announce(work('a', 'dear', 60_000));
  t.match(refusalOf(work('a', 'dear', 60_000), within(2000), busy), { reason: 'wait' });
  const each = Array.from({ length: 200 }, (_, index) => work('a', `t${index}`, 450));
  const many = backlog(each);
  t.match(refusalOf(work('a', 'another', 450), within(10_000), many), { reason: 'wait' });
  t.end();
});

t.test('an organization waits for its expensive renders on the threads that they may hold', (t) => {
  const expensive = { ...work('a', 'x', 100), isCheap: false };
  const flood = Array.from({ length: 20 }, () => expensive);
  const refusal = refusalOf(expensive, within(3500), backlog(flood, 1000, 2));
  t.match(refusal, { reason: 'wait', retryAfterSeconds: 2 }, '2 s on one thread');
  const cheap = work('a', 'x');
  t.equal(refusalOf(cheap, within(3500), backlog(flood, 1000, 2)), undefined, '1 s on two');
  const other = { ...work('b', 'x', 100), isCheap: false };
  t.equal(refusalOf(other, within(3500), backlog(flood, 1000, 2)), undefined);
  t.equal(refusalOf(expensive, within(4500), backlog(flood, 1000, 1)), undefined, 'one has all');
  t.end();
});

t.test(
  'a render of known cost starts only where it can be in time; others and the only one are tried',
  (t) => {
    const started = (costMs: number, isOnly: boolean, isKnown: boolean): boolean =>
      isWorthStarting({ ...work('a', 'x', costMs), deadline: within(1000) }, { isOnly, isKnown });
    t.equal(started(900, false, true), true);
    t.equal(started(1500, false, true), false);
    t.equal(started(1500, false, false), true);
    t.equal(started(2500, false, false), false);
    t.equal(started(9000, true, true), true);
    t.end();
  },
);
