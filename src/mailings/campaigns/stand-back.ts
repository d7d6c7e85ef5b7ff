/** Lets links come first: work of campaigns has the lowest priority. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** The lowest priority of Linux: links come first. */
const niceness = 19;

/** Lowers the priority of this thread. Only Linux has a priority for each thread. */
export function standBack(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
}
