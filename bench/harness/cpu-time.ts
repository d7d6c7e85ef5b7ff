/** CPU time of a process and its children, from /proc (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Unit of the times in /proc/<pid>/stat: 100 a second on every Linux that Node supports. */
const tickMs = 10;

interface ProcessStat {
  pid: number;
  parent: number;
  /** User and system time of all threads, with ended ones, and of children that ended. */
  ticks: number;
}

/** Milliseconds of CPU time that a process and all processes below it have used, with ended ones. */
export function treeCpuMs(root: number): number {
  const ticks = readTree(root).reduce((sum, each) => sum + each.ticks, 0);
  return ticks * tickMs;
}

/** Milliseconds of CPU time that the first thread of a process has used: that of the event loop, without helpers of V8. */
export function mainThreadCpuMs(pid: number): number {
  // proc_pid_schedstat(5): nanoseconds on a CPU, nanoseconds that it waited, times that it ran.
  const [ranNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return Number(ranNs) / 1e6;
}

/** Sets the priority of every thread of a process and of all processes below it (root only, −20 to 19). */
export function setTreePriority(root: number, priority: number): void {
  for (const { pid } of readTree(root)) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
  }
}

function readTree(root: number): ProcessStat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const tree = new Set([root]);
  let size = 0;
  while (size < tree.size) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

/** Empty for a process that has ended meanwhile. */
function readStat(pid: string): ProcessStat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name before this may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [, parent, ...rest] = fields;
    const ticks = rest.slice(9, 13).reduce((sum, each) => sum + Number(each), 0);
    return [{ pid: Number(pid), parent: Number(parent), ticks }];
  } catch {
    return [];
  }
}
