/** The runs of all campaigns: some at a time, in turns, resumed after a restart, canceled between two batches. */
import { rmSync } from 'node:fs';
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../foundation/errors.ts';
import { openCampaignList } from '../store/campaigns/campaign-list.ts';
import type {
  Campaign,
  CampaignRun,
  OpenRun,
  RunChange,
} from '../store/campaigns/campaign-store.ts';
import { StoreError } from '../store/database/store-error.ts';
import { campaignPaths } from './list/import-list.ts';
import { KeptImages } from './kept-images.ts';
import type { WebhookEvent } from '../webhooks/message.ts';
import type { RunNews } from './messages.ts';
import { CampaignRenderer } from './renderer.ts';
import { createRowWork } from './row-work.ts';
import type { RunParts } from './run-subject.ts';
import { runRows } from './run-rows.ts';
import { nextTurns } from './turns.ts';
import type { ActiveRun } from './turns.ts';

/** Intervals of progress: to those who watch, and in the database. */
const newsEveryMs = 250;
const storedEveryMs = 1000;

/** A full disk may have free space again. */
const databaseRetryMs = 30_000;

interface Active extends ActiveRun {
  stop: AbortController;
  ended: Promise<void>;
}

/** What a run has made when it ends, in whatever way. */
type Progress = Pick<CampaignRun, 'done' | 'countsJson'>;

/** The reason of a run that somebody ends. */
class Canceled extends Error {}

/** The reason of a run that makes way for another one. */
class TurnEnded extends Error {}

export class CampaignRuns {
  readonly #parts: RunParts;
  readonly #active = new Map<string, Active>();
  /** When the last turn of each organization ended. */
  readonly #turnEndsMs = new Map<string, number>();
  /** Whether this process may run campaigns, and no other does. */
  #isOpen = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Allows runs from now on, and starts them. */
  open(): void {
    this.#isOpen = true;
    this.wake();
  }

