/** The campaigns of a service, as its main thread sees them: orders to their thread, and news for those who watch. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../foundation/errors.ts';
import type { Log } from '../foundation/log.ts';
import type { ListOptions } from '../lists/list.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import { WarmRenders } from '../render/warm-renders.ts';
import type { WarmFolder } from '../render/warm-renders.ts';
import { campaignPaths } from './list/import-list.ts';
import type { ImportedList } from './list/import-list.ts';
import { lockName } from './messages.ts';
import type {
  CampaignThreadOptions,
  RunNews,
  ThreadError,
  ThreadNews,
  ThreadOrder,
} from './messages.ts';

/** Heap of the thread, MB: shared texts of an XLSX are the largest part. */
const heapMbMax = 512;

/** A thread that ends twice within this time takes its runs with it: they failed. */
const crashMs = 60_000;

/** A kill loses the counts of so long; another process finds new warm images as late. */
const warmEveryMs = 5000;

/** Runs have this long to reach their next checkpoint when the service ends. */
const closeMsMax = 5000;

/** Nobody uploads and reads a list for so long. */
const uploadMsMax = 60 * 60 * 1000;

/** Campaigns that one collection deletes; the rest waits for the next day. */
const expiredMax = 10_000;

interface Waiting {
  resolve: (imported: ImportedList | undefined) => void;
  reject: (error: Error) => void;
}

/** Called with each change of a run, and with nothing when the service ends. */
export type Watcher = (news: RunNews | undefined) => void;

/** The folders of warm images, the newest first. */
function findWarmFolders(campaignsFolder: string, store: CampaignStore): WarmFolder[] {
  return store.runsOf('warm').map(({ campaignId, templateUid, version }) => {
    const folder = campaignPaths(campaignsFolder, campaignId).warm;
    return { campaignId, templateUid, version, folder };
  });
}

export class Campaigns {
  readonly folder: string;
  /** The images that runs have made before sending. */
  readonly warm: WarmRenders;
  readonly #options: CampaignThreadOptions;
  readonly #store: CampaignStore;
  readonly #log: Log;
  readonly #onRunEnd: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  #thread: Worker | undefined;
  #numbers = 0;
  #crashedMs = -Infinity;
  #isClosed = false;
  readonly #warmTimer: NodeJS.Timeout;

  constructor(
    options: CampaignThreadOptions,
    { store, log, onRunEnd }: { store: CampaignStore; log: Log; onRunEnd: () => void },
  ) {
    this.#options = options;
    this.#store = store;
    this.#log = log;
    this.#onRunEnd = onRunEnd;
    this.folder = options.campaignsFolder;
    this.warm = new WarmRenders(() => findWarmFolders(this.folder, store));
    this.warm.refresh();
    this.#warmTimer = setInterval(() => this.#lookAfterWarm(), warmEveryMs).unref();
  }

  /**
   * Deletes files without a campaign, which a kill has left. To be called before the first upload; with `mayShare`,
   * another process may have uploads, and only old files are deleted.
   */
  deleteLeftovers({ mayShare }: { mayShare: boolean }): void {
    if (!existsSync(this.folder)) return;
    const olderMs = Date.now() - (mayShare ? uploadMsMax : 0);
    try {
      const known = new Set(this.#store.ids());
      for (const name of readdirSync(this.folder)) {
        const path = join(this.folder, name);
        const isLeft = !known.has(name) && name !== lockName && statSync(path).mtimeMs <= olderMs;
        if (isLeft) rmSync(path, { recursive: true, force: true });
      }
    } catch (error) {
      this.#log.warn('files of campaigns not deleted', { detail: errorText(error) });
    }
  }

  /** Resumes what a kill has cut short. */
  start(): void {
    if (this.#store.openRuns().length > 0) this.wake();
  }

  /** Deletes the campaigns whose time is over, with their files. */
  async deleteExpired(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const id of this.#store.findExpired(expiredMax)) await this.delete(id);
  }

  /** A path for an upload that becomes the list of a campaign. */
  uploadPath(id: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, `${id}.upload`);
  }

  /** Reads a list into the file of a campaign. Rejects with an `AppError` for a list that cannot be read. */
  async import(id: string, path: string, options: ListOptions): Promise<ImportedList> {
    try {
      const imported = await this.#ask((number) => ({ kind: 'import', number, id, path, options }));
      return imported as ImportedList;
    } catch (error) {
      // A thread that has ended leaves a part of it.
      rmSync(join(this.folder, id), { recursive: true, force: true });
      throw error;
    }
  }

  /** Stores the use of warm images, and finds those of runs in another process of the data folder. Never throws. */
  #lookAfterWarm(): void {
    const use = this.warm.takeUse();
    if (use.size > 0) this.#store.addWarmUse(use);
    try {
      this.warm.refresh();
    } catch {
      // A database that cannot be read is reported by what needs it; the known images stay.
    }
  }

