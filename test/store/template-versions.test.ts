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
  const replace = db.prepare('UPDATE templates SET draft_json = ?, draft_cid = ? WHERE uid = ?');
  replace.run(json, cid, uid);
  db.prepare(
    `INSERT INTO template_versions (template_id, version, cid, published_at, document_json)
     SELECT id, 2, ?, created_at, ? FROM templates WHERE uid = ?`,
  ).run(cid, json, uid);
  db.prepare('UPDATE templates SET published_version = 2 WHERE uid = ?').run(uid);
}

t.test('a rule that was made since is one for saving, not for what is public', async (t) => {
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
});

t.test('an archived template is found by nobody until it is restored', async (t) => {
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
  t.same(templates.listTemplates('org_a', 20, 0), { templates: [], total: 0 });
  t.equal(templates.findDetails('org_a', 'card'), undefined);
  t.equal(templates.publish('org_a', 'card'), undefined);
  t.throws(() => saveSample(stores, 'card'), { code: 'TAKEN', message: /archived/ });
  t.equal(templates.isUidTaken('card'), true, 'its uid is kept');
  t.equal(templates.restore('org_b', 'card'), undefined);
  t.match(templates.restore('org_a', 'card'), { uid: 'card', version: 1 });
  t.equal(templates.findPublished('card')?.version, 1);
});

t.test('templates and versions are bounded in number', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const fill = `WITH RECURSIVE counter (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counter WHERE n < 10000)`;
  stores.db.exec(`${fill} INSERT INTO template_versions
    (template_id, version, cid, published_at, document_json)
    SELECT template_id, n, cid, published_at, document_json FROM template_versions, counter`);
  const refusal = { code: 'CONFLICT', message: /10000 versions/ };
  t.throws(() => stores.templates.publish('org_a', 'card'), refusal);
  stores.db.exec(`${fill} INSERT INTO templates
    (uid, organization_uid, name, created_at, updated_at, archived_at, draft_cid, draft_json)
    SELECT 't' || n, organization_uid, name, created_at, updated_at, iif(n % 2, created_at, NULL),
      draft_cid, draft_json FROM templates, counter`);
  t.throws(() => saveSample(stores, 'more'), { code: 'CONFLICT', message: /10000 templates/ });
  t.equal(saveSample(stores, 't2', { width: 401 }).created, false, 'what exists can be saved');
});
