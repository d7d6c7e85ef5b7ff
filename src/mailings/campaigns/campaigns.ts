/** The campaigns of a service on its main thread: passes orders to the campaign thread and news to watchers. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../../foundation/log.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import { openForOneTurn } from '../store/campaigns/read-list.ts';
import { WarmRenders } from '../../render/warm-renders.ts';
import type { WarmFolder } from '../../render/warm-renders.ts';
import { campaignPaths } from './list/import-list.ts';
import type { ImportedList, ListUpload } from './list/import-list.ts';
import { ListImports } from './list/list-imports.ts';
import { changeOfLost } from './lost-runs.ts';
import { lockName } from './messages.ts';
import type { CampaignThreadOptions, RunNews } from './messages.ts';
import type { WriteRun } from './run-writes.ts';
import { lacksWarm } from './shared/shared-files.ts';
import { CampaignThread } from './thread-client.ts';

/** Interval in ms of storing the use of warm images (a kill loses one interval) and of finding changes by others. */
const lookAfterEveryMs = 5000;

/** Delay in ms before a thread that ended twice starts again, for example without its database. */
const secondLossMs = 5000;

/** Interval in ms of looking for runs of other nodes. */
const lookEveryMs = 1000;

/** Age in ms from which a file without a campaign is a leftover: no upload and import takes as long. */
const uploadMsMax = 60 * 60 * 1000;

/** Upper bound of the campaigns that one call of `deleteExpired` deletes; the next day's call deletes more. */
const expiredMax = 10_000;

/** Called with each change of a run, and with undefined when the service ends. */
export type Watcher = (news: RunNews | undefined) => void;

/** Whether a list of an earlier release does not say yet which rows need a person. */
function lacksNeeds(path: string): boolean {
  const list = openForOneTurn(path);
  try {
    return list.problems.lacksNeeds();
  } finally {
    list.close();
  }
}

/** The folders of warm images, the newest first. */
function findWarmFolders(campaignsFolder: string, store: CampaignStore): WarmFolder[] {
  return store.runsOf('warm').map(({ campaignId, templateUid, version }) => {
    const folder = campaignPaths(campaignsFolder, campaignId).warm;
    return { campaignId, templateUid, version, folder };
  });
}

export class Campaigns {
  readonly folder: string;
  /** Whether nodes share the database, which then stores the lists and the results. */
  readonly isShared: boolean;
  /** Images that runs made before sending. */
  readonly warm: WarmRenders;
  readonly #store: CampaignStore;
  readonly #log: Log;
  readonly #write: WriteRun;
  readonly #onRunEnd: () => void;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #thread: CampaignThread;
  readonly #imports: ListImports;
  /** The numbers that the campaign threads of this process have had among the nodes. */
  readonly #owners = new Set<number>();
  /** Campaigns that existed at the last look or after it, and may have files on this node. */
  #known: Set<string>;
  readonly #timers: NodeJS.Timeout[];

