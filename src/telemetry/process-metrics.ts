/** Figures of the process: memory, CPU time, open files, and the delay of its event loop. */
import { manifest } from '../foundation/product.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { usableMemoryBytes } from '../scheduling/memory-budget.ts';
import type { Family, Labels } from '../foundation/metric-families.ts';
import {
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
} from '../foundation/metric-families.ts';
import { openFilesMax } from '../foundation/process-usage.ts';
import { residentOf } from '../foundation/process-usage.ts';
import type { HostHoldings } from '../scheduling/hosts/hosts.ts';

export interface ProcessMetrics {
  families: readonly Family[];
  /** Stops watching the event loop. */
  close(): void;
}

/** Sampling interval of the event loop's delay, in ms: each sample wakes an idle service. */
const lagEveryMs = 100;

/** Upper bounds of the buckets in seconds. A turn of the loop over 20 ms delays every cache hit. */
const lagBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The label of base renders in the metrics, which has never changed. */
const baseRendersHolder = 'plans';

const { version } = manifest;

/** Starts to observe this process. Metric names are those of the Prometheus clients, if they have one. */
export function createProcessMetrics(): ProcessMetrics {
  const lag = new Histogram(lagBuckets);
  let expectedMs = performance.now() + lagEveryMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lag.observe(Math.max(0, nowMs - expectedMs) / 1000);
    expectedMs = nowMs + lagEveryMs;
  }, lagEveryMs);
  timer.unref();
  return {
    families: [
      histogramFamily(
        'platen_event_loop_lag_seconds',
        `Delay of the event loop of the main thread, measured every ${lagEveryMs} ms.`,
        lag,
      ),
      counterFamily(
        'platen_event_loop_busy_seconds_total',
        'Time in which the main thread was busy.',
        () => performance.eventLoopUtilization().active / 1000,
      ),
      ...serviceMemoryFamilies(),
      counterFamily(
        'process_cpu_seconds_total',
        'Processor time of all threads.',
        () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      ),
      gaugeFamily(
        'process_start_time_seconds',
        'Start of the process since the epoch.',
        () => performance.timeOrigin / 1000,
      ),
      gaugeFamily('process_open_fds', 'Open file descriptors.', openFiles),
      gaugeFamily(
        'process_max_fds',
        'File descriptors that may be open.',
        () => openFilesMax() ?? [],
      ),
      gaugeFamily('platen_build_info', 'Always 1; the labels have the versions.', () => [
        [{ version, node: process.version }, 1],
      ]),
    ],
    close: () => clearInterval(timer),
  };
}

function serviceMemoryFamilies(): Family[] {
  return [
    gaugeFamily(
      'process_resident_memory_bytes',
      'Resident memory of the main process; platen_memory_bytes has all processes.',
      () => process.memoryUsage.rss(),
    ),
    gaugeFamily(
      'platen_memory_limit_bytes',
      'Memory that the process may use: that of the machine, or the limit of its control group.',
      usableMemoryBytes,
    ),
    gaugeFamily(
      'nodejs_heap_size_used_bytes',
      'JavaScript objects of the main thread.',
      () => process.memoryUsage().heapUsed,
    ),
    gaugeFamily(
      'nodejs_heap_size_total_bytes',
      'Heap that the main thread reserves for JavaScript objects.',
      () => process.memoryUsage().heapTotal,
    ),
    gaugeFamily(
      'nodejs_external_memory_bytes',
      'Buffers of the main thread, with the cached images.',
      () => process.memoryUsage().external,
    ),
  ];
}

/** Counts open file descriptors; no sample without `/proc`. */
function openFiles(): number | [] {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return [];
  }
}

// The memory of the service and its render hosts by holder, and the rest that no holder counts.

/** Bytes by holder. */
type Holders = Record<string, number>;

interface MemorySources {
  /** Bytes in buffers of this process's caches, by cache. */
  caches: Readonly<Record<string, () => number>>;
  processes: () => readonly HostHoldings[];
}

/** The families of `/metrics`; without samples on systems without `/proc`. */
export function memoryFamilies(sources: MemorySources): Family[] {
  return [
    gaugeFamily(
      'platen_memory_bytes',
      'Resident memory by holder. The sum over all labels is the memory of the service; unaccounted is the rest.',
      () => memoryValues(sources),
    ),
    gaugeFamily(
      'platen_process_resident_bytes',
      'Resident memory of each process, shared files included.',
      () => residentValues(sources),
    ),
  ];
}

/** The values of `platen_memory_bytes`: `front` is the service's process, `render` and `svg` all of a kind. */
function* memoryValues({ caches, processes }: MemorySources): Generator<[Labels, number]> {
  const service = residentOf('self');
  if (service === undefined) return;
  const { heapTotal, external } = process.memoryUsage();
  const cached = Object.fromEntries(Object.entries(caches).map(([name, read]) => [name, read()]));
  const buffers = Math.max(0, external - sum(cached));
  yield* labelled('front', service.private, { js_heap: heapTotal, ...cached, buffers });
  let files = service.files;
  let renderBytes = 0;
  const held = { js_heap: 0, [baseRendersHolder]: 0, drawables: 0, parts: 0 };
  for (const { pid, figures } of processes()) {
    const resident = residentOf(pid);
    if (resident === undefined) continue;
    files = Math.max(files, resident.files);
    renderBytes += resident.private;
    held.js_heap += figures?.heapBytes ?? 0;
    held[baseRendersHolder] += figures?.baseRendersBytes ?? 0;
    held.drawables += figures?.drawablesBytes ?? 0;
    held.parts += figures?.partsBytes ?? 0;
  }
  yield* labelled('render', renderBytes, held);
  let svgBytes = 0;
  const rendering = new Set(processes().map(({ pid }) => pid));
  for (const pid of childPids()) {
    if (!rendering.has(pid)) svgBytes += residentOf(pid)?.private ?? 0;
  }
  yield [{ process: 'svg', holder: 'all' }, svgBytes];
  yield [{ process: 'all', holder: 'mapped_files' }, files];
}

/** The SVG processes: all other children of this process. Empty if the kernel does not list children. */
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
  // Negative if a holder counts memory that is not resident. Reported as it is, so that the sum is correct.
  yield [{ process: name, holder: 'unaccounted' }, residentBytes - sum(holders)];
}

function* residentValues({ processes }: MemorySources): Generator<[Labels, number]> {
  const all = [['front', 'self'], ...processes().map(({ pid }, at) => [`render-${at + 1}`, pid])];
  for (const [name, pid] of all) {
    const resident = residentOf(pid ?? '');
    if (resident !== undefined)
      yield [{ process: String(name) }, resident.private + resident.files];
  }
}

function sum(holders: Holders): number {
  return Object.values(holders).reduce((total, bytes) => total + bytes, 0);
}
