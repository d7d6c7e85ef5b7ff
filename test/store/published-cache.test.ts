import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import {
  createStores,
  createTwoOrganizations,
  openStores,
  publishSample,
  saveSample,
} from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

/** Stores of one process (`here`) and of another (`there`), with their own clocks. */
function createTwoProcesses(t: Parameters<typeof createStores>[0]): {
  here: Stores;
  there: Stores;
} {
  const here = createStores(t);
  return { here, there: openStores(t, here.path, { nowMs: 0 }) };
}

/** Puts a published version into the database that the code would never write. */
function damage({ db }: Stores, uid: string, documentJson: string): void {
  db.pragma('ignore_check_constraints = ON');
  db.prepare(
    `INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
     SELECT id, 99, draft_cid, updated_at, ? FROM templates WHERE uid = ?`,
  ).run(documentJson, uid);
  db.prepare('UPDATE templates SET published_version = 99 WHERE uid = ?').run(uid);
}

t.test('a published template is complete, and the same object until it changes', async (t) => {
  const stores = createStores(t);
  t.equal(stores.templates.findPublished('hello'), undefined);
  const { cid } = saveSample(stores, 'hello');
  t.equal(stores.templates.findPublished('hello'), undefined, 'a draft is not published');
  stores.templates.publish('org_a', 'hello');
  const found = stores.templates.findPublished('hello');
  t.match(found, {
    uid: 'hello',
    organizationUid: 'org_a',
    version: 1,
    cid,
    templateKey: `org_a:${cid}`,
    linkAuth: 'open',
    pinned: false,
    isCurrent: true,
    document: { name: 'Hello', width: 400 },
  });
  t.same(JSON.parse(found?.documentJson ?? ''), found?.document);
  t.same(found?.variables.get('name'), { name: 'name', type: 'text', value: 'World' });
  stores.clock.nowMs += 1000;
  t.equal(stores.templates.findPublished('hello'), found);
});

t.test('a hit asks the database nothing', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  publishSample(stores, 'hello');
  const newest = stores.templates.findPublished('hello');
  const pinned = stores.templates.findPublished('hello', 1);
  stores.db.close();
  stores.clock.nowMs = 99;
  t.equal(stores.templates.findPublished('hello'), newest);
  t.equal(stores.templates.findPublished('hello', 1), pinned);
  t.equal(pinned?.isCurrent, true);
});

t.test('a remembered link of a version keeps no document alive', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const remembered = (() => {
    const found = stores.templates.findPublished('hello');
    if (found === undefined) throw new Error('hello is not published');
    return { link: found.link, document: new WeakRef(found.document) };
  })();
  publishSample(stores, 'hello', { width: 500 });
  t.match(stores.templates.findPublished('hello'), { version: 2 });
  // A reference that was just made or asked is kept until the turn ends.
  await nextTurn();
  collect();
  t.equal(remembered.document.deref(), undefined);
  t.match(remembered.link, { uid: 'hello', version: 1, isCurrent: false });
});

t.test('what this process publishes applies at once', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  publishSample(stores, 'other');
  const old = stores.templates.findPublished('hello');
  const other = stores.templates.findPublished('other');
  saveSample(stores, 'hello', { width: 500 });
  t.equal(old?.isCurrent, true, 'a draft changes no link');
  stores.templates.publish('org_a', 'hello');
  t.equal(old?.isCurrent, false);
  t.match(stores.templates.findPublished('hello'), { version: 2, document: { width: 500 } });
  t.equal(stores.templates.findPublished('other'), other, 'other templates stay');
});

t.test('what another process publishes applies within 100 ms', async (t) => {
  const { here, there } = createTwoProcesses(t);
  publishSample(here, 'hello');
  publishSample(here, 'other');
  here.clock.nowMs = 1000;
  const old = here.templates.findPublished('hello');
  const other = here.templates.findPublished('other');
  publishSample(there, 'hello', { width: 500 });
  here.clock.nowMs = 1099;
  t.equal(here.templates.findPublished('hello'), old);
  here.clock.nowMs = 1100;
  t.equal(old?.isCurrent, false, 'asking the object is enough: nobody must look it up first');
  t.equal(here.templates.findPublished('hello')?.version, 2);
  t.equal(here.templates.findPublished('other'), other);
});

t.test('a publish in the middle of a look-up is not missed', async (t) => {
  const there = createStores(t);
  publishSample(there, 'hello');
  let readings = 0;
  // The other process publishes at the very moment in which this one asks for changes.
  const clock = {
    get nowMs() {
      readings += 1;
      if (readings === 2) publishSample(there, 'hello');
      return readings * 100;
    },
  };
  const here = openStores(t, there.path, clock);
  here.templates.findPublished('hello');
  t.equal(readings, 2, 'once at the start and once now');
  t.equal(here.templates.findPublished('hello')?.version, 2);
});

t.test('what another process archives is gone within 100 ms, and back once restored', async (t) => {
  const { here, there } = createTwoProcesses(t);
  publishSample(here, 'hello');
  publishSample(here, 'hello');
  const old = here.templates.findPublished('hello');
  const pinned = here.templates.findPublished('hello', 1);
  const archive = there.db.prepare('UPDATE templates SET archived_at = ?');
  archive.run('2030-01-01T00:00:00.000Z');
  here.clock.nowMs = 100;
  t.equal(here.templates.findPublished('hello'), undefined);
  t.equal(here.templates.findPublished('hello', 1), undefined);
  t.same([old?.isCurrent, pinned?.isCurrent], [false, false]);
  archive.run(null);
  here.clock.nowMs = 200;
  t.equal(here.templates.findPublished('hello')?.version, 2);
  t.equal(old?.isCurrent, false, 'what was once stale stays so');
});

