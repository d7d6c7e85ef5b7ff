import t from 'tap';
import { limitCaching, matchesETag, renderCacheControl } from '../../src/http/reply.ts';

const base = {
  isPinned: false,
  maxAgeSeconds: undefined,
  isPrivate: false,
  readsTables: false,
  isDegraded: false,
};

t.test('Cache-Control follows the version, the template and who may see it', async (t) => {
  t.equal(renderCacheControl(base), 'public, max-age=300, stale-while-revalidate=86400');
  t.equal(
    renderCacheControl({ ...base, maxAgeSeconds: 60 }),
    'public, max-age=60, stale-while-revalidate=86400',
  );
  t.equal(renderCacheControl({ ...base, maxAgeSeconds: 0 }), 'public, max-age=0, must-revalidate');
  t.equal(
    renderCacheControl({ ...base, isPinned: true, maxAgeSeconds: 0 }),
    'public, max-age=31536000, immutable',
  );
  t.match(renderCacheControl({ ...base, isPrivate: true }), /^private, /);
});

t.test('an image with values of a table is asked again, or has its template’s age', async (t) => {
  const table = { ...base, readsTables: true };
  const always = 'public, max-age=0, must-revalidate';
  t.equal(renderCacheControl(table), always);
  t.equal(renderCacheControl({ ...table, isPinned: true }), always, 'a pinned design has new rows');
  t.equal(
    renderCacheControl({ ...table, maxAgeSeconds: 60 }),
    'public, max-age=60, must-revalidate',
    'and no older one while it is asked for again',
  );
  t.match(renderCacheControl({ ...table, isPrivate: true }), /^private, /);
  t.equal(renderCacheControl({ ...table, maxAgeSeconds: 60, isDegraded: true }), always);
});

t.test('If-None-Match names a tag alone, in a list, weakly, or by a star', async (t) => {
  for (const header of ['"abc"', 'W/"abc"', '"x", "abc"', 'W/"x",W/"abc" , "y"', '*', ' * ']) {
    t.equal(matchesETag(header, '"abc"'), true, header);
  }
  for (const header of ['', '"ab"', 'abc', '"abcd"', '"x*"', '"ABC"']) {
    t.equal(matchesETag(header, '"abc"'), false, header);
  }
});

t.test('an answer that ends is fresh for no longer', async (t) => {
  const maxAge = (cacheControl: string): string[] => ['ETag', '"x"', 'Cache-Control', cacheControl];
  for (const [full, limited] of [
    ['public, max-age=300, stale-while-revalidate=86400', 'public, max-age=60'],
    ['public, max-age=31536000, immutable', 'public, max-age=60'],
    ['public, max-age=15', 'public, max-age=15'],
    ['private, max-age=0, must-revalidate', 'private, max-age=0, must-revalidate'],
    ['public, max-age=600, must-revalidate', 'public, max-age=60, must-revalidate'],
    ['no-store', 'no-store'],
  ] as const) {
    t.same(limitCaching(maxAge(full), 60_000), maxAge(limited));
  }
  // Whole seconds: up to one too few, and none too many.
  const whole = [60_999, 60_001, 999, 0, -5].map(
    (msLeft) => limitCaching(maxAge('public, max-age=300'), msLeft)[3],
  );
  const seconds = [60, 60, 0, 0, 0];
  t.same(
    whole,
    seconds.map((each) => `public, max-age=${each}`),
  );
});
