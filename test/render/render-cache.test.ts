import t from 'tap';
import { RenderCache } from '../../src/render/cache.ts';
import type { Render } from '../../src/render/cache.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import { nameWarnings, warningsHeader } from '../../src/render/warnings.ts';

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
  for (let index = 0; index < 1000; index += 1) cache.store({ key: `key${index}` }, renderOf());
  t.ok(
    cache.figures.bytes <= 400_000 && cache.figures.bytes > 290_000,
    `${cache.figures.bytes} bytes`,
  );
  t.ok(cache.figures.entries <= 400_000 / 3000, 'an entry takes 2 KB beside its image');
  t.ok(cache.find('key999'), 'the newest is there');
  cache.store({ key: 'large' }, renderOf({ bytes: new Uint8Array(500_000) }));
  t.equal(cache.find('large'), undefined, 'what is larger than the cache is not kept');
});

t.test('every image that leaves the cache is reported once', async (t) => {
  const removed: Uint8Array[] = [];
  const cache = new RenderCache(8000, undefined, (bytes) => removed.push(bytes));
  const renders = Array.from({ length: 4 }, () => renderOf());
  for (const [index, render] of renders.entries()) cache.store({ key: `key${index % 3}` }, render);
  t.strictSame(
    removed.map((bytes) => renders.findIndex((render) => render.bytes === bytes)),
    [0, 1],
    'one was the oldest, one was replaced',
  );
});

t.test('a render with remote images is given until they are due', async (t) => {
  let nowMs = 0;
  const cache = new RenderCache(100_000, () => nowMs);
  cache.store({ key: 'remote' }, renderOf({ freshUntilMs: 1000 }));
  nowMs = 999;
  t.ok(cache.find('remote'));
  nowMs = 1000;
  t.equal(cache.find('remote'), undefined);
  t.equal(cache.figures.entries, 0);
});

t.test('a degraded render is not kept', async (t) => {
  const cache = new RenderCache(100_000);
  cache.store({ key: 'degraded' }, renderOf({ etag: undefined }));
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
