/** Counts what the service does, and writes it down in the Prometheus text format. */
import type { RequestRecord, Route } from './http/server.ts';

/** What is read at the moment of asking. */
export interface Gauges {
  queueLength: number;
  busyThreads: number;
  threads: number;
  flights: number;
  cacheBytes: number;
  cacheEntries: number;
  aliases: number;
}

export interface Metrics {
  /** Counts a finished request; cheap enough for the hit path. */
  count(record: RequestRecord): void;
  /** `GET /metrics`. */
  route: Route;
}

/** Upper bounds of the duration buckets, seconds: from a hit to the longest deadline. */
const secondsBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

/** One route's durations. */
class Histogram {
  readonly counts = new Float64Array(secondsBuckets.length + 1);
  seconds = 0;
  count = 0;

  add(seconds: number): void {
    const index = secondsBuckets.findIndex((bound) => seconds <= bound);
    const bucket = index === -1 ? secondsBuckets.length : index;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.seconds += seconds;
    this.count += 1;
  }
}

/**
 * Creates the counters. Label values are route names, status numbers and words of this code only, so their
 * number is bounded whatever callers send.
 */
export function createMetrics(gauges: () => Gauges): Metrics {
  const requests = new Map<string, number>();
  const renders = new Map<string, number>();
  const failures = new Map<string, number>();
  const durations = new Map<string, Histogram>();

  return {
    count({ route, status, ms, cacheState, cause }) {
      increment(requests, `route="${route}",status="${status}"`);
      if (cacheState !== undefined) increment(renders, `cache="${cacheState}"`);
      if (cause !== undefined) increment(failures, `route="${route}",cause="${cause}"`);
      let histogram = durations.get(route);
      if (histogram === undefined) durations.set(route, (histogram = new Histogram()));
      histogram.add(ms / 1000);
    },
    route: {
      name: 'metrics',
      path: '/metrics',
      errorShape: 'render',
      get: () => ({
        status: 200,
        headers: ['Content-Type', 'text/plain; version=0.0.4', 'Cache-Control', 'no-store'],
        body: [
          ...counterLines('platen_requests_total', 'Answered requests.', requests),
          ...counterLines('platen_renders_total', 'Answered renders by cache state.', renders),
          ...counterLines(
            'platen_failures_total',
            'Answered errors, and pictures without one of their images, by cause.',
            failures,
          ),
          ...histogramLines(durations),
          ...gaugeLines(gauges()),
          '',
        ].join('\n'),
      }),
    },
  };
}

function increment(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function counterLines(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const lines = [...counts].map(([labels, count]) => `${name}{${labels}} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines];
}

function histogramLines(histograms: ReadonlyMap<string, Histogram>): string[] {
  const name = 'platen_request_seconds';
  const lines = [`# HELP ${name} Time to answer, seconds.`, `# TYPE ${name} histogram`];
  for (const [route, { counts, seconds, count }] of histograms) {
    let below = 0;
    for (const [index, bound] of secondsBuckets.entries()) {
      below += counts[index] ?? 0;
      lines.push(`${name}_bucket{route="${route}",le="${bound}"} ${below}`);
    }
    lines.push(`${name}_bucket{route="${route}",le="+Inf"} ${count}`);
    lines.push(
      `${name}_sum{route="${route}"} ${seconds}`,
      `${name}_count{route="${route}"} ${count}`,
    );
  }
  return lines;
}

function gaugeLines(gauges: Gauges): string[] {
  const values: [name: string, help: string, value: number][] = [
    ['platen_render_queue_length', 'Renders that wait for a thread.', gauges.queueLength],
    ['platen_render_threads_busy', 'Threads at work.', gauges.busyThreads],
    ['platen_render_threads', 'Threads that render.', gauges.threads],
    ['platen_render_flights', 'Renders in the making.', gauges.flights],
    ['platen_render_cache_bytes', 'Bytes of kept renders.', gauges.cacheBytes],
    ['platen_render_cache_entries', 'Kept renders.', gauges.cacheEntries],
    ['platen_render_links', 'Remembered links.', gauges.aliases],
    ['process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()],
  ];
  return values.flatMap(([name, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`,
  ]);
}