  /** Starts queued runs. */
  wake(): void {
    this.#send({ kind: 'wake' });
  }

  /** Resolves when the campaign has no run any more. */
  async cancel(id: string): Promise<void> {
    await this.#ask((number) => ({ kind: 'cancel', number, id }));
  }

  /** Resolves when nothing of the campaign is left. */
  async delete(id: string): Promise<void> {
    await this.#ask((number) => ({ kind: 'delete', number, id }));
    this.warm.refresh();
  }

  /** Calls `watcher` with each change of a campaign's runs, until the returned function is called. */
  watch(id: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(id);
    };
  }

  /** Ends all runs at their next checkpoint; the next start resumes them. */
  async close(): Promise<void> {
    if (this.#thread !== undefined) {
      const closed = this.#ask((number) => ({ kind: 'close', number })).catch(() => undefined);
      this.#isClosed = true;
      // A slow image must not hold the end up: what is lost of a batch is done again.
      await Promise.race([closed, pause(closeMsMax, undefined, { ref: false })]);
      await this.#thread?.terminate();
    }
    this.#isClosed = true;
    clearInterval(this.#warmTimer);
    this.#lookAfterWarm();
    for (const watcher of [...this.#watchers.values()].flatMap((each) => [...each])) {
      watcher(undefined);
    }
  }

  #ask(order: (number: number) => ThreadOrder): Promise<ImportedList | undefined> {
    this.#numbers += 1;
    const number = this.#numbers;
    return new Promise((resolve, reject) => {
      this.#send(order(number));
      this.#waiting.set(number, { resolve, reject });
    });
  }

  /** Throws OVERLOADED when the service ends. */
  #send(order: ThreadOrder): void {
    if (this.#isClosed) {
      throw new AppError('OVERLOADED', 'The service ends: send it again in a moment.', {
        reason: 'campaigns',
        retryAfterSeconds: 1,
      });
    }
    this.#thread ??= this.#startThread();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
    this.#thread.postMessage(order);
  }

  #startThread(): Worker {
    const thread = new Worker(programPath('campaigns'), {
      workerData: this.#options,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    thread.on('message', (news: ThreadNews) => this.#receive(news));
    thread.on('error', (error) => {
      this.#log.error('campaign thread ended', { detail: errorText(error) });
    });
    thread.on('exit', () => this.#ended());
    return thread;
  }

  #receive(news: ThreadNews): void {
    if (news.kind === 'run') {
      const { kind: _kind, ...rest } = news;
      for (const watcher of this.#watchers.get(news.id) ?? []) watcher(rest);
      if (news.mode === 'warm') this.warm.refresh();
      if (news.state === 'finished' || news.state === 'failed') this.#onRunEnd();
      return;
    }
    const waiting = this.#waiting.get(news.number);
    this.#waiting.delete(news.number);
    if (news.error === undefined) waiting?.resolve(news.imported);
    else waiting?.reject(toAppError(news.error));
  }

  /** The thread has ended: what waits for it fails, and a new one resumes the runs once. */
  #ended(): void {
    this.#thread = undefined;
    const message = 'The campaign was interrupted by a fault of the service; try again.';
    for (const { reject } of this.#waiting.values()) {
      reject(new AppError('INTERNAL', message, { reason: 'campaigns' }));
    }
    this.#waiting.clear();
    if (this.#isClosed) return;
    const nowMs = performance.now();
    const isSecond = nowMs - this.#crashedMs < crashMs;
    this.#crashedMs = nowMs;
    try {
      const open = this.#store.openRuns();
      for (const run of open.filter(({ state }) => isSecond && state === 'running')) {
        const error = 'The run ended the thread of campaigns twice, which the log describes.';
        this.#store.changeRun(run, { state: 'failed', error, finishedAt: Date.now() });
      }
      if (this.#store.openRuns().length > 0) this.wake();
    } catch (error) {
      // The next campaign or the next start resumes them.
      this.#log.error('campaigns not resumed', { detail: errorText(error) });
    }
  }
}

function toAppError({ code, message, ...options }: ThreadError): AppError {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return new AppError(code, message, Object.fromEntries(given));
}
