/** Memory of a process and its descendants, from `/proc` (proc_pid_smaps_rollup(5)). */
import { readdirSync, readFileSync } from 'node:fs';

/** What a process of the service is for. */
export type Role = 'front' | 'render' | 'svg' | 'other';

export interface ProcessMemory {
  pid: number;
  role: Role;
  residentBytes: number;
  /** Its share of what it shares with others: the sum over all processes is what they take together. */
  proportionalBytes: number;
  /** Not of a file: heap, stacks and buffers. */
  anonymousBytes: number;
  /** Processor time of all its threads so far. */
  cpuMs: number;
}

/** The process and all below it, those that have just ended left out. */
export function readProcessTree(rootPid: number): ProcessMemory[] {
  const childrenOf = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const pids = [rootPid];
  for (const pid of pids) pids.push(...(childrenOf.get(pid) ?? []));
  return pids.flatMap((pid) => readProcess(pid, pid === rootPid) ?? []);
}

function readProcess(pid: number, isRoot: boolean): ProcessMemory | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
    return {
      pid,
      role: isRoot ? 'front' : roleOf(readFileSync(`/proc/${pid}/cmdline`, 'latin1')),
      residentBytes: bytes('Rss'),
      proportionalBytes: bytes('Pss'),
      anonymousBytes: bytes('Anonymous'),
      // Fields 14 and 15 (proc_pid_stat(5)), in ticks of 10 ms.
      cpuMs: (Number(statusFields(pid)[11]) + Number(statusFields(pid)[12])) * 10,
    };
  } catch {
    return undefined;
  }
}

function roleOf(commandLine: string): Role {
  if (commandLine.includes('svg-rasterise')) return 'svg';
  const program = /(?:^|\0)[^\0]*node\0(?:--[^\0]*\0)*[^\0]*\/render(?:-process)?\.[jt]s\0/;
  return program.test(commandLine) && !commandLine.startsWith('/bin/sh') ? 'render' : 'other';
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(statusFields(pid)[1]);
  } catch {
    return undefined;
  }
}

/** The fields after the command's name, from the third on. */
function statusFields(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
}
