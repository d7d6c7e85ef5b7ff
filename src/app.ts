/** The composition root: makes every part of the service from its section of the configuration, and ends them in order. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getTemplateRoute } from './api/get-template.ts';
import { healthRoutes } from './api/health.ts';
import { firstLink, homeRoute } from './api/home.ts';
import { listTemplatesRoute } from './api/list-templates.ts';
import { templateSchemaRoute } from './api/template-schema.ts';
import { validateOrganizationRoute } from './api/validate-organization.ts';
import type { Config } from './config.ts';
import type { Route, Server, ServerOptions } from './http/server.ts';
import { createServer } from './http/server.ts';
import { createImageLoader } from './images/load-images.ts';
import { readImageHeader } from './images/sniff-image.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { Gauges } from './metrics.ts';
import { withFallback } from './render/fallback.ts';
import { PlanWarmer } from './render/plan-warmer.ts';
import { createGetRender } from './render/get-render.ts';
import type { RenderService } from './render/get-render.ts';
import { RenderCache } from './render/render-cache.ts';
import { RenderFlights } from './render/render-flights.ts';
import type { RenderThreads } from './render/render-threads.ts';
import { UrlAliases } from './render/url-alias.ts';
import { logRequest } from './request-log.ts';
import type { AssetStore } from './templates/asset-store.ts';
import { createAssetStore } from './templates/asset-store.ts';
import type { Database } from './templates/database.ts';
import { openDatabase } from './templates/database.ts';
import type { OrganizationStore } from './templates/organization-store.ts';
import { createOrganizationStore } from './templates/organization-store.ts';
import { listDirectory } from './templates/publish.ts';
import { seedDemo } from './templates/seed-demo.ts';
import type { TemplateStore } from './templates/template-store.ts';
import { createTemplateStore } from './templates/template-store.ts';
import type { TemplateUse } from './templates/template-use.ts';
import { createTemplateUse } from './templates/template-use.ts';

/** A running service. */
export interface App {
  /** The demo organization's key, when this start stored it: to be shown once. */
  demoKey: string | undefined;
  /** A link to show first, from `/v1` on; undefined when no sample is published. */
  firstLink: string | undefined;
  /** Accepts requests; resolves when each thread has rendered. Rejects when the port is taken or no render works. */
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

const sampleDirectory = fileURLToPath(new URL('../data/templates/', import.meta.url));

/** The sample that shows most at first sight. */
const firstSample = 'welcome-banner';

/** Milliseconds beyond the longest render that an orderly end may take. */
const closeGraceMs = 2000;

const mebibyte = 1024 * 1024;

/** Creates the service around its threads, which it closes: opens and seeds the database, and does not listen yet. */
export async function createApp(config: Config, log: Log, threads: RenderThreads): Promise<App> {
  const stores = openStores(config);
  const seeded = seedDemo({
    ...stores,
    directory: sampleDirectory,
    readHeader: readImageHeader,
    ...(config.templates.demoApiKey === undefined
      ? {}
      : { demoApiKey: config.templates.demoApiKey }),
  });
  const sampleUids = listDirectory(sampleDirectory).toSorted(
    (a, b) => Number(b === firstSample) - Number(a === firstSample),
  );
  const service = createRenderService(config, stores, threads);
  const warmer = new PlanWarmer({
    ...service,
    use: stores.use,
    threads: config.render.threads,
    log,
  });
  log.info('caches', {
    rendersMb: Math.round(config.cache.rendersBytesMax / mebibyte),
    linksMb: Math.round(config.cache.linksBytesMax / mebibyte),
    plansMbPerThread: Math.round(config.cache.plansBytesMax / mebibyte),
    assetsMb: Math.round(config.cache.assetsBytesMax / mebibyte),
    sourcesMb: Math.round(config.images.cacheBytesMax / mebibyte),
  });
  const { publicUrl, servers, state } = createServers(config, log, stores, service, sampleUids);

  return {
    demoKey: seeded.createdKey,
    firstLink: firstLink(stores.templates, sampleUids),
    async listen() {
      const [port = 0, metricsPort] = await Promise.all(servers.map((server) => server.listen()));
      state.port = port;
      await threads.ready;
      return { port, metricsPort, publicUrl: publicUrl() };
    },
    async close() {
      state.isAccepting = false;
      const timeoutMs = config.render.timeoutMs + closeGraceMs;
      for (const server of servers) server.drain();
      await Promise.all(servers.map((server) => server.idle(timeoutMs)));
      for (const server of servers) server.close();
      warmer.close();
      await service.loader.close();
      await service.pool.close(closeGraceMs);
      stores.templates.close();
      stores.assets.close();
      stores.db.close();
    },
  };
}

interface Stores {
  db: Database;
  organizations: OrganizationStore;
  templates: TemplateStore;
  assets: AssetStore;
  use: TemplateUse;
}

function openStores(config: Config): Stores {
  const db = openDatabase(join(config.templates.dataDirectory, 'platen.db'));
  return {
    db,
    organizations: createOrganizationStore(db),
    templates: createTemplateStore(db),
    assets: createAssetStore(db, config.cache.assetsBytesMax),
    use: createTemplateUse(db),
  };
}

function createRenderService(
  config: Config,
  { organizations, templates, assets, use }: Stores,
  { pool, fontConfigFile }: RenderThreads,
): RenderService {
  const { decodesBytesMax: _threads, ...imageLimits } = config.images;
  const cache = new RenderCache(config.cache.rendersBytesMax);
  return {
    templates,
    organizations,
    cache,
    aliases: new UrlAliases(cache, config.cache.linksBytesMax),
    flights: new RenderFlights(),
    loader: createImageLoader({
      ...imageLimits,
      svgFontConfigFile: fontConfigFile,
      findAsset: (organizationUid, id) => assets.findAsset(organizationUid, id),
      findImageHosts: (organizationUid) => organizations.findImageHosts(organizationUid),
    }),
    pool,
    use,
  };
}

/** The service's server first, then that of the metrics where one is wanted. */
function createServers(
  config: Config,
  log: Log,
  stores: Stores,
  service: RenderService,
  sampleUids: readonly string[],
): { publicUrl: () => string; servers: Server[]; state: { isAccepting: boolean; port: number } } {
  const { organizations, templates } = stores;
  const { host, port, tlsCert, tlsKey, metricsPort } = config.http;
  const state = { isAccepting: true, port };
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? undefined
      : { certificatePath: tlsCert, keyPath: tlsKey };
  const publicUrl = (): string =>
    config.http.publicUrl ?? `${tls === undefined ? 'http' : 'https'}://localhost:${state.port}`;
  const metrics = createMetrics(() => gaugesOf(service, config.render.threads));
  const isDatabaseUp = databaseCheck(stores.db);
  const routes: Route[] = [
    {
      name: 'render',
      path: '/v1/render/:uid',
      errorShape: 'render',
      get: withFallback(createGetRender(service), service),
    },
    listTemplatesRoute(organizations, templates),
    getTemplateRoute(organizations, templates),
    validateOrganizationRoute(organizations),
    templateSchemaRoute(),
    homeRoute({ publicUrl, sampleUids, templates }),
    ...healthRoutes(() => ({
      database: isDatabaseUp(),
      workers: service.pool.isReady,
      accepting: state.isAccepting,
    })),
  ];
  const shared: Omit<ServerOptions, 'port' | 'routes'> = {
    host,
    timeoutMs: config.render.timeoutMs,
    log,
    onRequest: (record) => {
      metrics.count(record);
      logRequest(log, record);
    },
  };
  const servers = [
    createServer({ ...shared, ...(tls === undefined ? {} : { tls }), port, routes }),
  ];
  if (metricsPort !== undefined) {
    servers.push(createServer({ ...shared, port: metricsPort, routes: [metrics.route] }));
  }
  return { publicUrl, servers, state };
}

function gaugesOf({ pool, flights, cache, aliases }: RenderService, threads: number): Gauges {
  return {
    queueLength: pool.queueLength,
    busyThreads: pool.busyThreads,
    threads,
    flights: flights.size,
    cacheBytes: cache.bytes,
    cacheEntries: cache.entries,
    aliases: aliases.entries,
  };
}

function databaseCheck(db: Database): () => boolean {
  const statement = db.prepare('SELECT 1 FROM organizations LIMIT 1');
  return () => {
    try {
      statement.get();
      return true;
    } catch {
      return false;
    }
  };
}
