/** The composition root: makes every part of the service from its section of the configuration, and ends them in order. */
import { errorText } from '#wire/error-text.ts';
import { adapterRoutes } from './adapters/routes.ts';
import { routesOf } from './api/endpoint.ts';
import { apiEndpoints } from './api/endpoints.ts';
import { createPublicUrl, type PublicUrl } from './api/request/public-url.ts';
import { toApiError } from './api/request/store-errors.ts';
import { readyParts } from './api/service.ts';
import type { Config } from './settings.ts';
import type { DataDirectory } from './process/data-directory.ts';
import { resolveConnectionsMax } from './http/connections.ts';
import { tlsFiles } from './http/config.ts';
import { createServer, type Server, type ServerOptions } from './http/server.ts';
import { UnreadAnswers } from './http/unread-answers.ts';
import { createImageLoader } from './images/load-images.ts';
import type { Log } from './foundation/log.ts';
import { createMailings, mailingsEndpoints } from './mailings/mailings.ts';
import type { Mailings } from './mailings/mailings.ts';
import { mcpRoute } from './mcp/route.ts';
import { firstLink, notFoundRoutes, pageEndpoints, studioFont } from './pages/pages.ts';
import { logMemory, logStartChecks } from './process/start-checks.ts';
import { createMetrics } from './telemetry/metrics.ts';
import type { Metrics, MetricsSources } from './telemetry/metrics.ts';
import { openFilesMax } from './foundation/process-usage.ts';
import { BaseRenderWarmer } from './publish/base-render-warmer.ts';
import { createGetRender, createGetShortLink } from './render/get-render.ts';
import type { RenderService } from './render/get-render.ts';
import { UrlAliases } from './render/answer.ts';
import { DocumentReads } from './render/link/document-reads.ts';
import { RenderCache, RenderFlights } from './render/cache.ts';
import { RenderStats } from './scheduling/stats.ts';
import type { StartedPool } from './scheduling/warm-up.ts';
import { createRecovery, withRecovery } from './render/fallback.ts';
import { LinkStatistics } from './telemetry/link-statistics.ts';
import { createRequestLog } from './telemetry/request-log.ts';
import { stopServers } from './process/shutdown.ts';
import { closeStores, listSamples, openStores, sampleFolder } from './process/stores.ts';
import type { Stores } from './process/stores.ts';
import { AssetCollector, collectUnusedAssets } from './store/assets/asset-collector.ts';
import { collectExpired } from './store/collect-expired.ts';
import { seedWhenFree } from './store/samples.ts';

/** All endpoints of the service, without `/metrics`, which has a separate port. */
export const endpoints = [...apiEndpoints, ...mailingsEndpoints, ...pageEndpoints, studioFont];

/** A running service. */
export interface App {
  /** The demo organization's key, when this start made it: to be shown once. */
  demoKey: string | undefined;
  /** A link to show first, from `/v1` on; undefined when no sample is published. */
  firstLink: string | undefined;
  /** Accepts requests; resolves when each process has rendered. Rejects when the port is taken or no render works. */
  listen(): Promise<Listening>;
  /** Answers what is open, up to the render deadline, refuses what is new, and frees everything. */
  close(): Promise<void>;
}

/** Where a service can be reached. */
export interface Listening {
  port: number;
  metricsPort: number | undefined;
  /** For links; without a slash at the end. */
  publicUrl: string;
}

/** Milliseconds beyond the longest render that an orderly end may take. */
const closeGraceMs = 2000;

/** Connections to the port of the metrics: a few scrapers. */
const metricsConnectionsMax = 64;

