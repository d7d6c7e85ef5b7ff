import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  checkCycles,
  checkHomes,
  checkImportTable,
  checkOrphans,
  checkTargets,
} from './tidy/import-rules.ts';
import { readImports, readNamedFiles } from './tidy/imports.ts';
import type { PackageJson } from './tidy/package-rules.ts';
import {
  listFiles,
  loadTexts,
  parseIgnoredFolders,
  sourceFiles,
  type SourceFile,
} from './tidy/source-files.ts';
import {
  checkChangelog,
  checkDefaultExports,
  checkLength,
  checkNames,
  checkRoles,
  checkSizes,
  checkWords,
} from './tidy/text-rules.ts';
import { checkTree } from './tidy/tree-rules.ts';

const root = join(import.meta.dirname, '..');
const files = listFiles(root);
const texts = loadTexts(root, files);
const sources = sourceFiles(texts);
const paths: ReadonlySet<string> = new Set(files.map(({ path }) => path));
const manifest = readJson('package.json');

/** Programs, tests, files that only the compiler reads, and those that a page loads. */
function isRoot(path: string): boolean {
  return (
    ['src/main.ts', 'workers/render-host.ts', 'test/golden/images/draw.ts'].includes(path) ||
    [
      'src/pages/browser/first-steps.ts',
      'src/pages/browser/docs.ts',
      'src/studio/main.tsx',
    ].includes(path) ||
    path.startsWith('src/cli/') ||
    path.startsWith('bench/') ||
    path.endsWith('.test.ts') ||
    path.endsWith('.d.ts') ||
    Object.values(manifest.scripts).some((script) => script.split(' ').includes(path))
  );
}

/** Fails with one line a complaint. */
function checkClean(test: Test, complaints: readonly string[]): void {
  test.equal(complaints.join('\n'), '');
}

t.test('imports follow the table of folders', async (t) => {
  checkClean(t, checkImportTable(sources));
  t.same(
    checkImportTable([
      source('src/images/a.ts', "import { b } from '../store/b.ts';"),
      source('src/foundation/errors.ts', "export * from '../http/b.ts';"),
      source('workers/a.ts', "import type { A } from '../src/config/config.ts';"),
      source('workers/paint/a.ts', "import { layout } from '../layout/layout.ts';"),
      source('workers/paint/b.ts', "import { scene } from '../bind-scene.ts';"),
      source('src/http/a.ts', dynamicImport('../../test/fixtures/a.ts')),
      source('src/api/a.ts', "import { A } from '../wire/color.ts';"),
    ]),
    [
      'src/images/a.ts must not import src/store/b.ts',
      'src/foundation/errors.ts must not import src/http/b.ts',
      'workers/a.ts must not import src/config/config.ts',
      'workers/paint/a.ts must not import workers/layout/layout.ts',
      'workers/paint/b.ts must not import workers/bind-scene.ts',
      'src/http/a.ts must not import test/fixtures/a.ts',
      'src/api/a.ts must import src/wire/color.ts as #wire/color.ts',
    ],
  );
});

t.test('every file has a folder, and no folder has too many', async (t) => {
  checkClean(t, checkTree(sources.map(({ path }) => path)));
  const crowd = Array.from({ length: 21 }, (_, index) => `workers/text/${index}.ts`);
  const wire = Array.from({ length: 9 }, (_, index) => `src/wire/${index}.ts`);
  t.same(checkTree(['src/app.ts', 'src/clock.ts', ...crowd, ...wire]), [
    'src/clock.ts needs a folder: see the code map in docs/architecture.md',
    'workers/text has 21 files, at most 20: split it',
    'src/wire has 9 files, at most 8: split it',
  ]);
});

t.test('a dependency is imported in its home alone', async (t) => {
  checkClean(t, checkHomes(sources, Object.keys(manifest.dependencies)));
  const complaints = checkHomes(
    [
      source('src/api/a.ts', "import sharp from 'sharp';\nimport { join } from 'node:path';"),
      source('workers/layout/a.ts', "import { Canvas } from 'skia-canvas/lib/index.js';"),
      source('src/main.ts', "import 'left-pad';"),
    ],
    ['sharp', 'express'],
  );
  t.same(complaints, [
    'express has no home: name one in test/tidy/import-rules.ts',
    'src/api/a.ts must not import sharp',
    'workers/layout/a.ts must not import skia-canvas',
    'src/main.ts must not import left-pad',
  ]);
});

t.test('imports go in no circle', async (t) => {
  checkClean(t, checkCycles(sources));
  const circle = [
    source('src/a.ts', "import { b } from './b.ts';"),
    source('src/b.ts', "import {\n  c,\n} from './c.ts';"),
    source('src/c.ts', "export type { B } from './b.ts';"),
  ];
  t.same(checkCycles(circle), ['circle: src/b.ts → src/c.ts → src/b.ts']);
});

