/** Bundles one program's modules into few files, with their types stripped. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { programs } from '../built-code.ts';

export type ProgramName = keyof typeof programs;

/**
 * Packages that stay what they are: native code, WebAssembly, and those that read files or start threads by
 * their own address; `bwip-js` is large and seldom needed.
 */
const unbundledPackages = [
  'better-sqlite3',
  'bwip-js',
  'esbuild',
  'harfbuzzjs',
  'piscina',
  'sharp',
  'skia-canvas',
  'uWebSockets.js',
  'woff2-encoder',
];

const root = fileURLToPath(new URL('../../', import.meta.url));

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
    external: unbundledPackages.flatMap((specifier) => [specifier, `${specifier}/*`]),
    plugins: [addressKeeper],
    metafile: true,
    logLevel: 'warning',
    // For what packages in CommonJS require of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  return Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
}

/** Lets a source file that is now part of a bundle find what lies beside it, and programs as bundles. */
const addressKeeper: Plugin = {
  name: 'address-keeper',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
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
    const isBundled = !unbundledPackages.some((name) => required.startsWith(name));
    return isBundled ? `require('${required}')` : `createRequire(${ownUrl})('${required}')`;
  });
}
