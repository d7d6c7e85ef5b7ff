import fc from 'fast-check';
import t from 'tap';
import {
  gesturePauseMs,
  History,
  historyStepsMax,
  shareUnchanged,
} from '../../src/studio/state/history.ts';

const alone = { gesture: undefined, nowMs: 0, isHeld: false };

t.test('undo and redo walk the steps, and a change forgets what was undone', (t) => {
  const history = new History('a');
  t.equal(history.undo(), false);
  history.change('b', 'To b', alone);
  history.change('c', 'To c', alone);
  t.equal(history.undoLabel, 'To c');
  t.ok(history.undo());
  t.equal(history.value, 'b');
  t.equal(history.redoLabel, 'To c');
  t.ok(history.redo());
  t.equal(history.value, 'c');
  history.undo();
  history.change('d', 'To d', alone);
  t.equal(history.redo(), false);
  history.undo();
  history.undo();
  t.equal(history.value, 'a');
  t.equal(history.undoLabel, undefined);
  t.equal(history.change('a', 'To a', alone), false, 'the present value is no change');
  t.end();
});

t.test('changes of one gesture are one step, until it pauses, ends, or another comes', (t) => {
  const steps = (
    changes: Array<[gesture: string | undefined, nowMs: number, isHeld?: boolean]>,
  ) => {
    const history = new History(-1);
    for (const [index, [gesture, nowMs, isHeld = false]] of changes.entries()) {
      history.change(index, '', { gesture, nowMs, isHeld });
    }
    let count = 0;
    while (history.undo()) count += 1;
    return count;
  };
  t.equal(
    steps([
      ['move', 0],
      ['move', 100],
      ['move', 100 + gesturePauseMs],
    ]),
    1,
  );
  t.equal(
    steps([
      ['move', 0],
      ['move', gesturePauseMs + 1],
    ]),
    2,
    'a pause',
  );
  t.equal(
    steps([
      ['move', 0],
      ['move', gesturePauseMs * 9, true],
    ]),
    1,
    'the pointer is still down',
  );
  t.equal(
    steps([
      ['move', 0],
      ['size', 1],
      ['move', 2],
    ]),
    3,
  );
  t.equal(
    steps([
      [undefined, 0],
      [undefined, 0],
    ]),
    2,
  );
  const history = new History('a');
  history.change('b', '', { ...alone, gesture: 'type' });
  history.endGesture();
  history.change('c', '', { ...alone, gesture: 'type' });
  history.undo();
  t.equal(history.value, 'b');
  history.change('d', '', { ...alone, gesture: 'type' });
  history.undo();
  t.equal(history.value, 'b', 'an undo ends the gesture, too');
  t.end();
});

t.test('a gesture that is cancelled has never been: what could be redone still can', (t) => {
  const history = new History('a');
  history.change('b', 'To b', alone);
  history.undo();
  t.equal(history.cancelGesture(), false, 'an ended one stays');
  history.change('c', 'Move', { ...alone, gesture: 'move' });
  history.change('d', 'Move', { ...alone, gesture: 'move' });
  t.ok(history.cancelGesture());
  t.equal(history.value, 'a');
  t.equal(history.undoLabel, undefined);
  t.equal(history.redoLabel, 'To b');
  t.equal(history.cancelGesture(), false);
  t.end();
});

t.test('the oldest of more than 200 steps is forgotten', (t) => {
  const history = new History(0);
  for (let value = 1; value <= historyStepsMax + 5; value += 1) history.change(value, '', alone);
  let count = 0;
  while (history.undo()) count += 1;
  t.equal(count, 200);
  t.equal(history.value, 5);
  t.end();
});

t.test('what a change leaves as it was keeps its identity', (t) => {
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
  t.end();
});
