/** `npm install` in a fresh clone says nothing of packages that ask for the Node that comes with them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const repository = join(import.meta.dirname, '..');

/** What `npm ci` writes to standard error in a folder, without the network and without changing anything. */
function complaintsOf(folder: string, ...options: string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const args = ['ci', '--dry-run', '--ignore-scripts', '--offline', ...options];
  const { status, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env: Object.fromEntries(environment),
    encoding: 'utf8',
  });
  return `${status === 0 ? '' : `exit code ${status}: `}${stderr}`;
}

t.test('a package that asks for another Node than that of the machine is no warning', async (t) => {
  const folder = t.testdir();
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    writeFileSync(join(folder, name), readFileSync(join(repository, name)));
  }
  const path = join(folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8')) as {
    packages: Record<string, { engines?: { node: string } }>;
  };
  // As Node 22 is to Node 20, on whichever this test runs.
  lock.packages['node_modules/commander'] = {
    ...lock.packages['node_modules/commander'],
    engines: { node: '>=99' },
  };
  writeFileSync(path, JSON.stringify(lock));
  t.equal(complaintsOf(folder), '');
  t.match(complaintsOf(folder, '--loglevel=warn'), 'EBADENGINE', 'the warnings can be seen');
});
