/** How Platen identifies itself: the contents of `package.json`, and its id in the header `CDN-Loop`. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

interface Manifest {
  version: string;
  description: string;
  /** `node` is the version of Node.js that everything is tested with. */
  dependencies: Readonly<Record<string, string>> & { node: string };
  /** The Node.js that `npm install` runs on, as `>=` and a version. */
  engines: { node: string };
  /** Set by `npm run release`: the revision that the release was made of. */
  revision?: string;
  /** Absent in a release: the files that a release contains. */
  files?: readonly string[];
  scripts: Readonly<Record<string, string>>;
}

export const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as Manifest;

// The header `CDN-Loop` (RFC 8586) marks requests of Platen itself.

/** The `cdn-id` of every Platen, so that a loop through two installations ends as well. */
export const loopToken = 'platen';

/** Whether a value of `CDN-Loop` contains `loopToken`; parameters of an id are ignored. */
export function namesLoop(value: string): boolean {
  return value
    .toLowerCase()
    .split(',')
    .some((entry) => entry.split(';', 1)[0]?.trim() === loopToken);
}
