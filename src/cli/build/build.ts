/**
 * `npm run build`: bundles the programs and the browser code into `dist/`. Does nothing while `dist/` is up to date.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packagePath, programs } from '#paths.ts';
import type { Bundle } from '../../pages/build.ts';
import { manifest } from '../../foundation/product.ts';
import { buildProblem, fileDigest, stampPath } from '../../process/build-stamp.ts';
import type { BuildStamp } from '../../process/build-stamp.ts';
import { bundledPackages, manifestPath } from './packages.ts';

/** Files that the bundles depend on, besides their sources. */
const otherSources = [
  'package-lock.json',
  'package.json',
  'src/cli/build/build.ts',
  'src/cli/build/packages.ts',
];

const dist = packagePath('dist');

if (buildProblem() !== undefined) await buildAll();

async function buildAll(): Promise<void> {
  const startedMs = Date.now();
  const pages = await import('../../pages/build.ts');
  const { bundle, bundleBrowserCode, guideFiles, libraryFile, makeLibrary } = pages;
  const external = Object.keys(manifest.dependencies).filter(
    (name) => !bundledPackages.includes(name),
  );
  const programBundle = bundle({
    // Bundled together, so that programs share the files of common imports.
    entryPoints: programs,
    // Dynamic imports stay separate files, which are loaded on demand.
    splitting: true,
    platform: 'node',
    target: 'node22',
    external,
    sourcemap: 'linked',
    sourcesContent: false,
    // CommonJS packages require modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  const bundles = await Promise.all([bundleBrowserCode(), narrow(programBundle)]);
  // The stamp is removed first and written last, so that an interrupted build has no stamp.
  rmSync(stampPath, { force: true });
  const guides = JSON.stringify(makeLibrary());
  const files = new Map([
    ...bundles.flatMap((each) => [...each.files]),
    ...pages.makeDescriptions(),
    [libraryFile, guides],
  ]);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), text);
  }
  removeOthers(files);
  const sources = bundles.flatMap((each) => each.sources.map((path) => manifestPath(path) ?? path));
  writeStamp([...otherSources, ...guideFiles(), ...pages.descriptionFiles, ...sources], startedMs);
}

/** Escapes characters above one byte, with which V8 stores a source in two bytes each. esbuild escapes only strings. */
async function narrow(bundle: Promise<Bundle>): Promise<Bundle> {
  const { files, sources } = await bundle;
  const narrowed = [...files].map(
    ([name, text]) => [name, text.replaceAll(/[^\0-\xff]/g, toEscape)] as const,
  );
  return { files: new Map(narrowed), sources };
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Removes files of earlier builds. */
function removeOthers(files: ReadonlyMap<string, string>): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(dist, path))) rmSync(path, { force: true });
  }
}

/** Writes the stamp. A source that changed during the build gets an empty digest, which makes the build stale. */
function writeStamp(sources: readonly string[], startedMs: number): void {
  const stamp: BuildStamp = Object.fromEntries(
    [...new Set(sources)].toSorted().map((path) => {
      const { mtimeMs } = statSync(packagePath(path));
      const digest = mtimeMs < startedMs ? fileDigest(packagePath(path)) : '';
      return [path, { mtimeMs: digest === '' ? 0 : mtimeMs, digest }];
    }),
  );
  const draft = `${stampPath}-${process.pid}`;
  writeFileSync(draft, JSON.stringify(stamp));
  renameSync(draft, stampPath);
}