/** Creates the service around its processes, which it closes: opens and seeds the database, and does not listen yet. */
export async function createApp(
  config: Config,
  log: Log,
  renderer: StartedPool,
  data: DataDirectory,
): Promise<App> {
  logMemory(config, log);
  logStartChecks(config, log);
  const stores = await openStores(config, data, log);
  const seeded = await seedWhenFree({ ...stores, ...config.templates, ...sampleFolder }, (error) =>
    log.warn('samples not seeded', { detail: errorText(error) }),
  );
  const sampleUids = listSamples();
  const mailings = createMailings(config, renderer, stores, log);
  const linkStatistics = new LinkStatistics(stores.statistics, mailings.observe);
  const unread = new UnreadAnswers(config.http.unreadBytesMax);
  const service = createRenderService(config, stores, renderer, mailings, unread);
  renderer.pool.quarantine.attach(stores.lostRenders);
  const { use, health } = stores;
  const warmer = new BaseRenderWarmer({ ...service, ...config.render, use, health, log });
  const collector = createCollector(config, log, stores, mailings);
  const { publicUrl, servers, state, metrics } = createServers(config, log, {
    stores,
    service,
    mailings,
    linkStatistics,
    unread,
    sampleUids,
  });

  return {
    demoKey: seeded.createdKey,
    firstLink: firstLink(stores.templates, sampleUids),
    async listen() {
      await mailings.prepare();
      // Beside a process that answers, this one must not take a request before it can.
      if (config.process.portShared) await renderer.ready;
      const ports = await Promise.all(servers.map((server) => server.listen()));
      const [port = 0, innerPort = 0, metricsPort] = ports;
      Object.assign(state, { port, innerPort });
      await renderer.ready;
      mailings.start();
      return { port, metricsPort, publicUrl: publicUrl() };
    },
    async close() {
      state.isAccepting = false;
      // Streams of progress end with their runs.
      const runsEnd = mailings.endRuns();
      await stopServers(servers, {
        delayMs: config.process.shutdownDelayMs,
        requestMsMax: config.render.timeoutMs + closeGraceMs,
        isPortShared: config.process.portShared,
      });
      await runsEnd;
      metrics.close();
      warmer.close();
      linkStatistics.close();
      await mailings.endReports(closeGraceMs);
      await service.loader.close();
      await service.pool.close(closeGraceMs);
      await collector.close();
      await mailings.close();
      await closeStores(stores);
    },
  };
}

function createRenderService(
  config: Config,
  { organizations, templates, assets, fonts, use, samples, shortLinks, firstOpens }: Stores,
  { pool, fontConfigFile }: StartedPool,
  { lookup, warm }: Pick<Mailings, 'lookup' | 'warm'>,
  unread: UnreadAnswers,
): RenderService {
  const { decodesBytesMax: _decodesBytesMax, ...imageLimits } = config.images;
  const { rendersBytesMax, linksBytesMax } = config.cache;
  const cache = new RenderCache(rendersBytesMax, undefined, (body) => unread.free(body));
  return {
    templates,
    documents: new DocumentReads(templates),
    organizations,
    shortLinks,
    firstOpens,
    tables: lookup,
    cache,
    aliases: new UrlAliases(cache, linksBytesMax),
    flights: new RenderFlights(),
    loader: createImageLoader({
      ...imageLimits,
      serviceUrl: config.http.publicUrl,
      svgFontConfigFile: fontConfigFile,
      findAsset: async (organizationUid, id) =>
        (await assets.findAsset(organizationUid, id)) ?? samples.findImage(id),
      findImageHosts: (organizationUid) => organizations.findImageHosts(organizationUid),
    }),
    pool,
    use,
    fonts,
    warm,
    stats: new RenderStats(),
  };
}

/** Deletes once a day what nothing uses, and what has expired. */
function createCollector(
  config: Config,
  log: Log,
  stores: Stores,
  mailings: Pick<Mailings, 'collect' | 'expiring'>,
): AssetCollector {
  const { db, use, assets, shortLinks, firstOpens, idempotency, statistics } = stores;
  return new AssetCollector(
    async () => {
      await use.flushInParts();
      await collectExpired(db, [
        shortLinks,
        firstOpens,
        idempotency,
        statistics,
        ...mailings.expiring,
      ]);
      const collected = await collectUnusedAssets(db, assets, config.templates.unusedAssetsMs);
      await mailings.collect();
      return collected;
    },
    (collection) => log.info('unused assets deleted', { ...collection }),
    (error) => log.warn('unused assets', { detail: errorText(error) }),
  );
}

