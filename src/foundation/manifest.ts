/** What `package.json` says of this program. */
import { readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';

interface Manifest {
  version: string;
  description: string;
  /** The version of Node.js that everything is tested with. */
  dependencies: { node: string };
}

export const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as Manifest;
