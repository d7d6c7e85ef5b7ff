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
const dynamicImport = /\bimport\(\s*'([^'\n]+)'/g;

/** A file named in a string: a worker, or a program that a test starts. */
const namedFile = /['"`]([\w.#@/-]+\.tsx?)['"`]/g;

/** Lists what a file imports, in order, an import once. */
export function readImports(path: string, text: string): Import[] {
  const code = withoutCommentLines(text);
  const specifiers = new Set<string>();
  for (const pattern of [statement, dynamicImport]) {
    for (const [, specifier] of code.matchAll(pattern)) {
      if (specifier !== undefined) specifiers.add(specifier);
    }
  }
  return [...specifiers].map((specifier) => resolveImport(path, specifier));
}

/** Lists the files that a text names in strings, each read as relative to the text's file and to the root. */
export function readNamedFiles(path: string, text: string): string[] {
  const names = [...withoutCommentLines(text).matchAll(namedFile)].map(([, name]) => name ?? '');
  return names.flatMap((name) => [posix.normalize(name), fromFile(path, name)]);
}

function resolveImport(path: string, specifier: string): Import {
  if (specifier.startsWith('.')) {
    return { specifier, target: fromFile(path, specifier), packageName: undefined };
  }
  if (/^#(language|wire)\//.test(specifier)) {
    return { specifier, target: `src/${specifier.slice(1)}`, packageName: undefined };
  }
  if (specifier === '#paths.ts') {
    return { specifier, target: 'src/paths.ts', packageName: undefined };
  }
  const isBuiltin = specifier.startsWith('node:');
  return {
    specifier,
    target: undefined,
    packageName: isBuiltin ? undefined : packageOf(specifier),
  };
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
