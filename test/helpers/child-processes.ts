/** The processes that another one has started, as Linux lists them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Children of a process whose command line contains `text`. */
export function childrenOf(pid: number, text = ''): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const stat = readFileSync(`/proc/${each}/stat`, 'latin1');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === pid && readFileSync(`/proc/${each}/cmdline`, 'latin1').includes(text);
      } catch {
        return false;
      }
    });
}

/** Whether there is a process of this number that has not ended; one that nobody has waited for yet has. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
