import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import t from 'tap';
import type { RenderOutcome } from '#wire/render-job.ts';
import { programs } from '#paths.ts';
import { readLibrary } from '../src/pages/guides/library.ts';
import { makeLibrary } from '../src/pages/guides/make-library.ts';
import { loadStudioFiles } from '../src/pages/studio.ts';
import { buildProblem } from '../src/process/build-stamp.ts';
import { createPool, orderJob, within } from './fixtures/render-pool.ts';

const root = join(import.meta.dirname, '..');

/** A copy of the package with its `dist/`, the times of all files kept. */
function copyPackage(t: Test): string {
  const copy = t.testdir();
  // The studio has the icons in its code.
  const names = [
    'src',
    'workers',
    'docs',
    'data/icons',
    'dist',
    'package.json',
    'package-lock.json',
  ];
  for (const name of names) {
    cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function run(repository: string, ...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: repository,
    encoding: 'utf8',
    // No data folder can be made there, so that a service that does start ends at once.
    env: { HOME: repository, PLATEN_DATA_DIR: '/dev/null/data' },
  });
  return { status, said: stdout + stderr };
}

/** As if it had just been written. */
function touch(repository: string, path: string): void {
  const now = new Date();
  utimesSync(join(repository, path), now, now);
}

t.test('dist/ holds every program, and is up to date', async (t) => {
  t.equal(buildProblem(), undefined, 'run "npm run build"');
  for (const name of Object.keys(programs)) {
    const text = readFileSync(join(root, `dist/${name}.js`), 'utf8');
    t.notMatch(text, /(?:from|import\() ?["'][^"']*\.ts["']/, name);
  }
});

t.test('the studio in dist/ is the one that the sources make', async (t) => {
  const { files } = await loadStudioFiles();
  for (const name of ['studio.js', 'studio.css']) {
    t.equal(readFileSync(join(root, `dist/studio/${name}`), 'utf8'), files.get(name), name);
  }
});

t.test(
  'the documentation and its search are prepared by the build, as the sources make them',
  async (t) => {
    t.same(readLibrary(), makeLibrary());
  },
);

/** Bytes of the first load of the studio, compressed: 135 KB of scripts and styles. */
const firstLoadBytesMax = 180_000;

t.test('the first load of the studio stays small', async (t) => {
  const folder = join(root, 'dist/studio');
  const names = new Set(['studio.js', 'studio.css']);
  let bytes = 0;
  // A set grows while it is walked: each script brings those that it imports at once.
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    bytes += gzipSync(text).byteLength;
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
      names.add(imported);
    }
  }
  t.ok(names.size > 2, 'imports are found');
  t.ok(bytes <= firstLoadBytesMax, `${bytes} bytes of ${[...names].join(', ')}`);
});

t.test('no program runs from a dist/ of other sources', async (t) => {
  const repository = copyPackage(t);
  touch(repository, 'src/app.ts');
  const version = ['dist/platen.js', '--version'];
  t.equal(run(repository, ...version).status, 0, 'the time alone is no change');
  appendFileSync(join(repository, 'src/app.ts'), '// changed\n');
  const sentence =
    'Platen cannot start. dist/ is not up to date: src/app.ts has changed since it was built. Run "npm run build".\n';
  t.same(run(repository, 'dist/main.js'), { status: 78, said: sentence });
  t.same(run(repository, ...version), { status: 78, said: sentence });
  t.same(run(repository, 'src/cli/build/build.ts'), { status: 0, said: '' });
  t.equal(run(repository, ...version).status, 0);
  t.match(run(repository, 'dist/main.js').said, 'The data directory /dev/null/data');
});

t.test('a build that was cut off is made again, and what an earlier one left is removed', (t) => {
  const repository = copyPackage(t);
  for (const name of ['build.json', 'left-1234.js']) {
    cpSync(join(root, 'package.json'), join(repository, 'dist', name));
  }
  t.same(run(repository, 'src/cli/build/build.ts'), { status: 0, said: '' });
  t.notOk(existsSync(join(repository, 'dist/left-1234.js')));
  for (const name of ['main.js', 'client.js', 'studio/studio.js', 'pages/mark.svg']) {
    t.ok(existsSync(join(repository, 'dist', name)), name);
  }
  t.end();
});

t.test('an error of a built program names the line of the source', async (t) => {
  const pool = createPool(t, { threadFile: join(root, 'dist/render-thread.js') });
  const broken = { ...orderJob({}), templateKey: 'broken', templateJson: '{' };
  const { outcome } = await pool.run(broken, within(30_000));
  const { detail } = outcome as RenderOutcome & { ok: false };
  t.match(detail, /^SyntaxError: .*JSON/);
  t.match(detail, /at parseTemplate \(\S*\/workers\/bind-scene\.ts:\d+:\d+\)/);
});
