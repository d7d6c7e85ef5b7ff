/** A database that is lost, damaged or locked: nobody takes it for a sound one, what can be read is read, what fails says why. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import { createFontStore } from '../../src/store/assets/font-store.ts';
import { backupDatabase } from '../../src/store/database/backup.ts';
import { openAsItIs, openDatabase } from '../../src/store/database/database.ts';
import { image } from '../e2e/image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { checkError } from '../e2e/request.ts';
import type { Service } from '../e2e/service.ts';
import { eventually, startProgram, startService } from '../e2e/service.ts';
import { sampleFontFacts } from '../store/store-fixture.ts';

const document = {
  variables: [textVariable('name', 'friend')],
  layers: [textLayer('{{name}}')],
};

/** The answer to a draft that is to be stored. */
function save(service: Service, uid: string): Promise<Response> {
  const template = { format: 1, name: 'Saved', width: 9, height: 9, variables: [], layers: [] };
  return fetch(`${service.base}/v1/templates?uid=${uid}`, {
    method: 'POST',
    headers: { 'X-API-Key': testOrganization.key },
    body: JSON.stringify(template),
  });
}

/** Overwrites pages of a database file, as a bad disk would; `isLost` is asked of each but the first. */
function damagePages(path: string, isLost: (page: Buffer, part: number) => boolean): void {
  const file = readFileSync(path);
  const pageBytes = file.readUInt16BE(16);
  for (let start = pageBytes; start < file.length; start += pageBytes) {
    const page = file.subarray(start, start + pageBytes);
    if (isLost(page, start / file.length)) page.fill(0x5a);
  }
  writeFileSync(path, file);
}

/** Writes answer 507, or 500 where what they read first lies on a lost page, and none is stored. */
async function checkRefusesWrites(t: Test, service: Service, statuses: number[]): Promise<void> {
  const isUnready = async (): Promise<boolean> => {
    const { status, text } = await service.get('/readyz');
    return status === 503 && text.includes('"database":false');
  };
  t.ok(await eventually(isUnready), 'not ready');
  const { status } = await save(service, 'after-damage');
  t.ok(statuses.includes(status), `what is sent now is not stored: ${status}`);
  t.match(service.process.stderr, /"event":"database damaged".*restore the newest backup/);
  t.equal(await service.metric('platen_storage_writable'), 0);
  t.equal(await service.metric('platen_ready'), 0);
  const said = service.process.stderr.split('"event":"template use"').length - 1;
  t.ok(said <= 1, `what looks four times a second says it once: ${said}`);
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
  damagePages(join(dataDirectory, 'platen.db'), (page) => page.includes(marker));
  const service = await startService(t, { dataDirectory, mayBeUnready: true });
  checkError(t, await service.render('lost'), 500, 'INTERNAL');
  await checkRefusesWrites(t, service, [507]);
  for (const uid of ['sound', 'after', 'hello']) {
    const answer = await service.render(`${uid}?name=A`);
    t.equal(answer.status, 200, uid);
    await image(t, answer);
  }
});

t.test('half of the pages are destroyed while it runs', async (t) => {
  // Templates fill more pages than the schema has, all of them in the file itself.
  const variables = [0, 1, 2, 3, 4].map((index) => textVariable(`v${index}`, 'x'.repeat(1800)));
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    for (let count = 0; count < 24; count += 1) publish(`card-${count}`, { variables });
  });
  const service = await startService(t, { dataDirectory });
  t.equal((await save(service, 'before-damage')).status, 201);
  const path = join(dataDirectory, 'platen.db');
  const other = openDatabase(path);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  damagePages(path, (_page, part) => part >= 0.5);
  await checkRefusesWrites(t, service, [500, 507]);
});

/** Starts on the folder and answers with what it ends with. */
async function failedStart(t: Test, dataDirectory: string): Promise<string> {
  const program = startProgram(t, {
    PLATEN_PORT: '0',
    PLATEN_HOST: '127.0.0.1',
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_THREADS: '1',
  });
  t.equal((await program.ended).code, 1);
  return program.stderr;
}

t.test('a folder that lost its database starts with a new one for --init alone', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) =>
    publish('card', document),
  );
  const path = join(dataDirectory, 'platen.db');
  const saved = `${dataDirectory}-backup.db`;
  backupDatabase(path, saved);
  const sentence =
    /^Platen cannot start\. The data directory \S+ had a database, but platen\.db is missing or empty: .* restore a backup .* --init/m;
  rmSync(path);
  t.match(await failedStart(t, dataDirectory), sentence, 'missing');
  t.notOk(existsSync(path), 'and none is made');
  writeFileSync(path, '');
  t.match(await failedStart(t, dataDirectory), sentence, 'empty');
  t.equal(statSync(path).size, 0);
  t.throws(() => openDatabase(path), { code: 'IO' }, 'nor does the command line make one');
  // All of a young database may be in its write-ahead log.
  const blank = openAsItIs(path);
  blank.pragma('journal_mode = WAL');
  blank.close();
  t.ok(statSync(path).size > 0);
  t.match(await failedStart(t, dataDirectory), sentence, 'blank');
  rmSync(path);
  const begun = await startService(t, { dataDirectory, arguments: ['--init'] });
  t.equal((await begun.render('hello')).status, 200);
  t.equal((await begun.render('card')).status, 404);
  begun.process.kill('SIGTERM');
  await begun.process.ended;
  copyFileSync(saved, path);
  const restored = await startService(t, { dataDirectory, arguments: ['--init'] });
  t.equal((await restored.render('card')).status, 200, 'a database that is there stays');
});

t.test('links and reads pass a lock, and writes wait for its end beside them', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
    publish('card', document);
    publish('unread', document);
  });
  const service = await startService(t, { dataDirectory });
  t.equal((await service.render('card?name=known')).status, 200);
  const other = openDatabase(join(dataDirectory, 'platen.db'));
  t.teardown(() => other.close());
  other.exec('BEGIN EXCLUSIVE');
  other.exec("UPDATE templates SET name = 'never stored'");
  const headers = { 'X-API-Key': testOrganization.key };
  // An answer that waited for the lock would fail after 2 s: it is held until all have come.
  const reads = await Promise.all([
    service.render('card?name=known'),
    service.render('card?name=after'),
    service.render('unread'),
    service.get('/v1/templates', { headers }),
    service.get('/readyz'),
  ]);
  t.same(new Set(reads.map(({ status }) => status)), new Set([200]));
  t.notMatch(reads[3]?.text, /never stored/);
  other.exec('ROLLBACK');
  let answered = 0;
  const saveCounted = async (uid: string): Promise<Response> => {
    const answer = await save(service, uid);
    answered += 1;
    return answer;
  };
  other.exec('BEGIN IMMEDIATE');
  const saves = Array.from({ length: 15 }, (_, index) => saveCounted(`saved-${index}`));
  for (let hits = 0; hits < 10; hits += 1) {
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
  const refused = await save(service, 'refused');
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
