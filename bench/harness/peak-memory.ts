/** The peak of a process's memory, from /proc (proc(5)). */
import { readFileSync, writeFileSync } from 'node:fs';

/** Restarts the measurement of the peak of a process (Linux, `clear_refs` in proc(5)). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Peak of resident memory; 0 of a process that has ended. */
export function peakBytesOf(pid: number): number {
  try {
    const [, kilobytes = 0] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
