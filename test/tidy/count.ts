/**
 * Counts the house: lines, files and folders of the core and its wings, and what tests start. Run by
 * `npm run count`. `npm run count -- --tree FOLDER` counts another checkout, and `--wing src/lists/` counts a folder of
 * an earlier revision as part of a wing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { postgres, wings } from './walls.ts';
import { listFiles, loadTexts, type TextFile } from './source-files.ts';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: join(import.meta.dirname, '../..') },
    wing: { type: 'string', multiple: true, default: [] },
  },
});

const code = /\.(tsx?|css|html|as)$/;
const texts = loadTexts(values.tree, listFiles(values.tree)).filter(({ path }) => code.test(path));
const sources = texts.filter(({ path }) => /^(src|workers)\//.test(path));
const tests = texts.filter(({ path }) => path.startsWith('test/'));
const testFiles = tests.filter(({ path }) => path.endsWith('.test.ts'));

function countLines(files: readonly TextFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

/** Lines, files and folders of some files, in columns. */
function row(name: string, files: readonly TextFile[]): string {
  const folders = new Set(files.map(({ path }) => posix.dirname(path))).size;
  const figures = [countLines(files), files.length, folders];
  return [name.padEnd(28), ...figures.map((each) => String(each).padStart(8))].join('');
}

const closed = [...Object.keys(wings), ...values.wing, postgres.folder];
const isIn = (folder: string) => (file: TextFile) => file.path.startsWith(folder);

console.log(`${''.padEnd(28)}${'lines'.padStart(8)}${'files'.padStart(8)}${'folders'.padStart(8)}`);
console.log(row('sources', sources));
for (const folder of closed) console.log(row(`  ${folder}`, sources.filter(isIn(folder))));
const core = sources.filter((file) => !closed.some((folder) => isIn(folder)(file)));
console.log(row('  the core', core));
console.log(row('tests', tests));

const starting = {
  'test files': /(?:)/,
  'with a service': /\b(?:startService|startProgram|shareService)\(/,
  'with a browser': /\bstartBrowser\(/,
};
for (const [name, pattern] of Object.entries(starting)) {
  const count = testFiles.filter(({ text }) => pattern.test(text)).length;
  console.log(`${name.padEnd(36)}${String(count).padStart(8)}`);
}

// `test/run.ts` writes it at the end of a run of all files.
const timesPath = join(values.tree, 'node_modules/.cache/test-times.json');
if (existsSync(timesPath)) {
  const { seconds, groups } = JSON.parse(readFileSync(timesPath, 'utf8')) as {
    seconds: number;
    groups: Record<string, number>;
  };
  console.log(`\nlast run of all tests: ${seconds} s, the longest of its processes:`);
  const longest = Object.entries(groups).toSorted((a, b) => b[1] - a[1]);
  for (const [name, took] of longest.slice(0, 12))
    console.log(`  ${String(took).padStart(7)} s  ${name}`);
}
