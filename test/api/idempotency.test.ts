/** `Idempotency-Key` on the endpoints that create something. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { collectExpired } from '../../src/store/collect-expired.ts';
import { requestsMax } from '../../src/store/idempotency-store.ts';
import { orderDocument, startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();
const dayMs = 24 * 60 * 60 * 1000;

t.test('the same request has the first answer, and takes effect once', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const body = sampleDocument({ name: 'Once' });
  const create = (idempotencyKey?: string) =>
    call('POST', '/v1/templates', { body, ...(idempotencyKey && { idempotencyKey }) });
  const first = await create('"a-1"');
  t.equal(first.status, 201);
  const again = await create('"a-1"');
  t.equal(again.text, first.text);
  t.equal(again.status, 201);
  for (const name of ['content-type', 'etag', 'location', 'cache-control']) {
    t.equal(again.headers.get(name), first.headers.get(name), name);
  }
  t.equal((await create('a-1')).text, first.text, 'with or without quotes');
  t.not((await create('"a-2"')).text, first.text);
  t.not((await create()).text, first.text);
  const count = service.stores.db.prepare('SELECT count(*) FROM templates').pluck();
  t.equal(count.get(), 3);
});

t.test('a key is for one request: another body, address or condition is 422', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  const idempotencyKey = '"b"';
  const body = sampleDocument();
  await call('POST', '/v1/templates?uid=one', { body, idempotencyKey });
  for (const [path, options] of [
    ['/v1/templates?uid=one', { body: sampleDocument({ width: 300 }) }],
    ['/v1/templates?uid=two', { body }],
    ['/v1/templates?uid=one', { body, ifMatch: '"x"' }],
    ['/v1/keys', { body: { name: 'x', scopes: ['read'] } }],
  ] as const) {
    const answer = await call('POST', path, { ...options, idempotencyKey });
    t.match(answer, { status: 422, body: { error: /was used for another request/ } }, path);
  }
  const other = await call('POST', '/v1/templates', { body, idempotencyKey, key: otherKey });
  t.equal(other.status, 201, 'each API key has keys of its own');
});

t.test('of concurrent requests one takes effect, and the others are answered 409', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const waitsFor = join(t.testdir(), 'go');
  await call('POST', '/v1/templates?uid=slow', { body: orderDocument({ waitsFor }) });
  const publish = () =>
    call('POST', '/v1/templates/slow/publish', { body: {}, idempotencyKey: '"c"' });
  const all = [publish(), publish(), publish()];
  const early = await Promise.race(all);
  t.match(early, { status: 409, body: { error: /is in progress/ } });
  t.equal(early.headers.get('retry-after'), '1');
  t.equal((await publish()).status, 409);
  writeFileSync(waitsFor, '');
  const answers = await Promise.all(all);
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 2);
  const late = await publish();
  t.match(late, { status: 200, body: { version: 1 } });
  t.match((await call('GET', '/v1/templates/slow/versions')).body, { total: 1 });
});

t.test('a new key is in the repeated answer, and not readable in the database', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const make = () =>
    call('POST', '/v1/keys', { body: { name: 'x', scopes: ['read'] }, idempotencyKey: '"d"' });
  const first = await make();
  const { key } = first.body as { key: string };
  t.equal((await make()).text, first.text);
  const select = service.stores.db.prepare<[], Buffer>('SELECT answer FROM idempotent_requests');
  const answer = select.pluck().get() ?? Buffer.alloc(0);
  t.ok(answer.length > key.length);
  t.equal(answer.includes(key), false);
});

t.test('an error is not kept, and a wrong key is refused', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const wrong = { body: { name: 1 }, idempotencyKey: '"e"' };
  t.equal((await call('POST', '/v1/templates', wrong)).status, 400);
  const right = { ...wrong, body: sampleDocument() };
  t.equal((await call('POST', '/v1/templates', right)).status, 201);
  for (const idempotencyKey of ['""', '"a b"', 'x'.repeat(256), '"open', 'a,b"c d']) {
    const answer = await call('POST', '/v1/templates', { ...right, idempotencyKey });
    t.match(answer, { status: 400, body: { error: /Invalid Idempotency-Key/ } }, idempotencyKey);
  }
});

t.test('an interrupted request is never done again, and a day ends all', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { db, clock } = service.stores;
  const create = () =>
    call('POST', '/v1/templates', { body: sampleDocument(), idempotencyKey: '"f"' });
  const first = await create();
  db.exec('UPDATE idempotent_requests SET answer = NULL');
  t.match(await create(), { status: 409, body: { error: /is in progress/ } });
  clock.nowMs += 120_000;
  t.match(await create(), { status: 409, body: { error: /was interrupted: check whether/ } });
  clock.nowMs += dayMs;
  const next = await create();
  t.equal(next.status, 201);
  t.not(next.text, first.text);
  clock.nowMs += dayMs;
  await collectExpired(service.stores.db, [service.stores.idempotency]);
  t.equal(db.prepare('SELECT count(*) FROM idempotent_requests').pluck().get(), 0);
});

t.test('the requests of an organization have a bound, and the oldest go first', async (t) => {
  const { service } = await startOrganizationApi(t, pool);
  const { db, clock, idempotency } = service.stores;
  const fingerprint = Buffer.alloc(32);
  const begin = (index: number, organizationUid: string) => {
    const keyDigest = Buffer.alloc(32);
    keyDigest.writeUInt32BE(index);
    return idempotency.begin({ organizationUid, keyDigest, fingerprint });
  };
  begin(0xffff_ffff, 'org_b');
  db.transaction(() => {
    for (let index = 0; index < requestsMax + 5; index += 1) {
      clock.nowMs += 1;
      begin(index, 'org_a');
    }
  })();
  const count = db.prepare('SELECT count(*) FROM idempotent_requests').pluck();
  t.equal(count.get(), requestsMax + 1);
  t.ok(begin(0xffff_ffff, 'org_b'), 'those of another organization stay');
  t.ok(begin(5, 'org_a'));
  t.equal(begin(4, 'org_a'), undefined, 'the oldest are forgotten');
});

t.test('every endpoint that creates something takes a key', async (t) => {
  const { routes, call } = await startOrganizationApi(t, pool);
  for (const { path, post } of routes) {
    if (post === undefined || path === '/v1/preview') continue;
    const target = path.replace(':uid', 'none').replace(':id', '999');
    const answer = await call('POST', target, { body: '{}', idempotencyKey: '""' });
    t.match(answer.body, { error: /Invalid Idempotency-Key/ }, path);
  }
});
