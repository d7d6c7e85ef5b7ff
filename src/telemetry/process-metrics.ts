/** What the process itself tells: memory, processor time, open files, and how late its event loop is. */
import { readdirSync, readFileSync } from 'node:fs';
import { packagePath } from '#paths.ts';
import { usableMemoryBytes } from '../scheduling/memory-budget.ts';
import type { Family } from '../foundation/metric-families.ts';
import {
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
} from '../foundation/metric-families.ts';
import { openFilesMax } from '../process/open-files.ts';

export interface ProcessMetrics {
  families: readonly Family[];
  /** Stops watching the event loop. */
  close(): void;
}

/** How often the event loop is asked how late it is; 50 short timers a second cost nothing that can be measured. */
const lagEveryMs = 20;

/** Upper bounds, seconds: a turn of the loop that takes over 20 ms is felt by every hit. */
const lagBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string;
};

/** Starts to watch this process. Names are those of the Prometheus clients where they have one. */
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
        `How late the event loop of the main thread is, asked every ${lagEveryMs} ms.`,
        lag,
      ),
      counterFamily(
        'platen_event_loop_busy_seconds_total',
        'Time in which the main thread had something to do.',
        () => performance.eventLoopUtilization().active / 1000,
      ),
      ...memoryFamilies(),
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
      gaugeFamily('platen_build_info', 'Always 1; the labels say what runs.', () => [
        [{ version, node: process.version }, 1],
      ]),
    ],
    close: () => clearInterval(timer),
  };
}

function memoryFamilies(): Family[] {
  return [
    gaugeFamily(
      'process_resident_memory_bytes',
      'Resident memory of the process that answers; platen_memory_bytes has all of them.',
      () => process.memoryUsage.rss(),
    ),
    gaugeFamily(
      'platen_memory_limit_bytes',
      'Memory that the process may use: the machine’s, or what its control group leaves of it.',
      usableMemoryBytes,
    ),
    gaugeFamily(
      'nodejs_heap_size_used_bytes',
      'JavaScript objects of the main thread.',
      () => process.memoryUsage().heapUsed,
    ),
    gaugeFamily(
      'nodejs_heap_size_total_bytes',
      'Room that the main thread holds for JavaScript objects.',
      () => process.memoryUsage().heapTotal,
    ),
    gaugeFamily(
      'nodejs_external_memory_bytes',
      'Buffers of the main thread, pictures in the caches among them.',
      () => process.memoryUsage().external,
    ),
  ];
}

/** No line at all where the system does not tell. */
function openFiles(): number | [] {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return [];
  }
}
