import t from 'tap';
import { AdmissionCache } from '../../src/render/cache/admission-cache.ts';
import { FrequencySketch, hashText } from '../../src/render/cache/frequency-sketch.ts';

interface Item {
  bytes: number;
  isDue?: boolean;
}

function createCache(bytesMax: number): AdmissionCache<Item> {
  return new AdmissionCache({
    bytesMax,
    entryBytes: ({ bytes }, key) => bytes + key.length,
    isDue: ({ isDue }) => isDue === true,
  });
}

/** The list that most caches are: what was used last stays. */
function createPlainList(bytesMax: number): Pick<AdmissionCache<Item>, 'get' | 'set'> {
  const items = new Map<string, Item>();
  let bytes = 0;
  return {
    get(key) {
      const item = items.get(key);
      if (item !== undefined) items.delete(key);
      if (item !== undefined) items.set(key, item);
      return item;
    },
    set(key, item) {
      items.set(key, item);
      bytes += item.bytes + key.length;
      for (const [oldest, { bytes: freed }] of items) {
        if (bytes <= bytesMax) return;
        items.delete(oldest);
        bytes -= freed + oldest.length;
      }
    },
  };
}

/** Asks for a key, and adds it when it is not there. */
function ask(cache: Pick<AdmissionCache<Item>, 'get' | 'set'>, key: string, bytes = 900): boolean {
  if (cache.get(key) !== undefined) return true;
  cache.set(key, { bytes });
  return false;
}

/** Hits of 40 returning keys after a campaign of 5,000, each asked for `times`, that comes among them. */
function hitsAfterCampaign(
  cache: Pick<AdmissionCache<Item>, 'get' | 'set'>,
  times: number,
): number {
  const returning = Array.from({ length: 40 }, (_, index) => `returning ${index}`);
  for (let round = 0; round < 4; round += 1) for (const key of returning) ask(cache, key);
  for (let index = 0; index < 5000; index += 1) {
    for (let time = 0; time < times; time += 1) ask(cache, `one-off ${index}`);
  }
  return returning.filter((key) => ask(cache, key)).length;
}

t.test(
  'a campaign fifty times the cache leaves what is asked for again, a plain list nothing',
  async (t) => {
    for (const times of [1, 2]) {
      t.equal(hitsAfterCampaign(createPlainList(100_000), times), 0, `plain, asked ${times} times`);
      t.equal(hitsAfterCampaign(createCache(100_000), times), 40, `asked for ${times} times`);
    }
  },
);

t.test('the second request of a one-off key finds it, while the campaign goes on', async (t) => {
  const cache = createCache(100_000);
  hitsAfterCampaign(cache, 1);
  for (let index = 0; index < 1000; index += 1) {
    ask(cache, `new ${index}`);
    if (index >= 12) t.equal(ask(cache, `new ${index - 12}`), true);
  }
});

t.test('what becomes popular is let in after what is no longer asked for', async (t) => {
  const cache = createCache(100_000);
  for (let round = 0; round < 4; round += 1) {
    for (let index = 0; index < 100; index += 1) ask(cache, `old ${index}`);
  }
  let hits = 0;
  for (let round = 0; round < 20; round += 1) {
    hits = 0;
    for (let index = 0; index < 60; index += 1) hits += Number(ask(cache, `new ${index}`));
  }
  t.ok(hits > 50, `${hits} of 60`);
});

t.test('the bytes with their keys do not go over their bound', async (t) => {
  const cache = createCache(50_000);
  let bytesMax = 0;
  for (let index = 0; index < 3000; index += 1) {
    const key = `key ${(index * 7919) % 500}`;
    ask(cache, key, (index * 104_729) % 3000);
    bytesMax = Math.max(bytesMax, cache.bytes);
  }
  t.ok(bytesMax <= 50_000 && bytesMax > 45_000, `${bytesMax} bytes`);
  for (let index = 0; index < 500; index += 1) cache.delete(`key ${index}`);
  t.same([cache.bytes, cache.entries], [0, 0]);
});

t.test('of a very large cache each entry takes so much that no map overflows', async (t) => {
  const cache = createCache(2 ** 23 * 5000);
  cache.set('light', { bytes: 1 });
  cache.set('heavy', { bytes: 9995 });
  t.same([cache.bytes, cache.entries], [15_000, 2]);
});

t.test('a new value takes the place of the old one and of its bytes', async (t) => {
  const cache = createCache(100_000);
  cache.set('key', { bytes: 1000 });
  cache.set('key', { bytes: 10 });
  t.same([cache.bytes, cache.entries], [13, 1]);
  cache.set('key', { bytes: 60_000 });
  t.same([cache.bytes, cache.entries, cache.get('key')?.bytes], [60_003, 1, 60_000]);
  cache.set('key', { bytes: 100_000 });
  t.same([cache.bytes, cache.entries], [0, 0], 'what is larger than the cache is not kept');
});

t.test('an entry that is due makes room for any other', async (t) => {
  const cache = createCache(100_000);
  for (let round = 0; round < 5; round += 1) {
    for (let index = 0; index < 80; index += 1) {
      if (cache.get(`due ${index}`) === undefined) {
        cache.set(`due ${index}`, { bytes: 900, isDue: index >= 60 });
      }
    }
  }
  for (let index = 0; index < 2000; index += 1) ask(cache, `one-off ${index}`);
  let kept = 0;
  for (let index = 60; index < 80; index += 1) {
    kept += Number(cache.get(`due ${index}`) !== undefined);
  }
  t.equal(kept, 0);
});

t.test('a sketch counts at least what was asked, up to 15, and forgets by halves', async (t) => {
  const sketch = new FrequencySketch(1000);
  const hashes = Array.from({ length: 500 }, (_, index) => hashText(`key ${index}`));
  t.equal(new Set(hashes).size, 500);
  for (const [index, hash] of hashes.entries()) {
    for (let time = 0; time < index % 20; time += 1) sketch.note(hash);
  }
  const over = hashes.filter((hash, index) => {
    const asked = Math.min(15, index % 20);
    t.ok(sketch.estimate(hash) >= asked);
    return sketch.estimate(hash) > asked;
  });
  t.ok(over.length < 25, `${over.length} of 500 are estimated too high`);
  const popular = hashText('popular');
  for (let time = 0; time < 12; time += 1) sketch.note(popular);
  // 2^14 counters a row: aging comes after twice as many requests.
  for (let index = 0; index < 32_768 - 4750 - 12; index += 1)
    sketch.note(hashText(`x ${index % 9}`));
  t.equal(sketch.estimate(popular), 6);
});