  constructor(
    options: CampaignThreadOptions,
    {
      store,
      log,
      write,
      onRunEnd,
    }: { store: CampaignStore; log: Log; write: WriteRun; onRunEnd: () => void },
  ) {
    this.#store = store;
    this.#log = log;
    this.#write = write;
    this.#onRunEnd = onRunEnd;
    this.folder = options.campaignsFolder;
    this.isShared = options.databaseUrl !== undefined;
    this.#thread = new CampaignThread(options, {
      log,
      write,
      onNews: (news) => this.#receive(news),
      onNode: (owner) => void this.#owners.add(owner),
      onLost: (isSecond) => void this.#resume(isSecond),
    });
    this.#imports = new ListImports(this.folder);
    this.warm = new WarmRenders(() => findWarmFolders(this.folder, store));
    this.warm.refresh();
    this.#known = new Set(store.ids());
    this.#timers = [
      setInterval(() => this.#lookAfter(), lookAfterEveryMs).unref(),
      ...(this.isShared ? [setInterval(() => this.#look(), lookEveryMs).unref()] : []),
    ];
  }

  /**
   * Deletes files without a campaign, which a kill leaves behind. Call it before the first upload. With `mayShare`,
   * another process may have uploads, so only old files are deleted.
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

  /** Resumes runs that a kill interrupted. */
  start(): void {
    if (this.#store.openRuns().length > 0) this.wake();
  }

  /** Deletes the campaigns whose time is over. With a shared database, also deletes files that kills left. */
  async deleteExpired(): Promise<void> {
    for (const id of this.#store.findExpired(expiredMax)) await this.delete(id);
    if (this.isShared) this.deleteLeftovers({ mayShare: true });
  }

  /** A path for an upload that becomes the list of a campaign. */
  uploadPath(id: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, `${id}.upload`);
  }

  /** Imports a list into a campaign's file. Rejects with an `AppError` for an unreadable list, and a `QuotaError`. */
  async import(upload: ListUpload): Promise<ImportedList> {
    const { id } = upload;
    const imported = await this.#imports.run(upload);
    if (!this.isShared) return imported;
    try {
      await this.#thread.ask({ kind: 'save', id });
      return imported;
    } catch (error) {
      rmSync(join(this.folder, id), { recursive: true, force: true });
      throw error;
    }
  }

  /** Copies the list of a campaign to this node unless it is here. Rejects with a `StoreError`. */
  async loadList(id: string): Promise<void> {
    if (!existsSync(campaignPaths(this.folder, id).list)) await this.load(id);
  }

  /**
   * Copies a list to this node, with the problems that its last proof found, and completes one of an earlier release.
   * Rejects with a `StoreError`.
   */
  async load(id: string): Promise<void> {
    if (!this.isShared && !lacksNeeds(campaignPaths(this.folder, id).list)) return;
    this.#known.add(id);
    await this.#thread.ask({ kind: 'load', id });
  }

  /** Reads a part of a file of the shared database, from 0; undefined after its end. Rejects with a `StoreError`. */
  async readPart(file: string, part: number): Promise<Uint8Array | undefined> {
    return (await this.#thread.ask({ kind: 'part', file, part })).part;
  }

  /** Starts queued runs. `id` is a campaign that has a new one. */
  wake(id?: string): void {
    if (id !== undefined) this.#known.add(id);
    this.#thread.send({ kind: 'wake' });
  }

  /** Cancels the run of a campaign. Resolves when the campaign has no run. */
  async cancel(id: string): Promise<void> {
    await this.#thread.ask({ kind: 'cancel', id });
  }

  /** Deletes a campaign. Resolves when nothing of it is left. */
  async delete(id: string): Promise<void> {
    await this.#thread.ask({ kind: 'delete', id });
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
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#thread.close(), this.#imports.close()]);
    this.#storeWarmUse();
    for (const watcher of [...this.#watchers.values()].flatMap((each) => [...each])) {
      watcher(undefined);
    }
  }

  #receive(news: RunNews): void {
    this.#known.add(news.id);
    for (const watcher of this.#watchers.get(news.id) ?? []) watcher(news);
    if (news.mode === 'warm') this.warm.refresh();
    if (news.state === 'finished' || news.state === 'failed') this.#onRunEnd();
  }

  /** Starts the thread if there is a run that may not have begun on any node. */
  #look(): void {
    try {
      if (!this.#thread.isRunning) this.start();
    } catch {
      // Callers that need the database report that it cannot be read.
    }
  }

  #storeWarmUse(): void {
    const use = this.warm.takeUse();
    if (use.size > 0) this.#store.addWarmUse(use);
  }

  /** Stores the use of warm images, and finds what other processes and nodes have changed. Never throws. */
  #lookAfter(): void {
    this.#storeWarmUse();
    try {
      this.warm.refresh();
      this.#forgetDeleted();
      // The thread copies missing warm images to this node.
      const lacks = this.#store.runsOf('warm').some((run) => lacksWarm(this.folder, run));
      if (this.isShared && lacks) this.wake();
    } catch {
      // Callers that need the database report that it cannot be read. The known images remain.
    }
  }

  /** Deletes the files of campaigns that another node has deleted. */
  #forgetDeleted(): void {
    const now = new Set(this.#store.ids());
    for (const id of this.#known) {
      if (now.has(id) || !existsSync(join(this.folder, id))) continue;
      this.#thread.ask({ kind: 'forget', id }).catch((error: unknown) => {
        this.#log.warn('files of campaigns not deleted', { detail: errorText(error) });
      });
    }
    this.#known = now;
  }

  /** Starts a new thread after a loss, which resumes the runs of the lost one. Never rejects. */
  async #resume(isSecond: boolean): Promise<void> {
    try {
      await this.#queueLostRuns(isSecond).finally(() => this.#thread.askAgain());
      if (isSecond) await pause(secondLossMs, undefined, { ref: false });
      if (this.#store.openRuns().length > 0) this.wake();
    } catch (error) {
      // Another campaign or the next start resumes the runs.
      this.#log.error('campaigns not resumed', { detail: errorText(error) });
    }
  }

  /** Changes the runs that the lost thread had begun, before another thread looks for runs. */
  async #queueLostRuns(isSecond: boolean): Promise<void> {
    const begun = this.#store
      .openRuns()
      .filter(
        ({ state, owner }) => state === 'running' && (owner === null || this.#owners.has(owner)),
      );
    const change = changeOfLost(begun.length, isSecond);
    for (const run of begun) await this.#write({ kind: 'change', run, change });
  }
}
