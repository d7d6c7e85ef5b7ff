import { createHash } from 'node:crypto';
import t from 'tap';
import { createStores, holdLock, openStores } from './store-fixture.ts';

t.test('an organization is stored with the uid that it is given or a random one', async (t) => {
  const { organizations } = createStores(t);
  t.equal(organizations.hasOrganizations(), true);
  const { uid } = organizations.createOrganization('Zoë & Söhne');
  t.match(uid, /^org_[0-9A-Za-z]{16}$/);
  t.same(organizations.findOrganization(uid), { uid, name: 'Zoë & Söhne' });
  t.equal(organizations.findOrganization('org_none'), undefined);
  t.throws(() => organizations.createOrganization('A again', 'org_a'), { code: 'TAKEN' });
  for (const bad of ['a', 'org_', 'org_ä', `org_${'x'.repeat(61)}`]) {
    t.throws(() => organizations.createOrganization('Bad', bad), { code: 'INVALID' }, bad);
  }
  t.throws(() => organizations.createOrganization(''), { code: 'INVALID' });
  t.throws(() => organizations.createOrganization('x'.repeat(201)), { code: 'INVALID' });
});

t.test('a key is shown once and stored as its digest only', async (t) => {
  const { db, organizations } = createStores(t);
  const key = organizations.createKey('org_a', { name: 'mail' });
  t.match(key, /^pk_live_[0-9A-Za-z]{32}$/);
  t.not(organizations.createKey('org_a', { name: 'mail' }), key);
  const scopes = ['read', 'render', 'write', 'access'];
  t.match(organizations.findByKey(key), { uid: 'org_a', name: 'A', scopes });
  const select = db.prepare<[], Record<string, unknown>>('SELECT * FROM api_keys ORDER BY id');
  const row = select.get();
  t.same(row?.['digest'], createHash('sha256').update(key).digest());
  t.equal(row?.['prefix'], key.slice(0, 12));
  t.notOk(Object.values(row ?? {}).includes(key));
});

t.test('a key that is not exactly right finds nothing', async (t) => {
  const { organizations } = createStores(t);
  const key = organizations.createKey('org_a', { name: 'mail' });
  const wrong = ['', key.slice(0, -1), `${key}x`, ` ${key}`, key.toLowerCase(), 'x'.repeat(1e6)];
  for (const text of wrong) t.equal(organizations.findByKey(text), undefined);
});

t.test('a given key is stored once, for one organization', async (t) => {
  const { organizations } = createStores(t);
  organizations.createOrganization('B', 'org_b');
  const options = { name: 'demo', key: 'my-own-key' };
  t.equal(organizations.createKey('org_a', options), 'my-own-key');
  t.throws(() => organizations.createKey('org_a', options), { code: 'TAKEN' });
  t.throws(() => organizations.ensureKey('org_b', options), { code: 'TAKEN' });
  t.equal(organizations.findByKey('my-own-key')?.uid, 'org_a');
  t.equal(organizations.listKeys('org_a')[0]?.prefix, 'my-', 'a third of it at most is shown');
  const long = { name: 'long', key: 'k'.repeat(200) };
  t.equal(organizations.createKey('org_a', long), long.key);
  t.equal(organizations.findByKey(long.key)?.uid, 'org_a');
  for (const key of ['', 'with space', 'ümlaut', 'line\n', 'x'.repeat(201)]) {
    t.throws(() => organizations.createKey('org_a', { name: 'bad', key }), { code: 'INVALID' });
  }
  t.throws(() => organizations.createKey('org_none', { name: 'x' }), { code: 'INVALID' });
});

t.test('ensuring a key revives it and is otherwise without effect', async (t) => {
  const { organizations } = createStores(t);
  const options = { name: 'demo', key: 'demo-key' };
  t.equal(organizations.ensureKey('org_a', options), true);
  t.equal(organizations.ensureKey('org_a', options), false);
  organizations.revokeKey('org_a', organizations.listKeys('org_a')[0]?.id ?? 0);
  t.equal(organizations.findByKey('demo-key'), undefined);
  t.equal(organizations.ensureKey('org_a', options), false);
  t.equal(organizations.findByKey('demo-key')?.uid, 'org_a');
  t.equal(organizations.listKeys('org_a').length, 1);
});

