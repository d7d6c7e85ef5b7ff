import * as fc from 'fast-check';
import t from 'tap';
import { RenderSlots } from '../../src/scheduling/slots.ts';
import type { Slot, SlotRequest } from '../../src/scheduling/slots.ts';
import { extent } from '../helpers/extent.ts';

const gigabyte = 1e9;

/** Slots on a clock that the test turns. */
function createSlots(threadCount: number): {
  slots: RenderSlots;
  pass: (ms: number) => void;
  start: (request: SlotRequest) => Slot | undefined;
} {
  let nowMs = 1000;
  const slots = new RenderSlots(threadCount, gigabyte, () => nowMs);
  return {
    slots,
    pass: (ms) => (nowMs += ms),
    start: (request) =>
      slots.hasFree && slots.chooser()(request) ? slots.take(request) : undefined,
  };
}

function work(organization: string, isCheap: boolean, decodeBytes = 0): SlotRequest {
  return { organization, isCheap, costMs: 10, decodeBytes };
}

t.test('an organization’s expensive renders leave a quarter of the processes, rounded up', (t) => {
  for (const [threadCount, held] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [8, 6],
  ] as const) {
    const { slots, start } = createSlots(threadCount);
    while (start(work('a', false)) !== undefined);
    t.equal(slots.busy, held, `${threadCount} processes`);
    t.equal(start(work('b', false)) !== undefined, held < threadCount, 'the rest is for others');
  }
  t.end();
});

t.test('cheap renders use all processes, beside expensive ones too', async (t) => {
  const { slots, start } = createSlots(2);
  t.ok(start(work('a', false)));
  t.notOk(start(work('a', false)));
  t.ok(start(work('a', true)));
  t.equal(slots.busy, 2);
  const { start: startCheap } = createSlots(2);
  t.ok(startCheap(work('a', true)));
  t.ok(startCheap(work('a', true)));
});

t.test('what looks cheap and lasts counts as expensive from then on', async (t) => {
  const { pass, start } = createSlots(3);
  t.ok(start(work('a', true)));
  t.ok(start(work('a', false)));
  pass(600);
  t.notOk(start(work('a', false)));
  t.ok(start(work('a', true)));
});

t.test('a render that waits for a core does not become expensive', async (t) => {
  const { slots, pass, start } = createSlots(3);
  let cpuMs: number | undefined;
  slots.take(work('a', true), () => cpuMs);
  t.ok(start(work('a', false)));
  cpuMs = 100;
  pass(5000);
  const second = start(work('a', false));
  t.ok(second, 'it has worked for a tenth of a second');
  if (second !== undefined) slots.giveBack(second);
  cpuMs = 600;
  t.notOk(start(work('a', false)));
});

t.test('a template that held the reserved slots too long repays a hundred times of it', (t) => {
  const { slots, pass, start } = createSlots(2);
  const both = [start(work('a', true)), start(work('a', true))];
  pass(1500);
  for (const slot of both) if (slot !== undefined) slots.giveBack(slot);
  // Both were expensive after 500 ms, so for 1 s it held a process more than it may.
  pass(99_000);
  t.ok(start(work('a', true)));
  t.notOk(start(work('a', true)), 'even what is cheap gets no more than the expensive');
  const other = start(work('b', true));
  t.ok(other, 'others do');
  if (other !== undefined) slots.giveBack(other);
  pass(1000);
  t.ok(start(work('a', true)), 'after the repayment all processes are open again');
  t.end();
});

t.test('warm-ups, which no organization asked for, may take all processes', async (t) => {
  const { start } = createSlots(2);
  t.ok(start(work('', false)));
  t.ok(start(work('', false)));
});

t.test('a work that waits for memory is passed only by what leaves it enough', async (t) => {
  const { slots } = createSlots(4);
  slots.take(work('a', true, 600e6));
  const mayStart = slots.chooser();
  t.equal(mayStart(work('b', true, 500e6)), false, 'it does not fit');
  t.equal(mayStart(work('c', true, 300e6)), false, 'would fit, and keep the first one waiting');
  t.equal(mayStart(work('d', true, 100e6)), true, 'four of these leave it enough');
});

t.test(
  'whatever one organization starts, for 99 % of the time another one waits half a second at most',
  (t) => {
    const steps = fc.array(
      fc.record({ isCheap: fc.boolean(), lastsMs: fc.integer({ min: 1, max: 2000 }) }),
      { minLength: 50, maxLength: 150 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 5 }), (list, threadCount) => {
        const { slots, start, pass } = createSlots(threadCount);
        const running: { slot: Slot; leftMs: number }[] = [];
        let [allMs, longMs] = [0, 0];
        for (const { isCheap, lastsMs } of list) {
          const slot = start(work('a', isCheap));
          if (slot !== undefined) running.push({ slot, leftMs: lastsMs });
          if (slot !== undefined && slots.hasFree) continue;
          // Until the next one ends. A render that comes meanwhile waits for that, if no process is free.
          const stepMs = Math.min(...running.map(({ leftMs }) => leftMs));
          pass(stepMs);
          allMs += stepMs;
          if (!slots.hasFree) longMs += Math.max(0, stepMs - 500);
          for (const each of running) each.leftMs -= stepMs;
          for (const each of running.filter(({ leftMs }) => leftMs <= 0)) {
            running.splice(running.indexOf(each), 1);
            slots.giveBack(each.slot);
          }
        }
        // One repayment is always open at the end: that of a render of 2 s.
        return longMs <= allMs / 100 + 2000;
      }),
      { numRuns: extent(50, 200) },
    );
    t.end();
  },
);
