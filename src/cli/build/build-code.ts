/** `npm run build`: bundles the programs into `.build`, so that they start sooner; nothing to do while no source changes. */
import { hash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildDirectory,
  buildFile,
  findBuild,
  programs,
  sourceDigest,
} from '../../process/built-code.ts';
import type { Build, ProgramName } from '../../process/built-code.ts';
import { bundle } from './bundle.ts';

/** Builds that stay: the newest, and the one that a running service may still load parts of. */
const buildsMax = 2;

/** What the bundles depend on beside the sources: the packages, and how bundles are made. */
const otherSources = ['package-lock.json', 'src/process/built-code.ts', 'src/cli/build/bundle.ts'];

const directory = fileURLToPath(buildDirectory);
const draftPrefix = 'draft-';
const draft = join(directory, `${draftPrefix}${process.pid}`);

if (findBuild() === undefined) {
  try {
    await buildAll();
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function buildAll(): Promise<void> {
  const paths = new Set(otherSources);
  for (const name of Object.keys(programs) as ProgramName[]) {
    for (const path of await bundle(name, draft)) paths.add(path);
  }
  const sources = Object.fromEntries(
    [...paths].toSorted().map((path) => [path, sourceDigest(path)]),
  );
  const folder = hash('sha256', JSON.stringify(sources)).slice(0, 16);
  const files = fileSizes(draft);
  // Another build may have finished meanwhile, and a service run it.
  if (findBuild()?.folder === folder) return;
  rmSync(join(directory, folder), { recursive: true, force: true });
  renameSync(draft, join(directory, folder));
  writeBuild({ folder, sources, files });
  removeOldBuilds(folder);
}

function fileSizes(folder: string): Record<string, number> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = paths.map((path) => ({ path, stats: statSync(join(folder, path)) }));
  return Object.fromEntries(
    found.filter(({ stats }) => stats.isFile()).map(({ path, stats }) => [path, stats.size]),
  );
}

/** Whoever reads it meanwhile reads all of it or the one before. */
function writeBuild(newest: Build): void {
  const file = fileURLToPath(buildFile);
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(newest));
  renameSync(`${file}-${process.pid}`, file);
}

/** Removes all but the newest builds, and the drafts of builds that were cut off. */
function removeOldBuilds(newest: string): void {
  const entries = readdirSync(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const madeMs = (name: string): number => statSync(join(directory, name)).mtimeMs;
  const old = folders
    .filter((name) => name !== newest && !name.startsWith(draftPrefix))
    .toSorted((a, b) => madeMs(b) - madeMs(a))
    .slice(buildsMax - 1);
  const lost = folders.filter((name) => name.startsWith(draftPrefix) && !isRunning(name));
  for (const name of [...old, ...lost]) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Whether the process that makes a draft still runs. */
function isRunning(name: string): boolean {
  try {
    process.kill(Number(name.slice(draftPrefix.length)), 0);
    return true;
  } catch {
    return false;
  }
}
