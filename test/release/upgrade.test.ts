/** A data folder that an earlier revision made is used after an upgrade. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import sharp from 'sharp';
import t from 'tap';
import { loadMigrations } from '../../src/store/database/migrate.ts';
import { startService } from '../e2e/service.ts';

const repository = join(import.meta.dirname, '../..');
/** Written by the service of that revision, then dumped as text without images. */
const fixture = join(repository, 'test/fixtures/data-folder-of-schema-10.sql');
const headers = { 'X-API-Key': 'old-key-of-demo' };

t.test('keys, links and versions of an earlier revision work after an upgrade', async (t) => {
  const dataDirectory = join(t.testdir(), 'data');
  mkdirSync(dataDirectory);
  const path = join(dataDirectory, 'platen.db');
  const old = new BetterSqlite3(path);
  old.pragma('foreign_keys = OFF');
  old.exec(readFileSync(fixture, 'utf8'));
  old.close();

  const service = await startService(t, { dataDirectory });
  const first = await service.render('kept.png?_version=1&name=Amanda');
  t.equal(first.status, 200);
  const newest = await service.render('kept.png?name=Amanda');
  t.equal(newest.status, 200);
  t.notOk(newest.body.equals(first.body), 'the second version says something else');
  t.equal((await sharp(newest.body).metadata()).width, 400);

  const ask = async (target: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${service.base}/v1/${target}`, { ...init, headers });
  const { versions } = (await (await ask('templates/kept/versions')).json()) as {
    versions: { version: number; note: string }[];
  };
  t.match(versions, [{ version: 2, note: 'shorter' }, { version: 1 }]);
  // Later migrations made the tables of these.
  for (const target of ['campaigns', 'webhooks', 'tables']) {
    t.equal((await ask(target)).status, 200, target);
  }
  t.equal((await ask('templates/kept/publish', { method: 'POST' })).status, 200);

  const upgraded = new BetterSqlite3(path, { readonly: true });
  t.teardown(() => upgraded.close());
  const known = loadMigrations(join(repository, 'data/migrations/')).length;
  t.equal(upgraded.pragma('user_version', { simple: true }), known);
  t.equal(upgraded.pragma('integrity_check', { simple: true }), 'ok');
});
