import { createHash } from 'node:crypto';
import t from 'tap';
import type { TemplateSummary } from '../../src/store/template-details.ts';
import {
  createStores,
  openStores,
  publishSample,
  sampleDocument,
  saveSample,
} from './store-fixture.ts';

const uidsOf = (templates: readonly TemplateSummary[]): string[] => templates.map(({ uid }) => uid);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

t.test('a draft gets the uid that it is given or a random one', async (t) => {
  const stores = createStores(t);
  const json = JSON.stringify(sampleDocument());
  const cid = createHash('sha256').update(json).digest('hex').slice(0, 32);
  t.same(saveSample(stores, 'hello'), { uid: 'hello', cid, version: null, created: true });
  t.match(saveSample(stores, undefined).uid, /^tpl_[0-9A-Za-z]{16}$/);
  for (const uid of ['', 'ä', 'a/b', '../x', 'x'.repeat(65), 'a\0', 'a b']) {
    t.throws(() => saveSample(stores, uid), { name: 'StoreError', code: 'INVALID' }, uid);
  }
  t.equal(saveSample(stores, 'x'.repeat(64)).created, true);
  t.equal(saveSample(stores, '__proto__').uid, '__proto__');
  t.throws(() => saveSample(stores, 'other', {}, 'org_none'), { code: 'INVALID' });
});

t.test('a document over 256 KiB of UTF-8 is refused', async (t) => {
  const { templates } = createStores(t);
  const save = (json: string) => templates.saveDraft('org_a', 'big', sampleDocument(), json);
  t.throws(() => save(`"${'ä'.repeat(131_072)}"`), { code: 'INVALID', message: /at most 262144/ });
  t.equal(save(`"${'ä'.repeat(131_071)}"`).created, true);
});

t.test('a draft over a draft keeps the published version until it is published', async (t) => {
  const stores = createStores(t);
  t.same(publishSample(stores, 'hello', { name: 'One' })?.version, 1);
  const first = stores.templates.findDetails('org_a', 'hello');
  const draft = saveSample(stores, 'hello', { name: 'Two', width: 500 });
  t.match(draft, { version: 1, created: false });
  t.match(stores.templates.findDetails('org_a', 'hello'), {
    cid: draft.cid,
    name: 'One',
    width: 400,
    version: 1,
    created_at: first?.created_at,
  });
  t.same(stores.templates.publish('org_a', 'hello'), { version: 2, cid: draft.cid });
  t.match(stores.templates.findDetails('org_a', 'hello'), { name: 'Two', width: 500, version: 2 });
  t.equal(stores.templates.findPublished('hello')?.document.name, 'Two');
});

t.test('the same draft again changes nothing, not even the time', async (t) => {
  const stores = createStores(t);
  const { cid } = saveSample(stores, 'hello');
  const past = '2020-01-01T00:00:00.000Z';
  stores.db.prepare('UPDATE templates SET updated_at = ?').run(past);
  t.same(saveSample(stores, 'hello'), { uid: 'hello', cid, version: null, created: false });
  t.equal(stores.templates.findDetails('org_a', 'hello')?.updated_at, past);
  saveSample(stores, 'hello', { width: 401 });
  t.ok((stores.templates.findDetails('org_a', 'hello')?.updated_at ?? '') > past);
});

t.test('versions count 1, 2, 3 and are never changed, deleted or replaced', async (t) => {
  const stores = createStores(t);
  const other = openStores(t, stores.path);
  const processes = [stores, other, stores];
  const versions = processes.map((each) => publishSample(each, 'hello')?.version);
  t.same(versions, [1, 2, 3]);
  const changes = [
    "UPDATE template_versions SET document_json = '{}' WHERE version = 1",
    'DELETE FROM template_versions WHERE version = 2',
    `INSERT OR REPLACE INTO template_versions
       SELECT template_id, version, cid, note, published_at, '{}', NULL FROM template_versions`,
  ];
  for (const recursive of ['ON', 'OFF']) {
    stores.db.pragma(`recursive_triggers = ${recursive}`);
    for (const sql of changes) {
      t.throws(() => stores.db.exec(sql), { code: 'SQLITE_CONSTRAINT_TRIGGER' }, sql);
    }
  }
  const count = stores.db.prepare('SELECT count(DISTINCT cid), count(*) FROM template_versions');
  t.same(count.raw().get(), [1, 3]);
});

