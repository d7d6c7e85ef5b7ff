/** The rules on dependencies: exact versions, a lock file that every platform can use, a reason for each. */

/** What the rules read of package.json. */
export interface PackageJson {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** One package of package-lock.json, by its folder. */
export interface LockedPackage {
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  gypfile?: boolean;
}

/** What the rules read of package-lock.json. */
export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/** `1.2.3`, `1.2.3-rc1`, or such a version of another package. */
const exactVersion = /^(?:npm:[\w.@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Complains about a version that leaves a choice. */
export function checkVersions(manifest: PackageJson): string[] {
  return Object.entries(allDependencies(manifest))
    .filter(([, version]) => !exactVersion.test(version))
    .map(([name, version]) => `package.json: ${name} "${version}" is no exact version`);
}

/**
 * Complains about a lock file that does not fit package.json, that names where a package was downloaded, or that
 * lacks a package of another platform: npm leaves such packages out when its registry does not have them, and
 * `npm ci` then refuses the lock file elsewhere.
 */
export function checkLock(manifest: PackageJson, lock: LockFile): string[] {
  const complaints: string[] = [];
  const root = lock.packages[''] ?? {};
  const locked = { ...root.dependencies, ...root.devDependencies };
  for (const [name, version] of Object.entries(allDependencies(manifest))) {
    if (locked[name] !== version) complaints.push(`package-lock.json: ${name} is not ${version}`);
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved !== undefined) {
      complaints.push(`package-lock.json: ${path} has "resolved"`);
    }
    // npm 10 takes such a package for one to compile, unless its entry says that it is none (see .npmrc).
    if (path === 'node_modules/better-sqlite3' && entry.gypfile !== false) {
      complaints.push(`package-lock.json: ${path} needs "gypfile": false`);
    }
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isLocked(lock, path, name)) {
        complaints.push(`package-lock.json: ${name}, which ${path} may need, is missing`);
      }
    }
  }
  return complaints;
}

/** Complains about a dependency that the architecture page does not explain; `@scope/*` explains a whole scope. */
export function checkReasons(manifest: PackageJson, architecture: string): string[] {
  return Object.keys(allDependencies(manifest))
    .filter((name) => {
      const scope = name.startsWith('@') ? `\`${name.split('/')[0]}/*\`` : undefined;
      const isNamed = architecture.includes(`\`${name}\``);
      return !isNamed && (scope === undefined || !architecture.includes(scope));
    })
    .map((name) => `docs/architecture.md: say in a sentence what \`${name}\` is for`);
}

/** A package is looked for beside its parent's own packages first, as Node does. */
function isLocked(lock: LockFile, parent: string, name: string): boolean {
  const folders = parent.split(/(?<=^|\/)node_modules\//).length;
  let folder = parent;
  for (let depth = 0; depth <= folders; depth += 1) {
    const prefix = folder === '' ? '' : `${folder}/`;
    if (lock.packages[`${prefix}node_modules/${name}`] !== undefined) return true;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '');
  }
  return false;
}

function allDependencies(manifest: PackageJson): Record<string, string> {
  return { ...manifest.dependencies, ...manifest.devDependencies };
}
