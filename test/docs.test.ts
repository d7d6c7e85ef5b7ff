/** The documentation is true: generated pages are current, and every link leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { warningCodes } from '#wire/render-job.ts';
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

t.test('every relative link and picture of a page leads to a file', (t) => {
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

t.test('links are found in text and in pictures, and anchors and addresses are not files', (t) => {
  const text = '[a](x.md) ![b](img/y.png "t") [c](https://example.com) [d](#e) [f](z.md#g)';
  t.same(relativeLinks(text), ['x.md', 'img/y.png', 'z.md']);
  t.end();
});

function relativeLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map((match) => match[1]?.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}
