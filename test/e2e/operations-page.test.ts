/** The commands of the operations page that back up and restore work as they stand, on a service that runs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { demoKey, startService } from './service.ts';
import type { Service } from './service.ts';

t.setTimeout(60_000);

const repository = join(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/operations.md'), 'utf8');

/** The commands of the first block that matches. */
function commandsWith(text: string): string {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`no block of the page has "${text}"`);
  return found;
}

/** Runs commands with the folders of a test in place of those of an installation. The test is systemd: it stops and starts. */
function run(commands: string, folder: string): void {
  const placed = commands
    .replaceAll(/^sudo systemctl .*$/gm, '')
    .replaceAll(/\/var\/lib(?:\/private)?\/platen/g, join(folder, 'data'))
    .replaceAll('/var/backups', folder)
    .replaceAll('/opt/platen/current', repository);
  const prelude = 'set -e; sudo() { env "$@"; }; date() { echo 2030-01-31; }\n';
  execFileSync('sh', ['-c', prelude + placed], { stdio: 'pipe' });
}

async function save(service: Service, uid: string): Promise<void> {
  const answer = await fetch(`${service.base}/v1/templates?uid=${uid}`, {
    method: 'POST',
    headers: { 'X-API-Key': demoKey, 'Content-Type': 'application/json' },
    body: readFileSync(join(repository, 'data/templates/hello.json')),
  });
  t.equal(answer.status, 201, await answer.text());
}

t.test('a backup of the page is restored by the commands of the page', async (t) => {
  const folder = t.testdir();
  const dataDirectory = join(folder, 'data');
  const service = await startService(t, { dataDirectory });
  await save(service, 'before-the-backup');
  run(commandsWith('-- backup /var/backups/platen-$(date'), folder);
  await save(service, 'after-the-backup');
  service.process.kill('SIGTERM');
  t.equal((await service.process.ended).code, 0);

  run(commandsWith('platen-2030-01-31.db /var/lib'), folder);
  const restored = await startService(t, { dataDirectory });
  const statusOf = async (uid: string): Promise<number> => {
    const headers = { 'X-API-Key': demoKey };
    return (await fetch(`${restored.base}/v1/templates/${uid}`, { headers })).status;
  };
  t.equal(await statusOf('before-the-backup'), 200);
  t.equal(await statusOf('after-the-backup'), 404);
  t.equal((await restored.render('hello.png?name=Amanda')).status, 200);
});
