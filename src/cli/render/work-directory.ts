/** Where a command lays out fonts and code for what it draws. */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { userCacheDirectory } from '../user-cache.ts';

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
