import t from 'tap';
import { documentCid } from '../../src/store/template-document.ts';
import type { Stores } from './store-fixture.ts';
import {
  createStores,
  openStores,
  publishSample,
  sampleDocument,
  saveSample,
} from './store-fixture.ts';

/** Puts a document in as an earlier release took it, whose rules were other ones. */
function saveAsBefore({ db }: Stores, uid: string, changes: object): void {
  const json = JSON.stringify({ ...sampleDocument(), ...changes });
  const cid = documentCid(json);
  db.prepare('UPDATE templates SET draft_json = ?, draft_cid = ? WHERE uid = ?').run(
    json,
    cid,
    uid,
  );
  db.prepare(
    `INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
     SELECT id, 2, ?, created_at, ? FROM templates WHERE uid = ?`,
  ).run(cid, json, uid);
  db.prepare('UPDATE templates SET published_version = 2 WHERE uid = ?').run(uid);
}

t.test('a rule that was made since is one for saving, not for what is public', (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  publishSample(stores, 'old');
  saveAsBefore(stores, 'old', { width: 5000 });
  t.equal(templates.findPublished('old')?.document.width, 5000, 'its links are drawn');
  t.equal(templates.findPublished('old', 2)?.version, 2);
  t.match(templates.findDetails('org_a', 'old'), { width: 5000, version: 2 });
  const refusal = {
    code: 'INVALID',
    problems: [{ path: 'width', message: /from 1 to 4096/ }],
    message: /^The template document is not valid: width is 5000/,
  };
  t.throws(() => templates.publish('org_a', 'old'), refusal);
  t.throws(() => templates.duplicate('org_a', 'old', {}), refusal);
  t.same(templates.publish('org_a', 'old', { version: 1 })?.version, 3);
  t.same(templates.publish('org_a', 'old', { version: 2 })?.version, 4, 'it was public before');
  t.end();
});

t.test('an older version is published again under a new number, the draft untouched', (t) => {
  const stores = createStores(t);
  const { templates } = stores;
  const first = publishSample(stores, 'card', { name: 'One' });
  publishSample(stores, 'card', { name: 'Two' });
  const draft = saveSample(stores, 'card', { name: 'Three' });
  t.same(templates.publish('org_a', 'card', { version: 1, note: 'back' }), {
    version: 3,
    cid: first?.cid,
  });
  t.match(templates.findDetails('org_a', 'card'), { name: 'One', cid: draft.cid, version: 3 });
  t.equal(templates.findPublished('card')?.document.name, 'One');
  const list = templates.listVersions('org_a', 'card');
  t.same(
    list?.versions.map(({ version, note }) => [version, note]),
    [
      [3, 'back'],
      [2, ''],
      [1, ''],
    ],
  );
  t.equal(templates.publish('org_a', 'card', { version: 9 }), undefined);
  t.equal(templates.publish('org_b', 'card', { version: 1 }), undefined);
  t.throws(() => templates.publish('org_a', 'card', { note: 'x'.repeat(1001) }), {
    code: 'INVALID',
  });
  t.equal(templates.listVersions('org_a', 'card')?.total, 3);
  t.equal(templates.listVersions('org_b', 'card'), undefined);
  t.end();
});

t.test(
  'a change is made only upon the draft that it is based on, no matter who changed it',
  (t) => {
    const stores = createStores(t);
    const { templates } = stores;
    const other = openStores(t, stores.path);
    const { cid } = saveSample(stores, 'card');
    const next = saveSample(other, 'card', { width: 401 });
    const document = sampleDocument({ width: 402 });
    const update = (ifMatch: string[]) =>
      templates.updateDraft('org_a', 'card', document, JSON.stringify(document), { ifMatch });
    const changed = { code: 'CHANGED', message: new RegExp(next.cid) };
    t.throws(() => update([cid]), changed);
    t.throws(() => templates.publish('org_a', 'card', { ifMatch: [cid] }), changed);
    t.throws(() => templates.archive('org_a', 'card', { ifMatch: [cid] }), changed);
    t.throws(() => templates.restore('org_a', 'card', { ifMatch: [cid] }), changed);
    t.equal(templates.findDocument('org_a', 'card')?.cid, next.cid);
    t.equal(update(['x', next.cid])?.version, null);
    t.end();
  },
);

t.test('an archived template is found by nobody until it is restored', (t) => {
  const stores = createStores(t);
  const { templates, organizations } = stores;
  const other = openStores(t, stores.path);
  publishSample(stores, 'card');
  t.equal(other.templates.findPublished('card')?.version, 1);
  t.equal(templates.archive('org_b', 'card'), false);
  t.equal(templates.archive('org_a', 'card'), true);
  t.equal(templates.archive('org_a', 'card'), false);
  other.clock.nowMs += 100;
  t.equal(other.templates.findPublished('card'), undefined, 'in other processes 100 ms later');
  for (const found of [
    templates.findPublished('card'),
    templates.findDocument('org_a', 'card'),
    templates.listVersions('org_a', 'card'),
    templates.duplicate('org_a', 'card', {}),
    organizations.createSigningKey('org_a', 'card'),
  ]) {
    t.equal(found, undefined);
  }
  const archived = templates.listTemplates('org_a', 20, 0, { archived: true });
  t.match(archived, { total: 1, templates: [{ uid: 'card' }] });
  t.equal(templates.restore('org_b', 'card'), undefined);
  t.match(templates.restore('org_a', 'card'), { uid: 'card', version: 1 });
  t.equal(templates.findPublished('card')?.version, 1);
  t.end();
});

t.test('templates and versions are bounded in number', (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const fill = `WITH RECURSIVE counter (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counter WHERE n < 10000)`;
  stores.db.exec(`${fill} INSERT INTO template_versions
    (template_id, version, cid, published_at, document_json)
    SELECT template_id, n, cid, published_at, document_json FROM template_versions, counter`);
  t.throws(() => stores.templates.publish('org_a', 'card'), {
    code: 'CONFLICT',
    message: /10000 versions/,
  });
  stores.db.exec(`${fill} INSERT INTO templates
    (uid, organization_uid, name, created_at, updated_at, archived_at, draft_cid, draft_json)
    SELECT 't' || n, organization_uid, name, created_at, updated_at, iif(n % 2, created_at, NULL),
      draft_cid, draft_json FROM templates, counter`);
  t.throws(() => saveSample(stores, 'more'), { code: 'CONFLICT', message: /10000 templates/ });
  t.equal(saveSample(stores, 't2', { width: 401 }).created, false, 'what exists can be saved');
  t.end();
});
