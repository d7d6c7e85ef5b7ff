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

/** What is counted of one route. */
class RouteCounts {
  readonly statuses = new Map<number, number>();
  readonly causes = new Map<string, number>();
  readonly durations = new Float64Array(secondsBuckets.length + 1);
  seconds = 0;
  requests = 0;

  add(status: number, seconds: number): void {
    increment(this.statuses, status);
    let bucket = 0;
    while (seconds > (secondsBuckets[bucket] ?? Infinity)) bucket += 1;
    this.durations[bucket] = (this.durations[bucket] ?? 0) + 1;
    this.seconds += seconds;
    this.requests += 1;
  }
}

/**
 * Creates the counters. Label values are route names, status numbers and words of this code only, so their
 * number is bounded whatever callers send.
 */
export function createMetrics(gauges: () => Gauges): Metrics {
  // Counted by what they are, and put into words when somebody asks: a string built for each hit is dear.
  const routes = new Map<string, RouteCounts>();
  const renders = new Map<string, number>();

  return {
    count({ route, status, ms, cacheState, cause }) {
      let counts = routes.get(route);
      if (counts === undefined) routes.set(route, (counts = new RouteCounts()));
      counts.add(status, ms / 1000);
      if (cacheState !== undefined) increment(renders, cacheState);
      if (cause !== undefined) increment(counts.causes, cause);
    },
    route: {
      name: 'metrics',
      path: '/metrics',
      errorShape: 'render',
      get: () => ({
        status: 200,
        headers: ['Content-Type', 'text/plain; version=0.0.4', 'Cache-Control', 'no-store'],
        body: [
          ...counterLines(
            'platen_requests_total',
            'Answered requests.',
            labelled(routes, 'status', ({ statuses }) => statuses),
          ),
          ...counterLines(
            'platen_renders_total',
            'Answered renders by cache state.',
            [...renders].map(([state, count]) => [`cache="${state}"`, count]),
          ),
          ...counterLines(
            'platen_failures_total',
            'Answered errors, and pictures without one of their images, by cause.',
            labelled(routes, 'cause', ({ causes }) => causes),
          ),
          ...histogramLines(routes),
          ...gaugeLines(gauges()),
          '',
        ].join('\n'),
      }),
    },
  };
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

type Counter = [labels: string, count: number];

/** The counts of every route under its own and one more label. */
function labelled(
  routes: ReadonlyMap<string, RouteCounts>,
  label: string,
  countsOf: (counts: RouteCounts) => ReadonlyMap<string | number, number>,
): Counter[] {
  return [...routes].flatMap(([route, counts]) =>
    [...countsOf(counts)].map(([value, count]): Counter => [
      `route="${route}",${label}="${value}"`,
      count,
    ]),
  );
}

function counterLines(name: string, help: string, counters: readonly Counter[]): string[] {
  const lines = counters.map(([labels, count]) => `${name}{${labels}} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines];
}

function histogramLines(routes: ReadonlyMap<string, RouteCounts>): string[] {
  const name = 'platen_request_seconds';
  const lines = [`# HELP ${name} Time to answer, seconds.`, `# TYPE ${name} histogram`];
  for (const [route, { durations, seconds, requests }] of routes) {
    let below = 0;
    for (const [index, bound] of secondsBuckets.entries()) {
      below += durations[index] ?? 0;
      lines.push(`${name}_bucket{route="${route}",le="${bound}"} ${below}`);
    }
    lines.push(`${name}_bucket{route="${route}",le="+Inf"} ${requests}`);
    lines.push(
      `${name}_sum{route="${route}"} ${seconds}`,
      `${name}_count{route="${route}"} ${requests}`,
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
