/** How long an answer's headers let its bytes be used. */
import t from 'tap';
import { readFreshness } from '../../src/images/image-cache.ts';
import type { AnswerHeaders } from '../../src/images/fetch/fetch-image.ts';
import { imageLoaderDefaults } from '../../src/images/config.ts';

const nowMs = Date.UTC(2026, 0, 1);
const minute = 60_000;
const hour = 60 * minute;

const lifetimes: [title: string, headers: AnswerHeaders, freshMs: number][] = [
  ['nothing said', {}, 10 * minute],
  ['max-age', { 'cache-control': 'public, max-age=3600' }, hour],
  ['max-age in another spelling', { 'cache-control': 'Public , Max-Age="3600"' }, hour],
  ['s-maxage before max-age', { 'cache-control': 'max-age=60, s-maxage=7200' }, 2 * hour],
  ['max-age less age', { 'cache-control': 'max-age=3600', age: '600' }, 50 * minute],
  ['max-age used up', { 'cache-control': 'max-age=3600', age: '9999' }, minute],
  ['a short max-age', { 'cache-control': 'max-age=1' }, minute],
  ['a long max-age', { 'cache-control': 'max-age=31536000, immutable' }, 24 * hour],
  ['an absurd max-age', { 'cache-control': 'max-age=99999999999999' }, 10 * minute],
  ['a negative max-age', { 'cache-control': 'max-age=-1' }, 10 * minute],
  ['no-store', { 'cache-control': 'no-store, max-age=3600' }, minute],
  ['no-cache', { 'cache-control': 'no-cache' }, minute],
  ['private', { 'cache-control': 'private, max-age=3600' }, minute],
  ['two headers', { 'cache-control': ['public', 'max-age=120'] }, 2 * minute],
  [
    'expires',
    { expires: 'Thu, 01 Jan 2026 00:30:00 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    30 * minute,
  ],
  [
    'expires less age',
    {
      expires: 'Thu, 01 Jan 2026 00:30:00 GMT',
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      age: '600',
    },
    20 * minute,
  ],
  ['expires in the past', { expires: '0', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, minute],
  ['expires without date', { expires: 'Thu, 01 Jan 2026 00:30:00 GMT' }, 30 * minute],
  ['rubbish', { 'cache-control': '=,;max-age', age: 'old' }, 10 * minute],
  ['expires that is no time', { expires: 'soon' }, minute],
];

for (const [title, headers, freshMs] of lifetimes) {
  t.test(`${title} gives ${freshMs / minute} min`, (t) => {
    const { freshUntilMs } = readFreshness(headers, imageLoaderDefaults, nowMs);
    t.equal(freshUntilMs - nowMs, freshMs);
    t.end();
  });
}

t.test('a stale copy serves for a minute, and for an hour when asking fails', (t) => {
  const freshness = readFreshness({}, imageLoaderDefaults, nowMs);
  t.equal(freshness.staleUntilMs - freshness.freshUntilMs, minute);
  t.equal(freshness.errorUntilMs - freshness.freshUntilMs, hour);
  t.end();
});

t.test('an origin that forbids stale copies is heard', (t) => {
  for (const directive of ['must-revalidate', 'proxy-revalidate', 'no-cache', 'no-store']) {
    const freshness = readFreshness({ 'cache-control': directive }, imageLoaderDefaults, nowMs);
    t.equal(freshness.staleUntilMs, freshness.freshUntilMs);
    t.equal(freshness.errorUntilMs, freshness.freshUntilMs);
  }
  t.end();
});
