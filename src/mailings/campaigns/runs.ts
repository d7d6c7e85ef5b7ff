/** The runs of all campaigns: a few at a time, in turns, resumed after a restart, canceled between two batches. */
import { rmSync } from 'node:fs';
import { errorText } from '#wire/error-text.ts';
import type {
  CampaignRun,
  OpenRun,
  RunChange,
  RunFiles,
  RunKey,
} from '../store/campaigns/campaign-records.ts';
import { isSameRun } from '../store/campaigns/campaign-store.ts';
import { campaignPaths } from './list/import-list.ts';
import { doRun } from './do-run.ts';
import type { RunNews } from './messages.ts';
import type { RunParts } from './run-subject.ts';
import { whenReachable } from './run-writes.ts';
import type { RunWrite } from './run-writes.ts';
import { publicMessage } from './thread-errors.ts';
import { nextTurns, runsMax } from './turns.ts';
import type { ActiveRun } from './turns.ts';

/** Intervals of progress in ms: to watchers, and in the database. */
const newsEveryMs = 250;
const storedEveryMs = 1000;

/** Delay in ms after a failed write, because a full disk may have free space again. */
const databaseRetryMs = 30_000;

interface Active extends ActiveRun {
  stop: AbortController;
  ended: Promise<void>;
  /** The run after this node has taken it; undefined before the database confirms it. */
  taken: CampaignRun | undefined;
}

/** The progress of a run at its end, however it ends. */
type Progress = Pick<CampaignRun, 'done' | 'countsJson'>;

/** Abort reason of a run that a user cancels. */
class Canceled extends Error {}

/** Abort reason of a run whose turn ends, so that another run can start. */
class TurnEnded extends Error {}

/** Abort reason of a run that another node has ended, deleted or taken over. */
class Lost extends Error {}

export class CampaignRuns {
  readonly #parts: RunParts;
  readonly #active = new Map<string, Active>();
  /** When the last turn of each organization ended. */
  readonly #turnEndsMs = new Map<string, number>();
  /** Whether this process has the lock and may run campaigns. */
  #isOpen = false;
  #oneByOneUntilMs = -Infinity;
  #isLooking = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Starts runs from now on; in the first `oneByOneMs` milliseconds one at a time. */
  open(oneByOneMs: number): void {
    this.#isOpen = true;
    this.#oneByOneUntilMs = performance.now() + oneByOneMs;
    this.wake();
  }

