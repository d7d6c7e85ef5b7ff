/** Reads the import statements of a TypeScript file, by patterns: TypeScript 7 has no parser to call. */
import { posix } from 'node:path';

/** One import; `target` is a file of the repository, or undefined for a package and for Node's own modules. */
export interface Import {
  specifier: string;
  target: string | undefined;
  packageName: string | undefined;
}

/**
 * `import … from '…'`, `import '…'` and `export … from '…'`.
 *
 * The formatter puts them at the start of a line and uses single quotes; text inside a string or a comment is
 * indented or preceded by ` * ` and is not matched.
 */
const statement = /^(?:import|export)\s+(?:[\w$*{},\s]+?\s+from\s+)?'([^'\n]+)'/gm;

/** `import('…')`, also as a type. */
const dynamicImport = /\bimport\(\s*(['"`])([^'"`\n$]+)\1/g;

/**
 * Calls whose file is no plain string: `import(…)`, which is no declaration of a method of that name, the function of
 * `createRequire(…)`, and a name with `${…}` that ends as a file of code does. A `URL` of a plain string is one.
 */
const computedFiles = [
  /(?<![.#\w]|async )import\(\s*(?!['"`]|new URL\(\s*['"])[^)\n]*\)/g,
  /(?<![.#\w])import\(\s*`[^`]*\$\{[^`]*`/g,
  /(?<![.#\w])import\(\s*(['"`])[^'"`\n]*\1\s*[^),\s][^)\n]*\)/g,
  /\bcreateRequire\([^)]*\)\(\s*(?!['"])[^)\n]*\)/g,
  /`[^`\n]*\$\{[^`\n]*\.tsx?`/g,
];

/** A file named in a string: a worker, or a program that a test starts. */
const namedFile = /['"`]([\w.#@/-]+\.tsx?)['"`]/g;

/** Lists what a file imports, in order, an import once. */
export function readImports(path: string, text: string): Import[] {
  const code = withoutCommentLines(text);
  const specifiers = new Set<string>();
  const found = [...code.matchAll(statement), ...code.matchAll(dynamicImport)];
  for (const match of found) specifiers.add(match.at(-1) ?? '');
  return [...specifiers].map((specifier) => resolveImport(path, specifier));
}

/** Lists the files that a text names in strings, each read as relative to the text's file and to the root. */
export function readNamedFiles(path: string, text: string): string[] {
  const names = [...withoutCommentLines(text).matchAll(namedFile)].map(([, name]) => name ?? '');
  return names.flatMap((name) => [posix.normalize(aliased(name) ?? name), fromFile(path, name)]);
}

/** Lists the calls and names of a text that lead to a file which only the running code knows. */
export function readComputedFiles(text: string): string[] {
  const code = withoutCommentLines(text);
  return computedFiles.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

function resolveImport(path: string, specifier: string): Import {
  if (specifier.startsWith('.')) {
    return { specifier, target: fromFile(path, specifier), packageName: undefined };
  }
  const target = aliased(specifier);
  if (target !== undefined) return { specifier, target, packageName: undefined };
  const isBuiltin = specifier.startsWith('node:');
  return {
    specifier,
    target: undefined,
    packageName: isBuiltin ? undefined : packageOf(specifier),
  };
}

/** The file behind an alias of `imports` in package.json, which may lead out of its folder: `#wire/../app.ts`. */
function aliased(specifier: string): string | undefined {
  if (!/^#(?:(?:language|wire)\/|paths\.ts$)/.test(specifier)) return undefined;
  return posix.normalize(`src/${specifier.slice(1)}`);
}

function fromFile(path: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(path), specifier));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function withoutCommentLines(text: string): string {
  return text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
}
