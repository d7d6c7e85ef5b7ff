/** `GET /metrics`: counters and gauges of the service in the Prometheus text format. */
import type { RequestRecord, Route, Server } from '../http/server.ts';
import { droppedLines } from '../foundation/log.ts';
import type { CacheFigures, Family } from '../foundation/metric-families.ts';
import { cacheFamilies, counterFamily, gaugeFamily } from '../foundation/metric-families.ts';
import { writeFamilies } from '../foundation/metric-families.ts';
import { memoryFamilies, createProcessMetrics } from './process-metrics.ts';
import { sharedFamilies } from './shared-metrics.ts';
import type { SharedSources } from './shared-metrics.ts';
import type { RenderService } from '../render/get-render.ts';
import { lossCauses } from '../scheduling/hosts/lost-render.ts';
import type { RenderPool } from '../scheduling/pool.ts';
import { RequestMetrics } from './request-metrics.ts';

/** The sources that a scrape reads. */
export interface MetricsSources
  extends SharedSources, Pick<RenderService, 'aliases' | 'cache' | 'flights' | 'loader' | 'stats'> {
  pool: Pick<
    RenderPool,
    'queueLength' | 'busyThreads' | 'failures' | 'waits' | 'quarantine' | 'memory'
  >;
  /** Metrics of the wings. */
  families: readonly Family[];
  /** Render threads. */
  threadCount: number;
  assets: { figures: CacheFigures };
  /** Files of organizations' fonts. */
  fontFiles: { bytes: number; restored: number };
  /** The service's server; undefined before it exists. */
  server: () => Partial<Server> | undefined;
  /** The parts of `/readyz`. */
  isReady: () => boolean;
  /** Whether templates and uploads can be stored. */
  isStorageWritable: () => boolean;
}

export interface Metrics {
  /** Starts the error counts of these routes at 0, so that an alarm sees the first error. */
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
  const { stats, loader, cache, aliases, assets, fontFiles, flights, pool, threadCount } = sources;
  return [
    ...sharedFamilies(sources),
    ...sources.families,
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
      'Requests whose response is not complete.',
      () => sources.server()?.openRequests ?? 0,
    ),
    gaugeFamily(
      'platen_open_connections',
      'Open connections.',
      () => sources.server()?.openConnections ?? 0,
    ),
    counterFamily(
      'platen_connections_refused_total',
      'Connections closed at once, because too many were open.',
      () => sources.server()?.refusedConnections ?? 0,
    ),
    gaugeFamily(
      'platen_unread_answer_bytes',
      'Bodies that clients have not read yet, those in caches included.',
      () => sources.server()?.unread?.bytes ?? 0,
    ),
    counterFamily(
      'platen_unread_answers_closed_total',
      'Connections closed to bound the memory of unread answers.',
      () => sources.server()?.unread?.closed ?? 0,
    ),
    ...renderProcessFamilies(pool, threadCount),
    gaugeFamily(
      'platen_render_flights',
      'Renders in progress, with the fetches of their source images.',
      () => flights.size,
    ),
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
      'Bytes of the files of organizations’ fonts in the data folder, 536870912 and those of renders in progress.',
      () => fontFiles.bytes,
    ),
    counterFamily(
      'platen_font_files_restored_total',
      'Font files that were missing or damaged when a process loaded them, and were written again.',
      () => fontFiles.restored,
    ),
    ...holderFamilies(sources),
    counterFamily(
      'platen_log_lines_dropped_total',
      'Lines of the log that were dropped, because standard output was read too slowly.',
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

function renderProcessFamilies(pool: MetricsSources['pool'], threadCount: number): Family[] {
  return [
    gaugeFamily(
      'platen_render_queue_length',
      'Renders that wait for a process.',
      () => pool.queueLength,
    ),
    gaugeFamily('platen_render_threads_busy', 'Busy render threads.', () => pool.busyThreads),
    gaugeFamily('platen_render_threads', 'Render threads.', () => threadCount),
    counterFamily(
      'platen_render_thread_failures_total',
      'Render hosts and threads that ended unexpectedly and were replaced.',
      () => pool.failures,
    ),
    counterFamily('platen_renders_lost_total', 'Renders that were lost with their process.', () =>
      lossCauses.map((cause) => [{ cause }, pool.quarantine.losses.get(cause) ?? 0]),
    ),
    gaugeFamily(
      'platen_templates_quarantined',
      'Documents in quarantine, because two renders of each were lost.',
      () => pool.quarantine.size,
    ),
    ...pool.waits.families(),
  ];
}
