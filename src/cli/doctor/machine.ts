/** Checks of `platen doctor` on the machine: Node, limits, memory, clock. */
import { manifest } from '../../foundation/product.ts';
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { packagePath } from '#paths.ts';
import { buildProblem } from '../../process/build-stamp.ts';
import type { Config } from '../../settings.ts';
import { usableMemoryBytes } from '../../scheduling/memory-budget.ts';
import { memoryBudget, memoryBytesMin, memoryProblem } from '../../scheduling/memory-budget.ts';
import type { Check } from './data.ts';

const mebibyte = 1024 * 1024;

/**
 * Limits for open files. Each connection is a descriptor, and a load balancer keeps thousands open. systemd's default
 * is 524,288 (hard).
 */
const openFilesMin = 1024;
const openFilesGood = 8192;

/** Maximum delay of the clock behind stored times, for differences between machines. */
const clockSlackMs = 5 * 60 * 1000;

/** Compares Node's version with that of package.json, with which all tests run. */
export function checkNode(): Check[] {
  const wanted = manifest.dependencies.node;
  const found = process.versions.node;
  if (found === wanted) return [{ status: 'ok', detail: `version ${found}` }];
  return [
    {
      status: found.split('.')[0] === wanted.split('.')[0] ? 'warning' : 'problem',
      detail: `version ${found}, tested with ${wanted}`,
      advice:
        'Start the service with npm start or npm run platen: they use the version that npm install has brought.',
    },
  ];
}

/** Whether `dist/` is up to date. */
export function checkBundles(): Check[] {
  const problem = buildProblem();
  if (problem === undefined) return [{ status: 'ok', detail: 'dist/ is up to date' }];
  return [{ status: 'warning', detail: problem, advice: 'Run npm run build.' }];
}

/** The limit on open files; only Linux reports it. */
export function checkLimits(): Check[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return [{ status: 'ok', detail: 'not reported by this system' }];
  }
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(text) ?? [];
  const openFiles = soft === 'unlimited' ? Infinity : Number(soft);
  if (openFiles >= openFilesGood) return [{ status: 'ok', detail: `${soft} open files` }];
  return [
    {
      status: openFiles < openFilesMin ? 'problem' : 'warning',
      detail: `${soft} open files, and each connection is one`,
      advice: `Raise it: LimitNOFILE=${openFilesGood} or more in the unit, or ulimit -n.`,
    },
  ];
}

/** Whether processes and caches fit into the memory of the machine or its control group. */
export function checkMemory({ render, cache }: Config): Check[] {
  const memory = usableMemoryBytes();
  const budget = memoryBudget(cache, render.threadCount);
  const detail = `${inMebibytes(memory)} for ${render.threadCount} render threads; the budget is ${inMebibytes(budget.sum)}`;
  const problem = memoryProblem(memory, budget);
  const cores = availableParallelism();
  const checks: Check[] = [];
  if (problem === undefined) checks.push({ status: 'ok', detail });
  else {
    const status = memory < memoryBytesMin ? 'problem' : 'warning';
    checks.push({ status, detail, advice: problem });
  }
  if (render.threadCount > cores) {
    checks.push({
      status: 'warning',
      detail: `${render.threadCount} processes on ${cores} cores`,
      advice: 'More processes than cores make every image slower: leave PLATEN_THREADS away.',
    });
  }
  return checks;
}

/** Checks the clock. A wrong clock ends signed links too early or too late, and orders versions wrongly. */
export async function checkClock(config: Config): Promise<Check[]> {
  const { newestTimestamp } = await import('./data.ts');
  const installed = statSync(packagePath('package.json')).mtimeMs;
  const newest = Math.max(installed, newestTimestamp(config) ?? 0);
  const now = Date.now();
  if (newest <= now + clockSlackMs) return [{ status: 'ok', detail: new Date(now).toISOString() }];
  return [
    {
      status: 'problem',
      detail: `it is ${new Date(now).toISOString()} here, but something was stored at ${new Date(newest).toISOString()}`,
      advice: 'Set the clock, and let a time service keep it (systemd-timesyncd, chrony).',
    },
  ];
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}
