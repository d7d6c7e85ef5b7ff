import fc from 'fast-check';
import t from 'tap';
import { BoundedCache } from '../../src/render/cache.ts';

interface Item {
  bytes: number;
  isDue?: boolean;
}

function createCache(bytesMax: number): BoundedCache<Item> {
  return new BoundedCache({
    bytesMax,
    bytesOf: ({ bytes }, key) => bytes + key.length,
    isDue: ({ isDue }) => isDue === true,
  });
}

t.test('links that are fetched twice find the first render while a campaign is delivered', (t) => {
  const cache = createCache(100_000);
  for (let index = 0; index < 5000; index += 1) {
    cache.set(`link ${index}`, { bytes: 900 });
    if (index >= 50) t.ok(cache.get(`link ${index - 50}`));
  }
  t.ok(cache.figures.evictions > 4000);
  t.end();
});

t.test('the bytes with their keys stay within the bound, and what was used last is there', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(3000)), { maxLength: 200 }), (uses) => {
      const cache = createCache(5000);
      for (const [name, bytes] of uses) {
        const key = `key ${name}`;
        if (cache.get(key) === undefined) cache.set(key, { bytes });
        t.ok(cache.get(key));
        t.ok(cache.figures.bytes <= 5000);
      }
      for (let name = 0; name <= 30; name += 1) cache.delete(`key ${name}`);
      return cache.figures.bytes === 0 && cache.figures.entries === 0;
    }),
    { numRuns: 50 },
  );
  t.end();
});

t.test('in a very large cache each entry counts enough bytes that no map overflows', (t) => {
  const cache = createCache(2 ** 23 * 5000);
  cache.set('light', { bytes: 1 });
  cache.set('heavy', { bytes: 9995 });
  t.match(cache.figures, { bytes: 15_000, entries: 2 });
  t.end();
});

t.test('a new value replaces the old one and its bytes', (t) => {
  const cache = createCache(100_000);
  cache.set('key', { bytes: 1000 });
  cache.set('key', { bytes: 10 });
  t.match(cache.figures, { bytes: 13, entries: 1 });
  cache.set('key', { bytes: 60_000 });
  t.equal(cache.get('key')?.bytes, 60_000);
  cache.set('key', { bytes: 100_000 });
  t.match(cache.figures, { bytes: 0, entries: 0 }, 'what is larger than the cache is not kept');
  t.end();
});

t.test('an entry that is due is a miss and is removed', (t) => {
  const cache = createCache(100_000);
  const item: Item = { bytes: 900 };
  cache.set('key', item);
  t.equal(cache.get('key'), item);
  item.isDue = true;
  t.equal(cache.get('key'), undefined);
  t.match(cache.figures, { hits: 1, misses: 1, entries: 0, bytes: 0 });
  t.end();
});
