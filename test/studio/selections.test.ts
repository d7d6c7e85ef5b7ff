/** What is selected after undo, redo and changes, and which layers are locked. */
import { effect, signal } from '@preact/signals';
import t from 'tap';
import { lockedLayers, Selections } from '../../src/studio/state/selections.ts';
import { documentOf } from './documents.ts';

const rect = (id: string, more: object = {}): object => ({ id, type: 'rect', x: 0, y: 0, ...more });
const one = documentOf([rect('a')]);
const two = documentOf([rect('a'), rect('b')]);
const moved = documentOf([rect('a', { x: 5 }), rect('b')]);
const grouped = documentOf([
  { id: 'g', type: 'group', x: 0, y: 0, layers: [rect('b', { locked: true })] },
]);

t.test('a layer that comes back is selected as it was, one that goes is not', (t) => {
  const selections = new Selections();
  t.same(selections.replace(two, one, ['a', 'b']), ['a'], 'a layer is deleted');
  t.same(selections.replace(one, two, ['a']), ['a', 'b'], 'undo brings it back, selected');
  t.same(selections.replace(two, one, ['b']), ['a'], 'redo selects what was selected then');
  t.end();
});

t.test('undo of a move keeps the selection, whatever it was before', (t) => {
  const selections = new Selections();
  selections.replace(two, moved, ['a']);
  const selection = ['b'];
  t.equal(selections.replace(moved, two, selection), selection);
  t.end();
});

t.test('a layer in a group stays selected when the document around it changes', (t) => {
  t.same(new Selections().replace(two, grouped, ['b', 'a']), ['b']);
  t.end();
});

t.test('locked layers are found in groups, and the set changes only with them', (t) => {
  const document = signal(two);
  const locked = lockedLayers(() => document.value);
  const seen: string[][] = [];
  const end = effect(() => void seen.push([...locked.value]));
  document.value = moved;
  document.value = grouped;
  document.value = structuredClone(grouped);
  end();
  t.same(seen, [[], ['b']]);
  t.end();
});
