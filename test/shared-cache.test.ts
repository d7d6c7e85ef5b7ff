import t from 'tap';
import { SharedCache } from '../src/foundation/shared-cache.ts';

interface Sized {
  size: number;
}

/** A cache for a size of 100, and what it has evicted. */
function createCache() {
  const evicted: string[] = [];
  const names = new Map<Sized, string>();
  const cache = new SharedCache<Sized>({
    sizeMax: 100,
    sizeOf: ({ size }) => size,
    onRemoved: (value, isEvicted) => isEvicted && evicted.push(names.get(value) ?? ''),
  });
  const add = (owner: string, key: string, size: number): void => {
    const value = { size };
    names.set(value, key);
    cache.set(owner, key, value);
  };
  return { cache, evicted, add };
}

t.test('the owner with the most loses what it used least recently', async (t) => {
  const { cache, evicted, add } = createCache();
  add('small', 'old', 30);
  add('large', 'a', 30);
  add('large', 'b', 30);
  cache.get('a');
  add('large', 'c', 30);
  t.same(evicted, ['b']);
  add('small', 'new', 20);
  t.same(evicted, ['b', 'a']);
  t.equal(cache.size, 80);
  t.equal(cache.count, 3);
  t.same(cache.get('old'), { size: 30 });
});

t.test(
  'a replaced entry belongs to its new owner, and an entry over the bound to nobody',
  async (t) => {
    const { cache, evicted, add } = createCache();
    add('first', 'a', 60);
    add('second', 'a', 20);
    add('first', 'b', 60);
    t.equal(cache.size, 80);
    add('first', 'a', 101);
    t.equal(cache.get('a'), undefined);
    t.equal(cache.size, 60);
    cache.delete('b');
    cache.clear();
    t.equal(cache.size, 0);
    t.same(evicted, []);
  },
);
