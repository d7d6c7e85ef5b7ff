/** `npm run build`: bundles the programs and the code of browsers into `dist/`; does nothing while that is up to date. */
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packagePath, programs } from '#paths.ts';
import { buildProblem, fileDigest, stampPath } from '../../process/build-stamp.ts';
import type { BuildStamp } from '../../process/build-stamp.ts';

/** What the bundles depend on beside the sources: the packages, their options, and this program. */
const otherSources = ['package-lock.json', 'package.json', 'src/cli/build/build.ts'];

/**
 * Packages of plain JavaScript that most starts need become part of the bundles: TypeBox alone has 370 modules, and the
 * first image comes 0.14 s sooner (measured on 2 cores). All others stay in node_modules: native code, files that they
 * read beside themselves, and what few starts need.
 */
const bundledPackages = [
  'bidi-js',
  'commander',
  'ipaddr.js',
  'linebreak',
  'lru-cache',
  'typebox',
  'uqr',
];

const dist = packagePath('dist');

if (buildProblem() !== undefined) await buildAll();

async function buildAll(): Promise<void> {
  const startedMs = Date.now();
  const { bundle, bundleBrowserCode } = await import('../../api/pages/bundle.ts');
  const manifest = readFileSync(packagePath('package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const external = Object.keys(dependencies).filter((name) => !bundledPackages.includes(name));
  const programBundles = Object.entries(programs).map(([name, source]) =>
    bundle({
      entryPoints: { [name]: source },
      // Modules that are imported later stay files that are loaded later.
      splitting: true,
      platform: 'node',
      target: 'node22',
      external,
      sourcemap: 'linked',
      sourcesContent: false,
      // For what packages in CommonJS require of Node.
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
    }),
  );
  const bundles = await Promise.all([bundleBrowserCode(), ...programBundles]);
  // The stamp goes first and comes last: a build that is cut off leaves none.
  rmSync(stampPath, { force: true });
  const files = new Map(bundles.flatMap((each) => [...each.files]));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), text);
  }
  removeOthers(files);
  writeStamp([...otherSources, ...bundles.flatMap(({ sources }) => sources)], startedMs);
}

/** Removes what earlier builds have left. */
function removeOthers(files: ReadonlyMap<string, string>): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(relative(dist, path))) rmSync(path, { force: true });
  }
}

/** A source that changes during the build is stale from the beginning. */
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