t.test('a commit that concerns no template leaves the objects as they are', async (t) => {
  const { here, there } = createTwoProcesses(t);
  publishSample(here, 'hello');
  const found = here.templates.findPublished('hello');
  there.organizations.createOrganization('B', 'org_b');
  here.clock.nowMs = 100;
  t.equal(here.templates.findPublished('hello'), found);
  t.equal(found?.isCurrent, true);
});

t.test('a pinned version is found for ever', async (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  publishSample(stores, 'hello', { width: 100 });
  const first = templates.findPublished('hello', 1);
  t.match(first, { version: 1, pinned: true, linkAuth: 'open' });
  t.equal(templates.findPublished('hello', 1), first);
  publishSample(stores, 'hello', { width: 200 });
  t.equal(first?.isCurrent, false);
  const again = templates.findPublished('hello', 1);
  t.match(again, { version: 1, pinned: true, document: { width: 100 } });
  t.equal(again?.templateKey, first?.templateKey, 'the image is the same');
  t.match(templates.findPublished('hello', 2), { pinned: true, document: { width: 200 } });
  for (const version of [0, 3, -1, 1.5, Number.NaN, Infinity, 2 ** 60]) {
    t.equal(templates.findPublished('hello', version), undefined, String(version));
  }
  t.equal(templates.findPublished('none', 1), undefined);
});

t.test('equal documents have equal keys in one organization, and others across', async (t) => {
  const stores = createTwoOrganizations(t);
  publishSample(stores, 'one');
  publishSample(stores, 'two');
  publishSample(stores, 'three', {}, 'org_b');
  const keyOf = (uid: string) => stores.templates.findPublished(uid)?.templateKey;
  t.equal(keyOf('one'), keyOf('two'));
  t.not(keyOf('one'), keyOf('three'));
});

t.test('a damaged version is named, hides no other, and a new publish repairs it', async (t) => {
  const stores = createStores(t);
  for (const uid of ['text', 'shape', 'good']) publishSample(stores, uid);
  damage(stores, 'text', '{"format":1,');
  damage(stores, 'shape', '{"format":1,"name":"x"}');
  t.throws(() => stores.templates.findPublished('text'), {
    name: 'StoreError',
    code: 'CORRUPT',
    message: /template text, version 99, is damaged: its content is not that of its id/,
  });
  t.throws(() => stores.templates.findPublished('shape'), {
    code: 'CORRUPT',
    message: /template shape, version 99/,
  });
  t.throws(() => stores.templates.findDetails('org_a', 'shape'), { code: 'CORRUPT' });
  t.equal(stores.templates.findPublished('good')?.version, 1);
  t.equal(stores.templates.listTemplates('org_a', 20, 0).total, 3);
  t.equal(stores.templates.publish('org_a', 'text')?.version, 100);
  t.equal(stores.templates.findPublished('text')?.version, 100);
});

t.test('memory serves while the database cannot be read, and follows it afterwards', async (t) => {
  const { here, there } = createTwoProcesses(t);
  publishSample(here, 'hello');
  const found = here.templates.findPublished('hello');
  publishSample(there, 'hello');
  // A temporary table hides the real one from this connection, and its end is no commit to notice.
  here.db.exec('CREATE TEMP TABLE templates (x)');
  here.clock.nowMs = 100;
  t.equal(here.templates.findPublished('hello'), found);
  t.equal(found?.isCurrent, true);
  here.db.exec('DROP TABLE temp.templates');
  here.clock.nowMs = 200;
  t.equal(found?.isCurrent, false);
  t.equal(here.templates.findPublished('hello')?.version, 2);
});

t.test('what a transaction wrote and took back is never served', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello', { width: 100 });
  stores.templates.findPublished('hello');
  const work = stores.db.transaction(() => {
    publishSample(stores, 'hello', { width: 666 });
    t.equal(stores.templates.findPublished('hello')?.document.width, 666);
    t.equal(stores.templates.findPublished('hello', 2)?.document.width, 666);
    throw new Error('no');
  });
  t.throws(work);
  t.equal(stores.templates.findPublished('hello')?.document.width, 100);
  publishSample(stores, 'hello', { width: 200 });
  t.match(stores.templates.findPublished('hello'), { version: 2, document: { width: 200 } });
});

t.test('unknown uids are not remembered, and more templates than fit are read again', async (t) => {
  const stores = createTwoOrganizations(t);
  publishSample(stores, 'other', {}, 'org_b');
  const other = stores.templates.findPublished('other');
  const document = { layers: [], background: '#fff' } as const;
  stores.db.transaction(() => {
    for (let index = 0; index < 2100; index += 1)
      publishSample(stores, `t${index}`, { ...document, layers: [] });
  })();
  const first = stores.templates.findPublished('t0');
  for (let index = 0; index < 2100; index += 1) stores.templates.findPublished(`t${index}`);
  for (let index = 0; index < 3000; index += 1) stores.templates.findPublished(`none${index}`);
  const last = stores.templates.findPublished('t2099');
  t.equal(stores.templates.findPublished('t2099'), last, 'the newest 2,000 are kept');
  t.not(stores.templates.findPublished('t0'), first);
  t.equal(stores.templates.findPublished('other'), other, 'that of another organization too');
  t.equal(first?.isCurrent, true, 'an object that fell out of memory still knows its state');
  publishSample(stores, 't0', { width: 1 });
  t.equal(first?.isCurrent, false);
  stores.templates.close();
  const again = stores.templates.findPublished('t2099');
  t.not(again, last, 'closing forgets what is in memory');
  t.equal(again?.version, 1);
});
