/** Checks whether `dist/` was built from the present sources. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuilt, packagePath, programs } from '#paths.ts';

/**
 * The stamp that `npm run build` writes last: each source of `dist/`, by its path from the root. A bundled package has
 * its manifest in place of its sources.
 */
export type BuildStamp = Readonly<Record<string, SourceStamp>>;

export interface SourceStamp {
  mtimeMs: number;
  digest: string;
}

export const stampPath = packagePath('dist/build.json');

/** Exit code for a stale build, as for a wrong setting, so that systemd does not restart the service. */
const exitCode = 78;

/** One sentence on why `dist/` cannot be used; undefined if it is current. */
export function buildProblem(): string | undefined {
  // A release has no sources that could be newer.
  if (isBuilt && !existsSync(packagePath(programs.main))) return undefined;
  let stamp: BuildStamp;
  try {
    stamp = JSON.parse(readFileSync(stampPath, 'utf8')) as BuildStamp;
  } catch {
    return 'dist/ is missing or not complete.';
  }
  const root = packagePath('');
  const changed = Object.entries(stamp).find(([path, source]) => hasChanged(root + path, source));
  return changed && `dist/ is not up to date: ${changed[0]} has changed since it was built.`;
}

/** A file with the recorded time is not read, which makes the check of all 600 files three times as fast. */
function hasChanged(path: string, { mtimeMs, digest }: SourceStamp): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  return stats.mtimeMs !== mtimeMs && fileDigest(path) !== digest;
}

export function fileDigest(path: string): string {
  return hash('sha256', readFileSync(path));
}

/** Ends a built program with one sentence if its code is stale: old code must not use new migrations and data files. */
export function refuseStaleBuild(): void {
  const problem = isBuilt ? buildProblem() : undefined;
  if (problem === undefined) return;
  process.stderr.write(`Platen cannot start. ${problem} Run "npm run build".\n`);
  process.exit(exitCode);
}
