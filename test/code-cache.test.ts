import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import t from 'tap';

const codeCache = readFileSync(join(import.meta.dirname, '../src/code-cache.ts'), 'utf8');

/** Files of the little program. */
const cacheFile = './code-cache.ts';
const saidFile = './said.ts';

/** Imports `said.ts` and prints what it exports, then the same from a thread. */
const program = `
import { Worker } from 'node:worker_threads';
import { codeCacheArguments, useCodeCache } from '${cacheFile}';
const { root, cache } = JSON.parse(process.argv[2] ?? '');
const execArgv = codeCacheArguments(cache, root);
useCodeCache(cache, root);
const { said } = await import('${saidFile}');
process.stdout.write(said);
new Worker(new URL('thread.ts', import.meta.url), { execArgv });
`;

/** A little program in a folder of its own, which keeps its JavaScript in the folder `cache`. */
function prepare(t: Test, said: string): { root: string; cache: string } {
  const root = t.testdir({
    'code-cache.ts': codeCache,
    'program.ts': program,
    'said.ts': `export const said: string = '${said}';`,
    'thread.ts': `import { said } from '${saidFile}'; process.stdout.write('+' + (said as string));`,
  });
  return { root, cache: join(root, 'cache') };
}

function run({ root, cache }: { root: string; cache: string }): string {
  const args = [join(root, 'program.ts'), JSON.stringify({ root, cache })];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
  return stdout + stderr;
}

t.test('the JavaScript of a file is kept, and used by process and threads', (t) => {
  const folders = prepare(t, 'first');
  t.equal(run(folders), 'first+first', 'nothing else is printed');
  const kept = join(folders.cache, 'said.ts.mjs');
  writeFileSync(kept, readFileSync(kept, 'utf8').replace('first', 'other'));
  t.equal(run(folders), 'other+other');
  t.same(
    readdirSync(folders.cache).toSorted(),
    ['code-cache.ts.mjs', 'said.ts.mjs', 'thread.ts.mjs'],
    'one file each, and no draft',
  );
  t.end();
});

t.test('a changed file is never served from what was kept', (t) => {
  const folders = prepare(t, 'first');
  run(folders);
  writeFileSync(join(folders.root, 'said.ts'), `export const said: string = 'second';`);
  t.equal(run(folders), 'second+second');
  t.end();
});

t.test('a damaged file is made anew', (t) => {
  const folders = prepare(t, 'first');
  run(folders);
  for (const name of readdirSync(folders.cache)) {
    const path = join(folders.cache, name);
    writeFileSync(path, readFileSync(path).subarray(0, 40));
  }
  t.equal(run(folders), 'first+first');
  t.end();
});

t.test('where nothing can be kept, everything runs all the same', (t) => {
  const { root } = prepare(t, 'first');
  const file = join(root, 'file');
  writeFileSync(file, '');
  t.equal(run({ root, cache: join(file, 'cache') }), 'first+first');
  t.end();
});

t.test('lines keep their numbers', (t) => {
  const folders = prepare(t, 'first');
  const thrower = `\nexport const said: string = ((): string => {\n  throw new Error('here');\n})();\n`;
  writeFileSync(join(folders.root, 'said.ts'), thrower);
  const place = `${pathToFileURL(join(folders.root, 'said.ts')).href}:3:9`;
  for (const occasion of ['at first', 'from what was kept']) {
    t.match(run(folders), place, occasion);
  }
  t.end();
});