function createServiceMetrics(
  config: Config,
  stores: Stores,
  service: RenderService,
  serviceSources: Pick<MetricsSources, 'server' | 'isReady' | 'families'>,
): Metrics {
  return createMetrics({
    ...service,
    ...serviceSources,
    threadCount: config.render.threadCount,
    assets: stores.assets,
    fontFiles: stores.fonts.files,
    shared: stores.shared,
    isStorageWritable: () => !stores.health.isDamaged && stores.data.isWritable(),
  });
}

/** What the servers answer from. */
interface ServerParts {
  stores: Stores;
  service: RenderService;
  mailings: Mailings;
  linkStatistics: LinkStatistics;
  unread: UnreadAnswers;
  sampleUids: readonly string[];
}

/** The service's server first, then the one for this process, then that of the metrics where one is wanted. */
function createServers(
  config: Config,
  log: Log,
  serverParts: ServerParts,
): {
  publicUrl: PublicUrl;
  servers: Server[];
  state: { isAccepting: boolean; port: number; innerPort: number };
  metrics: Metrics;
} {
  const { stores, service, mailings, ...others } = serverParts;
  const { linkStatistics, unread } = others;
  const { host, port, metricsPort, connectionsMax } = config.http;
  const { threadCount } = config.render;
  const state = { isAccepting: true, port, innerPort: 0 };
  const tls = tlsFiles(config.http);
  const scheme = 'tls' in tls ? 'https' : 'http';
  const localUrl = (): string => `${scheme}://localhost:${state.port}`;
  const publicUrl = createPublicUrl(config.http.publicUrl, localUrl);
  const ready = readyParts(stores.health, service.pool, state);
  const servers: Server[] = [];
  const metrics = createServiceMetrics(config, stores, service, {
    families: mailings.families,
    server: () => servers[0],
    isReady: () => Object.values(ready()).every(Boolean),
  });
  const report = (error: unknown): unknown => {
    stores.health.note(error);
    return toApiError(error);
  };
  const logRequest = createRequestLog(log, config.log, stores.templates);
  const recover = createRecovery(service, report);
  const getRender = withRecovery(createGetRender(service), recover);
  const getShortLink = withRecovery(createGetShortLink(service), recover);
  const pages = { threadCount, publicUrl, embedOrigins: config.http.embedOrigins, ready };
  const handlers = { getRender, getShortLink, recover, operations: endpoints };
  const sources = { ...service, ...stores, ...mailings.parts, ...others, log };
  const parts = { ...sources, ...pages, ...handlers };
  const innerUrl = (): string => `http://127.0.0.1:${state.innerPort}`;
  const inward = { ...parts, innerUrl, poster: mailings.parts.webhooks };
  const routes = [...routesOf(endpoints, parts, report), ...notFoundRoutes()];
  routes.push(mcpRoute(inward), ...adapterRoutes(inward));
  metrics.expect(routes.map(({ name }) => name));
  const shared: Omit<ServerOptions, 'port' | 'routes'> = {
    host,
    timeoutMs: config.render.timeoutMs,
    trustedProxies: config.http.trustedProxies,
    corsOrigins: config.http.corsOrigins,
    sharesPort: config.process.portShared,
    connectionsMax: resolveConnectionsMax(connectionsMax, openFilesMax()),
    unread,
    log,
    onRequest: (record) => {
      metrics.count(record);
      linkStatistics.count(record);
      logRequest(record);
    },
  };
  servers.push(createServer({ ...shared, ...tls, port, routes }));
  // Tools of agents call the API through it, with the caller's key, whatever address and TLS the service has.
  // All its requests come from this process, so that none is limited by its address.
  const local = { host: '127.0.0.1', port: 0, sharesPort: false, limitsAddresses: false };
  servers.push(createServer({ ...shared, ...local, routes }));
  if (metricsPort !== undefined) {
    const metricsHost = config.http.metricsHost ?? host;
    const inner = { host: metricsHost, port: metricsPort, connectionsMax: metricsConnectionsMax };
    servers.push(createServer({ ...shared, ...inner, routes: [metrics.route] }));
  }
  return { publicUrl, servers, state, metrics };
}
