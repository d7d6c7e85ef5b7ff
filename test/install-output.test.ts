/** What `npm install` in a fresh clone says of the Node that it runs on. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { manifest } from '../src/foundation/product.ts';

const repository = join(import.meta.dirname, '..');

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
  engines?: { node: string };
}

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
    packages: Record<string, LockedPackage>;
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

/** Runs what `npm install` runs at its end, for an npm on this Node. */
function checkNode(version: string): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ['src/cli/build/check-node.ts'], {
    cwd: repository,
    env: { npm_config_user_agent: `npm/10.8.2 node/v${version} linux x64 workspaces/false` },
    encoding: 'utf8',
  });
  return { status, stderr };
}

t.test('on a Node that is too old, an installation ends with one sentence', async (t) => {
  for (const version of ['18.20.8', '20.8.1', '9.11.2']) {
    const { status, stderr } = checkNode(version);
    t.equal(status, 1, version);
    const oldest = manifest.engines.node.slice('>='.length);
    t.match(stderr, `with Node.js ${oldest} or later, and this npm runs on ${version}: `);
    t.match(stderr, /^[^\n]+\.\n$/);
  }
  for (const version of ['20.9.0', '20.20.2', '22.23.3', '24.21.0', '100.0.0']) {
    t.same(checkNode(version), { status: 0, stderr: '' });
  }
  t.match(manifest.scripts['prepare'], 'node src/cli/build/check-node.ts && npm run');
});

t.test('the oldest Node that is accepted gets every binary', async (t) => {
  const oldest = manifest.engines.node.slice('>='.length);
  const text = readFileSync(join(repository, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  const needed = Object.values(packages)
    .filter(({ dev, optional }) => dev !== true && optional === true)
    .map(({ engines }) => engines?.node ?? '>=0')
    // One package, for Windows on 32 bits, names no later majors.
    .map((range) => range.replace(/^(?:>=|\^) ?/, ''));
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  t.equal(needed.toSorted(compare).at(-1), oldest);
});
