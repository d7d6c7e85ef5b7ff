/** Finds the test files that are likely to find a fault in a source file. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports } from '../tidy/imports.ts';

/** They cost much more than a test of functions. */
const startsProcesses = /\b(shareService|startService|startProgram|startBrowser|spawn|fork)\(/;

/** Test files that import a file, directly or through one other file, and start no process. */
export function importingTests(tree: string, file: string): string[] {
  const sources = globSync(['src/**/*.{ts,tsx}', 'workers/**/*.ts', 'test/**/*.ts'], { cwd: tree });
  const texts = new Map(sources.map((path) => [path, readFileSync(join(tree, path), 'utf8')]));
  const importers = importersOf(texts, [file]);
  const near = new Set([...importers, ...importersOf(texts, importers)]);
  return [...near]
    .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'))
    .filter((path) => !startsProcesses.test(texts.get(path) ?? ''))
    .toSorted();
}

function importersOf(texts: ReadonlyMap<string, string>, files: readonly string[]): string[] {
  return [...texts]
    .filter(([path, text]) =>
      readImports(path, text).some(({ target }) => target !== undefined && files.includes(target)),
    )
    .map(([path]) => path);
}
