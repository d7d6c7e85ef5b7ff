/** The runs of all campaigns: some at a time, resumed after a restart, canceled between two batches. */
import { rmSync } from 'node:fs';
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../foundation/errors.ts';
import { openCampaignList } from '../store/campaigns/campaign-list.ts';
import type { Campaign, CampaignRun, RunChange } from '../store/campaigns/campaign-store.ts';
import { StoreError } from '../store/database/store-error.ts';
import { campaignPaths } from './list/import-list.ts';
import { KeptImages } from './kept-images.ts';
import type { WebhookEvent } from '../webhooks/message.ts';
import type { RunNews } from './messages.ts';
import { CampaignRenderer } from './renderer.ts';
import { createRowWork } from './row-work.ts';
import type { RunParts } from './run-subject.ts';
import { runRows } from './run-rows.ts';

/** Runs at a time: the pool shares its processes between them. */
const runsMax = 4;
/** Intervals of progress: to those who watch, and in the database. */
const newsEveryMs = 250;
const storedEveryMs = 1000;

interface Active {
  stop: AbortController;
  ended: Promise<void>;
}

class Stopped extends Error {}

export class CampaignRuns {
  readonly #parts: RunParts;
  readonly #active = new Map<string, Active>();
  /** Whether this process may run campaigns, and no other does. */
  #isOpen = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Allows runs from now on, and starts them. */
  open(): void {
    this.#isOpen = true;
    this.wake();
  }

  /** Starts queued runs, and those that a kill has cut short. */
  wake(): void {
    for (const run of this.#parts.store.openRuns()) {
      if (!this.#isOpen || this.#active.size >= runsMax) return;
      if (this.#active.has(run.campaignId)) continue;
      const stop = new AbortController();
      const ended = this.#run(run, stop.signal).finally(() => {
        this.#active.delete(run.campaignId);
        this.wake();
      });
      this.#active.set(run.campaignId, { stop, ended });
    }
  }

  /** Ends the run of a campaign and resolves when it has ended; it is canceled. */
  async cancel(campaignId: string): Promise<void> {
    const active = this.#active.get(campaignId);
    active?.stop.abort(new Stopped('canceled'));
    await active?.ended;
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
    const all = [...this.#active.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Never rejects. */
  async #run(run: CampaignRun, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    try {
      this.#change(run, { state: 'running' });
      await this.#work(run, signal);
    } catch (error) {
      if (signal.aborted) {
        // Before it leaves the active ones: an open run would be started again.
        if (signal.reason instanceof Stopped)
          this.#change(run, { state: 'canceled', finishedAt: Date.now() });
        return;
      }
      log.error('campaign failed', { mode: run.mode, detail: errorText(error) });
      this.#change(run, { state: 'failed', error: publicMessage(error), finishedAt: Date.now() });
      this.#discardFiles(run);
    }
  }

  async #work(run: CampaignRun, signal: AbortSignal): Promise<void> {
    const { campaignsFolder, store, loader, processes, fonts } = this.#parts;
    const campaign = store.find(run.campaignId);
    if (campaign === undefined) return;
    const paths = campaignPaths(campaignsFolder, campaign.id);
    const list = openCampaignList(paths.list);
    try {
      const images = new KeptImages(loader, paths.images);
      let [counts, done] = [{}, run.done];
      await processes.use(async (pool) => {
        const renderer = new CampaignRenderer(pool, processes.threads, images, fonts);
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
        await runRows(run, list, work, signal, (rows, found) => {
          done = rows;
          counts = found;
          report(rows, found);
        });
      });
      const countsJson = JSON.stringify(counts);
      this.#change(run, { state: 'finished', done, countsJson, finishedAt: Date.now() });
    } finally {
      list.close();
    }
  }

  /** Files that are not whole serve nobody, and may have filled the disk. */
  #discardFiles({ campaignId, mode }: CampaignRun): void {
    if (mode !== 'files') return;
    const { files } = campaignPaths(this.#parts.campaignsFolder, campaignId);
    rmSync(files, { recursive: true, force: true });
  }

  /** Reports progress at its intervals. */
  #reporter(run: CampaignRun): (done: number, counts: Readonly<Record<string, unknown>>) => void {
    const { store, onNews } = this.#parts;
    let [newsMs, storedMs] = [0, 0];
    return (done, counts) => {
      const nowMs = performance.now();
      if (nowMs - newsMs > newsEveryMs) {
        newsMs = nowMs;
        onNews({ id: run.campaignId, mode: run.mode, state: 'running', done, counts, error: null });
      }
      if (nowMs - storedMs > storedEveryMs) {
        storedMs = nowMs;
        store.changeRun(run, { done, countsJson: JSON.stringify(counts) });
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
