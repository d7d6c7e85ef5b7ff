/** Directories for what the program can make again: bytecode and prepared font files. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { accessSync, constants } from 'node:fs';
import type { Config } from '../config/config.ts';

/** In the person's home: code in it is run, so it must be no folder into which others can put files. Not made here. */
export function userCacheDirectory(): string {
  return join(homedir(), '.cache', 'platen');
}

/** The service's data directory if this user may write there, else one of the user's own. */
export function workDirectory(config: Config): string {
  const directory = resolve(config.templates.dataDirectory);
  try {
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return userCacheDirectory();
  }
}
