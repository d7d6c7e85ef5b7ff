/** Runs over the rows of a list, batch by batch, from the last checkpoint to the end. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CampaignList, StoredRow } from '../store/campaigns/campaign-list.ts';
import type { RowProblem } from '../store/campaigns/problem-rows.ts';
import type { CampaignRun } from '../store/campaigns/campaign-records.ts';

/** Rows of a batch at most. A batch ends with a checkpoint, so a kill repeats at most one batch. */
const batchRows = 100;

/** The work of a mode on rows. */
export interface RowWork {
  /** Called once, before the first batch: with the state of the last checkpoint, or at the start of a run. */
  start(stateJson?: string): Promise<void>;
  /** Works on a batch. Files that it writes beside the list must be durable when it resolves. */
  take(rows: readonly StoredRow[]): Promise<readonly RowProblem[]>;
  /** The state after the last batch, as JSON. */
  stateJson(): string;
  /** Counts that callers see, by name. */
  counts(): Readonly<Record<string, unknown>>;
  /** Called once, after the last row. */
  finish?(): Promise<void>;
  /** Called last, also after a failure: closes files. */
  close?(): Promise<void>;
}

/** Progress of a run. */
export type OnProgress = (done: number, counts: Readonly<Record<string, unknown>>) => void;

/** Runs `work` to the end and closes it. Rejects with its errors, or between batches with the reason of `signal`. */
export async function runRows(
  { mode, number }: Pick<CampaignRun, 'mode' | 'number'>,
  list: CampaignList,
  work: RowWork,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  try {
    await runToEnd({ mode, number }, list, work, signal, onProgress);
  } finally {
    await work.close?.();
  }
}

async function runToEnd(
  { mode, number }: Pick<CampaignRun, 'mode' | 'number'>,
  list: CampaignList,
  work: RowWork,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const known = list.findCheckpoint(mode);
  let { row, done } = { row: 0, done: 0 };
  if (known?.number === number) {
    ({ row, done } = known);
    await work.start(known.stateJson);
  } else {
    await work.start();
    list.begin(mode, { number, row, done, stateJson: work.stateJson() });
  }
  for (;;) {
    signal.throwIfAborted();
    const rows = list.rowsAfter(row, batchRows);
    const last = rows.at(-1);
    if (last === undefined) break;
    const problems = await work.take(rows);
    row = last.row;
    done += rows.length;
    list.commit(mode, { number, row, done, stateJson: work.stateJson() }, problems);
    onProgress(done, work.counts());
  }
  await work.finish?.();
  onProgress(done, work.counts());
}

/** Time in ms after which a turn of the event loop starts no further row. */
const turnMsMax = 10;

/** When rows were first worked on in this turn. All runs of the thread share it. */
let turnStartedMs = 0;

/** Resolves in a turn that has time for a row. */
async function turnForRow(): Promise<void> {
  while (performance.now() - turnStartedMs > turnMsMax) {
    const lastMs = turnStartedMs;
    await nextTurn();
    if (turnStartedMs === lastMs) turnStartedMs = performance.now();
  }
}

/**
 * Works on all items, `concurrency` at a time, over as many turns of the event loop as they need: a row may take as long
 * as a link, and all organizations share the thread. Results have the order of the items. Rejects with the first failure.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      await turnForRow();
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  return results;
}

/**
 * Works on all items, `concurrency` at a time, and yields the results in the order of the items. At most `concurrency`
 * items are in work or wait in memory. Throws the first failure after all started work has ended.
 */
export async function* mapInOrder<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<{ item: Item; result: Result }> {
  const started: { item: Item; ended: Promise<Result> }[] = [];
  let next = 0;
  const startMore = (): void => {
    for (const item of items.slice(next, next + concurrency - started.length)) {
      const ended = turnForRow().then(() => work(item));
      // A failure of a later item is thrown when its result is due.
      ended.catch(() => undefined);
      started.push({ item, ended });
      next += 1;
    }
  };
  try {
    for (;;) {
      startMore();
      const [first] = started;
      if (first === undefined) return;
      const result = await first.ended;
      started.shift();
      // Starts more work before the result is used, so that the processes do not wait for the disk.
      startMore();
      yield { item: first.item, result };
    }
  } finally {
    await Promise.allSettled(started.map(({ ended }) => ended));
  }
}
