/** `GET /metrics`: counters and gauges of the service in the Prometheus text format. */
import type { RequestRecord, Route, Server } from '../http/server.ts';
import { droppedLines } from '../foundation/log.ts';
import type { CacheFigures, Family } from '../foundation/metric-families.ts';
import {
  cacheFamilies,
  counterFamily,
  gaugeFamily,
  writeFamilies,
} from '../foundation/metric-families.ts';
import { memoryFamilies } from './process-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import type { RenderService } from '../render/get-render.ts';
import { lossCauses } from '../scheduling/processes/lost-render.ts';
import type { RenderPool } from '../scheduling/pool.ts';
import { RequestMetrics } from './request-metrics.ts';

/** The sources that a scrape reads. */
export interface MetricsSources extends Pick<
  RenderService,
  'aliases' | 'cache' | 'flights' | 'loader' | 'stats'
> {
  pool: Pick<
    RenderPool,
    'queueLength' | 'busyThreads' | 'threadFailures' | 'waits' | 'quarantine' | 'memory'
  >;
  /** Render processes. */
  threads: number;
  assets: { figures: CacheFigures };
  /** Files of organizations' fonts. */
  fontFiles: { bytes: number; restored: number };
  /** The service's server; undefined before it exists. */
  server: () => Pick<Server, 'openRequests' | 'openConnections' | 'refusedConnections'> | undefined;
  /** The parts of `/readyz`. */
  isReady: () => boolean;
  /** Whether templates and uploads can be stored. */
  isStorageWritable: () => boolean;
}

export interface Metrics {
  /** Names of the routes whose errors start at 0, so that an alarm sees the first one. */
  expect(routes: readonly string[]): void;
  /** Counts a finished request, also on the path of cache hits. */
  count(record: RequestRecord): void;
  /** `GET /metrics`. */
  route: Route;
  /** Stops watching the process. */
  close(): void;
}

/** Version 0.0.4 of the exposition format, which every scraper accepts. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Creates the counters. Label values are constants of this code and uids of templates, so their number is bounded.
 * No text of a client becomes a label value.
 */
export function createMetrics(sources: MetricsSources): Metrics {
  const requests = new RequestMetrics();
  const process = createProcessMetrics();
  const lasting = [...serviceFamilies(sources), ...process.families];
  return {
    expect: (routes) => requests.expect(routes),
    count: (record) => requests.count(record),
    route: {
      name: 'metrics',
      path: '/metrics',
      errorShape: 'render',
      get: () => ({
        status: 200,
        headers: ['Content-Type', contentType, 'Cache-Control', 'no-store'],
        body: writeFamilies([...requests.families(), ...lasting]),
      }),
    },
    close: () => process.close(),
  };
}

function serviceFamilies(sources: MetricsSources): Family[] {
  const { stats, loader, cache, aliases, assets, fontFiles, flights, pool, threads } = sources;
  return [
    gaugeFamily('platen_ready', '1 while /readyz answers 200, else 0.', () =>
      sources.isReady() ? 1 : 0,
    ),
    gaugeFamily(
      'platen_storage_writable',
      '1 while templates can be stored, 0 while the file system of the data folder is read-only or the database is damaged.',
      () => (sources.isStorageWritable() ? 1 : 0),
    ),
    gaugeFamily(
      'platen_open_requests',
      'Requests that are not answered to their last byte.',
      () => sources.server()?.openRequests ?? 0,
    ),
    gaugeFamily(
      'platen_open_connections',
      'Open connections.',
      () => sources.server()?.openConnections ?? 0,
    ),
    counterFamily(
      'platen_connections_refused_total',
      'Connections that were closed at once, because too many were open.',
      () => sources.server()?.refusedConnections ?? 0,
    ),
    ...threadFamilies(pool, threads),
    gaugeFamily('platen_render_flights', 'Pictures in the making.', () => flights.size),
    ...stats.families(),
    ...loader.stats.families(),
    ...cacheFamilies({
      renders: () => cache.figures,
      links: () => aliases.figures,
      sources: () => loader.stats.cache(),
      assets: () => assets.figures,
    }),
    gaugeFamily(
      'platen_font_files_bytes',
      'Bytes of the organizations’ fonts that are laid out in the data folder, 536870912 at most.',
      () => fontFiles.bytes,
    ),
    counterFamily(
      'platen_font_files_restored_total',
      'Laid-out fonts that were missing or damaged when a thread loaded them, and were written again.',
      () => fontFiles.restored,
    ),
    ...holderFamilies(sources),
    counterFamily(
      'platen_log_lines_dropped_total',
      'Lines of the log that nobody read in time.',
      droppedLines,
    ),
  ];
}

function holderFamilies({ cache, loader, assets, pool }: MetricsSources): Family[] {
  return memoryFamilies({
    caches: {
      renders: () => cache.figures.bytes,
      sources: () => loader.stats.cache().bytes,
      assets: () => assets.figures.bytes,
    },
    processes: () => pool.memory,
  });
}

function threadFamilies(pool: MetricsSources['pool'], threads: number): Family[] {
  return [
    gaugeFamily(
      'platen_render_queue_length',
      'Renders that wait for a thread.',
      () => pool.queueLength,
    ),
    gaugeFamily('platen_render_threads_busy', 'Threads at work.', () => pool.busyThreads),
    gaugeFamily('platen_render_threads', 'Threads that render.', () => threads),
    counterFamily(
      'platen_render_thread_failures_total',
      'Threads that died and were replaced.',
      () => pool.threadFailures,
    ),
    counterFamily('platen_renders_lost_total', 'Renders that were lost with their process.', () =>
      lossCauses.map((cause) => [{ cause }, pool.quarantine.losses.get(cause) ?? 0]),
    ),
    gaugeFamily(
      'platen_templates_quarantined',
      'Documents that are not rendered any more, because two renders of each were lost.',
      () => pool.quarantine.size,
    ),
    ...pool.waits.families(),
  ];
}
