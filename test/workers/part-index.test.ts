import t from 'tap';
import type { SharedPart } from '#wire/render-wire.ts';
import { PartIndex } from '../../workers/shared/part-index.ts';

const partOf = (key: string, value = key): SharedPart => ({ kind: 'base', key, bytes: 1, value });

/** An index that keeps two base renders, for threads 1 and 2. */
function createIndex(): PartIndex {
  const index = new PartIndex({ base: 2, image: 1 });
  for (const thread of [1, 2]) index.addThread(thread);
  return index;
}

function make(index: PartIndex, thread: number, ...keys: string[]): void {
  for (const key of keys) index.take(thread, { made: [partOf(key)], used: [] });
}

/** What a thread knows after an update, in the order in which threads apply it. */
function knownAfter(index: PartIndex, thread: number, before: readonly string[]): string[] {
  const { made, dropped } = index.updateFor(thread);
  const known = new Set([...before, ...made.map(({ key }) => key)]);
  return [...known].filter((key) => !dropped.includes(key)).toSorted();
}

t.test('a part that is dropped and made again between two jobs of a thread stays known', (t) => {
  for (const maker of [1, 2]) {
    const index = createIndex();
    make(index, maker, 'a', 'b', 'c', 'a');
    t.same(knownAfter(index, 1, maker === 1 ? ['a', 'b', 'c'] : []), ['a', 'c']);
    t.same(knownAfter(index, 2, maker === 2 ? ['a', 'b', 'c'] : []), ['a', 'c']);
  }
  t.end();
});

t.test('a part above the bound of its kind is known to no thread', (t) => {
  const index = createIndex();
  index.take(1, { made: [{ ...partOf('large'), bytes: 3 }], used: [] });
  t.same(knownAfter(index, 1, ['large']), []);
  t.same(knownAfter(index, 2, []), []);
  t.end();
});
