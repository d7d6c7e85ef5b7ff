/** The folder in which the program keeps what it would have to make again: bytecode, font files laid out. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** In the person's home: code in it is run, so it must be no folder into which others can put files. Not made here. */
export function userCacheDirectory(): string {
  return join(homedir(), '.cache', 'platen');
}
