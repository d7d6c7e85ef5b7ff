/** What links were answered with, as the API shows it. */
import t from 'tap';
import type { Test } from 'tap';
import { clientKindOf, linkPreviews, emailClients } from '../../src/render/image-request.ts';
import { rowsOfDayMax, statisticsDaysMax } from '../../src/store/statistics-store.ts';
import type {
  Statistics,
  StatisticsStore,
  TemplateCounts,
} from '../../src/store/statistics-store.ts';
import type { RequestRecord } from '../../src/http/server.ts';
import { LinkStatistics } from '../../src/telemetry/link-statistics.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import type { OrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { createStores, publishSample } from '../store/store-fixture.ts';

const pool = await sharePool();
const dayMs = 24 * 60 * 60 * 1000;
const wholeTime = 'from=2026-01-01&to=2035-01-01';

const gmail = emailClients.find(({ kind }) => kind === 'gmail-proxy')?.example ?? '';

/** Opens a link as `userAgent` does, and reads the answer to its end. */
async function open(api: OrganizationApi, target: string, userAgent: string): Promise<number> {
  const answer = await api.service.get(target, { headers: { 'User-Agent': userAgent } });
  await answer.arrayBuffer();
  return answer.status;
}

async function readStatistics(api: OrganizationApi, uid: string): Promise<Statistics> {
  const { status, body } = await api.call('GET', `/v1/templates/${uid}/statistics?${wholeTime}`);
  if (status !== 200) throw new Error(`statistics: ${status}`);
  return body as Statistics;
}

t.test('answers are counted by version and kind of client, from memory and drawn', async (t) => {
  const api = await startOrganizationApi(t, pool);
  api.service.publish('hello');
  await open(api, 'hello?name=Ann', gmail);
  await open(api, 'hello?name=Ann', gmail);
  await open(api, 'hello?name=Bob', 'curl/8.5.0');
  api.service.publish('hello', { width: 120 });
  await open(api, 'hello?name=Ann', 'Mozilla/5.0');
  const seen = await readStatistics(api, 'hello');
  t.match(seen.total, { images: 4, drawn: 3, degraded: 0, substitutes: 0, unmerged: 0, errors: 0 });
  t.match(seen.versions, [
    { version: 2, images: 1, drawn: 1 },
    { version: 1, images: 3, drawn: 2 },
  ]);
  t.match(seen.clients, [
    { client: 'gmail-proxy', images: 2, drawn: 1 },
    { client: 'apple-privacy', images: 1 },
    { client: 'program', images: 1 },
  ]);
  t.equal(seen.days.length, 1);
  t.equal(seen.first_image_at, seen.last_image_at);
  await open(api, 'hello?name=Ann', 'Mozilla/5.0');
  t.match((await readStatistics(api, 'hello')).total, { images: 5, drawn: 3 }, 'counts are added');
});

t.test('every answer of a link with an unfilled merge tag is counted', async (t) => {
  const api = await startOrganizationApi(t, pool);
  api.service.publish('hello');
  for (let count = 0; count < 3; count += 1) {
    // The second comes from memory.
    t.equal(await open(api, `hello?name=${encodeURIComponent('{{first_name}}')}`, gmail), 200);
  }
  t.match((await readStatistics(api, 'hello')).total, { images: 3, unmerged: 3 });
});

t.test(
  'every answer of a link with a corrected value is counted, also a hit and a failure',
  async (t) => {
    const api = await startOrganizationApi(t, pool);
    api.service.publish('hello');
    const target = 'hello?name=O%26%2339%3BBrien';
    for (const _ of ['miss', 'alias', 'alias']) t.equal(await open(api, target, gmail), 200);
    await open(api, 'hello?name=Ann', gmail);
    t.match((await readStatistics(api, 'hello')).total, { images: 4, drawn: 2, corrected: 3 });
    const tooLong = `hello?name=${'x'.repeat(3000)}%26amp%3B`;
    t.equal(await open(api, tooLong, gmail), 200);
    t.match((await readStatistics(api, 'hello')).total, { substitutes: 1, corrected: 4 });
  },
);

t.test('errors are counted by code, with those that an image stands for', async (t) => {
  const api = await startOrganizationApi(t, pool);
  api.service.publish('hello');
  api.service.publish('strict', { onError: 'json' });
  const target = '?name=' + 'x'.repeat(3000);
  t.equal(await open(api, `hello${target}`, gmail), 200);
  t.equal(await open(api, `hello${target}`, 'curl/8.5.0'), 400);
  t.equal(await open(api, `strict${target}`, gmail), 400);
  await open(api, 'unknown', gmail);
  const hello = await readStatistics(api, 'hello');
  t.match(hello.errors, [{ code: 'BAD_REQUEST', errors: 2 }]);
  t.match(hello.total, { images: 1, substitutes: 1, errors: 2 });
  t.match((await readStatistics(api, 'strict')).total, { images: 0, errors: 1 });
  t.match((await readStatistics(api, 'strict')).days, [{ images: 0, errors: 1 }]);
});

