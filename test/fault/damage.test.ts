/** A database file that is lost, cut or damaged: nobody takes it for a sound one, and nothing more is written into it. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { backupDatabase } from '../../src/store/database/backup.ts';
import { openAsItIs, openDatabase } from '../../src/store/database/database.ts';
import { image } from '../e2e/image-bytes.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { checkError } from '../e2e/request.ts';
import type { Service } from '../e2e/service.ts';
import { eventually, startProgram, startService } from '../e2e/service.ts';

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

const secondHalf = (_page: Buffer, part: number): boolean => part >= 0.5;

/** A data folder with templates that fill many pages, more than the schema has, all of them in the file itself. */
function fillPages(t: Test): string {
  const filling = 'x'.repeat(1800);
  return fillDataDirectory(join(t.testdir(), 'data'), ({ publish, db }) => {
    const variables = [0, 1, 2, 3, 4].map((index) => textVariable(`v${index}`, filling));
    for (let count = 0; count < 24; count += 1) {
      publish(`card-${count}`, { ...document, variables: [...document.variables, ...variables] });
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
}

async function checkRefusesWrites(t: Test, service: Service): Promise<void> {
  const isUnready = async (): Promise<boolean> => {
    const { status, text } = await service.get('/readyz');
    return status === 503 && text.includes('"database":false');
  };
  t.ok(await eventually(isUnready), 'not ready');
  t.equal((await save(service, 'after-damage')).status, 507, 'what is sent now is not stored');
  t.match(service.process.stderr, /"event":"database damaged".*restore the newest backup/);
  t.equal(await service.metric('platen_storage_writable'), 0);
  t.equal(await service.metric('platen_ready'), 0);
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
  await checkRefusesWrites(t, service);
  for (const uid of ['sound', 'after', 'hello']) {
    const answer = await service.render(`${uid}?name=A`);
    t.equal(answer.status, 200, uid);
    await image(t, answer);
  }
});

t.test('half of the pages are destroyed while it runs', async (t) => {
  const dataDirectory = fillPages(t);
  const service = await startService(t, { dataDirectory });
  t.equal((await save(service, 'before-damage')).status, 201);
  const path = join(dataDirectory, 'platen.db');
  const other = openDatabase(path);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  damagePages(path, secondHalf);
  await checkRefusesWrites(t, service);
});

t.test('half of the pages were destroyed before the start', async (t) => {
  const dataDirectory = fillPages(t);
  // Without it the start would only find that the samples are missing, and write them.
  const path = join(dataDirectory, 'platen.db');
  damagePages(path, secondHalf);
  const service = await startService(t, {
    dataDirectory,
    mayBeUnready: true,
    environment: { PLATEN_DEMO_API_KEY: '' },
  });
  await checkRefusesWrites(t, service);
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

t.test('a folder that lost its database does not start with a new one', async (t) => {
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
  copyFileSync(saved, path);
  const service = await startService(t, { dataDirectory });
  t.equal((await service.render('card')).status, 200, 'a restored backup starts as it is');
});

t.test('a backup starts in a new folder, and --init starts again in an old one', async (t) => {
  const root = t.testdir({ restored: {} });
  const lost = fillDataDirectory(join(root, 'lost'), ({ publish }) => publish('card', document));
  backupDatabase(join(lost, 'platen.db'), join(root, 'restored', 'platen.db'));
  const restored = await startService(t, { dataDirectory: join(root, 'restored') });
  t.equal((await restored.render('card')).status, 200);
  const whole = openDatabase(join(lost, 'platen.db'), { mayReplaceLost: true });
  t.equal(
    whole.prepare('SELECT count(*) FROM templates').pluck().get(),
    1,
    'a database that is there stays',
  );
  whole.close();
  rmSync(join(lost, 'platen.db'));
  const begun = await startService(t, { dataDirectory: lost, arguments: ['--init'] });
  t.equal((await begun.render('hello')).status, 200);
  t.equal((await begun.render('card')).status, 404);
});

t.test('a file that is no database stops the start with what to do', async (t) => {
  const dataDirectory = t.testdir({ 'platen.db': 'This is a letter. '.repeat(500) });
  t.match(
    await failedStart(t, dataDirectory),
    /^Platen cannot start\. .*platen\.db.*restore the newest backup/s,
  );
});
