import t from 'tap';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

t.test('links of a campaign are answered from memory when they are fetched again', async (t) => {
  const options = { pool, rendersBytesMax: 200_000, linksBytesMax: 20_000 };
  const { get, publish, records, cache, aliases } = await startService(t, options);
  publish('hello');
  for (let index = 0; index < 200; index += 1) {
    await get(`hello?name=Once+${index}`);
    if (index < 10) continue;
    const since = records.length;
    t.equal((await get(`hello?name=Once+${index - 10}`)).status, 200);
    t.match(records[since], { cacheState: 'alias' });
  }
  t.ok(cache.figures.bytes <= 200_000 && aliases.figures.bytes <= 20_000);
  t.ok(
    cache.figures.entries < 100 && aliases.figures.entries < 60,
    'the caches hold less than half of the campaign',
  );
});

t.test('one image under two templates or versions has the headers of each link', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('one', { maxAgeSeconds: 60 });
  publish('two', { maxAgeSeconds: 60 });
  const expected: [target: string, name: string, caching: RegExp][] = [
    ['one.jpg', 'one.jpg', /max-age=60/],
    ['two.jpg', 'two.jpg', /max-age=60/],
    ['one.jpg?_version=1', 'one.jpg', /immutable/],
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const [target, name, caching] of expected) {
      const { headers } = await get(target);
      t.equal(headers.get('content-disposition'), `inline; filename="${name}"`);
      t.match(headers.get('cache-control'), caching);
    }
  }
  t.equal(records.filter(({ cacheState }) => cacheState === 'miss').length, 1);
  t.same(
    records.slice(-6).map(({ cacheState }) => cacheState),
    Array(6).fill('alias'),
  );
});

t.test('an answer from memory has the headers of the first one', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('hello');
  const headersOf = async (init?: RequestInit): Promise<[string, string][]> => {
    const { headers } = await get('hello?name=A', init);
    const changing = ['date', 'x-request-id', 'server-timing'];
    return [...headers].filter(([name]) => !changing.includes(name));
  };
  const first = await headersOf();
  t.ok(first.length >= 8);
  t.same(await headersOf(), first);
  t.same(await headersOf({ method: 'HEAD' }), first);
  const etag = first.find(([name]) => name === 'etag')?.[1] ?? '';
  const unchanged = await headersOf({ headers: { 'If-None-Match': etag } });
  for (const header of unchanged.filter(
    ([name]) => !['connection', 'keep-alive', 'uwebsockets'].includes(name),
  )) {
    t.ok(
      first.some((each) => each.join() === header.join()),
      header[0],
    );
  }
});
