import { join } from 'node:path';
import t from 'tap';
import { linkOptionNames } from '#language/schema/access.ts';
import type { Access } from '#language/schema/access.ts';
import type { Template } from '#language/schema/template.ts';
import {
  createScratchDatabase,
  openDatabase,
  packagedMigrations,
} from '../../src/store/database/database.ts';
import { accessTag } from '../../src/store/organizations/access-store.ts';
import { documentCid } from '../../src/store/template-document.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import type { TemplateStore } from '../../src/store/template-store.ts';
import { createStores, openStores, publishSample, sampleDocument } from './store-fixture.ts';

const open: Access = { linkAuth: 'open', linkOptions: [...linkOptionNames], atZero: 'stay' };
const signed: Access = { ...open, linkAuth: 'signed' };
const over = { template: 'over' };

function accessOf(templates: TemplateStore, uid: string): Access | undefined {
  return templates.findAccess('org_a', uid);
}

t.test(
  'a new template takes its access from its document, and no version changes it',
  async (t) => {
    const stores = createStores(t);
    const { templates } = stores;
    const clock = { until: '2030-01-01', atZero: over };
    publishSample(stores, 'hello', { linkAuth: 'signed', linkOptions: ['size', 'scale'], clock });
    const access = { linkAuth: 'signed', linkOptions: ['scale', 'size'], atZero: over };
    t.same(accessOf(templates, 'hello'), access);
    publishSample(stores, 'hello', { linkAuth: 'open', clock: { until: '2031-01-01' } });
    const { linkAuth, linkOptions } = access;
    const live = {
      linkAuth,
      linkOptions,
      document: { clock: { until: '2031-01-01', atZero: over } },
    };
    t.match(templates.findPublished('hello'), live);
    templates.publish('org_a', 'hello', { version: 1 });
    t.same(accessOf(templates, 'hello'), access);
    templates.setAccess('org_a', 'hello', open);
    templates.publish('org_a', 'hello', { version: 2 });
    t.match(templates.findPublished('hello'), { linkAuth: 'open', linkOptions: undefined });
    templates.setAccess('org_a', 'hello', { ...signed, atZero: over });
    templates.duplicate('org_a', 'hello', { uid: 'copy' });
    t.same(
      accessOf(templates, 'copy'),
      { ...signed, atZero: over },
      'a copy has that of the template',
    );
  },
);

t.test('a change of the access reaches every link and every process at once', async (t) => {
  const here = createStores(t);
  const there = openStores(t, here.path, { nowMs: 0 });
  publishSample(here, 'hello');
  publishSample(here, 'hello', { width: 200 });
  const found = [undefined, 1].map((version) => there.templates.findPublished('hello', version));
  t.match(found, [{ linkAuth: 'open' }, { linkAuth: 'open' }]);
  t.same(here.templates.setAccess('org_a', 'hello', signed), signed);
  there.clock.nowMs = 100;
  t.same(
    found.map((each) => each?.isCurrent),
    [false, false],
  );
  for (const { templates } of [here, there]) {
    for (const version of [undefined, 1, 2]) {
      t.match(templates.findPublished('hello', version), { linkAuth: 'signed' }, String(version));
    }
  }
  const stale = { ifMatch: [accessTag(open)] };
  t.throws(() => here.templates.setAccess('org_a', 'hello', open, stale), { code: 'CHANGED' });
  t.same(accessOf(here.templates, 'hello'), signed);
  const [, other] = [stale, { ifMatch: [accessTag(signed)] }];
  t.same(here.templates.setAccess('org_a', 'hello', open, other), open);
  t.equal(here.templates.setAccess('org_b', 'hello', open), undefined, 'of another organization');
});

t.test(
  'a template that a node of an older version made keeps the access of its document',
  async (t) => {
    const stores = createStores(t);
    const { db, templates } = stores;
    publishSample(stores, 'old', { linkAuth: 'signed' });
    publishSample(stores, 'draft', { linkAuth: 'key' });
    db.prepare('DELETE FROM template_access').run();
    stores.clock.nowMs += 100;
    t.match(templates.findPublished('old'), { linkAuth: 'signed' });
    publishSample(stores, 'old', { linkAuth: 'open' });
    t.match(templates.findPublished('old'), { linkAuth: 'signed' });
    t.same(accessOf(templates, 'draft'), { ...open, linkAuth: 'key' });
    templates.publish('org_a', 'draft', { version: 1 });
    t.equal(db.prepare('SELECT count(*) FROM template_access').pluck().get(), 2);
  },
);

t.test('an upgrade keeps the access of the published version, or else of the draft', async (t) => {
  const path = join(t.testdir(), 'platen.sqlite');
  const old = createScratchDatabase(path, packagedMigrations().slice(0, 24));
  old.exec(
    "INSERT INTO organizations (uid, name, created_at) VALUES ('org_a', 'A', '2030-01-01T00:00:00.000Z')",
  );
  const insert = (uid: string, draft: Partial<Template>, version?: Partial<Template>): void => {
    const [draftJson, json] = [draft, version ?? {}].map((changes) =>
      JSON.stringify(sampleDocument(changes)),
    );
    const at = '2030-01-01T00:00:00.000Z';
    const { lastInsertRowid: id } = old
      .prepare(
        `INSERT INTO templates (uid, organization_uid, name, created_at, updated_at, draft_cid, draft_json)
         VALUES (?, 'org_a', 'x', ?, ?, ?, ?)`,
      )
      .run(uid, at, at, documentCid(draftJson ?? ''), draftJson);
    if (version === undefined) return;
    old
      .prepare(
        `INSERT INTO template_versions (template_id, version, cid, published_at, document_json) VALUES (?, 1, ?, ?, ?)`,
      )
      .run(id, documentCid(json ?? ''), at, json);
    old.prepare('UPDATE templates SET published_version = 1 WHERE id = ?').run(id);
  };
  const clock = { until: '2030-01-01', atZero: over };
  insert('plain', {});
  insert('draft', { linkAuth: 'key', linkOptions: [] });
  insert('live', { linkAuth: 'open' }, { linkAuth: 'signed', linkOptions: ['size'], clock });
  insert('all', {}, { linkOptions: ['format', 'scale', 'quality', 'lang', 'size'] });
  insert('damaged', {}, { linkAuth: 'open' });
  old.pragma('ignore_check_constraints = ON');
  old.exec("UPDATE templates SET published_version = NULL, draft_json = '{' WHERE uid = 'damaged'");
  old.close();

  const db = openDatabase(path);
  const templates = createTemplateStore(db);
  t.teardown(() => db.close());
  t.same(accessOf(templates, 'plain'), open);
  t.same(accessOf(templates, 'draft'), { ...open, linkAuth: 'key', linkOptions: [] });
  t.same(accessOf(templates, 'live'), { linkAuth: 'signed', linkOptions: ['size'], atZero: over });
  t.same(accessOf(templates, 'all'), open, 'all options of before');
  t.same(accessOf(templates, 'damaged'), { ...open, linkAuth: 'key' }, 'opens nothing');
});
