import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkTemplate } from '#language/template.ts';
import { packagePath } from '#paths.ts';
import { listDirectory } from '../../src/store/publish.ts';
import { seedDemo } from '../../src/store/samples.ts';
import { openStores, publishSample, readTestHeader, sampleDocument } from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

/** An empty database and a folder of one sample. */
function createSeed(t: Parameters<typeof openStores>[0]) {
  const root = t.testdir();
  const directory = join(root, 'samples');
  mkdirSync(directory);
  const addSample = (uid: string, text = JSON.stringify(sampleDocument())): void =>
    writeFileSync(join(directory, `${uid}.json`), text);
  addSample('hello');
  const stores = openStores(t, join(root, 'platen.sqlite'));
  const seed = (demoApiKey?: string, from: Stores = stores) => {
    const key = demoApiKey === undefined ? {} : { demoApiKey };
    return seedDemo({ ...from, directory, readHeader: readTestHeader, ...key });
  };
  return { stores, seed, addSample };
}

t.test('an empty database gets the demo, its key once, and the samples', async (t) => {
  const { stores, seed } = createSeed(t);
  const { createdKey } = seed();
  t.match(createdKey, /^pk_live_/);
  const demo = { uid: 'org_demo', name: 'demo', scopes: ['read', 'render', 'write', 'access'] };
  t.match(stores.organizations.findByKey(createdKey ?? ''), demo);
  t.equal(stores.templates.findPublished('hello')?.organizationUid, 'org_demo');
  t.same(seed(), {}, 'the second start shows nothing');
  t.equal(stores.organizations.listKeys('org_demo').length, 1);
  t.equal(stores.templates.findPublished('hello')?.version, 1);
});

t.test('a fixed key is the demo key, on an empty database and on an old one', async (t) => {
  const { stores, seed } = createSeed(t);
  const generated = seed().createdKey ?? '';
  for (const key of ['fixed-one', 'fixed-one', 'fixed-two']) {
    t.same(seed(key), {}, 'its operator knows it: nothing is to be shown');
  }
  for (const key of [generated, 'fixed-one', 'fixed-two']) {
    t.equal(stores.organizations.findByKey(key)?.uid, 'org_demo');
  }
  t.equal(stores.organizations.listKeys('org_demo').length, 3);
});

t.test('an upgrade adds new samples and leaves every existing one as it is', async (t) => {
  const { stores, seed, addSample } = createSeed(t);
  seed();
  publishSample(stores, 'hello', { width: 123 }, 'org_demo');
  addSample('hello', JSON.stringify(sampleDocument({ width: 999 })));
  addSample('brand-new');
  addSample('gone');
  seed();
  t.match(stores.templates.findPublished('hello'), { version: 2, document: { width: 123 } });
  t.equal(stores.templates.findPublished('brand-new')?.version, 1);
  stores.templates.archive('org_demo', 'gone');
  seed();
  t.equal(stores.templates.findDetails('org_demo', 'gone'), undefined, 'archived stays archived');
});

t.test('a database with other organizations gets a demo only when its key is fixed', async (t) => {
  const { stores, seed } = createSeed(t);
  stores.organizations.createOrganization('Mine', 'org_mine');
  publishSample(stores, 'hello', {}, 'org_mine');
  t.same(seed(), {});
  t.equal(stores.organizations.findOrganization('org_demo'), undefined);
  t.same(seed('fixed'), {});
  t.equal(stores.organizations.findByKey('fixed')?.uid, 'org_demo');
  t.equal(stores.templates.findPublished('hello')?.organizationUid, 'org_mine', 'not taken over');
});

t.test('a seed that fails leaves the database empty, and the next one is whole', async (t) => {
  const { stores, seed, addSample } = createSeed(t);
  addSample('zzz', '{"format":1');
  t.throws(() => seed('fixed'), { code: 'INVALID', message: /^zzz\.json is no JSON: / });
  t.equal(stores.organizations.hasOrganizations(), false);
  t.equal(stores.organizations.findByKey('fixed'), undefined);
  t.equal(stores.templates.findPublished('hello'), undefined);
  addSample('zzz');
  t.same(seed('fixed'), {});
  t.equal(stores.organizations.findByKey('fixed')?.uid, 'org_demo');
  t.ok(stores.templates.findPublished('zzz'));
});

t.test('two processes that start at once seed once', async (t) => {
  const { stores, seed } = createSeed(t);
  const other = openStores(t, stores.path);
  t.ok(seed().createdKey);
  t.same(seed(undefined, other), {});
  t.equal(stores.organizations.listKeys('org_demo').length, 1);
});

t.test('each sample of the release is a valid template, which no start checks', async (t) => {
  const directory = packagePath('data/templates/');
  for (const uid of listDirectory(directory)) {
    const text = readFileSync(join(directory, `${uid}.json`), 'utf8');
    t.match(checkTemplate(JSON.parse(text)), { ok: true }, uid);
  }
});
