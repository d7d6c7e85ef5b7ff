/** The CPU time, the state and the memory of a process, read from `/proc`. */
import { readFileSync } from 'node:fs';

/** Milliseconds of a clock tick of `/proc/<pid>/stat`: `USER_HZ` is 100 on every architecture that Node runs on. */
const tickMs = 10;

/**
 * CPU time since its start, user and system, of all threads of a process, or of one thread, `<pid>/task/<number>`;
 * undefined without `/proc`.
 */
export function cpuMsOf(pid: number | string): number | undefined {
  const fields = readStat(`/proc/${pid}/stat`);
  // Fields 14 and 15 of proc(5).
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * tickMs : undefined;
}

/** Resident memory of a process in bytes: private memory, and mapped files, which processes share. */
export interface Resident {
  private: number;
  files: number;
}

/** Undefined without `/proc`, and for a process that has ended. */
export function residentOf(pid: number | string): Resident | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const bytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { private: bytes('RssAnon') + bytes('RssShmem'), files: bytes('RssFile') };
  } catch {
    return undefined;
  }
}

/** Whether a thread, `<pid>/task/<number>`, runs or would run on a free core; false without `/proc`. */
export function isRunnable(thread: string): boolean {
  const [state = ''] = readStat(`/proc/${thread}/stat`);
  return 'RD'.includes(state);
}

/** Whether a signal or a debugger has stopped the process; false without `/proc`. */
export function isStopped(pid: number): boolean {
  const [state = ''] = readStat(`/proc/${pid}/stat`);
  return state === 'T' || state === 't';
}

/** The fields of a stat file from the third, the state. The second is a name in parentheses with any characters. */
function readStat(path: string): string[] {
  try {
    const text = readFileSync(path, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

// The number of files, including sockets, that this process may have open.

/** The soft limit (proc_pid_limits(5)), which Node raises to the hard limit at its start; undefined without `/proc`. */
export function openFilesMax(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

// The processes that the kernel has killed.

/**
 * Processes that the kernel of the machine has killed since its start because memory was short (`oom_kill` of
 * `/proc/vmstat`), in any control group; 0 where it does not report them.
 */
export function kernelKills(): number {
  try {
    return Number(/^oom_kill (\d+)/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
