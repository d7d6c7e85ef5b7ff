/** A database that is full, read-only, locked or damaged: what can be read is read, what fails says why, nothing is half written. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { checkError } from '../e2e/request.ts';
import { startService } from '../e2e/service.ts';
import { sampleFontFacts } from '../templates/store-fixture.ts';
import type { DiskFaults } from '../fixtures/disk-faults.ts';

const program = fileURLToPath(new URL('../fixtures/disk-faults.ts', import.meta.url));

/** Mounts a disk of 2 MB over the folder, for the program alone; needs a Linux that lets its users do so. */
const onSmallDisk = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"';
const inPrivateMounts = ['--map-root-user', '--mount', 'sh', '-c', onSmallDisk, 'sh'];
const mayMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    .status === 0;

t.test(
  'a full disk fails writes with what to do, and a read-only one the opening to write',
  { skip: mayMount ? false : 'no mounts of its own on this system' },
  async (t) => {
    const folder = t.testdir();
    const args = [...inPrivateMounts, folder, process.execPath, program];
    const { stdout } = await promisify(execFile)('unshare', args);
    const faults = JSON.parse(stdout) as DiskFaults;
    t.match(faults.full, {
      code: 'FULL',
      message: /^Saving .* the disk .* is full; nothing was changed\. Free some space/,
    });
    t.ok(faults.stored >= 20);
    t.equal(faults.read, faults.stored, 'every version can still be read');
    t.equal(faults.versionAfter, faults.stored + 1, 'with space it goes on where it was');
    t.equal(faults.integrity, 'ok');
    t.match(faults.readOnly, {
      code: /READONLY|IO/,
      message: /^Opening the database .*permissions/,
    });
  },
);

t.test(
  'a first start on a full disk names the folder',
  { skip: mayMount ? false : 'no mounts of its own on this system' },
  async (t) => {
    const onFullDisk = 'mount -t tmpfs -o size=400k tmpfs "$1" && exec "$2" dist/main.js';
    const args = ['--map-root-user', '--mount', 'sh', '-c', onFullDisk, 'sh', t.testdir()];
    const env = { ...process.env, PLATEN_PORT: '0', PLATEN_DATA_DIR: join(t.testdirName, 'data') };
    const start = promisify(execFile)('unshare', [...args, process.execPath], { env });
    await t.rejects(start, {
      code: 1,
      stderr:
        /^Platen cannot start\. The data directory \S+\/data cannot be used: its disk is full\./m,
    });
  },
);

const document = {
  variables: [textVariable('name', 'friend')],
  layers: [textLayer('{{name}}')],
};

t.test(
  'while another process has the database locked, links and the API are answered',
  async (t) => {
    const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
      publish('card', document);
      publish('unread', document);
    });
    const service = await startService(t, { dataDirectory });
    t.equal((await service.render('card?name=before')).status, 200);
    const other = openDatabase(join(dataDirectory, 'platen.db'));
    t.teardown(() => other.close());
    other.exec('BEGIN EXCLUSIVE');
    other.exec("UPDATE templates SET name = 'never stored'");
    const headers = { 'X-API-Key': testOrganization.key };
    // An answer that waited for the lock would fail after 2 s: it is held until all have come.
    const answers = await Promise.all([
      service.render('card?name=before'),
      service.render('card?name=after'),
      service.render('unread'),
      service.get('/v1/templates', { headers }),
      service.get('/v1/validate-organization', { headers }),
      service.get('/readyz'),
    ]);
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    t.notMatch(answers[3]?.text, /never stored/);
    other.exec('ROLLBACK');
  },
);

t.test('writes that meet a lock wait beside the links, and end with it', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    publish('card', document);
  });
  const service = await startService(t, { dataDirectory });
  t.equal((await service.render('card?name=known')).status, 200);
  const other = openDatabase(join(dataDirectory, 'platen.db'));
  t.teardown(() => other.close());
  const body = JSON.stringify({
    format: 1,
    name: 'Saved',
    width: 240,
    height: 40,
    variables: [],
    layers: [],
  });
  let answered = 0;
  const save = async (uid: string): Promise<Response> => {
    const answer = await fetch(`${service.base}/v1/templates?uid=${uid}`, {
      method: 'POST',
      headers: { 'X-API-Key': testOrganization.key },
      body,
    });
    answered += 1;
    return answer;
  };
  other.exec('BEGIN IMMEDIATE');
  const saves = Array.from({ length: 15 }, (_, index) => save(`saved-${index}`));
  for (let hits = 0; hits < 10; hits += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a process that stands still keeps all behind it
    t.equal((await service.render('card?name=known')).status, 200);
  }
  t.equal(answered, 0, 'ten hits are answered before the first write gives up');
  other.exec('ROLLBACK');
  t.same(
    (await Promise.all(saves)).map(({ status }) => status),
    saves.map(() => 201),
    'each is stored once the lock is gone',
  );
  other.exec('BEGIN IMMEDIATE');
  const refused = await save('refused');
  t.equal(refused.status, 503);
  t.equal(refused.headers.get('retry-after'), '1');
  t.match(await refused.json(), {
    error: /busy with another program or after an upgrade, and nothing was changed/,
  });
  other.exec('ROLLBACK');
});

t.test('an image whose font cannot be laid out says that the disk fails', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, db }) => {
    const bytes = Buffer.from('a font that nobody comes to read');
    createFontStore(db, '').saveFont(testOrganization.uid, 'Brand', bytes, sampleFontFacts);
    publish('branded', { layers: [textLayer('Hello', { fontFamily: 'Brand' })] });
    publish('card', document);
  });
  mkdirSync(join(dataDirectory, 'fonts'), { recursive: true });
  // A file in the place of the folder, as after a disk's repair.
  writeFileSync(join(dataDirectory, 'fonts', 'own'), '');
  const service = await startService(t, { dataDirectory });
  checkError(t, await service.render('branded'), 507, 'STORAGE_UNAVAILABLE');
  t.equal(await service.metric('platen_failures_total{route="render",cause="disk"}'), 1);
  t.equal((await service.render('card')).status, 200);
});