t.test('details of a template that was never published are its draft’s', async (t) => {
  const stores = createStores(t);
  const { cid } = saveSample(stores, 'hello', { name: 'Draft', width: 300 });
  t.match(stores.templates.findDetails('org_a', 'hello'), {
    cid,
    uid: 'hello',
    name: 'Draft',
    type: 'image',
    created_at: timestamp,
    updated_at: timestamp,
    width: 300,
    height: 200,
  });
  const details = stores.templates.findDetails('org_a', 'hello');
  t.equal(details?.version, null);
  t.same(details?.published_variables, []);
  saveSample(stores, 'hello', { name: 'Renamed' });
  t.equal(stores.templates.findDetails('org_a', 'hello')?.name, 'Renamed');
});

t.test('a template is a draft, live, or live with changes that are not published', async (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  const state = (): unknown => {
    const listed = templates.listTemplates('org_a', 1, 0).templates[0]?.state;
    t.equal(templates.findDetails('org_a', 'hello')?.state, listed);
    return listed;
  };
  saveSample(stores, 'hello', { name: 'One' });
  t.equal(state(), 'draft');
  publishSample(stores, 'hello', { name: 'One' });
  t.equal(state(), 'live');
  saveSample(stores, 'hello', { name: 'Two' });
  t.equal(state(), 'changed');
  saveSample(stores, 'hello', { name: 'One' });
  t.equal(state(), 'live', 'the draft shows what links show');
});

t.test('templates are listed by folder and tag, also while they are archived', async (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  const uids = (filter: { folder?: string; tag?: string; archived?: boolean }): string[] =>
    uidsOf(templates.listTemplates('org_a', 10, 0, filter).templates);
  for (const uid of ['a', 'b', 'c']) saveSample(stores, uid);
  const { cid } = templates.findDetails('org_a', 'a') ?? {};
  const labels = { folder: 'Spring', tags: ['vip', 'email', 'vip'] };
  t.same(templates.setLabels('org_a', 'a', labels), { folder: 'Spring', tags: ['vip', 'email'] });
  t.same(templates.setLabels('org_a', 'b', { tags: ['vip'] }), { folder: '', tags: ['vip'] });
  t.match(templates.findDetails('org_a', 'a'), { folder: 'Spring', tags: ['vip', 'email'], cid });
  t.same(uids({ folder: 'Spring' }), ['a']);
  t.same(uids({ folder: '' }), ['c', 'b']);
  t.same(uids({ tag: 'vip' }), ['b', 'a']);
  t.same(uids({ tag: 'email', folder: '' }), []);
  t.same(templates.setLabels('org_a', 'a', { folder: '' }), { folder: '', tags: ['vip', 'email'] });
  templates.archive('org_a', 'b');
  t.same(uids({ tag: 'vip', archived: true }), ['b']);
  t.equal(templates.setLabels('org_a', 'b', { folder: 'x' }), undefined);
  t.equal(templates.setLabels('org_b', 'a', { folder: 'x' }), undefined);
});

