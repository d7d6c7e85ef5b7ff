/** The test of a service on a read-only file system: a program of its own, so that it can have mounts of its own. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { prepareDataDirectory } from '../../src/process/data-directory.ts';
import { runPlaten } from '../cli/run-platen.ts';
import { picture } from '../e2e/pictures.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { request } from '../e2e/request.ts';
import { eventually, startProgram, startService } from '../e2e/service.ts';

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

t.test('links and reads go on, writes are 507, and everybody is told', async (t) => {
  const folder = t.testdir({ tmp: {} });
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) =>
    publish('card', {
      variables: [textVariable('name', 'friend')],
      layers: [textLayer('{{name}}')],
    }),
  );
  await whileReadOnly(dataDirectory, async () => {
    const environment = { TMPDIR: join(folder, 'tmp') };
    const service = await startService(t, { dataDirectory, environment });
    t.match(service.process.stderr, /"event":"read-only"/);
    await picture(t, await service.render('card?name=Ada'));

    const headers = { 'X-API-Key': testOrganization.key };
    const read = await service.get('/v1/templates/card', { headers });
    t.equal(read.status, 200);
    for (const [method, path] of [
      ['PUT', '/v1/templates/card'],
      ['POST', '/v1/templates/card/publish'],
      ['DELETE', '/v1/templates/card'],
    ] as const) {
      const document = { format: 1, name: 'C', width: 9, height: 9, variables: [], layers: [] };
      const body = method === 'PUT' ? JSON.stringify(document) : undefined;
      const answer = await request(service.port, path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      t.equal(answer.status, 507, `${method} ${answer.text}`);
      t.match(answer.json(), { error: /cannot store anything at the moment.*read-only/ });
    }
    t.equal(await service.metric('platen_storage_writable'), 0);
    await picture(t, await service.render('card?name=Bob'));
    t.notMatch(service.process.stderr, /"level":"error"(?!.*507)/);
    service.process.kill('SIGTERM');
    t.same(await service.process.ended, { code: 0, signal: null });
    t.same(readdirSync(join(folder, 'tmp')), [], 'the copy goes with the process');

    const ran = await runPlaten(['doctor', '--json'], {
      environment: { ...environment, PLATEN_DATA_DIR: dataDirectory },
    });
    const { checks } = ran.json() as {
      checks: { name: string; detail: string; advice?: string }[];
    };
    const found = checks.find(({ name }) => name === 'data folder');
    t.match(found, { status: 'problem', detail: /read-only/, advice: /Mount it writable/ });
    t.notMatch(JSON.stringify(found), /chown/);
    t.match(
      checks.find(({ name }) => name === 'database'),
      { status: 'ok' },
    );
  });
});

t.test('a file system that becomes read-only later is seen', async (t) => {
  const directory = join(t.testdir(), 'data');
  const data = prepareDataDirectory(directory);
  t.equal(data.isReadOnly, false);
  t.equal(data.isWritable(), true);
  await whileReadOnly(directory, async () => {
    t.equal(data.isWritable(), false);
  });
  t.equal(data.isWritable(), true);
});

t.test('a copy of a process that was killed is removed by the next start', async (t) => {
  const folder = t.testdir({ tmp: {} });
  const dataDirectory = fillDataDirectory(join(folder, 'data'), ({ publish }) => publish('card'));
  await whileReadOnly(dataDirectory, async () => {
    const environment = {
      PLATEN_DATA_DIR: dataDirectory,
      PLATEN_PORT: '0',
      PLATEN_THREADS: '1',
      TMPDIR: join(folder, 'tmp'),
    };
    const copies = (): string[] => readdirSync(environment.TMPDIR);
    const first = startProgram(t, environment);
    t.ok(await eventually(() => copies().length === 1));
    const [left] = copies();
    first.kill('SIGKILL');
    await first.ended;
    const second = startProgram(t, environment);
    t.ok(await eventually(() => copies().length === 1 && copies()[0] !== left));
    // It still writes fonts into its copy, which is removed with the folder of this test.
    second.kill('SIGKILL');
    await second.ended;
  });
});
