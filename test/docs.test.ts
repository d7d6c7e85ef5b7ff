/** The documentation is true: generated pages are current, and every link leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { warningCodes } from '#wire/render-job.ts';
import { organizationEndpoints } from '../src/api/endpoints.ts';
import { mailingsEndpoints } from '../src/mailings/mailings.ts';
import { generatedDocs } from '../src/cli/build/generated-docs.ts';

const repository = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

t.test('pages made from the code are current: `npm run docs` writes them', async (t) => {
  for (const [path, text] of Object.entries(generatedDocs())) t.equal(read(path), text, path);
});

t.test('the table of warnings has each code once', async (t) => {
  const [, section = ''] = read('docs/api.md').split('\n#### Warnings\n');
  const [table = ''] = section.split('\n### ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
  );
  t.equal(named.length, warningCodes.length);
  t.same(new Set(named), new Set(warningCodes));
});

t.test('the API page names every endpoint of organizations', async (t) => {
  const page = read('docs/api.md');
  for (const { path } of [...organizationEndpoints, ...mailingsEndpoints]) {
    const fixed = path.split('/').findLast((part) => !part.startsWith('{'));
    t.ok(page.includes(`/${fixed}`), path);
  }
});

t.test('every relative link and image of a page leads to a file or a heading', async (t) => {
  const pages = [
    ...globSync('*.md', { cwd: repository }),
    ...globSync('docs/**/*.md', { cwd: repository }),
  ];
  t.ok(pages.includes('README.md') && pages.includes('docs/api.md'));
  const headings = new Map(pages.map((page) => [page, headingsOf(read(page))]));
  for (const page of pages) {
    for (const target of relativeLinks(read(page))) {
      const [file = '', heading] = target.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      const hasHeading = heading === undefined || (headings.get(path)?.has(heading) ?? true);
      t.ok(hasHeading && existsSync(join(repository, path)), `${page} links to ${target}`);
    }
  }
});

t.test('every path in the pages on the code leads to a file or a folder', async (t) => {
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
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|<img [^>]*\bsrc="([\w./-]+)"/g)]
    .map(([, link, image]) => link ?? image ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

/** The headings of a page as links name them. */
function headingsOf(page: string): Set<string> {
  const names = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(names);
}
