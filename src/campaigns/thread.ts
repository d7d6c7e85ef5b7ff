/** The program of the campaigns' thread: reads lists, and runs over their rows. */
import { readlinkSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../foundation/errors.ts';
import { createLog } from '../foundation/log.ts';
import { createImageLoader } from '../images/load-images.ts';
import { createAssetStore } from '../store/assets/asset-store.ts';
import { createFontStore } from '../store/assets/font-store.ts';
import { createCampaignStore } from '../store/campaigns/campaign-store.ts';
import { tryLock } from '../store/database/file-lock.ts';
import { openDatabase, writeTransaction } from '../store/database/database.ts';
import { createOrganizationStore } from '../store/organizations/organization-store.ts';
import { createShortLinkStore } from '../store/short-link-store.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { createTableStore } from '../store/tables/table-store.ts';
import { createTemplateStore } from '../store/template-store.ts';
import { StoreError } from '../store/database/store-error.ts';
import { campaignPaths, importList } from './list/import-list.ts';
import { lockName } from './messages.ts';
import type { CampaignThreadOptions, ThreadError, ThreadNews, ThreadOrder } from './messages.ts';
import { CampaignProcesses } from './renderer.ts';
import { CampaignRuns } from './runs.ts';

const options = workerData as CampaignThreadOptions;
const log = createLog();
const { dataDirectory, campaignsFolder, storageBytesMax, assetsBytesMax } = options;

/** The lowest priority of Linux: links come first. */
const niceness = 19;
/** A write waits this long for another writer, ms: nobody waits for a campaign's. */
const lockWaitMs = 30_000;
/** Between two attempts to take the lock of the runs. */
const lockEveryMs = 500;
/** Between two looks at the database for runs that another process has queued. */
const lookEveryMs = 1000;

let lock: (() => void) | undefined;
let lockTimer: NodeJS.Timeout | undefined;
let lookTimer: NodeJS.Timeout | undefined;

standBack();
const db = openDatabase(join(dataDirectory, 'platen.db'), { lockWaitMs });
const fonts = createFontStore(db, join(dataDirectory, 'fonts', 'own'), storageBytesMax);
const assets = createAssetStore(db, assetsBytesMax, storageBytesMax);
const templates = createTemplateStore(db, undefined, fonts, storageBytesMax);
const organizations = createOrganizationStore(db);
const store = createCampaignStore(db, storageBytesMax);
const loader = createImageLoader({
  ...options.images,
  svgFontConfigFile: options.render.fontConfigFile,
  findAsset: (organizationUid, id) => assets.findAsset(organizationUid, id),
  findImageHosts: (organizationUid) => organizations.findImageHosts(organizationUid),
});
const webhooks = createWebhookStore(db, Date.now);
const processes = new CampaignProcesses(options.render, log);
const runs = new CampaignRuns({
  campaignsFolder,
  warmBytesMax: options.warmBytesMax,
  store,
  templates,
  organizations,
  shortLinks: createShortLinkStore(db, undefined, storageBytesMax),
  tables: createTableStore(db, join(dataDirectory, 'tables')),
  fonts,
  loader,
  processes,
  writeTogether: (work) => writeTransaction(db, 'Changing a run', work),
  addEvent: (event) => webhooks.addEvent(event),
  log,
  onNews: (news) => send({ kind: 'run', ...news }),
});

parentPort?.on('message', (order: ThreadOrder) => void obey(order));
takeLock();

/**
 * One process at a time runs campaigns: a new one that takes over from an old one waits until that has stopped its runs. Of
 * processes that stay beside one another, the one with the lock does the runs of all.
 */
function takeLock(): void {
  lock = tryLock(join(campaignsFolder, lockName));
  if (lock === undefined) lockTimer = setTimeout(takeLock, lockEveryMs).unref();
  else {
    runs.open();
    lookTimer = setInterval(() => runs.wake(), lookEveryMs).unref();
  }
}

async function obey(order: ThreadOrder): Promise<void> {
  if (order.kind === 'wake') return runs.wake();
  const { number } = order;
  try {
    if (order.kind === 'import') {
      const imported = await importList(campaignsFolder, order.id, order.path, order.options);
      send({ kind: 'answer', number, imported });
      return;
    }
    if (order.kind === 'cancel') await runs.cancel(order.id);
    else if (order.kind === 'delete') await deleteCampaign(order.id);
    else await close();
    send({ kind: 'answer', number });
  } catch (error) {
    send({ kind: 'answer', number, error: toThreadError(error) });
  }
}

/** The row goes first: a kill leaves files without a campaign, which the next start deletes. */
async function deleteCampaign(id: string): Promise<void> {
  await runs.cancel(id);
  store.delete(id);
  rmSync(campaignPaths(campaignsFolder, id).folder, { recursive: true, force: true });
}

async function close(): Promise<void> {
  clearTimeout(lockTimer);
  clearInterval(lookTimer);
  await runs.close();
  lock?.();
  await processes.close();
  await loader.close();
  templates.close();
  assets.close();
  db.close();
}

function send(news: ThreadNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(news);
}

function toThreadError(error: unknown): ThreadError {
  if (error instanceof AppError) {
    const { code, message, reason, detail, details } = error;
    return { code, message, reason, detail, details };
  }
  if (error instanceof StoreError && error.code === 'CONFLICT') {
    return { code: 'CONFLICT', message: error.message };
  }
  const message = 'The campaign failed.';
  return { code: 'INTERNAL', message, reason: 'campaigns', detail: errorText(error) };
}

/** Linux has a priority for each thread; elsewhere it belongs to the process, and stays. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
}
