/** What a start says of the machine and of the HTTP server's build. */
import { readAddonVersion } from '../http/addon-version.ts';
import { isLoopback, kernelAdvice, unmetKernelSettings } from './kernel-settings.ts';
import type { Log } from '../foundation/log.ts';
import type { CacheSizes } from '../scheduling/memory-budget.ts';
import { memoryBudget, memoryProblem, usableMemoryBytes } from '../scheduling/memory-budget.ts';

/** Logs the HTTP server's build, and warns of network settings that hostile readers could use. */
export function logStartChecks({ http: { host } }: { http: { host: string } }, log: Log): void {
  const { sha256, known } = readAddonVersion();
  log.info('http server', {
    sha256,
    source: known?.source ?? 'not known',
    upstream: known?.upstream,
  });
  const unmet = isLoopback(host) ? [] : unmetKernelSettings();
  if (unmet.length > 0) {
    log.warn('kernel settings', { detail: `${unmet.join('; ')}. ${kernelAdvice}` });
  }
}

// Tells at the start how the memory is divided, and what is wrong with so little.

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
