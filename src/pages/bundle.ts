/** Bundles code with esbuild: the code of browsers, and the programs for `npm run build`. */
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { packagePath } from '#paths.ts';

/** The result of calls of esbuild. */
export interface Bundle {
  /** Texts by their paths in `dist/`. */
  files: ReadonlyMap<string, string>;
  /** Paths of the sources, those of packages too, from the root of the package. */
  sources: readonly string[];
}

const clientHeading = `/**
 * The client of a Platen service: links, signed links, and every endpoint of its API, for Node, Deno, Bun, browsers
 * and edge runtimes. Bundled from src/client/, where the types are.
 */`;

/** Scripts, each with the modules that it imports, and styles. */
const pageFiles = [
  'first-steps.ts',
  'first-steps.css',
  'docs.ts',
  'docs.css',
  'platen.css',
  'fonts.css',
];

/** Keeps the words of dates out of the scripts of the studio, which load them as a file of their own. */
const lateDateWords: Plugin = {
  name: 'late-date-words',
  setup(bundling) {
    const late = packagePath('src/language/values/browser-date-words.ts');
    bundling.onResolve({ filter: /^\.\/date-words\.ts$/ }, ({ importer }) =>
      importer === late ? { path: './date-words.js', external: true } : { path: late },
    );
  },
};

/** Bundles the studio, the scripts and styles of the pages, and the client, in 0.1 s. */
export async function bundleBrowserCode(): Promise<Bundle> {
  const studio = await bundle({
    entryPoints: [
      { in: 'src/studio/main.tsx', out: 'studio/studio' },
      { in: 'src/studio/main.css', out: 'studio/studio' },
      { in: 'src/studio/campaign/campaign.css', out: 'studio/campaign' },
      { in: 'src/studio/later.css', out: 'studio/later' },
    ],
    // Rarely used pages of the studio are separate files, which are loaded on demand.
    splitting: true,
    chunkNames: 'studio/[name]-[hash]',
    alias: { 'lru-cache': packagePath('src/language/browser-lru-cache.ts') },
    minify: true,
    plugins: [lateDateWords],
  });
  const dateWords = await bundle({
    entryPoints: [{ in: 'src/language/values/date-words.ts', out: 'studio/date-words' }],
    minify: true,
  });
  // Apart from the studio: with shared files, the first load would grow.
  const check = await bundle({
    entryPoints: [{ in: 'src/language/browser-check.ts', out: 'studio/check' }],
    alias: { 'node:module': packagePath('src/language/check/browser-require.ts') },
    minify: true,
    plugins: [lateDateWords],
  });
  const pages = await bundle({
    entryPoints: pageFiles.map((name) => ({
      in: `src/pages/browser/${name}`,
      out: `pages/${name.replace(/\.\w+$/, '')}`,
    })),
    minify: true,
    loader: { '.svg': 'copy' },
    external: ['*.woff2'],
    assetNames: 'pages/[name]',
  });
  // Not minified, because people read it and copy it.
  const client = await bundle({
    entryPoints: [{ in: 'src/client/platen-client.ts', out: 'client' }],
    banner: { js: clientHeading },
  });
  return {
    files: new Map([
      ...studio.files,
      ...dateWords.files,
      ...check.files,
      ...pages.files,
      ...client.files,
    ]),
    sources: [
      ...studio.sources,
      ...dateWords.sources,
      ...check.sources,
      ...pages.sources,
      ...client.sources,
    ],
  };
}

/** Bundles entry points as ES modules, for browsers unless `options` differ. Rejects with esbuild's messages. */
export async function bundle(options: BuildOptions): Promise<Bundle> {
  const folder = packagePath('dist/');
  const { outputFiles, metafile } = await build({
    absWorkingDir: packagePath(''),
    outdir: folder,
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    ...options,
    metafile: true,
    write: false,
  });
  return {
    files: new Map(outputFiles.map(({ path, text }) => [path.slice(folder.length), text])),
    sources: Object.keys(metafile.inputs),
  };
}
