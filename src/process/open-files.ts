/** How many files, sockets among them, this process may have open. */
import { readFileSync } from 'node:fs';

/** The soft limit, as in proc_pid_limits(5), which Node raises to the hard one at its start; undefined where the system does not tell. */
export function openFilesMax(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
