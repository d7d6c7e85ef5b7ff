/** Decides which runs start and which stop for others, so that each organization with an open run makes progress. */

/** Upper bound of active runs, which share the processes of the pool. */
export const runsMax = 4;

/** Time in ms after which a run stops for one of another organization: the longest wait of a short proof. */
export const turnMs = 2000;

/** A run that waits for a turn. */
export interface WaitingRun {
  organizationUid: string;
}

/** A run that has a turn. */
export interface ActiveRun {
  organizationUid: string;
  startedMs: number;
  /** Whether the run has done a batch in this turn. Without one it may not stop: it would repeat the batch. */
  hasProgress: boolean;
  /** If aborted, the run ends at its next checkpoint. */
  stop: Pick<AbortController, 'signal'>;
}

/**
 * Returns the waiting runs to start, and the active ones to stop for others. The next turn is that of the organization
 * with the fewest active runs. Of equals, the one whose last turn ended first is next (`turnEndsMs`). Its runs start in
 * the order of `waiting`. A run stops only for an organization with fewer active runs. At most `countMax` runs are
 * active.
 */
export function nextTurns<Waiting extends WaitingRun, Active extends ActiveRun>(
  waiting: readonly Waiting[],
  active: readonly Active[],
  turnEndsMs: ReadonlyMap<string, number>,
  nowMs: number,
  countMax = runsMax,
): { start: Waiting[]; stop: Active[] } {
  const staying = new Set(active.filter(({ stop }) => !stop.signal.aborted));
  const counts = new Map<string, number>();
  const countOf = ({ organizationUid }: WaitingRun): number => counts.get(organizationUid) ?? 0;
  const add = (run: WaitingRun, count: number): unknown =>
    counts.set(run.organizationUid, countOf(run) + count);
  for (const run of staying) add(run, 1);
  const endMs = ({ organizationUid }: WaitingRun): number =>
    turnEndsMs.get(organizationUid) ?? -Infinity;
  const isBefore = (a: Waiting, b: Waiting): boolean =>
    countOf(a) < countOf(b) || (countOf(a) === countOf(b) && endMs(a) < endMs(b));
  const isLonger = (a: Active, b: Active): boolean =>
    countOf(a) > countOf(b) || (countOf(a) === countOf(b) && a.startedMs < b.startedMs);

  const [start, stop]: [Waiting[], Active[]] = [[], []];
  let free = countMax - active.length;
  let leaving = active.length - staying.size;
  const queue = new Set(waiting);
  for (;;) {
    const next = first([...queue], isBefore);
    if (next === undefined) break;
    if (free > 0) {
      free -= 1;
      start.push(next);
    } else if (leaving > 0) {
      // The run starts when a leaving one has stopped.
      leaving -= 1;
    } else {
      const mayStop = [...staying].filter(
        (run) => run.hasProgress && nowMs - run.startedMs >= turnMs && countOf(run) > countOf(next),
      );
      const longest = first(mayStop, isLonger);
      if (longest === undefined) break;
      stop.push(longest);
      staying.delete(longest);
      add(longest, -1);
    }
    add(next, 1);
    queue.delete(next);
  }
  return { start, stop };
}

/** The item before all others; of equals, the first one. */
function first<Item>(
  items: readonly Item[],
  isBefore: (a: Item, b: Item) => boolean,
): Item | undefined {
  return items.reduce<Item | undefined>(
    (found, item) => (found === undefined || isBefore(item, found) ? item : found),
    undefined,
  );
}
