/** Memory of a process and its descendants, from `/proc` (proc_pid_smaps_rollup(5)). */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../helpers/child-processes.ts';

export interface ProcessMemory {
  pid: number;
  /** What a process of the service is for. */
  role: 'front' | 'render' | 'svg' | 'other';
  residentBytes: number;
  /** Its share of what it shares with others: the sum over all processes is what they take together. */
  proportionalBytes: number;
  /** Not of a file: heap, stacks and buffers. */
  anonymousBytes: number;
}

/** The process and all below it, those that have just ended left out. */
export function readProcessTree(rootPid: number): ProcessMemory[] {
  const pids = [rootPid];
  for (const pid of pids) pids.push(...childrenOf(pid));
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
    };
  } catch {
    return undefined;
  }
}

function roleOf(commandLine: string): ProcessMemory['role'] {
  if (commandLine.includes('svg-rasterise')) return 'svg';
  const program = /(?:^|\0)[^\0]*node\0(?:--[^\0]*\0)*[^\0]*\/render(?:-process)?\.[jt]s\0/;
  return program.test(commandLine) && !commandLine.startsWith('/bin/sh') ? 'render' : 'other';
}
