import fc from 'fast-check';
import t from 'tap';
import type { RenderWarning } from '#wire/render-job.ts';
import type { Deadline } from '../../src/foundation/deadline.ts';
import type { Render } from '../../src/render/cache.ts';
import { BoundedCache, RenderCache, RenderFlights } from '../../src/render/cache.ts';
import { RefusalPace } from '../../src/render/link/refusal-pace.ts';
import { nameWarnings, warningsHeader } from '../../src/render/warnings.ts';
import { within } from '../fixtures/render-pool.ts';

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

t.test('the bytes with their keys stay within the bound, and what was used last is there', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(3000)), { maxLength: 200 }), (uses) => {
      const cache = createCache(5000);
      for (const [name, bytes] of uses) {
        const key = `key ${name}`;
        if (cache.get(key) === undefined) cache.set('org_a', key, { bytes });
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

t.test('in a very large cache each entry counts enough bytes that no map overflows', async (t) => {
  const cache = createCache(2 ** 23 * 5000);
  cache.set('org_a', 'light', { bytes: 1 });
  cache.set('org_a', 'heavy', { bytes: 9995 });
  t.match(cache.figures, { bytes: 15_000, entries: 2 });
});

t.test('a new value replaces the old one and its bytes', async (t) => {
  const cache = createCache(100_000);
  cache.set('org_a', 'key', { bytes: 1000 });
  cache.set('org_a', 'key', { bytes: 10 });
  t.match(cache.figures, { bytes: 13, entries: 1 });
  cache.set('org_a', 'key', { bytes: 100_000 });
  t.match(cache.figures, { bytes: 0, entries: 0 }, 'what is larger than the cache is not kept');
});

t.test('an entry that is due is a miss and is removed', async (t) => {
  const cache = createCache(100_000);
  const item: Item = { bytes: 900 };
  cache.set('org_a', 'key', item);
  t.equal(cache.get('key'), item);
  item.isDue = true;
  t.equal(cache.get('key'), undefined);
  t.match(cache.figures, { hits: 1, misses: 1, entries: 0, bytes: 0 });
});

const template = { organizationUid: 'org_a' };

function renderOf(changes: Partial<Render> = {}): Render {
  return {
    bytes: new Uint8Array(1000),
    format: 'png',
    etag: '"x"',
    warnings: [],
    stages: {},
    drawn: 'whole',
    freshUntilMs: Infinity,
    ...changes,
  };
}

t.test('a cache keeps no more bytes than it may, keys included', async (t) => {
  const cache = new RenderCache(400_000);
  for (let index = 0; index < 1000; index += 1)
    cache.store({ template, key: `key${index}` }, renderOf());
  const { bytes, entries } = cache.figures;
  t.ok(bytes <= 400_000 && bytes > 290_000, `${bytes} bytes`);
  t.ok(entries <= 400_000 / 3000, 'an entry takes 2 KB beside its image');
  t.ok(cache.find('key999'), 'the newest is there');
});

t.test('every image that leaves the cache is reported once', async (t) => {
  const removed: Uint8Array[] = [];
  const cache = new RenderCache(8000, undefined, (bytes) => removed.push(bytes));
  const renders = Array.from({ length: 4 }, () => renderOf());
  for (const [index, render] of renders.entries())
    cache.store({ template, key: `key${index % 3}` }, render);
  const found = removed.map((bytes) => renders.findIndex((render) => render.bytes === bytes));
  t.strictSame(found, [0, 1], 'one was the oldest, one was replaced');
});

t.test('an organization with many renders evicts none of another', async (t) => {
  const cache = new RenderCache(100_000);
  cache.store({ template: { organizationUid: 'org_few' }, key: 'few' }, renderOf());
  for (let index = 0; index < 1000; index += 1) {
    cache.store({ template, key: `key${index}` }, renderOf());
  }
  t.ok(cache.find('few'));
  t.ok(cache.find('key999'));
});

t.test('a degraded render is not kept', async (t) => {
  const cache = new RenderCache(100_000);
  cache.store({ template, key: 'degraded' }, renderOf({ etag: undefined }));
  t.equal(cache.find('degraded'), undefined);
});

t.test('warnings become a short header of codes and layer ids', async (t) => {
  const headerOf = (warnings: RenderWarning[]): string => warningsHeader(nameWarnings(warnings));
  t.equal(headerOf([]), '');
  t.equal(
    headerOf([
      { code: 'TEXT_TRUNCATED', layer: 'title', detail: 'ü\r\nX: y' },
      { code: 'TEXT_TRUNCATED', layer: 'title', detail: 'again' },
      { code: 'FONT_MISSING', detail: 'x' },
      { code: 'IMAGE_FAILED', layer: 'bad\r\nid', detail: 'x' },
    ]),
    'TEXT_TRUNCATED;layer="title", FONT_MISSING, IMAGE_FAILED',
  );
  const many = Array.from({ length: 500 }, (_, index) => {
    return { code: 'TEXT_OVERFLOWS', layer: `layer${index}`, detail: '' } as const;
  });
  t.match(headerOf(many), /, more;count=492$/);
  t.ok(headerOf(many).length < 1000);
});

t.test('an order has its render, or the last one of its deadline within a minute', async (t) => {
  const cache = new RenderCache(400_000);
  const at = (second: number, timelessKey = 'banner') => ({
    template,
    key: `${timelessKey} at ${second}`,
    timelessKey,
    options: { timeMs: second * 1000 },
  });
  const [first, second] = [renderOf(), renderOf()];
  cache.store(at(1), first);
  cache.store(at(2), second);
  t.equal(cache.findNewest(at(1)), first);
  t.equal(cache.findNewest(at(62)), second);
  t.equal(cache.findNewest(at(63)), undefined, 'its clock would be wrong');
  t.equal(cache.findNow(at(2)), second);
  t.equal(cache.findNow({ ...at(20), key: 'banner at 2' }), second);
  t.equal(cache.findNewest(at(80)), second, 'it was found 60 s ago');
  t.equal(cache.findNewest(at(3, 'other')), undefined);
  t.equal(cache.findNewest({ key: 'at 3' }), undefined);
});

const render = renderOf();

/** Work that ends when a test says so. */
function heldWork(): {
  work: (deadline: Deadline) => Promise<Render>;
  end: () => void;
  deadlines: Deadline[];
} {
  const deadlines: Deadline[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (deadline: Deadline): Promise<Render> => {
    deadlines.push(deadline);
    await ended;
    return render;
  };
  return { work, end, deadlines };
}

// Deadlines keep no process alive; in the service its connections do.
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

t.test('many requests for one key at a time get one piece of work', async (t) => {
  const flights = new RenderFlights();
  const { work, end, deadlines } = heldWork();
  const runs = Array.from({ length: 50 }, () => flights.run('key', within(5000), () => work));
  const other = flights.run('other', within(5000), () => async () => render);
  t.equal(flights.size, 2);
  end();
  const results = await Promise.all(runs);
  t.equal(deadlines.length, 1);
  t.equal(results.filter(({ shared }) => !shared).length, 1, 'one of them led');
  t.equal((await other).shared, false);
  t.equal(flights.size, 0);
});

t.test('a deadline ends one wait alone, and the work lives as long as the last', async (t) => {
  const flights = new RenderFlights();
  const { work, end, deadlines } = heldWork();
  const short = flights.run('key', within(20), () => work);
  const lastMs = performance.now() + 5000;
  const long = flights.run('key', within(5000), () => work);
  await t.rejects(short, { code: 'TIMEOUT' });
  t.ok((deadlines[0]?.atMs ?? 0) >= lastMs - 1, 'the leader left, the deadline moved on');
  t.equal(deadlines[0]?.signal.aborted, false);
  end();
  t.equal((await long).value, render);
});

t.test('a failure reaches everybody and is forgotten', async (t) => {
  const flights = new RenderFlights();
  const fail = async (): Promise<Render> => {
    throw new Error('broken');
  };
  const runs = [1, 2].map(() => flights.run('key', within(5000), () => fail));
  for (const result of await Promise.allSettled(runs)) {
    t.match(result, { status: 'rejected', reason: { message: 'broken' } });
  }
  t.equal((await flights.run('key', within(5000), () => async () => render)).value, render);
});

t.test('one admission leads a flight, and a refusal leaves none', async (t) => {
  const flights = new RenderFlights();
  const refuse = (): never => {
    throw new Error('full');
  };
  t.throws(() => flights.run('key', within(5000), refuse), { message: 'full' });
  t.equal(flights.size, 0);
  const { work, end } = heldWork();
  const first = flights.run('key', within(5000), () => work);
  const joined = flights.run('key', within(5000), refuse);
  end();
  t.equal((await joined).shared, true, 'who joins is not admitted');
  await first;
});

t.test('beyond 200 in a tenth of a second refusals are answered a second later', async (t) => {
  const pace = new RefusalPace();
  const refusal = { status: 503, headers: [] };
  let atOnce = 0;
  let answer = pace.pace(refusal);
  // Two windows at most may begin meanwhile.
  for (; !(answer instanceof Promise) && atOnce < 1000; atOnce += 1) answer = pace.pace(refusal);
  t.ok(atOnce >= 199, `${atOnce} at once`);
  t.ok(answer instanceof Promise);
  t.equal(await answer, refusal);
});
