/** The laws of the queue in front of the processes, for whatever is asked for in whatever order. */
import * as fc from 'fast-check';
import t from 'tap';
import { RenderQueue } from '../../src/scheduling/queue.ts';
import type { QueuedWork } from '../../src/scheduling/queue.ts';

interface NumberedWork extends QueuedWork {
  number: number;
}

const works = fc.record({
  organization: fc.constantFrom('a', 'b', 'c'),
  template: fc.constantFrom('x', 'y'),
  costMs: fc.integer({ min: 1, max: 500 }),
  isCheap: fc.boolean(),
});

const someWork = { organization: 'a', template: 'x', costMs: 10, isCheap: true };

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: works.map((work) => ({ do: 'push', ...work }) as const) },
    { weight: 2, arbitrary: fc.constant({ do: 'take' } as const) },
    { weight: 1, arbitrary: works.map((work) => ({ do: 'settle', ...work }) as const) },
    { weight: 1, arbitrary: works.map((work) => ({ do: 'announce', ...work }) as const) },
  ),
  { maxLength: 200 },
);

t.test('nothing is lost, nothing is given twice, and a template’s order is kept', async () => {
  fc.assert(
    fc.property(steps, (todo) => {
      const queue = new RenderQueue<NumberedWork>();
      const waiting = new Map<string, number[]>();
      let number = 0;
      const take = (): boolean => {
        const work = queue.take();
        if (work === undefined) return [...waiting.values()].every(({ length }) => length === 0);
        return waiting.get(`${work.organization} ${work.template}`)?.shift() === work.number;
      };
      for (const step of todo) {
        if (step.do === 'take') {
          if (!take()) return false;
        } else if (step.do === 'push') {
          number += 1;
          const { organization, template, costMs, isCheap } = step;
          queue.push({ organization, template, costMs, isCheap, number });
          const key = `${organization} ${template}`;
          waiting.set(key, [...(waiting.get(key) ?? []), number]);
        } else if (step.do === 'settle') queue.settle(step, step.costMs - 250);
        else {
          queue.announce(step);
          queue.withdraw(step);
        }
        const count = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
        if (queue.length !== count || queue.announced !== 0) return false;
        if (queue.aheadMs({ ...someWork, organization: 'new' }).allMs < 0) return false;
      }
      while (queue.length > 0) if (!take()) return false;
      return queue.aheadMs(someWork).allMs === 0;
    }),
    { numRuns: 300 },
  );
});

t.test('two who always have work waiting are given the same time, but for one render each', (t) => {
  const costs = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 30, maxLength: 60 });
  const levels = fc.constantFrom('organization', 'template');
  fc.assert(
    fc.property(costs, costs, costs, levels, (first, second, third, level) => {
      const queue = new RenderQueue<NumberedWork>();
      const all = [first, second, third];
      for (const [index, list] of all.entries()) {
        const names =
          level === 'organization'
            ? { organization: `${index}`, template: 'x' }
            : { organization: 'a', template: `${index}` };
        for (const costMs of list) queue.push({ ...names, costMs, isCheap: true, number: index });
      }
      const given = [0, 0, 0];
      const left = all.map(({ length }) => length);
      while (left.every((count) => count > 0)) {
        const work = queue.take();
        if (work === undefined) return false;
        given[work.number] = (given[work.number] ?? 0) + work.costMs;
        left[work.number] = (left[work.number] ?? 0) - 1;
        // Each is at most one of its dearest renders ahead of any other (the bound of start-time fair queueing).
        const dearest = all.map((list) => Math.max(...list));
        for (const [one, ms] of given.entries()) {
          for (const [other, otherMs] of given.entries()) {
            const bound = (dearest[one] ?? 0) + (dearest[other] ?? 0);
            if (ms - otherMs > bound) return false;
          }
        }
      }
      return true;
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('a newcomer is served before the flood, whatever the flood has asked for', async () => {
  const flood = fc.array(works, { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(flood, fc.nat(60), (list, served) => {
      const queue = new RenderQueue<NumberedWork>();
      for (const work of list) queue.push({ ...work, number: 0 });
      for (let count = 0; count < Math.min(served, list.length - 1); count += 1) queue.take();
      queue.push({ ...someWork, organization: 'new', number: 1 });
      // At most each of the three organizations goes before it once more.
      for (let count = 0; count <= 3; count += 1) if (queue.take()?.number === 1) return true;
      return false;
    }),
    { numRuns: 200 },
  );
});
