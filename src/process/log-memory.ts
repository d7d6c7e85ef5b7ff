/** Tells at the start how the memory is divided, and what is wrong with so little. */
import type { Log } from '../foundation/log.ts';
import type { CacheSizes } from '../scheduling/memory-budget.ts';
import { memoryBudget, memoryProblem, usableMemoryBytes } from '../scheduling/memory-budget.ts';

const mebibyte = 1024 * 1024;

/** The sections of the configuration that say what memory is for. */
interface MemoryConfig {
  cache: Omit<CacheSizes, 'sourcesBytesMax'>;
  images: { cacheBytesMax: number };
  render: { threads: number };
}

/** Logs the budget, a figure a cache of one process included, in mebibytes. */
export function logMemory({ cache, images, render }: MemoryConfig, log: Log): void {
  const memoryBytes = usableMemoryBytes();
  const caches = { ...cache, sourcesBytesMax: images.cacheBytesMax };
  const budget = memoryBudget(caches, render.threads);
  const sizes = inMebibytes({ usable: memoryBytes, ...budget, ...caches });
  log.info('memory', { processes: render.threads, ...sizes });
  const problem = memoryProblem(memoryBytes, budget);
  if (problem !== undefined) log.warn('memory', { detail: problem });
}

/** `plansBytesMax` becomes `plansMib`. */
function inMebibytes(sizes: object): Record<string, number> {
  const named = Object.entries(sizes).map(([name, bytes]): [string, number] => [
    `${name.replace(/BytesMax$/, '')}Mib`,
    Math.round(Number(bytes) / mebibyte),
  ]);
  return Object.fromEntries(named);
}
