import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import t from 'tap';
import type { Build } from '../../src/process/built-code.ts';
import { programs } from '../../src/process/built-code.ts';

const root = join(import.meta.dirname, '../..');

/** A repository whose programs say their names, with the real builder and the real packages. */
function prepare(t: Test): string {
  const repository = join(t.testdir(), 'old-node_modules-1');
  const files = [
    'src/process/built-code.ts',
    'src/cli/build/build-code.ts',
    'src/cli/build/bundle.ts',
  ];
  for (const path of [...files, ...Object.values(programs)]) {
    mkdirSync(join(repository, dirname(path)), { recursive: true });
  }
  for (const path of files) copyFileSync(join(root, path), join(repository, path));
  for (const [name, path] of Object.entries(programs)) {
    writeFileSync(join(repository, path), `console.log('${name}' as string);`);
  }
  writeFileSync(join(repository, 'package.json'), '{"type":"module"}');
  writeFileSync(join(repository, 'package-lock.json'), '{}');
  symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
  return repository;
}

function build(repository: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, 'src/cli/build/build-code.ts')],
    { encoding: 'utf8', env: {} },
  );
  return { status, said: stdout + stderr };
}

function builds(repository: string): string[] {
  return readdirSync(join(repository, '.build'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function newest(repository: string): Build {
  return JSON.parse(readFileSync(join(repository, '.build/build.json'), 'utf8')) as Build;
}

function change(repository: string, text: string): void {
  writeFileSync(join(repository, programs.serve), text);
}

t.test('the newest build stays, and the one before', (t) => {
  const repository = prepare(t);
  const folders: string[] = [];
  for (const number of [1, 2, 3]) {
    change(repository, `console.log(${number});`);
    t.same(build(repository), { status: 0, said: '' });
    folders.push(newest(repository).folder);
  }
  t.same(builds(repository), folders.slice(1).toSorted());
  const made = readFileSync(join(repository, '.build/build.json'), 'utf8');
  t.same(build(repository), { status: 0, said: '' });
  t.equal(readFileSync(join(repository, '.build/build.json'), 'utf8'), made, 'nothing to do');
  t.end();
});

t.test('a build that was damaged or cut off is made good', (t) => {
  const repository = prepare(t);
  build(repository);
  const { folder, files } = newest(repository);
  const path = join(repository, '.build', folder, 'render/render.js');
  const text = readFileSync(path, 'utf8');
  t.equal(files['render/render.js'], Buffer.byteLength(text));
  writeFileSync(path, '');
  // Of a process that is no more: pids end far below.
  mkdirSync(join(repository, '.build/draft-999999999'));
  t.same(build(repository), { status: 0, said: '' });
  t.equal(readFileSync(path, 'utf8'), text);
  t.same(builds(repository), [folder]);
  t.end();
});

t.test(
  'import() of a bundled package, and an address that a bundle does not know, fail the build',
  (t) => {
    const repository = prepare(t);
    change(repository, "await import('saxes');");
    const imported = build(repository);
    t.equal(imported.status, 1);
    t.match(imported.said, /src\/serve\.ts: saxes is bundled, where import\(\) finds no names/);
    change(repository, 'console.log(import.meta.dirname);');
    const addressed = build(repository);
    t.equal(addressed.status, 1);
    t.match(addressed.said, /src\/serve\.ts: a bundle knows import\.meta\.url alone/);
    t.notOk(existsSync(join(repository, '.build')), 'and leave nothing');
    t.end();
  },
);
