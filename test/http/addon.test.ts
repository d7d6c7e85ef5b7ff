/** Which build of the HTTP server's addon is loaded. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { isTestedAddon, loadAddon } from '../../src/http/native.ts';

const repository = join(import.meta.dirname, '../..');
const fileName = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

t.test('every installed build for Node 22 is known by its digest', (t) => {
  const paths = globSync('node_modules/{uWebSockets.js,uws-pack/dist/bin}/uws_*_127.node', {
    cwd: repository,
  });
  const is64Bit = paths.filter((path) => /_(?:x64|arm64)_/.test(path));
  t.equal(is64Bit.length, 10, 'five platforms, two packages');
  for (const path of is64Bit) {
    const bytes = readFileSync(join(repository, path));
    t.ok(isTestedAddon(createHash('sha256').update(bytes).digest('hex')), path);
  }
  t.end();
});

/** Runs `src/http/native.ts` beside packages with these addons; says which package it loads, or its error. */
function load(t: Test, addons: Record<string, string | Buffer>): string {
  const packages = Object.entries(addons).map(([name, addon]) => [
    name,
    { 'package.json': JSON.stringify({ name, exports: './index.js' }), [fileName]: addon },
  ]);
  const folder = t.testdir({ node_modules: Object.fromEntries(packages) });
  cpSync(join(repository, 'src/http/native.ts'), join(folder, 'native.ts'));
  const program = `import { loadAddon } from './native.ts';
    try {
      const { packageName, failures } = loadAddon();
      console.log(packageName, failures.length);
    } catch (error) { console.log(error.message); }`;
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  return stdout.trim() || stderr;
}

t.test('the newest build that loads is in use', (t) => {
  const good = readFileSync(loadAddon().path);
  const bad = 'no addon';
  t.equal(load(t, { 'uWebSockets.js': good, 'uws-pack': good }), 'uWebSockets.js 0');
  t.equal(load(t, { 'uWebSockets.js': bad, 'uws-pack': good }), 'uws-pack 1');
  t.match(
    load(t, { 'uWebSockets.js': bad, 'uws-pack': bad }),
    /^No build of the HTTP server loads on this system\. uWebSockets\.js: .+; uws-pack: /s,
  );
  t.end();
});
