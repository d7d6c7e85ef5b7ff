/**
 * The wing of mailings: campaigns, lists, data tables and webhooks. The service enters it here alone: its endpoints, its
 * metrics, and the parts that it starts and closes.
 */
import { join } from 'node:path';
import type { Log } from '../foundation/log.ts';
import type { Family } from '../foundation/metric-families.ts';
import { gaugeFamily } from '../foundation/metric-families.ts';
import type { TableLookup } from '../render/table-values.ts';
import type { WarmRenders } from '../render/warm-renders.ts';
import type { ExpiringStore } from '../store/collect-expired.ts';
import { wasUpgraded } from '../store/database/database.ts';
import type { Database } from '../store/database/database.ts';
import type { SharedDatabase } from '../store/database/shared-port.ts';
import type { ShortLinkStore } from '../store/short-link-store.ts';
import type { CountsObserver } from '../telemetry/link-statistics.ts';
import { campaignEndpoints } from './api/campaigns/campaigns.ts';
import { getEvents } from './api/campaigns/events.ts';
import { fileEndpoints } from './api/campaigns/result-files.ts';
import { getProblems } from './api/campaigns/problems-csv.ts';
import { getRows } from './api/campaigns/results.ts';
import { runEndpoints } from './api/campaigns/runs.ts';
import { tableRowEndpoints } from './api/tables/rows.ts';
import { tableEndpoints } from './api/tables/tables.ts';
import { deliveryEndpoints } from './api/webhooks/deliveries.ts';
import { webhookEndpoints } from './api/webhooks/webhooks.ts';
import type { Campaigns } from './campaigns/campaigns.ts';
import { createCampaigns } from './campaigns/create-campaigns.ts';
import type { CampaignsConfig } from './campaigns/create-campaigns.ts';
import { sweepFiles } from './store/campaigns/campaign-files.ts';
import { createCampaignStore } from './store/campaigns/campaign-store.ts';
import type { CampaignStore } from './store/campaigns/campaign-store.ts';
import { listTableFiles } from './store/tables/equal-keys.ts';
import { createTableStore } from './store/tables/table-store.ts';
import type { TableStore } from './store/tables/table-store.ts';
import { reportEqualKeys } from './tables/report-equal-keys.ts';
import { TableWriter } from './tables/table-writer.ts';
import { FailureWatch } from './webhooks/failure-watch.ts';
import type { PostSettings } from './webhooks/post-message.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export { createWebhookSecret } from './webhooks/message.ts';
export type { MessagePoster } from './webhooks/post-message.ts';

/** All need a key of an organization. */
export const mailingsEndpoints = [
  ...campaignEndpoints,
  ...runEndpoints,
  getEvents,
  getRows,
  getProblems,
  ...fileEndpoints,
  ...tableEndpoints,
  ...tableRowEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
];

/** The sections of the configuration that this wing needs. */
type MailingsConfig = CampaignsConfig & { campaigns: { keepMs: number }; images: PostSettings };

/** The stores of the service that this wing uses. */
interface CoreStores {
  db: Database;
  shared: SharedDatabase | undefined;
  shortLinks: ShortLinkStore;
}

/** What the endpoints of this wing, and the other wings, need. */
export interface MailingsParts {
  campaigns: Campaigns;
  campaignStore: CampaignStore;
  campaignKeepMs: number;
  tables: TableStore;
  tableWriter: TableWriter;
  webhooks: Webhooks;
}

export interface Mailings {
  parts: MailingsParts;
  /** For renders. */
  lookup: TableLookup;
  warm: WarmRenders;
  /** Receives the counts of links, for the events of templates that fail and recover. */
  observe: CountsObserver;
  families: readonly Family[];
  /** Stores whose rows expire. */
  expiring: readonly ExpiringStore[];
  /** Deletes once a day what has expired or belongs to nothing. */
  collect(): Promise<void>;
  /** Called before the service listens. */
  prepare(): Promise<void>;
  /** Starts what was waiting; called when the service listens. */
  start(): void;
  /** Ends the runs and their streams. */
  endRuns(): Promise<void>;
  /** Stores the last events, and gives their deliveries `graceMs` to end. */
  endReports(graceMs: number): Promise<void>;
  /** Closes the rest, before the database. */
  close(): Promise<void>;
}

/** Opens the stores of this wing and creates its parts. Nothing is sent or run before `start`. */
export function createMailings(
  config: MailingsConfig,
  renderer: Parameters<typeof createCampaigns>[1],
  { db, shared, shortLinks }: CoreStores,
  log: Log,
): Mailings {
  const { dataDirectory, storageBytesMax } = config.templates;
  const campaignStore = createCampaignStore(db, storageBytesMax);
  const tablesFolder = join(dataDirectory, 'tables');
  const tables = createTableStore(db, tablesFolder, storageBytesMax);
  void tables.openLatest();
  const webhooks = createWebhooks({ db, settings: config.images, log });
  const failures = new FailureWatch({ db, emit: (event) => webhooks.emit(event), log });
  const campaigns = createCampaigns(config, renderer, { db, campaignStore, shortLinks }, log, () =>
    webhooks.start(),
  );
  const tableWriter = new TableWriter(tables, shared, log);
  const campaignKeepMs = config.campaigns.keepMs;
  return {
    parts: { campaigns, campaignStore, campaignKeepMs, tables, tableWriter, webhooks },
    lookup: tables,
    warm: campaigns.warm,
    observe: (counts) => failures.observe(counts),
    families: shared === undefined ? [] : [behindFamily(tableWriter)],
    expiring: [webhooks],
    async collect() {
      tables.sweepFiles();
      await campaigns.deleteExpired();
      await shared?.use(sweepFiles);
    },
    prepare: () => tableWriter.start(),
    start() {
      campaigns.start();
      webhooks.start();
      if (wasUpgraded(db)) void reportEqualKeys(listTableFiles(db, tablesFolder), log);
    },
    endRuns: () => campaigns.close(),
    async endReports(graceMs) {
      await failures.settled();
      await webhooks.close(graceMs);
    },
    async close() {
      await tableWriter.close();
      tables.close();
    },
  };
}

function behindFamily(tableWriter: TableWriter): Family {
  return gaugeFamily(
    'platen_shared_tables_behind',
    'Data tables whose newest rows this node does not have yet: it answers with those of before.',
    () => tableWriter.behind,
  );
}
