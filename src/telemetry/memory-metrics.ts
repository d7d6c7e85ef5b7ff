/** Where the memory of the service and its render processes goes, by holder: what is counted, and what is left. */
import { readFileSync } from 'node:fs';
import type { Family, Labels } from '../foundation/metric-families.ts';
import { gaugeFamily } from '../foundation/metric-families.ts';
import { residentOf } from '../foundation/process-usage.ts';
import type { ProcessHoldings } from '../scheduling/processes/processes.ts';

/** Bytes by holder. */
type Holders = Record<string, number>;

export interface MemorySources {
  /** Bytes that the caches of this process hold in buffers, by cache. */
  caches: Readonly<Record<string, () => number>>;
  processes: () => readonly ProcessHoldings[];
}

/** The families of `/metrics`; without lines where the system has no `/proc` (Linux only). */
export function memoryFamilies(sources: MemorySources): Family[] {
  return [
    gaugeFamily(
      'platen_memory_bytes',
      'Resident memory by holder. The sum over all labels is what the service takes; unaccounted is what no other holder counts.',
      () => memoryValues(sources),
    ),
    gaugeFamily(
      'platen_process_resident_bytes',
      'Resident memory of each process, shared files included.',
      () => residentValues(sources),
    ),
  ];
}

/** The values of `platen_memory_bytes`: `front` is the process that answers, `render` all that render, `svg` all that draw SVG. */
function* memoryValues({ caches, processes }: MemorySources): Generator<[Labels, number]> {
  const own = residentOf('self');
  if (own === undefined) return;
  const { heapTotal, external } = process.memoryUsage();
  const cached = Object.fromEntries(Object.entries(caches).map(([name, read]) => [name, read()]));
  const buffers = Math.max(0, external - sum(cached));
  yield* labelled('front', own.own, { js_heap: heapTotal, ...cached, buffers });
  let files = own.files;
  let renderBytes = 0;
  const held = { js_heap: 0, plans: 0, drawables: 0, parts: 0 };
  for (const { pid, figures } of processes()) {
    const resident = residentOf(pid);
    if (resident === undefined) continue;
    files = Math.max(files, resident.files);
    renderBytes += resident.own;
    held.js_heap += figures?.heapBytes ?? 0;
    held.plans += figures?.plansBytes ?? 0;
    held.drawables += figures?.drawablesBytes ?? 0;
    held.parts += figures?.partsBytes ?? 0;
  }
  yield* labelled('render', renderBytes, held);
  let svgBytes = 0;
  const rendering = new Set(processes().map(({ pid }) => pid));
  for (const pid of childPids()) {
    if (!rendering.has(pid)) svgBytes += residentOf(pid)?.own ?? 0;
  }
  yield [{ process: 'svg', holder: 'all' }, svgBytes];
  yield [{ process: 'all', holder: 'mapped_files' }, files];
}

/** All other children of this process draw SVG. Empty where the kernel does not list them. */
function childPids(): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function* labelled(
  name: string,
  residentBytes: number,
  holders: Holders,
): Generator<[Labels, number]> {
  for (const [holder, bytes] of Object.entries(holders)) yield [{ process: name, holder }, bytes];
  // Negative where a holder counts memory that is not resident: told as it is, so that the sum stays true.
  yield [{ process: name, holder: 'unaccounted' }, residentBytes - sum(holders)];
}

function* residentValues({ processes }: MemorySources): Generator<[Labels, number]> {
  const all = [['front', 'self'], ...processes().map(({ pid }, at) => [`render-${at + 1}`, pid])];
  for (const [name, pid] of all) {
    const resident = residentOf(pid ?? '');
    if (resident !== undefined) yield [{ process: String(name) }, resident.own + resident.files];
  }
}

function sum(holders: Holders): number {
  return Object.values(holders).reduce((total, bytes) => total + bytes, 0);
}
