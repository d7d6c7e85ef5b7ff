/** The documentation is true: generated pages are current, and every link leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { warningCodes } from '#wire/render-job.ts';
import { organizationEndpoints } from '../src/api/endpoints.ts';
import { generatedDocs } from '../src/cli/build/generated-docs.ts';

const repository = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

t.test('pages made from the code are current: `npm run docs` writes them', (t) => {
  for (const [path, text] of Object.entries(generatedDocs())) t.equal(read(path), text, path);
  t.end();
});

t.test('the table of warnings has each code once', (t) => {
  const [, section = ''] = read('docs/api.md').split('\n#### Warnings\n');
  const [table = ''] = section.split('\n### ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
  );
  t.equal(named.length, warningCodes.length);
  t.same(new Set(named), new Set(warningCodes));
  t.end();
});

t.test('the API page names every endpoint of organizations', (t) => {
  const page = read('docs/api.md');
  for (const { path } of organizationEndpoints) {
    const fixed = path.split('/').findLast((part) => !part.startsWith('{'));
    t.ok(page.includes(`/${fixed}`), path);
  }
  t.end();
});

t.test('every relative link and image of a page leads to a file', (t) => {
  const pages = [
    ...globSync('*.md', { cwd: repository }),
    ...globSync('docs/**/*.md', { cwd: repository }),
  ];
  t.ok(pages.includes('README.md') && pages.includes('docs/api.md'));
  for (const page of pages) {
    for (const target of relativeLinks(read(page))) {
      t.ok(existsSync(join(repository, dirname(page), target)), `${page} links to ${target}`);
    }
  }
  t.end();
});

t.test('links are found in text and in images, and anchors and addresses are not files', (t) => {
  const text = '[a](x.md) ![b](img/y.png "t") [c](https://example.com) [d](#e) [f](z.md#g)';
  t.same(relativeLinks(text), ['x.md', 'img/y.png', 'z.md']);
  t.end();
});

t.test('every path in the pages on the code leads to a file or a folder', (t) => {
  const pages = ['CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md', 'docs/performance.md'];
  // The last chapter of the decisions names files of scratch copies.
  const [decisions = ''] = read('docs/decisions.md').split('\n## What a ');
  const texts = [...pages.map(read), decisions];
  const paths = texts.flatMap(namedPaths);
  t.ok(paths.length > 150);
  t.same(
    paths.filter((path) => !isThere(path)),
    [],
  );
  t.end();
});

t.test('paths are found in code spans, from the root, `src` or `workers`', (t) => {
  const text =
    '`render/answer` `src/api` `a b/c` `a/*.ts` `HTTP/1.1` `/v1/assets` x/y `docs/<name>.md`';
  t.same(namedPaths(text), ['render/answer', 'src/api', 'a/*.ts']);
  t.ok(isThere('render/answer') && isThere('workers/paint') && isThere('encode/wasm/*.as'));
  t.notOk(isThere('render/nothing') || isThere('a/*.ts'));
  t.end();
});

/** Code spans that are paths: words with a slash, and no address, package, version or placeholder. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.*-]+\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/^(?:HTTP\/|dist\/)/.test(path));
}

function isThere(path: string): boolean {
  return ['', 'src/', 'workers/'].some((folder) =>
    ['', '.ts', '.tsx'].some(
      (ending) => globSync(`${folder}${path}${ending}`, { cwd: repository }).length > 0,
    ),
  );
}

function relativeLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map((match) => match[1]?.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}
