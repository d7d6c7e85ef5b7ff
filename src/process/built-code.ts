/** Finds the programs as `npm run build` has bundled them, for as long as they are what the sources say. */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** What is bundled: each program's first source file, from the repository's root. */
export const programs = {
  serve: 'src/serve.ts',
  cli: 'src/cli/program.ts',
  render: 'workers/render-process.ts',
  fonts: 'workers/inspect-fonts.ts',
  svg: 'src/images/svg/rasterise.ts',
  backup: 'src/cli/backup/thread.ts',
  check: 'src/store/database/check.ts',
} as const;

export type ProgramName = keyof typeof programs;

/** What `npm run build` tells of the newest bundles. */
export interface Build {
  /** The folder of the bundles in `.build`, each of them a folder of its program's name. */
  folder: string;
  /** All files that they were made from, by their paths from the root, with their digests. */
  sources: Record<string, string>;
  /** All files of the bundles, by their paths in the folder, with their sizes in bytes. */
  files: Record<string, number>;
}

export const buildDirectory = new URL('../../.build/', import.meta.url);
export const buildFile = new URL('build.json', buildDirectory);

/**
 * The address of a program's first module: its bundle, or its source where a file was changed or left out since the
 * bundles were made, or they are not all there. A bundle loads in half the time: a module costs a millisecond in each
 * thread, and the types of TypeScript files another two (measured on 2 cores).
 */
export function findProgram(name: ProgramName): URL {
  const build = findBuild();
  if (build === undefined) return new URL(`../../${programs[name]}`, import.meta.url);
  return new URL(`${build.folder}/${name}/${name}.js`, buildDirectory);
}

/** The newest bundles, while they are whole and what the sources say. */
export function findBuild(): Build | undefined {
  try {
    const build = JSON.parse(readFileSync(buildFile, 'utf8')) as Build;
    const { folder, sources, files } = build;
    const isCurrent = Object.entries(sources).every(
      ([path, digest]) => sourceDigest(path) === digest,
    );
    // A power cut leaves files without their ends.
    const isWhole = Object.entries(files).every(
      ([path, sizeBytes]) =>
        statSync(new URL(`${folder}/${path}`, buildDirectory)).size === sizeBytes,
    );
    return isCurrent && isWhole ? build : undefined;
  } catch {
    // No build, half of one, or a source that is gone: the sources themselves still run.
    return undefined;
  }
}

/** The digest of a source file, by its path from the root. */
export function sourceDigest(path: string): string {
  return hash('sha256', readFileSync(new URL(`../../${path}`, import.meta.url)));
}