  /**
   * Starts queued runs, and those that a kill has cut short; ends turns. Never throws: what cannot start now is tried
   * again.
   */
  wake(): void {
    clearTimeout(this.#retry);
    if (!this.#isOpen) return;
    try {
      const open = this.#parts.store.openRuns();
      const waiting = open.filter(({ campaignId }) => !this.#active.has(campaignId));
      const active = [...this.#active.values()];
      const turns = nextTurns(waiting, active, this.#turnEndsMs, performance.now());
      for (const { stop } of turns.stop) stop.abort(new TurnEnded());
      for (const run of turns.start) this.#start(run);
    } catch (error) {
      this.#wakeLater(error);
    }
  }

  /** Ends the run of a campaign and resolves when it has ended; it is canceled. */
  async cancel(campaignId: string): Promise<void> {
    let active: Active | undefined;
    // A run whose turn has just ended may have got the next one.
    while ((active = this.#active.get(campaignId)) !== undefined) {
      active.stop.abort(new Canceled());
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      await active.ended;
    }
    // A queued one.
    const { store } = this.#parts;
    for (const run of store.findRuns(campaignId)) {
      if (run.state !== 'queued' && run.state !== 'running') continue;
      this.#change(run, { state: 'canceled', finishedAt: Date.now() });
      this.#discardFiles(run);
    }
  }

  /** Ends all runs at their next checkpoint. They stay open, so that the next start resumes them. */
  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#retry);
    const all = [...this.#active.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  #start(run: OpenRun): void {
    const { organizationUid } = run;
    const stop = new AbortController();
    const ended = this.#runToEnd(run, stop.signal);
    const startedMs = performance.now();
    const active = { organizationUid, startedMs, hasProgress: false, stop, ended };
    this.#active.set(run.campaignId, active);
  }

  /** Never rejects. */
  async #runToEnd(run: OpenRun, signal: AbortSignal): Promise<void> {
    const failure = await this.#run(run, signal).catch((error: unknown) => ({ error }));
    this.#active.delete(run.campaignId);
    this.#turnEndsMs.set(run.organizationUid, performance.now());
    if (failure === undefined) this.wake();
    else this.#wakeLater(failure.error);
  }

  /** The database takes no writes, say on a full disk: runs stay as they are, and continue when it does again. */
  #wakeLater(error: unknown): void {
    this.#parts.log.error('campaigns wait for the database', { detail: errorText(error) });
    if (this.#isOpen) this.#retry = setTimeout(() => this.wake(), databaseRetryMs);
  }

  /** Rejects if the state of the run cannot be stored. */
  async #run(run: CampaignRun, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    const progress: Progress = { done: run.done, countsJson: run.countsJson };
    this.#change(run, { state: 'running' });
    try {
      await this.#work(run, signal, progress);
      this.#change(run, { ...progress, state: 'finished', finishedAt: Date.now() });
    } catch (error) {
      if (signal.reason instanceof Canceled) {
        // Before it leaves the active ones: an open run would be started again.
        this.#change(run, { ...progress, state: 'canceled', finishedAt: Date.now() });
        this.#discardFiles(run);
        return;
      }
      // What it has made stays.
      if (signal.reason instanceof TurnEnded) this.#change(run, { ...progress, state: 'queued' });
      if (signal.aborted) return;
      log.error('campaign failed', { mode: run.mode, detail: errorText(error) });
      const failure = { error: publicMessage(error), finishedAt: Date.now() };
      this.#change(run, { ...progress, state: 'failed', ...failure });
      this.#discardFiles(run);
    }
  }

  async #work(run: CampaignRun, signal: AbortSignal, progress: Progress): Promise<void> {
    const { campaignsFolder, store, loader, processes, fonts } = this.#parts;
    const campaign = store.find(run.campaignId);
    if (campaign === undefined) return;
    const paths = campaignPaths(campaignsFolder, campaign.id);
    this.#forgetImages(run);
    const list = openCampaignList(paths.list);
    try {
      const images = new KeptImages(loader, paths.images);
      await processes.use(async (pool) => {
        const renderer = new CampaignRenderer(pool, processes.processCount, images, fonts);
        const work = createRowWork({
          ...this.#parts,
          campaign,
          run,
          list,
          paths,
          images,
          renderer,
        });
        const report = this.#reporter(run);
        await runRows(run, list, work, signal, (done, counts) => {
          Object.assign(progress, { done, countsJson: JSON.stringify(counts) });
          report(done, counts);
        });
      });
    } finally {
      list.close();
    }
  }

  /**
   * Deletes the kept images of campaigns without a run that has begun, so that at most `runsMax` campaigns of an
   * organization have some. A later run of theirs fetches them again.
   */
  #forgetImages({ campaignId }: CampaignRun): void {
    const { campaignsFolder, store } = this.#parts;
    const begun = store.openRuns().filter(({ state, done }) => state === 'running' || done > 0);
    const kept = new Set([campaignId, ...begun.map((each) => each.campaignId)]);
    for (const id of store.ids()) {
      if (kept.has(id)) continue;
      rmSync(campaignPaths(campaignsFolder, id).images, { recursive: true, force: true });
    }
  }

  /** Files that are not whole serve nobody, and may have filled the disk. */
  #discardFiles({ campaignId, mode }: CampaignRun): void {
    if (mode !== 'files') return;
    const { files } = campaignPaths(this.#parts.campaignsFolder, campaignId);
    rmSync(files, { recursive: true, force: true });
  }

  /** Reports progress at its intervals, and looks whether the turn is over. */
  #reporter(run: CampaignRun): (done: number, counts: Readonly<Record<string, unknown>>) => void {
    const { store, onNews } = this.#parts;
    let [newsMs, storedMs] = [0, 0];
    return (done, counts) => {
      const active = this.#active.get(run.campaignId);
      if (active !== undefined) active.hasProgress = true;
      const nowMs = performance.now();
      if (nowMs - newsMs > newsEveryMs) {
        newsMs = nowMs;
        onNews({ id: run.campaignId, mode: run.mode, state: 'running', done, counts, error: null });
      }
      if (nowMs - storedMs > storedEveryMs) {
        storedMs = nowMs;
        store.changeRun(run, { done, countsJson: JSON.stringify(counts) });
        this.wake();
      }
    };
  }

  /** Changes a run in the database, then tells those who watch. */
  #change(run: CampaignRun, change: RunChange): void {
    const { store, onNews, writeTogether, addEvent } = this.#parts;
    const { campaignId: id, mode } = run;
    const now = writeTogether(() => {
      const changed = store.changeRun(run, change) ? store.findRun(id, mode) : undefined;
      const campaign = changed && store.find(id);
      const event = campaign && eventOf(campaign, changed);
      if (event !== undefined) addEvent(event);
      return changed;
    });
    if (now === undefined) return;
    const { state, done, countsJson, error } = now;
    onNews({ id, mode, state, done, error, counts: JSON.parse(countsJson) as RunNews['counts'] });
  }
}

/** The event of a run that has ended: numbers, and no value of a row. */
function eventOf(campaign: Campaign, run: CampaignRun): WebhookEvent | undefined {
  const { state, mode, version, done, countsJson, error } = run;
  if (state !== 'finished' && state !== 'failed') return undefined;
  const { id, name, organizationUid, templateUid: template, rowCount: rows } = campaign;
  const {
    template: _warnings,
    problem_rows: _rows,
    ...counts
  } = JSON.parse(countsJson) as Record<string, unknown>;
  const data = { id, name, template, version, mode, rows, done, counts, error };
  return { organizationUid, type: `campaign.${state}`, data };
}

/** What a user may read of a failure; the rest is in the log. */
function publicMessage(error: unknown): string {
  if (error instanceof AppError && error.code !== 'INTERNAL') return error.message;
  if (error instanceof StoreError) return error.message;
  return 'The run failed by a fault of the service, which its log describes. Start it again.';
}
