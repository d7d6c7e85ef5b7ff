/** The program of the campaign thread: runs over the rows of lists. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '#wire/error-text.ts';
import { createLog } from '../../foundation/log.ts';
import { createImageLoader } from '../../images/load-images.ts';
import { createAssetStore } from '../../store/assets/asset-store.ts';
import { openNodeFiles } from '../../store/assets/node-files.ts';
import { createFontStore } from '../../store/assets/font-store.ts';
import { CampaignNode } from '../store/campaigns/campaign-node.ts';
import { openCampaignList } from '../store/campaigns/campaign-list.ts';
import { createCampaignStore } from '../store/campaigns/campaign-store.ts';
import { tryLock } from '../../store/database/file-lock.ts';
import { openDatabase } from '../../store/database/database.ts';
import { createOrganizationStore } from '../../store/organizations/organization-store.ts';
import { createShortLinkStore } from '../../store/short-link-store.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { createTableStore } from '../store/tables/table-store.ts';
import { createTemplateStore } from '../../store/template-store.ts';
import { campaignPaths } from './list/import-list.ts';
import { lockName } from './messages.ts';
import type {
  ThreadAnswer,
  ThreadNews,
  ThreadOrder,
  ThreadQuestion,
  ThreadStart,
} from './messages.ts';
import { CampaignHosts } from './renderer.ts';
import type { RunParts } from './run-subject.ts';
import { storeRunWrite } from './run-writes.ts';
import type { WriteRun } from './run-writes.ts';
import { CampaignRuns } from './runs.ts';
import { standBack } from './stand-back.ts';
import { lacksWarm, SharedFiles } from './shared/shared-files.ts';
import type { SharedFilesOptions } from './shared/shared-files.ts';
import { toThreadError } from './thread-errors.ts';
import { WritesAway } from './writes-away.ts';
import { loadPostgres, parseDatabaseUrl } from '../../store/database/shared-port.ts';
import type { DatabaseAddress, FileReader } from '../../store/database/shared-port.ts';

const options = workerData as ThreadStart;
const log = createLog();
const { dataDirectory, campaignsFolder, storageBytesMax, assetsBytesMax } = options;

/** Time in ms for which a write waits for another writer. Writes of campaigns are not urgent. */
const lockWaitMs = 30_000;
/** Interval in ms between two attempts to take the lock of the runs. */
const lockEveryMs = 500;
/** Interval in ms of looking for runs that another process has queued. */
const lookEveryMs = 1000;
/** Interval in ms of looking for warm images that another node has made. */
const warmEveryMs = 5000;
/** Delay in ms after a failed copy, because a full disk may have free space again. */
const warmRetryMs = 60_000;

let lock: (() => void) | undefined;
let lockTimer: NodeJS.Timeout | undefined;
let lookTimer: NodeJS.Timeout | undefined;
let warmTimer: NodeJS.Timeout | undefined;

standBack();
const db = openDatabase(join(dataDirectory, 'platen.db'), { lockWaitMs });
const store = createCampaignStore(db, storageBytesMax);
const address = parseDatabaseUrl(options.databaseUrl ?? '');
const shared = address && (await shareCampaigns(address));
const source = shared?.source;
const fonts = createFontStore(db, join(dataDirectory, 'fonts', 'own'), storageBytesMax, source);
const nodeFiles = source && openNodeFiles(options, source);
const assets = createAssetStore(db, assetsBytesMax, storageBytesMax, nodeFiles);
const templates = createTemplateStore(db, undefined, fonts, storageBytesMax);
const organizations = createOrganizationStore(db);
const loader = createImageLoader({
  ...options.images,
  svgFontConfigFile: options.render.fontConfigFile,
  findAsset: (organizationUid, id) => assets.findAsset(organizationUid, id),
  findImageHosts: (organizationUid) => organizations.findImageHosts(organizationUid),
});
const writesAway = new WritesAway(send);
const stores = {
  db,
  store,
  shortLinks: createShortLinkStore(db, undefined, storageBytesMax),
  webhooks: createWebhookStore(db, Date.now),
};
const write: WriteRun = shared
  ? (given) => writesAway.store(given)
  : async (given) => storeRunWrite(stores, given);
