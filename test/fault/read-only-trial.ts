/** Tests of a service on a read-only and on a full file system: a program of its own, so that it can have mounts of its own. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runPlaten } from '../cli/run-platen.ts';
import { image } from '../e2e/image-bytes.ts';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startProgram, startService } from '../e2e/service.ts';
import { errorCodeOf } from '../../src/foundation/errors.ts';
import { call, createCampaign, key, runCampaign } from '../mailings/campaigns/campaign-client.ts';

/** Mounts the folder read-only while `work` runs. */
async function whileReadOnly(directory: string, work: () => Promise<void>): Promise<void> {
  execFileSync('mount', ['--bind', directory, directory]);
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', directory]);
    await work();
  } finally {
    execFileSync('umount', ['--lazy', directory]);
  }
}

t.test('a start says what to do and ends with exit code 78', async (t) => {
  const folder = t.testdir({ empty: {} });
  const filled = fillDataDirectory(join(folder, 'data'), ({ publish }) => publish('card'));
  for (const dataDirectory of [filled, join(folder, 'empty'), join(folder, 'empty', 'missing')]) {
    await whileReadOnly(dataDirectory === filled ? filled : join(folder, 'empty'), async () => {
      const program = startProgram(t, { PLATEN_DATA_DIR: dataDirectory, PLATEN_PORT: '0' });
      t.same(await program.ended, { code: 78, signal: null });
      t.equal(
        program.stderr
          .split('\n')
          .filter((line) => line.startsWith('Platen'))
          .join(),
        `Platen cannot start. The file system of the data directory ${dataDirectory} is read-only, and the database must write there. Mount it writable, or set PLATEN_DATA_DIR to a folder that this user may write.`,
      );
    });
  }
});

t.test('a service whose file system becomes read-only goes on with links and reads', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) =>
    publish('card', {
      variables: [textVariable('name', 'friend')],
      layers: [textLayer('{{name}}')],
    }),
  );
  const service = await startService(t, { dataDirectory });
  await whileReadOnly(dataDirectory, async () => {
    await image(t, await service.render('card?name=Ada'));
    t.equal(await service.metric('platen_storage_writable'), 0);
    const ran = await runPlaten(['doctor', '--json'], {
      environment: { PLATEN_DATA_DIR: dataDirectory },
    });
    const { checks } = ran.json() as {
      checks: { name: string; detail: string; advice?: string }[];
    };
    const found = checks.find(({ name }) => name === 'data folder');
    t.match(found, { status: 'problem', detail: /read-only/, advice: /Mount it writable/ });
    t.notMatch(JSON.stringify(found), /chown/);
    t.match(
      checks.find(({ name }) => name === 'database'),
      { status: 'warning', detail: /not checked/ },
    );
  });
  t.equal(await service.metric('platen_storage_writable'), 1, 'and writes again behind it');
});

t.test('a first start on a full disk names the folder', async (t) => {
  const folder = t.testdir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', folder]);
  const dataDirectory = join(folder, 'data');
  const program = startProgram(t, { PLATEN_DATA_DIR: dataDirectory, PLATEN_PORT: '0' });
  t.match(await program.ended, { code: 1 });
  t.match(
    program.stderr,
    /^Platen cannot start\. The data directory \S+\/data cannot be used: its disk is full\./m,
  );
  execFileSync('umount', ['--lazy', folder]);
});

/** Fills the file system of a folder to its last byte. Returns what frees it again. */
function fillDisk(folder: string): () => void {
  const path = join(folder, 'filling');
  const file = openSync(path, 'w');
  for (let bytes = 1024 * 1024; bytes > 0;) {
    try {
      writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOSPC') throw error;
      bytes = Math.floor(bytes / 2);
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

t.test('a full disk refuses what would be stored as 507, and reads go on', async (t) => {
  const folder = t.testdir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder]);
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) =>
    publish('card', {
      variables: [textVariable('name', 'friend')],
      layers: [textLayer('{{name}}')],
    }),
  );
  const service = await startService(t, { dataDirectory });
  const list = 'name,email\nAda,ada@example.com\n';
  const headers = { ...key, 'Content-Type': 'text/csv' };
  const putTable = (name: string) =>
    service.get(`/v1/tables/${name}?key=email`, { method: 'PUT', headers, body: list });
  t.match(await putTable('before'), { status: 201 });
  const { id } = await runCampaign(service, 'card', 'links', list);
  // Rows with problems, in more than one part.
  const faulty = `name,email\n${'{{name}},a@example.com\n'.repeat(120)}`;
  const { id: proof } = await runCampaign(service, 'card', 'proof', faulty);
  const free = fillDisk(folder);
  const refused = { status: 507, headers: { 'retry-after': '60' } };
  t.match(await putTable('people'), refused);
  t.match((await createCampaign(service, 'card', 'links', list)).answer, refused);
  for (const path of ['', `/${id}`, `/${id}/links.csv`]) {
    t.match(await call(service, 'GET', path), { status: 200 }, `campaigns${path}`);
  }
  const rows = await call(service, 'GET', `/${proof}/rows`);
  t.match(rows, { status: 200 });
  t.equal(rows.text.trim().split('\n').length, 120);
  t.match(await service.get('/v1/tables/before', { headers: key }), { status: 200 });
  await image(t, await service.render('card?name=Ada'));
  free();
  t.match(await putTable('people'), { status: 201 }, 'it heals by itself');
  t.match(await createCampaign(service, 'card', 'links', list), { status: 202 });
  execFileSync('umount', ['--lazy', folder]);
});