t.test('a range of days that is none is refused in words', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  service.publish('hello');
  const path = '/v1/templates/hello/statistics';
  t.equal((await call('GET', path)).status, 200);
  for (const [query, message] of [
    ['from=yesterday', 'Invalid from: expected a day such as 2026-01-31'],
    ['to=2026-02-30', 'Invalid to: expected a day such as 2026-01-31'],
    ['from=2026-02-02&to=2026-02-01', 'Invalid from: it is 2026-02-02, expected a day up to'],
  ] as const) {
    const answer = await call('GET', `${path}?${query}`);
    t.match(answer, { status: 400, body: { error: message } }, query);
  }
  const answer = await call('GET', `${path}?from=&to=2026-01-31`);
  t.match(answer.body, { from: '2026-01-02', to: '2026-01-31', first_image_at: null, days: [] });
});

t.test('every known client has the kind of its list', async (t) => {
  for (const { name, example, kind = 'other-email' } of emailClients) {
    t.equal(clientKindOf(example), kind, name);
  }
  for (const { name, example } of linkPreviews) {
    t.equal(clientKindOf(example), 'link-preview', name);
  }
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  t.equal(clientKindOf(firefox), 'browser');
  t.equal(clientKindOf('curl/8.5.0'), 'program');
  t.equal(clientKindOf(''), 'program');
});

function countsOf(uid: string, version: number): TemplateCounts {
  const counts = { images: 1, drawn: 0, degraded: 0, substitutes: 0, unmerged: 0, corrected: 0 };
  return { uid, answers: [{ version, client: 'program', counts }], errors: new Map() };
}

function startStore(t: Test) {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const { statistics, clock } = stores;
  const day = () => new Date(Date.UTC(2030, 0, 1) + clock.nowMs).toISOString().slice(0, 10);
  return { stores, statistics, clock, read: () => statistics.read('hello', '2030-01-01', day()) };
}

t.test('the rows of a day are bounded, and no count is lost', async (t) => {
  const { statistics, read } = startStore(t);
  const versions = Array.from({ length: rowsOfDayMax + 20 }, (_, index) => index + 1);
  t.ok(statistics.add(versions.map((version) => countsOf('hello', version))));
  const seen = read();
  t.equal(seen.total.images, rowsOfDayMax + 20);
  t.equal(seen.versions.length, rowsOfDayMax + 1);
  t.match(seen.versions.at(-1), { version: 0, images: 20 });
  t.ok(statistics.add([countsOf('gone', 1)]), 'an unknown template is skipped');
});

t.test('days follow UTC, and old ones are deleted', async (t) => {
  const { statistics, clock, read } = startStore(t);
  clock.nowMs = dayMs - 1;
  statistics.add([{ ...countsOf('hello', 1), errors: new Map([['TIMEOUT', 2]]) }]);
  clock.nowMs = dayMs;
  statistics.add([countsOf('hello', 1)]);
  t.match(read().days, [
    { day: '2030-01-01', images: 1, errors: 2 },
    { day: '2030-01-02', images: 1, errors: 0 },
  ]);
  clock.nowMs += statisticsDaysMax * dayMs;
  t.equal(statistics.deleteExpired(100), 2);
  t.match(read(), { total: { images: 1, errors: 0 }, first_image_at: '2030-01-01T23:59:59.999Z' });
});

t.test('reading the statistics of a template stores its counts alone', async (t) => {
  const api = await startOrganizationApi(t, pool);
  for (const uid of ['hello', 'other']) api.service.publish(uid);
  for (const uid of ['hello', 'hello', 'other']) await open(api, `${uid}?_scale=99`, 'curl/8.5.0');
  t.equal((await readStatistics(api, 'hello')).total.errors, 2);
  const { db } = api.service.stores;
  const rows = db.prepare('SELECT count(*) FROM link_errors').pluck();
  t.equal(rows.get(), 1, 'links of others are stored in their turn');
  t.equal((await readStatistics(api, 'hello')).total.errors, 2);
  api.service.linkStatistics.flush();
  t.equal(rows.get(), 2);
});

t.test('counts of very many versions are stored in several parts', async (t) => {
  const written: number[] = [];
  const store = { add: (counts: readonly TemplateCounts[]) => written.push(sumOf(counts)) > 0 };
  const sumOf = (counts: readonly TemplateCounts[]): number =>
    counts.reduce((sum, { answers }) => sum + answers.length, 0);
  const statistics = new LinkStatistics(store as unknown as StatisticsStore, () => undefined);
  const count = (template: string, version: number): void =>
    statistics.count({
      exchange: { method: 'GET', userAgent: 'curl/8.5.0' },
      route: 'render',
      status: 200,
      ms: 1,
      cacheState: 'hit',
      notes: { template, version },
    } as unknown as RequestRecord);
  for (let version = 1; version <= 450; version += 1) count('many', version);
  for (let version = 1; version <= 40; version += 1) count('some', version);
  statistics.flushTemplate('many');
  t.same(written, [200]);
  statistics.flush();
  t.same(written, [200, 200, 90]);
  statistics.close();
});

t.test('nothing of a reader is stored', async (t) => {
  const api = await startOrganizationApi(t, pool);
  api.service.publish('hello');
  await open(api, 'hello?name=Annabella', 'Secretive/1.0');
  await open(api, `hello?name=${'Annabella'.repeat(400)}`, 'Secretive/1.0');
  api.service.linkStatistics.flush();
  const { db } = api.service.stores;
  const rows = ['link_statistics', 'link_errors', 'link_use'].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
  t.match(rows, [[{ client: 'program', images: 1 }], [{ code: 'BAD_REQUEST' }], [{}]]);
  t.notMatch(JSON.stringify(rows), /Annabella|Secretive|127\.0\.0\.1/);
});
