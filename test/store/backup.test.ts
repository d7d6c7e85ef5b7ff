import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Test } from 'tap';
import { backupDatabase, checkBackup } from '../../src/store/database/backup.ts';
import { createStores, openStores, publishSample, sampleDocument } from './store-fixture.ts';
import type { Stores } from './store-fixture.ts';

const writerProgram = fileURLToPath(new URL('../fixtures/steady-writer.ts', import.meta.url));

/** Starts a process that stores pairs of rows without a pause; `stored` is the number of the last one. */
async function startWriter(t: Test, path: string): Promise<{ stored: () => number }> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [writerProgram, path], { stdio: [...stdio] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-100);
  });
  t.teardown(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await once(child.stdout, 'data');
  return { stored: () => Number(text.trimEnd().split('\n').at(-1)) };
}

function targetOf({ path }: Stores): string {
  return join(dirname(path), 'backup.db');
}

t.test('a backup beside a writer is whole, and has all that was stored before', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  const writer = await startWriter(t, stores.path);
  const target = targetOf(stores);
  for (const round of [1, 2, 3]) {
    // What the writer says meanwhile is read between the rounds.
    await nextTurn();
    const storedBefore = writer.stored();
    const backup = backupDatabase(stores.path, target);
    t.equal(backup.templates, backup.organizations, 'no pair is torn');
    t.ok(backup.templates > storedBefore, `round ${round}: ${backup.templates} > ${storedBefore}`);
    t.same(checkBackup(target), backup);
    t.equal(statSync(target).mode & 0o777, 0o600, 'for its owner alone');
  }
  t.notMatch(readdirSync(dirname(target)).join('\n'), /\.part$/m);
});

t.test('a backup that replaces the database serves what was published', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello', { name: 'Kept' });
  const target = targetOf(stores);
  backupDatabase(stores.path, target);
  publishSample(stores, 'hello', { name: 'Lost' });
  stores.db.close();
  const restored = join(dirname(stores.path), 'restored.db');
  renameSync(target, restored);
  const { templates } = openStores(t, restored);
  t.equal(templates.findDetails('org_a', 'hello')?.name, 'Kept');
  publishSample(openStores(t, restored), 'hello', { name: 'Next' });
  t.equal(templates.findDetails('org_a', 'hello')?.name, 'Next');
});

t.test('a backup of a service that is stopped leaves nothing behind but itself', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  stores.db.close();
  const before = readdirSync(dirname(stores.path));
  backupDatabase(stores.path, targetOf(stores));
  t.same(readdirSync(dirname(stores.path)).toSorted(), [...before, 'backup.db'].toSorted());
});

t.test('only an older backup is replaced', async (t) => {
  const stores = createStores(t);
  const folder = dirname(stores.path);
  const target = targetOf(stores);
  backupDatabase(stores.path, target);
  const before = statSync(target).ino;
  backupDatabase(stores.path, target);
  t.not(statSync(target).ino, before);

  const letter = join(folder, 'letter.txt');
  writeFileSync(letter, 'Hello reader, this is longer than the header of a database. '.repeat(3));
  t.throws(() => backupDatabase(stores.path, letter), { code: 'CONFLICT', message: /no backup/ });
  t.match(readFileSync(letter, 'utf8'), /^Hello/);
  t.throws(() => backupDatabase(stores.path, folder), { code: 'CONFLICT' });
  const link = join(folder, 'link.db');
  symlinkSync(stores.path, link);
  for (const path of [stores.path, link]) {
    t.throws(() => backupDatabase(stores.path, path), { code: 'CONFLICT', message: /itself/ });
  }
});

t.test('what cannot be backed up is said, and the last backup stays', async (t) => {
  const stores = createStores(t);
  const target = targetOf(stores);
  backupDatabase(stores.path, target);
  const before = readFileSync(target);
  const missing = join(dirname(stores.path), 'missing.db');
  const refusal = { code: 'IO', message: /no database at .*missing/ };
  t.throws(() => backupDatabase(missing, target), refusal);
  t.notOk(existsSync(missing));
  const nowhere = join(dirname(stores.path), 'missing', 'backup.db');
  t.throws(() => backupDatabase(stores.path, nowhere), { code: 'IO', message: /ENOENT/ });

  for (let number = 0; number < 500; number += 1) {
    const document = sampleDocument({ name: `${number}` });
    stores.templates.saveDraft('org_a', `t${number}`, document, JSON.stringify(document));
  }
  stores.db.pragma('wal_checkpoint(TRUNCATE)');
  stores.db.close();
  truncateSync(stores.path, Math.floor(statSync(stores.path).size / 2 / 4096) * 4096);
  t.throws(() => backupDatabase(stores.path, target), { code: 'CORRUPT' });
  t.same(readFileSync(target), before);
});

t.test('a backup with a row that refers to nothing is refused', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'hello');
  stores.db.pragma('foreign_keys = OFF');
  stores.db.exec("UPDATE templates SET organization_uid = 'org_gone'");
  const refusal = { code: 'CORRUPT', message: /refer to nothing/ };
  t.throws(() => backupDatabase(stores.path, targetOf(stores)), refusal);
});
