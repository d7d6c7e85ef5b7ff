/** A database that is full, read-only, locked or damaged: what can be read is read, what fails says why, nothing is half written. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { openDatabase } from '../../src/templates/database.ts';
import { createFontStore } from '../../src/templates/font-store.ts';
import { picture } from '../e2e/pictures.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { checkError } from '../e2e/request.ts';
import { eventually, startService } from '../e2e/service.ts';
import { sampleFontFacts } from '../templates/store-fixture.ts';
import type { DiskFaults } from '../fixtures/disk-faults.ts';

const program = fileURLToPath(new URL('../fixtures/disk-faults.ts', import.meta.url));

/** Mounts a disk of 2 MB over the folder, for the program alone; needs a Linux that lets its users do so. */
const onSmallDisk = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"';
const inOwnMounts = ['--map-root-user', '--mount', 'sh', '-c', onSmallDisk, 'sh'];
const mayMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    .status === 0;

t.test(
  'a full disk fails writes with what to do, and a read-only one the opening to write',
  { skip: mayMount ? false : 'no mounts of its own on this system' },
  async (t) => {
    const folder = t.testdir();
    const args = [...inOwnMounts, folder, process.execPath, program];
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
    const startedMs = performance.now();
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
    t.ok(performance.now() - startedMs < 1500, 'none of them waits for the lock');
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
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a thread that stands still keeps all behind it
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
  t.match(await refused.json(), { error: /locked by another program, and nothing was changed/ });
  other.exec('ROLLBACK');
});

t.test('a picture whose font cannot be laid out says that the disk fails', async (t) => {
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

/** Overwrites each page of a database file that holds a text, as a bad disk would. */
function damagePages(path: string, text: string): void {
  const file = readFileSync(path);
  const pageBytes = file.readUInt16BE(16);
  for (let at = file.indexOf(text); at !== -1; at = file.indexOf(text)) {
    const start = Math.floor(at / pageBytes) * pageBytes;
    file.fill(0x5a, start, start + pageBytes);
  }
  writeFileSync(path, file);
}

t.test('a damaged page costs the templates that are on it, and no others', async (t) => {
  // Of a document of 11 KB the middle lies on a page that holds nothing else.
  const filling = 'x'.repeat(1800);
  const marker = 'on the lost page';
  const texts = [filling, filling, filling, `${filling}${marker}`, filling, filling];
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, db }) => {
    publish('sound', document);
    const variables = texts.map((text, index) => textVariable(`v${index}`, text));
    publish('lost', { ...document, variables: [...document.variables, ...variables] });
    publish('after', document);
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
  damagePages(join(dataDirectory, 'platen.db'), marker);
  const service = await startService(t, { dataDirectory });
  checkError(t, await service.render('lost'), 500, 'INTERNAL');
  const isLogged = (): boolean => /template lost/.test(service.process.stderr);
  t.ok(await eventually(isLogged), 'the log names it');
  t.match(service.process.stderr, /restore (a|the newest) backup/, 'and says what to do');
  for (const uid of ['sound', 'after', 'hello']) {
    const answer = await service.render(`${uid}?name=A`);
    t.equal(answer.status, 200, uid);
    await picture(t, answer);
  }
  t.equal((await service.get('/readyz')).status, 200);
});

t.test('a file that is no database stops the start with what to do', async (t) => {
  const dataDirectory = t.testdir({ 'platen.db': 'This is a letter. '.repeat(500) });
  const child = execFile(process.execPath, ['src/main.ts'], {
    env: {
      PLATEN_PORT: '0',
      PLATEN_HOST: '127.0.0.1',
      PLATEN_DATA_DIR: dataDirectory,
      PLATEN_THREADS: '1',
    },
  });
  let stderr = '';
  child.stderr?.on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  t.equal(code, 1);
  t.match(stderr, /^Platen cannot start\. .*platen\.db.*restore the newest backup/s);
});
