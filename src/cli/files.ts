/** Files of commands: directories for generated files, and atomic writes. */
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../settings.ts';

/**
 * The user's cache directory. Cached code in it is executed, so other users must not be able to write to it. Not
 * created here.
 */
export function userCacheDirectory(): string {
  return join(homedir(), '.cache', 'platen');
}

/** The service's data directory if this user can write to it, otherwise the user's cache. */
export function workDirectory(config: Config): string {
  const directory = resolve(config.templates.dataDirectory);
  try {
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return userCacheDirectory();
  }
}

/** Temporary files that are not renamed yet; removed when the program ends. */
const drafts = new Set<string>();

process.on('exit', () => {
  for (const draft of drafts) rmSync(draft, { force: true });
});

/**
 * Writes `content` to `path`, and creates its folder if needed. It writes and syncs a temporary file, then renames it,
 * so that readers find either the whole new file or the whole old one.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  drafts.add(draft);
  try {
    const file = openSync(draft, 'w');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
    drafts.delete(draft);
  }
}
