/** Bundles one program's modules into few files, with their types stripped. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { programs } from '../../process/built-code.ts';
import type { ProgramName } from '../../process/built-code.ts';

/**
 * Packages that go into the bundles, with what they import: JavaScript alone, needed at most starts, and imported
 * or required by name, because import() finds no names in CommonJS that is part of a bundle. All others are loaded
 * from where they are, as native code and what reads files beside itself must be.
 */
const bundledPackages = [
  'bidi-js',
  'commander',
  'ipaddr.js',
  'linebreak',
  'lru-cache',
  'saxes',
  'typebox',
  'uqr',
];

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles a program into `<directory>/<name>/<name>.js`; gives the paths of its source files, from the root. */
export async function bundle(name: ProgramName, directory: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { [name]: programs[name] },
    outdir: join(directory, name),
    bundle: true,
    // What is imported later stays a file that is loaded later.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    plugins: [packageChooser, addressKeeper],
    metafile: true,
    // Read by what tells of errors alone, so no file points to its map.
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
    // For what packages in CommonJS require of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  return Object.keys(metafile.inputs).filter((path) => !isPackageFile(join(root, path)));
}

function isPackageFile(path: string): boolean {
  return relative(root, path).split('/').includes('node_modules');
}

const packageChooser: Plugin = {
  name: 'package-chooser',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^[^.#/]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || isPackageFile(importer)) return undefined;
      if (!isBundled(path)) return { path, external: true };
      if (kind !== 'dynamic-import') return undefined;
      throw new Error(
        `${relative(root, importer)}: ${path} is bundled, where import() finds no names.`,
      );
    });
  },
};

function isBundled(specifier: string): boolean {
  return bundledPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** Lets a source file that is now part of a bundle find what lies beside it, and programs as bundles. */
const addressKeeper: Plugin = {
  name: 'address-keeper',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (isPackageFile(path)) return undefined;
      const own = relative(root, path);
      return { contents: keepAddresses(readFileSync(path, 'utf8'), own), loader: 'ts' };
    });
  },
};

/** What a module does with its own address: names another program, requires a package, or anything else. */
const addressed =
  /new URL\('(?<target>[^']+\.ts)', import\.meta\.url\)|createRequire\(import\.meta\.url\)\('(?<required>[^']+)'\)|import\.meta\.url/g;

/**
 * The text of a source file as it works in a bundle, which lies three folders below the root, in
 * `.build/<folder>/<program>/`. Throws for a file that asks for its address in another way.
 */
export function keepAddresses(text: string, path: string): string {
  if (/import\.meta\.(?:dirname|filename)/.test(text)) {
    throw new Error(`${path}: a bundle knows import.meta.url alone; write new URL(…) instead.`);
  }
  const ownUrl = `new URL('../../../${path}', import.meta.url).href`;
  return text.replaceAll(addressed, (...match) => {
    const { target, required } = match.at(-1) as { target?: string; required?: string };
    if (target !== undefined) {
      const source = join(dirname(path), target);
      const name = Object.entries(programs).find(([, first]) => first === source)?.[0];
      if (name === undefined) throw new Error(`${path}: ${source} is none of the programs.`);
      return `new URL('../${name}/${name}.js', import.meta.url)`;
    }
    if (required === undefined) return ownUrl;
    return isBundled(required)
      ? `require('${required}')`
      : `createRequire(${ownUrl})('${required}')`;
  });
}
