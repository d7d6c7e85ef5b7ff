import fc from 'fast-check';
import t from 'tap';
import {
  gesturePauseMs,
  History,
  historyStepsMax,
  shareUnchanged,
} from '../../src/studio/state/history.ts';

const alone = { gesture: undefined, nowMs: 0, isHeld: false };

/** Takes all steps back, and counts them. */
function stepsOf(history: History<unknown>): number {
  let count = 0;
  while (history.undo()) count += 1;
  return count;
}

t.test('undo and redo walk the steps, and a change forgets what was undone', async (t) => {
  const history = new History('a');
  t.equal(history.undo(), false);
  history.change('b', 'To b', alone);
  history.change('c', 'To c', alone);
  t.equal(history.undoLabel, 'To c');
  t.ok(history.undo());
  t.same([history.value, history.redoLabel], ['b', 'To c']);
  t.ok(history.redo());
  t.equal(history.value, 'c');
  history.undo();
  history.change('d', 'To d', alone);
  t.equal(history.redo(), false);
  history.undo();
  history.undo();
  t.same([history.value, history.undoLabel], ['a', undefined]);
  t.equal(history.change('a', 'To a', alone), false, 'the present value is no change');
});

t.test('changes of one gesture are one step until it pauses, ends, or another comes', async (t) => {
  const at = (nowMs: number, gesture?: string, isHeld = false) => ({ gesture, nowMs, isHeld });
  const steps = (...changes: Array<ReturnType<typeof at>>): number => {
    const history = new History(-1);
    for (const [index, change] of changes.entries()) history.change(index, '', change);
    return stepsOf(history);
  };
  const last = 100 + gesturePauseMs;
  t.equal(steps(at(0, 'move'), at(100, 'move'), at(last, 'move')), 1);
  t.equal(steps(at(0, 'move'), at(gesturePauseMs + 1, 'move')), 2, 'a pause');
  t.equal(steps(at(0, 'move'), at(gesturePauseMs * 9, 'move', true)), 1, 'the pointer is down');
  t.equal(steps(at(0, 'move'), at(1, 'size'), at(2, 'move')), 3);
  t.equal(steps(at(0), at(0)), 2);
  const history = new History('a');
  history.change('b', '', { ...alone, gesture: 'type' });
  history.endGesture();
  history.change('c', '', { ...alone, gesture: 'type' });
  history.undo();
  t.equal(history.value, 'b');
  history.change('d', '', { ...alone, gesture: 'type' });
  history.undo();
  t.equal(history.value, 'b', 'an undo ends the gesture, too');
});

t.test('a gesture that is cancelled has never been: what could be redone still can', async (t) => {
  const history = new History('a');
  history.change('b', 'To b', alone);
  history.undo();
  t.equal(history.cancelGesture(), false, 'an ended one stays');
  history.change('c', 'Move', { ...alone, gesture: 'move' });
  history.change('d', 'Move', { ...alone, gesture: 'move' });
  t.ok(history.cancelGesture());
  t.same([history.value, history.undoLabel, history.redoLabel], ['a', undefined, 'To b']);
  t.equal(history.cancelGesture(), false);
});

t.test('the oldest of more than 200 steps is forgotten', async (t) => {
  const history = new History(0);
  for (let value = 1; value <= historyStepsMax + 5; value += 1) history.change(value, '', alone);
  t.equal(stepsOf(history), 200);
  t.equal(history.value, 5);
});

t.test('what a change leaves as it was keeps its identity', async (t) => {
  const before = { name: 'a', layers: [{ id: 'x', at: [1, 2] }, { id: 'y' }] };
  const after = structuredClone(before);
  t.equal(shareUnchanged(before, after), before);
  const changed = structuredClone(before);
  changed.name = 'b';
  const shared = shareUnchanged(before, changed);
  t.not(shared, before);
  t.equal(shared.layers, before.layers);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
      const text = JSON.stringify(next);
      return JSON.stringify(shareUnchanged(previous, structuredClone(next))) === text;
    }),
    { numRuns: 300 },
  );
  t.not(shareUnchanged({ a: 1, b: 2 }, { b: 2, a: 1 }), before, 'another order is another text');
});
