import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { checkDatabase } from '../../src/cli/doctor/data.ts';
import { parseConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTableStore } from '../../src/store/tables/table-store.ts';
import { fillDataDirectory, testOrganization } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { runOnTerminal, runPlaten } from './run-platen.ts';

interface Report {
  ok: boolean;
  checks: { name: string; status: string; detail: string; advice?: string }[];
}

const hasTerminal = spawnSync('script', ['--version']).status === 0;

t.test('a backup is made while the service runs, and has its data', async (t) => {
  const folder = t.testdir({ 'other.txt': 'no backup' });
  const dataDirectory = join(folder, 'data');
  await startService(t, { dataDirectory });
  const environment = { PLATEN_DATA_DIR: dataDirectory };
  const file = join(folder, 'backup.db');
  const ran = await runPlaten(['backup', 'backup.db', '--json'], { environment, cwd: folder });
  t.equal(ran.code, 0, ran.stderr);
  t.match(ran.json(), { file, organizations: 1, templates: 9 });
  const db = openDatabase(file);
  t.equal(db.prepare('SELECT count(*) FROM templates').pluck().get(), 9);
  db.close();
  const refused = await runPlaten(['backup', 'other.txt'], { environment, cwd: folder });
  t.equal(refused.code, 1);
  t.match(refused.stderr, /is no backup/);
  t.same(
    readdirSync(folder).filter((name) => name.includes('.part')),
    [],
  );
});

t.test('a backup has the rows of data tables where it is asked for them', async (t) => {
  const folder = t.testdir();
  const dataDirectory = fillDataDirectory(join(folder, 'data'), () => undefined);
  const service = await startService(t, { dataDirectory });
  const headers = { 'X-API-Key': testOrganization.key };
  const put = (body: string) =>
    fetch(`${service.base}/v1/tables/members?key=id`, { method: 'PUT', headers, body });
  await put('id,name\n8f2c,Amanda\n');
  const environment = { PLATEN_DATA_DIR: dataDirectory };
  const copy = () =>
    runPlaten(['backup', 'a.db', '--tables', 'rows', '--json'], { environment, cwd: folder });
  t.match((await copy()).json(), { tables: 1 });
  await put('id,name\n8f2c,Zoë\n');
  const again = await copy();
  t.match(again.json(), { tables: 1 }, again.stderr);
  t.equal(readdirSync(join(folder, 'rows')).length, 1, 'the rows before are gone');
  const restored = createTableStore(openDatabase(join(folder, 'a.db')), join(folder, 'rows'));
  t.teardown(() => restored.close());
  t.equal(restored.findRow(testOrganization.uid, 'members', '8f2c')?.('name'), 'Zoë');
});

t.test('progress is shown on a terminal, and removed', { skip: !hasTerminal }, async (t) => {
  const folder = t.testdir();
  const environment = { PLATEN_DATA_DIR: join(folder, 'data'), TERM: 'xterm' };
  await runPlaten(['org', 'create', 'acme'], { environment });
  const shown = await runOnTerminal(['backup', join(folder, 'a.db')], { environment });
  t.equal(shown.code, 0, shown.stdout);
  t.match(shown.stdout, /Copying, MiB/);
  t.match(shown.stdout, /a\.db {2}\d+ bytes, checked: 1 organization/);
  const piped = await runPlaten(['backup', join(folder, 'b.db')], { environment });
  t.equal(piped.stderr, '');
});

t.test('the doctor finds nothing where nothing is', async (t) => {
  const environment = { PLATEN_DATA_DIR: join(t.testdir(), 'data'), PLATEN_PORT: '0' };
  const ran = await runPlaten(['doctor', '--json'], { environment });
  const { ok, checks } = ran.json() as Report;
  t.same(
    checks.filter(({ status }) => status === 'problem'),
    [],
  );
  t.equal(ok, true);
  t.equal(ran.code, 0);
  const names = checks.map(({ name }) => name);
  for (const name of [
    'node',
    'bundles',
    'http',
    'limits',
    'configuration',
    'memory',
    'data folder',
    'disk',
    'clock',
    'renderer',
    'port',
    'exposure',
  ]) {
    t.ok(names.includes(name), name);
  }
  t.match(checks.find(({ name }) => name === 'http')?.detail, /SHA-256 [0-9a-f]{64}/);
  t.notMatch(readdirSync(t.testdirName), ['data'], 'looking makes nothing');
});

t.test('the doctor reports each problem with advice', async (t) => {
  const dataDirectory = t.testdir();
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  t.teardown(() => blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const environment = {
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(port),
  };
  await runPlaten(['org', 'create', 'acme'], { environment });
  damage(join(dataDirectory, 'platen.db'));
  const ran = await runPlaten(['doctor', '--json'], { environment });
  t.equal(ran.code, 1);
  const { checks } = ran.json() as Report;
  const problems = checks.filter(({ status }) => status === 'problem');
  t.ok(problems.every(({ advice }) => advice !== undefined));
  t.match(problems.find(({ name }) => name === 'database')?.detail, /damaged|malformed/);
  t.match(problems.find(({ name }) => name === 'port')?.advice, /PLATEN_PORT/);

  const unset = await runPlaten(['doctor', '--json'], { environment: { PLATEN_PORT: 'x' } });
  t.equal(unset.code, 1);
  t.match(
    (unset.json() as Report).checks.find(({ name }) => name === 'configuration'),
    { status: 'problem', detail: /PLATEN_PORT is "x"/ },
  );
});

t.test('the doctor names damaged documents', (t) => {
  const dataDirectory = fillDataDirectory(t.testdir(), ({ db, publish }) => {
    for (const uid of ['sound', 'bad']) publish(uid);
    db.exec("UPDATE templates SET draft_json = '{}' WHERE uid = 'bad'");
  });
  t.match(checkDatabase(parseConfig({ PLATEN_DATA_DIR: dataDirectory })), [
    {
      status: 'problem',
      detail: / has damaged documents: draft of template bad$/,
      advice: /restore/,
    },
  ]);
  const killed = t.testdir({ 'platen.db': '' });
  t.match(checkDatabase(parseConfig({ PLATEN_DATA_DIR: killed })), [{ status: 'ok' }]);
  t.end();
});

/** Writes over a page that is not the first, as a broken disk does. */
function damage(path: string): void {
  const db = openDatabase(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4096, 0xab), 0, 4096, 4096);
  closeSync(file);
}
