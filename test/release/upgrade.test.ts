/** A data folder that an earlier revision made is used after an upgrade. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import t from 'tap';
import { loadMigrations } from '../../src/store/database/migrate.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';

const repository = join(import.meta.dirname, '../..');
/** Written by the service of that revision, then dumped as text without images. */
const fixture = join(repository, 'test/fixtures/data-folder-of-schema-10.sql');

t.test('keys and versions of an earlier revision work after an upgrade', async (t) => {
  const path = join(t.testdir(), 'data', 'platen.db');
  mkdirSync(join(path, '..'));
  const old = new BetterSqlite3(path);
  old.pragma('foreign_keys = OFF');
  old.exec(readFileSync(fixture, 'utf8'));
  old.close();

  const db = openDatabase(path);
  const templates = createTemplateStore(db);
  t.teardown(() => {
    templates.close();
    db.close();
  });
  const known = loadMigrations(join(repository, 'data/migrations/')).length;
  t.equal(db.pragma('user_version', { simple: true }), known);
  t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  const organization = createOrganizationStore(db).findByKey('old-key-of-demo');
  const uid = organization?.uid ?? '';
  t.match(templates.listVersions(uid, 'kept'), {
    versions: [{ version: 2, note: 'shorter' }, { version: 1 }],
  });
  const [first, newest] = [1, undefined].map((version) => templates.findPublished('kept', version));
  t.match([first, newest], [{ uid: 'kept', version: 1 }, { version: 2 }]);
  t.not(first?.templateKey, newest?.templateKey, 'the second version says something else');
  t.match(templates.findDetails(uid, 'kept'), { width: 400, published_cid: String });
  t.match(templates.publish(uid, 'kept'), { version: 3 });
});
