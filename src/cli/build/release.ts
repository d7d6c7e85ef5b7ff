/**
 * `npm run release -- <folder>`: makes a release for this platform in a new folder. It contains `dist/`, the packages
 * of a start with the files for this platform, and a software bill of materials (`sbom.cdx.json`, CycloneDX).
 * `native-binaries.sha256` has the SHA-256 of every native binary. Files are hard links if the file system allows it,
 * and never changed; modified files are copies.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packagePath } from '#paths.ts';
import { manifest } from '../../foundation/product.ts';
import { loadAddon } from '../../http/native.ts';
import { fileDigest } from '../../process/build-stamp.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { withoutGlyphNames, writeCollection } from './font-collection.ts';
import {
  collectedPackages,
  installers,
  isReleased,
  keptWeights,
  losesGlyphNames,
  releasedPackages,
} from './packages.ts';
import type { Target } from './packages.ts';

/** The parts of a package's manifest that this program reads. */
interface PackageManifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  files?: readonly string[];
}

/** Fields of the manifest that only the repository uses. */
const repositoryOnly = new Set(['allowScripts', 'devDependencies', 'imports', 'scripts']);

/** Files that `npm pack` includes and a release does not. */
const unreleased = /\.map$|\/docs\/(?:openapi|template\.schema)\.json$/;

/** Paths of the native binaries that a start loads, by package. */
const binaries = {
  node: 'node_modules/node/bin/node',
  'better-sqlite3': '**/better-sqlite3/**/*.node',
  sharp: '**/sharp-*.node',
  'skia-canvas': '**/skia.node',
  'the HTTP server': '**/uws_*.node',
};

const root = resolve(packagePath('.'));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'all-weights': { type: 'boolean', default: false },
    strip: { type: 'boolean', default: false },
    revision: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  throw new Error(
    'Give the folder of the release: npm run release -- <folder> [--all-weights] [--strip] [--revision <id>]',
  );
}
const target: Target = {
  platform: process.platform,
  arch: process.arch,
  abi: process.versions.modules,
  isMusl: process.platform === 'linux' && !('glibcVersionRuntime' in nodeReport().header),
  addonPackage: loadAddon().packageName,
  hasAllWeights: options['all-weights'],
};
// The folder is relative to the caller's directory; npm changes the working directory.
// oxlint-disable-next-line node/no-process-env -- set by npm, not by an operator
release(resolve(process.env['INIT_CWD'] ?? '.', folder));

function nodeReport(): { header: object } {
  return process.report.getReport() as { header: object };
}

function release(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0) {
    throw new Error(`${to} is not empty: name a new folder for the release`);
  }
  linkSources(to);
  for (const name of releasedPackages(manifest.dependencies, target)) {
    linkPackage(join(root, 'node_modules', name), name, to);
  }
  collectFonts(join(to, 'node_modules'));
  mkdirSync(join(to, 'node_modules/.bin'));
  symlinkSync('../node/bin/node', join(to, 'node_modules/.bin/node'));
  requireBinaries(to);
  writeManifest(to);
  if (options.strip) stripLargest(to);
  const digests = binaryDigests(to);
  writeFileSync(join(to, 'sbom.cdx.json'), billOfMaterials(to, digests));
  const lines = [...digests].map(([path, digest]) => `${digest}  ${path}\n`);
  writeFileSync(join(to, 'native-binaries.sha256'), lines.join(''));
}

/**
 * Throws if a native binary is missing. npm silently skips an optional package that the registry does not have, and the
 * release would not start.
 */
function requireBinaries(to: string): void {
  const lacking = Object.entries(binaries).filter(
    ([, path]) => globSync(path, { cwd: to }).length === 0,
  );
  if (lacking.length === 0) return;
  rmSync(to, { recursive: true });
  const names = lacking.map(([name]) => name).join(', ');
  throw new Error(
    `node_modules has no binary of ${names} for ${target.platform} ${target.arch}: install from a registry that has the packages of this platform, and make the release again`,
  );
}

/**
 * Links the files that `npm pack` would include, by the same list. Source maps are left out: 5 MB for line numbers in
 * errors. So are descriptions that the service generates.
 */
function linkSources(to: string): void {
  const listed = (manifest.files ?? []).flatMap((pattern) =>
    globSync(pattern.endsWith('/') ? `${pattern}**` : pattern, { cwd: root, withFileTypes: true }),
  );
  for (const entry of listed) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !unreleased.test(path)) linkFile(path, join(to, relative(root, path)));
  }
  // npm always includes these files.
  for (const name of ['LICENSE', 'README.md']) linkFile(join(root, name), join(to, name));
}

