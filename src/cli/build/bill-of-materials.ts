/** The software bill of materials of a release (CycloneDX): each npm package of which the release has files or code. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '#paths.ts';
import { stampPath } from '../../process/build-stamp.ts';
import { manifestPath } from './packages.ts';

/** The parts of npm's bill that this module reads. */
interface Bill {
  metadata: { component: { 'bom-ref': string } };
  components: readonly Component[];
  dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
}

interface Component {
  /** Name and version in the registry, as an identifier. */
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  licenses: readonly { license: { id: string } }[];
  /** The native binaries that the release has of the package. */
  components?: readonly BinaryFile[];
}

interface BinaryFile {
  type: 'file';
  name: string;
  hashes: readonly { alg: 'SHA-256'; content: string }[];
}

const root = packagePath('');

/** A row of a table in a README of `data/`, with a package whose files were copied, its version and its licence. */
const copiedRow =
  /^\|.*`(?<name>[\w@/.-]+)` (?<version>\d[\w.-]*).*\| (?<license>OFL-1\.1|Apache-2\.0|ISC) +\|/gm;

/**
 * The bill of the release in a folder, as JSON, with the digests of its native binaries by path. Throws if the lock file
 * lacks a package of `node_modules`.
 */
export function billOfMaterials(release: string, digests: ReadonlyMap<string, string>): string {
  const installed = new Set([...releasedManifests(release), ...bundledManifests()].map(readId));
  const locked = readLockedBill();
  const fromLock = locked.components.filter((each) => installed.delete(each['bom-ref']));
  if (installed.size > 0) {
    throw new Error(
      `package-lock.json lacks ${[...installed].join(', ')}, which node_modules has: run "npm ci", and make the release again`,
    );
  }
  const files = binaryFiles(release, digests);
  const withFiles = fromLock.map((each) => ({ ...each, components: files.get(each['bom-ref']) }));
  const components = new Map(
    [...copiedPackages(), ...withFiles].map((each) => [each['bom-ref'], each]),
  );
  const { component } = locked.metadata;
  const bill = {
    ...locked,
    // npm writes the name of the folder.
    metadata: { ...locked.metadata, component: { ...component, name: 'platen' } },
    components: [...components.values()],
    dependencies: locked.dependencies
      .filter(({ ref }) => components.has(ref) || ref === component['bom-ref'])
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((id) => components.has(id)),
      })),
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** npm's bill of the whole lock file. With `--omit=dev`, npm leaves out packages that a start needs. */
function readLockedBill(): Bill {
  const args = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(text) as Bill;
}

/** Paths of the manifests of the packages in a release. */
function releasedManifests(release: string): string[] {
  const paths = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: release });
  return paths.map((path) => join(release, path));
}

/** Paths of the manifests of the packages with code in `dist/`. */
function bundledManifests(): string[] {
  const stamped = Object.keys(JSON.parse(readFileSync(stampPath, 'utf8')) as object);
  // Source maps also name the packages that a bundled package has in its own bundle.
  const mapped = globSync(`${root}dist/*.map`).flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(path, 'utf8')) as { sources: readonly string[] };
    return sources.map((source) => source.slice('../'.length));
  });
  const manifests = [...stamped, ...mapped].flatMap((path) => manifestPath(path) ?? []);
  // The maps of some packages also name files that only their authors have.
  return [...new Set(manifests)].map((path) => root + path).filter((path) => existsSync(path));
}

/** The identifier of a package in npm's bill. */
function readId(path: string): string {
  const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Component;
  return `${name}@${version}`;
}

/** The native binaries of a release by the identifier of their package. */
function binaryFiles(
  release: string,
  digests: ReadonlyMap<string, string>,
): Map<string, BinaryFile[]> {
  const files = [...digests].map(([path, content]): [string, BinaryFile] => [
    readId(join(release, manifestPath(path) ?? '')),
    { type: 'file', name: path, hashes: [{ alg: 'SHA-256', content }] },
  ]);
  const byPackage = Map.groupBy(files, ([id]) => id);
  return new Map([...byPackage].map(([id, pairs]) => [id, pairs.map(([, file]) => file)]));
}

/** The packages that fonts and icons in `data/` were copied from. They are not in the lock file. */
function copiedPackages(): Component[] {
  const texts = globSync(`${root}data/*/README.md`).map((path) => readFileSync(path, 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(copiedRow)].map(
      ({ groups: { name = '', version = '', license = '' } = {} }) => ({
        'bom-ref': `${name}@${version}`,
        type: 'library',
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        licenses: [{ license: { id: license } }],
      }),
    ),
  );
}