t.test('a published variable has an id that stays and differs between templates', async (t) => {
  const stores = createStores(t);
  const variables = [
    { name: 'name', type: 'text', value: 'World' },
    { name: '__proto__', type: 'image', value: 'https://example.com/a.png' },
  ] as const;
  publishSample(stores, 'one', { variables: [...variables] });
  publishSample(stores, 'two', { variables: [...variables] });
  const read = (uid: string) => stores.templates.findDetails('org_a', uid)?.published_variables;
  const before = read('one');
  const id = createHash('sha256').update('one\0name').digest('hex').slice(0, 12);
  t.same(before?.[0], { id: `var_${id}`, name: 'name', type: 'text', value: 'World' });
  t.match(before?.[1], { id: /^var_[0-9a-f]{12}$/, name: '__proto__', type: 'image' });
  t.not(read('two')?.[0]?.id, before?.[0]?.id);
  publishSample(stores, 'one', { variables: variables.toReversed() });
  t.same(read('one')?.toReversed(), before);
});

t.test('the list is newest first, stable with equal times, and pages without gaps', async (t) => {
  const stores = createStores(t);
  const uids = Array.from({ length: 130 }, (_, index) => `t${index}`);
  stores.db.transaction(() => uids.forEach((uid) => saveSample(stores, uid)))();
  const setTime = stores.db.prepare('UPDATE templates SET created_at = ?');
  setTime.run('2030-01-01T00:00:00.000Z');
  stores.db.exec("UPDATE templates SET created_at = '2031-01-01T00:00:00.000Z' WHERE uid = 't5'");
  const list = (limit: number, offset: number) =>
    stores.templates.listTemplates('org_a', limit, offset);
  const expected = ['t5', ...uids.filter((uid) => uid !== 't5').toReversed()];
  const paged: TemplateSummary[] = [];
  for (let offset = 0; offset < 140; offset += 20) paged.push(...list(20, offset).templates);
  t.same(uidsOf(paged), expected);
  const times = { created_at: '2031-01-01T00:00:00.000Z', updated_at: timestamp };
  const newest = { uid: 't5', name: 'Hello', type: 'image', ...times };
  t.match(list(1, 0), { total: 130, templates: [newest] });
  t.equal(list(1000, 0).templates.length, 100, 'a page has 100 at most');
  t.equal(list(-1, 0).templates.length, 0);
  t.same(list(20, 130), { templates: [], total: 130 });
  t.same(list(20, 1e300).templates, []);
});

t.test('an organization sees, changes and publishes its own templates only', async (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  stores.organizations.createOrganization('B', 'org_b');
  publishSample(stores, 'mine');
  publishSample(stores, 'theirs', {}, 'org_b');
  const { templates: listed, total } = templates.listTemplates('org_a', 20, 0);
  t.same([uidsOf(listed), total], [['mine'], 1]);
  t.equal(templates.findDetails('org_a', 'theirs'), undefined);
  t.throws(() => saveSample(stores, 'theirs', { name: 'Stolen' }), { code: 'TAKEN' });
  t.equal(templates.publish('org_a', 'theirs'), undefined);
  t.match(templates.findDetails('org_b', 'theirs'), { name: 'Hello', version: 1 });
  t.equal(templates.publish('org_a', 'none'), undefined);
  t.equal(templates.isUidTaken('theirs'), true);
  t.equal(templates.isUidTaken('none'), false);
});

t.test('a damaged draft is named, is not published, and a new save repairs it', async (t) => {
  const stores = createStores(t);
  saveSample(stores, 'bad');
  saveSample(stores, 'good');
  stores.db.prepare(`UPDATE templates SET draft_json = '{"format":1}' WHERE uid = 'bad'`).run();
  const error = { code: 'CORRUPT', message: /template bad, draft, is damaged/ };
  t.throws(() => stores.templates.publish('org_a', 'bad'), error);
  t.throws(() => stores.templates.findDetails('org_a', 'bad'), error);
  t.equal(stores.templates.findDetails('org_a', 'good')?.width, 400);
  t.equal(stores.templates.listTemplates('org_a', 20, 0).total, 2);
  saveSample(stores, 'bad');
  t.equal(stores.templates.publish('org_a', 'bad')?.version, 1);
});
