/** Files of commands: directories for what the program can make again, and writes that are never seen half done. */
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
import type { Config } from '../config/config.ts';

/** In the user's home: code in it is run, so that other users must not write there. Not created here. */
export function userCacheDirectory(): string {
  return join(homedir(), '.cache', 'platen');
}

/** The service's data directory if this user may write there, else the user's cache. */
export function workDirectory(config: Config): string {
  const directory = resolve(config.templates.dataDirectory);
  try {
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return userCacheDirectory();
  }
}

/** Files that are not renamed yet; removed when the program ends. */
const drafts = new Set<string>();

process.on('exit', () => {
  for (const draft of drafts) rmSync(draft, { force: true });
});

/**
 * Writes `content` to `path`, and creates its folder if needed. It writes to disk under another name and renames the file,
 * so that readers find all of the new file or all of the old one.
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