t.test('every import leads to a file, and every file is used', async (t) => {
  checkClean(t, checkTargets(sources, paths));
  checkClean(t, checkOrphans(sources, isRoot));
  const some = [
    source('src/main.ts', "import './a.ts';\nnew Worker(new URL('../workers/b.ts', base));"),
    source('src/a.ts', ''),
    source('workers/b.ts', '// see ./c.ts'),
    source('workers/c.ts', ''),
  ];
  t.same(checkOrphans(some, isRoot), ['workers/c.ts is used by no program and no test']);
  t.same(checkTargets(some, new Set(['src/main.ts'])), [
    'src/main.ts imports src/a.ts, which does not exist',
  ]);
});

t.test('a file is named after what it does and exports by name', async (t) => {
  checkClean(t, checkNames(sources));
  checkClean(t, checkDefaultExports(sources));
  const bad = [
    source('src/http/index.ts', 'export default App;'),
    source('src/utils.ts', 'export { a as default };'),
  ];
  t.equal(checkNames(bad).length, 2);
  t.equal(checkDefaultExports(bad).length, 2);
});

t.test('a file has at most 300 lines and opens with its role', async (t) => {
  checkClean(t, checkLength(sources));
  checkClean(t, checkRoles(sources));
  t.same(checkLength([source('src/a.ts', 'a\n'.repeat(300))]), []);
  t.same(checkLength([source('src/a.ts', 'a\n'.repeat(301))]), [
    'src/a.ts: 301 lines, at most 300',
  ]);
  t.same(
    checkRoles([
      source('src/a.ts', '/** Says it. */\n'),
      source('src/b.ts', '#!/usr/bin/env node\n/**\n * Says it.\n *\n * At length.\n */\n'),
      source('src/c.ts', "import a from 'a';\n/** Too late. */\n"),
      source('src/d.ts', '/** no sentence */\n'),
      source('test/d.test.ts', "import t, { type Test } from 'tap';\n"),
    ]),
    ['src/c.ts', 'src/d.ts'].map(
      (path) => `${path}: open it with /** one sentence on its role. */`,
    ),
  );
});

t.test('no text holds a word that must not be committed', async (t) => {
  checkClean(t, checkWords(texts));
  const bad = [
    ['// FIX', 'ME later'],
    ['// TO', 'DO later'],
    ['see /', 'work/main'],
    ['"https://registry.npm', 'js.org/a"'],
    ['localhost.local', 'domain'],
  ];
  for (const halves of bad) {
    const line = halves.join('');
    t.equal(checkWords([{ path: 'a.md', text: `\n${line}` }]).length, 1, line);
  }
  // Joined like the bad ones: no search for paths finds them here.
  const inner = ['/', 'work/a'].join('');
  const good = ['TODO(#12) later', `https://example.com${inner}`, `src${inner}.ts`, 'workroot'];
  t.same(checkWords([{ path: 'a.md', text: good.join('\n') }]), []);
});

t.test('no file is larger than 256 KiB', async (t) => {
  checkClean(t, checkSizes(files));
  t.same(checkSizes([{ path: 'a.png', bytes: 262_145 }]), ['a.png: 262145 bytes, at most 262144']);
});

t.test('the changelog has the form of Keep a Changelog', async (t) => {
  checkClean(t, checkChangelog(paths.has('CHANGELOG.md') ? readText('CHANGELOG.md') : ''));
  const good = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2030-01-31\n';
  t.same(checkChangelog(good), []);
  t.match(checkChangelog(good.replace(' - 2030-01-31', '')), [/neither/]);
  t.match(checkChangelog(good.replace('Added', 'News')), [/six headings/]);
  t.match(checkChangelog(`${good}\n## [0.2.0] - 2030-02-01\n`), [/newest version comes first/]);
  t.match(checkChangelog('changes'), [/first line/, /no version/]);
});

t.test('imports are read from code, and from nothing else', async (t) => {
  const text = [
    "import a, { type B } from './a.ts';",
    "import '#language/b.ts';",
    "export * from '../c.ts';",
    "import {\n  d,\n  e,\n} from '@scope/pack/deep.js';",
    `type F = ${dynamicImport('./f.ts')}.F;`,
    " * import x from './comment.ts';",
    '  const text = "import y from \'./string.ts\';";',
    "export const g = './value.ts';",
  ].join('\n');
  const found = readImports('src/http/x.ts', text);
  t.same(
    found.map(({ target, packageName }) => target ?? packageName),
    ['src/http/a.ts', 'src/language/b.ts', 'src/c.ts', '@scope/pack', 'src/http/f.ts'],
  );
  t.ok(readNamedFiles('src/http/x.ts', text).includes('src/http/value.ts'));
});

t.test('an ignore line of an unknown form is an error', async (t) => {
  t.same([...parseIgnoredFolders('# a\na/\nb/c/\n')], ['.git', 'a', 'b/c']);
  t.throws(() => parseIgnoredFolders('*.log\n'), { message: /\*\.log/ });
});

function source(path: string, text: string): SourceFile {
  return { path, text, imports: readImports(path, text) };
}

/** Put together here, because this file is one of those that the rules read. */
function dynamicImport(specifier: string): string {
  return `import('${specifier}')`;
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function readJson(path: string): PackageJson & { scripts: Record<string, string> } {
  return JSON.parse(readText(path));
}