const processes = new CampaignHosts(options.render, log);
const runs = new CampaignRuns({
  campaignsFolder,
  warmBytesMax: options.warmBytesMax,
  store,
  templates,
  organizations,
  tables: createTableStore(db, join(dataDirectory, 'tables')),
  fonts,
  loader,
  processes,
  write,
  shared,
  log,
  onNews: (news) => send({ kind: 'run', ...news }),
});

parentPort?.on('message', (order: ThreadOrder) => void obey(order));
takeLock();

/**
 * Takes the lock of the data folder: one process at a time runs campaigns. A new process waits until the old one has
 * stopped its runs. If several processes share the folder, the process with the lock does all runs.
 */
function takeLock(): void {
  lock = tryLock(join(campaignsFolder, lockName));
  if (lock === undefined) lockTimer = setTimeout(takeLock, lockEveryMs).unref();
  else {
    runs.open(options.oneByOneMs);
    lookTimer = setInterval(() => void runs.look(), lookEveryMs).unref();
    void copyWarmImages();
  }
}

/** Copies the warm images of other nodes, one run after the other, and retries failed copies. Never rejects. */
async function copyWarmImages(): Promise<void> {
  let nextMs = warmEveryMs;
  try {
    for (const run of store.runsOf('warm')) {
      if (lacksWarm(campaignsFolder, run)) await shared?.files.loadWarm(run);
    }
  } catch (error) {
    log.warn('warm images not copied', { detail: errorText(error) });
    nextMs = warmRetryMs;
  }
  if (shared !== undefined) warmTimer = setTimeout(() => void copyWarmImages(), nextMs).unref();
}

async function shareCampaigns(
  given: DatabaseAddress,
): Promise<NonNullable<RunParts['shared']> & { source: FileReader }> {
  const postgres = await loadPostgres();
  const node = new CampaignNode(given, postgres);
  send({ kind: 'node', owner: node.number });
  const use: SharedFilesOptions['use'] = (work) => node.use(work);
  const files = new SharedFiles({ campaignsFolder, store, use });
  return { node, files, source: new postgres.FileSource(use) };
}

async function obey(order: ThreadOrder): Promise<void> {
  if (order.kind === 'wake') return runs.wake();
  if (order.kind === 'stored') return writesAway.settle(order);
  const { number } = order;
  try {
    send({ kind: 'answer', number, ...(await answer(order)) });
  } catch (error) {
    send({ kind: 'answer', number, error: toThreadError(error) });
  }
}

async function answer(question: ThreadQuestion): Promise<ThreadAnswer> {
  switch (question.kind) {
    case 'save':
      await shared?.files.saveList(question.id);
      return {};
    case 'cancel':
      await runs.cancel(question.id);
      return {};
    case 'delete':
      await deleteCampaign(question.id);
      return {};
    case 'forget':
      await forget(question.id);
      return {};
    case 'load':
      await load(question.id);
      return {};
    case 'part':
      return { part: await shared?.files.readPart(question.file, question.part) };
    case 'close':
      await close();
      return {};
    default:
      return question satisfies never;
  }
}

/** Deletes the row first: a kill leaves files without a campaign, which the next start deletes. */
async function deleteCampaign(id: string): Promise<void> {
  await runs.cancel(id);
  await write({ kind: 'delete', id });
  await forget(id);
  // A later sweep deletes files that remain.
  await shared?.files.delete(id).catch((error: unknown) => {
    log.warn('files of campaigns not deleted', { detail: errorText(error) });
  });
}

/** Ends the run and deletes the files that this node has of a deleted campaign. */
async function forget(id: string): Promise<void> {
  await runs.end(id);
  const { folder } = campaignPaths(campaignsFolder, id);
  // Retries, because a warm image may be written to the folder meanwhile.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function load(id: string): Promise<void> {
  const campaign = store.find(id);
  if (campaign === undefined) return;
  await shared?.files.loadList(campaign);
  await shared?.files.loadProblems(id);
  const list = openCampaignList(campaignPaths(campaignsFolder, id).list);
  try {
    list.problems.fillNeeds();
  } finally {
    list.close();
  }
}

async function close(): Promise<void> {
  clearTimeout(lockTimer);
  clearInterval(lookTimer);
  clearTimeout(warmTimer);
  await runs.close();
  lock?.();
  await processes.close();
  await loader.close();
  await shared?.node.close();
  templates.close();
  assets.close();
  db.close();
}

function send(news: ThreadNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(news);
}