/** Links a package and its dependencies, unless they are linked already. */
function linkPackage(from: string, name: string, to: string): void {
  const destination = join(to, relative(root, from));
  if (existsSync(join(destination, 'package.json'))) return;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name));
    // Nested packages are dependencies, which are linked separately.
    if (entry.isDirectory() || path.startsWith('node_modules/')) continue;
    if (!isReleased(name, path, target)) continue;
    linkFile(join(from, path), join(destination, path));
    if (losesGlyphNames(name, path)) rewrite(join(destination, path), withoutGlyphNames);
  }
  const read = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as PackageManifest;
  const weights = keptWeights(name, target);
  if (weights !== undefined)
    writeNew(join(destination, 'package.json'), { ...read, files: weights });
  if (name === 'node') linkLicense(from, destination);
  const needed = Object.keys({ ...read.dependencies, ...read.optionalDependencies });
  for (const each of needed) {
    const found = installers.has(each) ? undefined : findPackage(each, from);
    if (found !== undefined) linkPackage(found, each, to);
  }
}

/**
 * Replaces the fonts of `collectedPackages` by collections in the first package; the others have symbolic links to
 * them. Each manifest holds the index of the package's face.
 */
function collectFonts(packages: string): void {
  const families = collectedPackages.map((name) => join(packages, name));
  const [first = ''] = families;
  for (const { name: weight } of readdirSync(first, { withFileTypes: true })) {
    const paths = families.flatMap((family) =>
      globSync(`${weight}/*.ttf`, { cwd: family }).map((path) => join(family, path)),
    );
    if (paths.length === 0) continue;
    // The index of a face is the index of its family, so each family needs one font of each weight.
    if (paths.length !== families.length) {
      throw new Error(
        `${collectedPackages.join(', ')} have ${paths.length} fonts of weight ${weight} in place of one each: install versions that have the same weights, and make the release again`,
      );
    }
    const collection = join(first, weight, `NotoSansCJK_${weight}.ttc`);
    writeFileSync(collection, writeCollection(paths.map((path) => readFileSync(path))));
    for (const path of paths) {
      rmSync(path);
      const link = join(dirname(path), basename(collection));
      if (link !== collection) symlinkSync(relative(dirname(path), collection), link);
    }
  }
  for (const [face, family] of families.entries()) {
    const path = join(family, 'package.json');
    writeNew(path, { ...(JSON.parse(readFileSync(path, 'utf8')) as object), face });
  }
}

/** The path of a package as Node resolves it from another one; undefined if it is not installed. */
function findPackage(name: string, from: string): string | undefined {
  for (let at = from; at.startsWith(root); at = dirname(at)) {
    const path = join(at, 'node_modules', name);
    if (existsSync(path)) return path;
  }
  return undefined;
}

/** Links the licence of Node from the package with the binary. The package that installs it has none. */
function linkLicense(from: string, destination: string): void {
  const [path] = globSync(['node_modules/node-*/LICENSE', '../node-{linux,darwin}-*/LICENSE'], {
    cwd: from,
  });
  if (path !== undefined) linkFile(join(from, path), join(destination, 'LICENSE'));
}

function linkFile(from: string, destination: string): void {
  mkdirSync(dirname(destination), { recursive: true });
  try {
    linkSync(from, destination);
  } catch {
    // Another file system.
    copyFileSync(from, destination);
  }
}

/** Replaces a file, which may be a hard link to the original that must not change. */
function writeNew(path: string, value: unknown): void {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  rmSync(path, { force: true });
  writeFileSync(path, text);
}

/** Replaces a file by a changed copy, like `writeNew`. */
function rewrite(path: string, change: (content: Buffer) => Buffer): void {
  const content = change(readFileSync(path));
  rmSync(path);
  writeFileSync(path, content);
}

/** Writes the manifest without the fields that only the repository uses. `platen --version` shows the revision. */
function writeManifest(to: string): void {
  const revision = options.revision ?? readRevision();
  const published = Object.entries(manifest).filter(([name]) => !repositoryOnly.has(name));
  const start = { start: manifest.scripts['start'] };
  const named = { ...Object.fromEntries(published), revision, scripts: start };
  writeNew(join(to, 'package.json'), named);
}

/** The revision of the clone; undefined outside a clone. */
function readRevision(): string | undefined {
  try {
    const args = ['-C', root, 'describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** Removes debug symbols from the binaries that have them: 22 MB. Needs `strip` of binutils. */
function stripLargest(to: string): void {
  const natives = [binaries.node, binaries['skia-canvas'], binaries['better-sqlite3']];
  for (const path of globSync(natives, { cwd: to })) {
    const file = join(to, path);
    const draft = `${file}.stripped`;
    execFileSync('strip', ['-o', draft, file]);
    renameSync(draft, file);
  }
}

/** Digests of the native binaries by path, for `sha256sum --check` and the bill. */
function binaryDigests(to: string): Map<string, string> {
  const natives = globSync(['**/*.node', '**/*.so*', '**/*.dylib', 'node_modules/node/bin/node'], {
    cwd: to,
  });
  return new Map(natives.toSorted().map((path) => [path, fileDigest(join(to, path))]));
}
