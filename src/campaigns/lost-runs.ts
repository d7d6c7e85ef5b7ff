/** What becomes of the runs of a thread that a fault has ended. */
import type { RunChange } from '../store/campaigns/campaign-records.ts';

/** How the thread has ended. */
export interface ThreadLoss {
  /** Whether it was reading an upload, which has failed with it: nothing is said against its runs. */
  isImporting: boolean;
  /** Whether a thread that has ended before it did one run at a time since then. */
  isSecond: boolean;
}

/**
 * The change of all runs that the thread had begun. They continue from their checkpoints; but a run that was alone when
 * the thread ended again has failed.
 */
export function changeOfLost(count: number, { isImporting, isSecond }: ThreadLoss): RunChange {
  if (isImporting || !isSecond || count > 1) return { state: 'queued' };
  const error = 'The run ended the thread of campaigns twice, which the log describes.';
  return { state: 'failed', error, finishedAt: Date.now() };
}
