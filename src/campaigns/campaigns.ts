/** The campaigns of a service, as its main thread sees them: orders to their thread, and news for those who watch. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../foundation/log.ts';
import type { ListOptions } from '../lists/list.ts';
import type { CampaignStore } from '../store/campaigns/campaign-store.ts';
import type { StorageSpace } from '../store/database/storage-quota.ts';
import { WarmRenders } from '../render/warm-renders.ts';
import type { WarmFolder } from '../render/warm-renders.ts';
import { campaignPaths } from './list/import-list.ts';
import type { ImportedList } from './list/import-list.ts';
import { changeOfLost } from './lost-runs.ts';
import type { ThreadLoss } from './lost-runs.ts';
import { lockName } from './messages.ts';
import type { CampaignThreadOptions, RunNews } from './messages.ts';
import type { WriteRun } from './run-writes.ts';
import { lacksWarm } from './shared/shared-files.ts';
import { CampaignThread } from './thread-client.ts';

/** A kill loses the counts of so long; another process finds new warm images as late, and another node deleted campaigns. */
const lookAfterEveryMs = 5000;

/** A thread that ends again and again, such as one without its database, starts no sooner than this. */
const secondLossMs = 5000;

/** Runs of other nodes are seen after so long. */
const lookEveryMs = 1000;

/** Nobody uploads and reads a list for so long. */
const uploadMsMax = 60 * 60 * 1000;

/** Campaigns that one collection deletes; the rest waits for the next day. */
const expiredMax = 10_000;

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
  /** Whether nodes share the database, which then has the lists and the results. */
  readonly isShared: boolean;
  /** The images that runs have made before sending. */
  readonly warm: WarmRenders;
  readonly #store: CampaignStore;
  readonly #log: Log;
  readonly #write: WriteRun;
  readonly #onRunEnd: () => void;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #thread: CampaignThread;
  /** The numbers of its threads among the nodes. */
  readonly #owners = new Set<number>();
  /** Campaigns that have existed at the last look or after it, and may have files here. */
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
      onLost: (loss) => void this.#resume(loss),
    });
    this.warm = new WarmRenders(() => findWarmFolders(this.folder, store));
    this.warm.refresh();
    this.#known = new Set(store.ids());
    this.#timers = [
      setInterval(() => this.#lookAfter(), lookAfterEveryMs).unref(),
      ...(this.isShared ? [setInterval(() => this.#look(), lookEveryMs).unref()] : []),
    ];
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

  /** Deletes the campaigns whose time is over, with their files, and what kills have left. */
  async deleteExpired(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const id of this.#store.findExpired(expiredMax)) await this.delete(id);
    if (this.isShared) this.deleteLeftovers({ mayShare: true });
  }

  /** A path for an upload that becomes the list of a campaign. */
  uploadPath(id: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return join(this.folder, `${id}.upload`);
  }

  /** Reads a list into the file of a campaign. Rejects with an `AppError` for a list that cannot be read, and with a `QuotaError`. */
  async import(
    id: string,
    path: string,
    options: ListOptions,
    space: StorageSpace,
  ): Promise<ImportedList> {
    try {
      const { imported } = await this.#thread.ask({ kind: 'import', id, path, options, space });
      return imported as ImportedList;
    } catch (error) {
      // A thread that has ended leaves a part of it.
      rmSync(join(this.folder, id), { recursive: true, force: true });
      throw error;
    }
  }

  /** Brings the list of a campaign to this node. Rejects with a `StoreError`. */
  async loadList(id: string): Promise<void> {
    if (!existsSync(campaignPaths(this.folder, id).list)) await this.load(id);
  }

  /** Brings the list of a campaign to this node, with the problems that its last proof has found. Rejects with a `StoreError`. */
  async load(id: string): Promise<void> {
    if (!this.isShared) return;
    this.#known.add(id);
    await this.#thread.ask({ kind: 'load', id });
  }

  /** A part of a file of the shared database, from 0; undefined behind its end. Rejects with a `StoreError`. */
  async readPart(file: string, part: number): Promise<Uint8Array | undefined> {
    return (await this.#thread.ask({ kind: 'part', file, part })).part;
  }

  /** Starts queued runs, such as one of the campaign `id`. */
  wake(id?: string): void {
    if (id !== undefined) this.#known.add(id);
    this.#thread.send({ kind: 'wake' });
  }

  /** Resolves when the campaign has no run any more. */
  async cancel(id: string): Promise<void> {
    await this.#thread.ask({ kind: 'cancel', id });
  }

  /** Resolves when nothing of the campaign is left. */
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
    await this.#thread.close();
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

  /** The thread starts when there is a run that no node may have begun. */
  #look(): void {
    try {
      if (!this.#thread.isRunning) this.start();
    } catch {
      // A database that cannot be read is reported by what needs it.
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
      // The thread copies them.
      const lacks = this.#store.runsOf('warm').some((run) => lacksWarm(this.folder, run));
      if (this.isShared && lacks) this.wake();
    } catch {
      // A database that cannot be read is reported by what needs it; the known images stay.
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

  /** The thread has ended: a new one resumes its runs. Never rejects. */
  async #resume(loss: ThreadLoss): Promise<void> {
    try {
      const begun = this.#store
        .openRuns()
        .filter(
          ({ state, owner }) => state === 'running' && (owner === null || this.#owners.has(owner)),
        );
      const change = changeOfLost(begun.length, loss);
      // oxlint-disable-next-line no-await-in-loop -- few runs
      for (const run of begun) await this.#write({ kind: 'change', run, change });
      if (loss.isSecond) await pause(secondLossMs, undefined, { ref: false });
      if (this.#store.openRuns().length > 0) this.wake();
    } catch (error) {
      // The next campaign or the next start resumes them.
      this.#log.error('campaigns not resumed', { detail: errorText(error) });
    }
  }
}
