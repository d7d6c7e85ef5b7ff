/** Control groups with a memory limit, of version 1 or 2, for programs that are to run in little memory (needs root). */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ControlGroup {
  /** Shell command that moves the shell, and what it becomes, into the group. */
  enterCommand: string;
  /** The most bytes that were charged to the group, the page cache included. */
  peakBytes(): number;
  /** Processes that the kernel has ended for lack of memory. */
  kills(): number;
  /** Deletes the group; its processes must have ended. */
  remove(): void;
}

/** Creates a group below that of this process. Throws where the system does not let it. */
export function createControlGroup(name: string, limitBytes: number): ControlGroup {
  const memberships = readFileSync('/proc/self/cgroup', 'utf8');
  const legacy = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m.exec(memberships)?.[1];
  const unified = /^0::(.*)$/m.exec(memberships)?.[1] ?? '/';
  const parent =
    legacy === undefined ? join('/sys/fs/cgroup', unified) : join('/sys/fs/cgroup/memory', legacy);
  const path = join(
    existsSync(parent) ? parent : '/sys/fs/cgroup/memory',
    `${name}-${process.pid}`,
  );
  const files =
    legacy === undefined
      ? {
          limit: 'memory.max',
          swap: 'memory.swap.max',
          peak: 'memory.peak',
          kills: 'memory.events',
        }
      : {
          limit: 'memory.limit_in_bytes',
          swap: undefined,
          peak: 'memory.max_usage_in_bytes',
          kills: 'memory.oom_control',
        };
  mkdirSync(path);
  writeFileSync(join(path, files.limit), String(limitBytes));
  if (files.swap !== undefined && existsSync(join(path, files.swap))) {
    writeFileSync(join(path, files.swap), '0');
  }
  const read = (file: string): string => readFileSync(join(path, file), 'utf8');
  return {
    enterCommand: `echo $$ > '${join(path, 'cgroup.procs')}'`,
    peakBytes: () => Number(read(files.peak)),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(files.kills))?.[1] ?? 0),
    remove: () => rmdirSync(path),
  };
}