t.test('the last use is written at most once a minute', async (t) => {
  const { organizations, clock } = createStores(t);
  const key = organizations.createKey('org_a', { name: 'mail' });
  const lastUse = (): string | null | undefined => organizations.listKeys('org_a')[0]?.last_used_at;
  t.equal(lastUse(), null);
  organizations.findByKey(key);
  t.equal(lastUse(), '2030-01-01T00:00:00.000Z');
  clock.nowMs = 59_999;
  organizations.findByKey(key);
  t.equal(lastUse(), '2030-01-01T00:00:00.000Z');
  clock.nowMs = 60_000;
  organizations.findByKey(key);
  t.equal(lastUse(), '2030-01-01T00:01:00.000Z');
  clock.nowMs = -86_400_000;
  organizations.findByKey(key);
  t.equal(lastUse(), '2029-12-31T00:00:00.000Z', 'a clock that was set back does not stop it');
});

t.test('a last use that cannot be written fails no look-up; a minute later it can', async (t) => {
  const stores = createStores(t);
  const { organizations, clock } = stores;
  const key = organizations.createKey('org_a', { name: 'mail' });
  const release = holdLock(t, stores);
  t.equal(organizations.findByKey(key)?.uid, 'org_a');
  release();
  organizations.findByKey(key);
  t.equal(organizations.listKeys('org_a')[0]?.last_used_at, null);
  clock.nowMs = 60_000;
  organizations.findByKey(key);
  t.equal(organizations.listKeys('org_a')[0]?.last_used_at, '2030-01-01T00:01:00.000Z');
});

t.test('revoked keys that no list shows are deleted with the next key', async (t) => {
  const { db, organizations } = createStores(t);
  const first = organizations.createKey('org_a', { name: 'first' });
  db.exec(
    `WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers LIMIT 1500)
     INSERT INTO api_keys (organization_uid, name, digest, prefix, created_at, revoked_at)
     SELECT 'org_a', 'old', randomblob(32), 'pk', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM numbers`,
  );
  const count = db.prepare('SELECT count(*) FROM api_keys').pluck();
  organizations.createKey('org_a', { name: 'second' });
  t.equal(count.get(), 1502 - 1000, 'a thousand at a time');
  organizations.createKey('org_a', { name: 'third' });
  t.equal(count.get(), 200 + 3);
  t.equal(organizations.findByKey(first)?.name, 'A', 'a valid key stays, however old');
});

t.test('an organization allows images from anywhere until it lists hosts', async (t) => {
  const stores = createStores(t);
  const { organizations } = stores;
  const other = openStores(t, stores.path);
  t.equal(organizations.findImageHosts('org_a'), undefined);
  const given = ['*.Example.com', 'bücher.example.', 'a.example', 'a.example'];
  organizations.setImageHosts('org_a', given);
  const listed = ['*.example.com', 'a.example', 'xn--bcher-kva.example'];
  t.same(other.organizations.findImageHosts('org_a'), listed, 'at once, in every process');
  organizations.setImageHosts('org_a', []);
  t.same(organizations.findImageHosts('org_a'), []);
  organizations.setImageHosts('org_a', undefined);
  t.equal(organizations.findImageHosts('org_a'), undefined);
  t.equal(organizations.findImageHosts('org_none'), undefined);
});

t.test('a text that is not a host name is refused, and the list stays as it was', async (t) => {
  const { organizations } = createStores(t);
  organizations.setImageHosts('org_a', ['a.example']);
  const long = `${'x'.repeat(64)}.example`;
  const wrong = '* *. https://a.example a.example:80 a.example/x *.*.a a..b [::1]'.split(' ');
  for (const host of ['', 'a b', long, ...wrong]) {
    const set = (): void => organizations.setImageHosts('org_a', ['b.example', host]);
    t.throws(set, { code: 'INVALID' }, host);
  }
  const many = Array.from({ length: 101 }, (_, index) => `h${index}.example`);
  t.throws(() => organizations.setImageHosts('org_a', many), { code: 'INVALID' });
  const unknown = { code: 'INVALID', message: /does not exist/ };
  t.throws(() => organizations.setImageHosts('org_none', []), unknown);
  t.same(organizations.findImageHosts('org_a'), ['a.example']);
});
