/** Makes the campaigns of a service from the configuration. */
import { join } from 'node:path';
import type { Log } from '../../foundation/log.ts';
import type { ImageLoaderOptions } from '../../images/config.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import type { Database } from '../../store/database/database.ts';
import { whenFree } from '../../store/database/store-error.ts';
import type { ShortLinkStore } from '../../store/short-link-store.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { Campaigns } from './campaigns.ts';
import type { CampaignRenderConfig } from './renderer.ts';
import { storeRunWrite } from './run-writes.ts';

/** The sections of the configuration that campaigns need. */
export interface CampaignsConfig {
  templates: {
    dataDirectory: string;
    storageBytesMax: number;
    nodeAssetsBytesMax: number;
    databaseUrl?: string;
  };
  render: { threadCount: number };
  cache: CampaignRenderConfig['caches'] & { assetsBytesMax: number };
  images: ImageLoaderOptions & { decodesBytesMax: number };
  http: { publicUrl?: string };
  campaigns: { warmBytesMax: number };
  process: { portShared: boolean };
}

/** The stores of the service's own connection. */
interface CampaignStores {
  db: Database;
  campaignStore: CampaignStore;
  shortLinks: ShortLinkStore;
}

/**
 * Creates the campaigns of a service. Their thread starts with the first campaign. `onRunEnd` is called when a run has
 * finished or failed, after its event for webhooks is stored.
 */
export function createCampaigns(
  config: CampaignsConfig,
  { fontConfigFile }: Pick<CampaignRenderConfig, 'fontConfigFile'>,
  { db, campaignStore: store, shortLinks }: CampaignStores,
  log: Log,
  onRunEnd: () => void,
): Campaigns {
  const { dataDirectory, storageBytesMax, nodeAssetsBytesMax, databaseUrl } = config.templates;
  const { decodesBytesMax, ...imageLimits } = config.images;
  const render = {
    threadCount: config.render.threadCount,
    caches: config.cache,
    decodesBytesMax,
  };
  const { assetsBytesMax } = config.cache;
  const { publicUrl: serviceUrl } = config.http;
  const stores = { db, store, shortLinks, webhooks: createWebhookStore(db, Date.now) };
  const campaigns = new Campaigns(
    {
      dataDirectory,
      campaignsFolder: join(dataDirectory, 'campaigns'),
      databaseUrl,
      storageBytesMax,
      assetsBytesMax,
      nodeAssetsBytesMax,
      warmBytesMax: config.campaigns.warmBytesMax,
      render: { ...render, fontConfigFile },
      images: { ...imageLimits, serviceUrl },
    },
    { store, log, write: (write) => whenFree(() => storeRunWrite(stores, write)), onRunEnd },
  );
  campaigns.deleteLeftovers({ mayShare: config.process.portShared });
  return campaigns;
}