  /**
   * Starts queued runs, and runs that a kill interrupted or whose node has ended; ends turns. Never throws: a run that
   * cannot start is retried later.
   */
  wake(): void {
    clearTimeout(this.#retry);
    if (!this.#isOpen) return;
    try {
      const { store, shared } = this.#parts;
      const waiting = store
        .openRuns()
        .filter(
          ({ campaignId, owner }) =>
            !this.#active.has(campaignId) && (shared?.node.mayTake(owner) ?? true),
        );
      const active = [...this.#active.values()];
      const nowMs = performance.now();
      const countMax = nowMs < this.#oneByOneUntilMs ? 1 : runsMax;
      const turns = nextTurns(waiting, active, this.#turnEndsMs, nowMs, countMax);
      for (const { stop } of turns.stop) stop.abort(new TurnEnded());
      for (const run of turns.start) this.#start(run);
    } catch (error) {
      this.#wakeLater(error);
    }
  }

  /** Applies changes of other nodes: ends runs that this node lost, and starts runs of ended nodes. Never rejects. */
  async look(): Promise<void> {
    if (!this.#isOpen || this.#isLooking) return;
    const { store, shared } = this.#parts;
    this.#isLooking = true;
    try {
      for (const { taken, stop } of this.#active.values()) {
        const now = taken && store.findRun(taken.campaignId, taken.mode);
        if (taken !== undefined && (now === undefined || !isSameRun(now, taken))) {
          stop.abort(new Lost());
        }
      }
      const owners = store.openRuns().flatMap(({ owner }) => owner ?? []);
      if (owners.length > 0) await shared?.node.look(new Set(owners));
    } catch {
      // While the database is away, no run changes its node.
    }
    this.#isLooking = false;
    this.wake();
  }

  /** Cancels the run of a campaign and resolves when it has ended. Rejects if that cannot be stored. */
  async cancel(campaignId: string): Promise<void> {
    let active: Active | undefined;
    // A run whose turn has just ended may have started its next turn.
    while ((active = this.#active.get(campaignId)) !== undefined) {
      active.stop.abort(new Canceled());
      await active.ended;
    }
    // Cancels a run that is still queued.
    const { store } = this.#parts;
    for (const { owner: _anyNode, ...run } of store.findRuns(campaignId)) {
      if (run.state !== 'queued' && run.state !== 'running') continue;
      await this.#change(run, { state: 'canceled', finishedAt: Date.now() });
      this.#discardFiles(run);
    }
  }

  /** Ends the run that this node has of a deleted campaign. */
  async end(campaignId: string): Promise<void> {
    const active = this.#active.get(campaignId);
    active?.stop.abort(new Lost());
    await active?.ended;
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
    const startedMs = performance.now();
    const turn = { organizationUid, startedMs, hasProgress: false, stop };
    const active: Active = { ...turn, ended: Promise.resolve(), taken: undefined };
    this.#active.set(run.campaignId, active);
    active.ended = this.#runToEnd(run, active);
  }

  /** Never rejects. */
  async #runToEnd(run: OpenRun, active: Active): Promise<void> {
    const failure = await this.#take(run, active).catch((error: unknown) => ({ error }));
    this.#active.delete(run.campaignId);
    this.#turnEndsMs.set(run.organizationUid, performance.now());
    if (failure === undefined) this.wake();
    else this.#wakeLater(failure.error);
  }

  /** Retries later if the database accepts no writes, for example on a full disk. Runs keep their state until then. */
  #wakeLater(error: unknown): void {
    this.#parts.log.error('campaigns wait for the database', { detail: errorText(error) });
    if (this.#isOpen) this.#retry = setTimeout(() => this.wake(), databaseRetryMs);
  }

  /** Begins the run, unless another node was first. Rejects if the state of the run cannot be stored. */
  async #take(run: OpenRun, active: Active): Promise<void> {
    const { shared } = this.#parts;
    const { signal } = active.stop;
    const owner = shared?.node.number ?? null;
    try {
      if (shared !== undefined) await whenReachable(() => shared.node.hold(), signal);
      active.taken = await this.#change(run, { state: 'running', owner }, signal);
    } catch (error) {
      // A run that is canceled here has the state of a queued run.
      if (!signal.aborted) throw error;
    }
    if (active.taken !== undefined) await this.#run(active.taken, signal);
  }

  async #run(run: CampaignRun, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    const progress: Progress = { done: run.done, countsJson: run.countsJson };
    try {
      const report = this.#reporter(run);
      const write: RunParts['write'] = (given) => this.#writeTaken(run, given);
      const files = await doRun({ ...this.#parts, write }, run, signal, (done, counts) => {
        Object.assign(progress, { done, countsJson: JSON.stringify(counts) });
        report(done, counts);
      });
      await this.#finish(run, progress, files, signal);
    } catch (error) {
      // The node keeps the partial results beside the list.
      if (signal.reason instanceof TurnEnded)
        await this.#change(run, { ...progress, state: 'queued' });
      if (signal.reason instanceof Canceled) {
        // Stored while the run is still active, because `wake` would start an open run again.
        await this.#change(run, { ...progress, state: 'canceled', finishedAt: Date.now() });
      }
      if (signal.reason instanceof Canceled || signal.reason instanceof Lost)
        this.#discardFiles(run);
      if (signal.aborted) return;
      log.error('campaign failed', { mode: run.mode, detail: errorText(error) });
      const failure = { error: publicMessage(error), finishedAt: Date.now() };
      await this.#change(run, { ...progress, state: 'failed', ...failure }, signal);
      this.#discardFiles(run);
    }
  }

  /** Publishes the results by storing the end of the run. A node that lost the run meanwhile discards its results. */
  async #finish(
    run: CampaignRun,
    progress: Progress,
    files: RunFiles,
    signal: AbortSignal,
  ): Promise<void> {
    const { files: sharedFiles } = this.#parts.shared ?? {};
    const filesJson = JSON.stringify(files);
    const change = { ...progress, state: 'finished', finishedAt: Date.now(), filesJson } as const;
    const finished = await this.#change(run, change, signal);
    if (finished !== undefined) sharedFiles?.forgetResults(finished);
    else await sharedFiles?.discard(run, files);
  }

  /** Deletes partial files of a `files` run, which may have filled the disk. */
  #discardFiles({ campaignId, mode }: RunKey): void {
    if (mode !== 'files') return;
    const { files } = campaignPaths(this.#parts.campaignsFolder, campaignId);
    rmSync(files, { recursive: true, force: true });
  }

  /** Makes the function that reports progress at its intervals and checks whether the turn is over. */
  #reporter(run: CampaignRun): (done: number, counts: Readonly<Record<string, unknown>>) => void {
    const { onNews } = this.#parts;
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
        void this.#storeProgress(run, { done, countsJson: JSON.stringify(counts) });
        this.wake();
      }
    };
  }

  /** Never rejects: later progress follows, and the end of the run is stored in any case. */
  async #storeProgress(run: CampaignRun, change: Progress): Promise<void> {
    try {
      await this.#writeTaken(run, { kind: 'change', run, change });
    } catch {
      // The database accepts no writes at the moment.
    }
  }

  /** Stores a write of a run. If the run is no longer this node's, ends it. */
  async #writeTaken(run: CampaignRun, write: RunWrite): Promise<CampaignRun | undefined> {
    const now = await this.#parts.write(write);
    if (now === undefined) this.#active.get(run.campaignId)?.stop.abort(new Lost());
    return now;
  }

  /**
   * Changes a run in the database, then notifies watchers; undefined if the run is no longer this node's. With
   * `signal`, waits for a database that is away.
   */
  async #change(
    run: RunKey,
    change: RunChange,
    signal?: AbortSignal,
  ): Promise<CampaignRun | undefined> {
    const { write, onNews } = this.#parts;
    const { campaignId, mode, number, owner } = run;
    const key = { campaignId, mode, number, ...(owner === undefined ? {} : { owner }) };
    const store = (): Promise<CampaignRun | undefined> =>
      write({ kind: 'change', run: key, change });
    const now = await (signal === undefined ? store() : whenReachable(store, signal));
    if (now === undefined) return undefined;
    const { state, done, countsJson, error } = now;
    const counts = JSON.parse(countsJson) as RunNews['counts'];
    onNews({ id: campaignId, mode, state, done, error, counts });
    return now;
  }
}
