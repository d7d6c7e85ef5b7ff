/** Decides the next state of the runs whose thread ended by a fault. */
import type { RunChange } from '../store/campaigns/campaign-records.ts';

/** The circumstances under which the thread ended. */
export interface ThreadLoss {
  /** Whether the thread was reading an upload, which failed with it. The loss then does not count against its runs. */
  isImporting: boolean;
  /** Whether a thread ended before and this one did one run at a time since then. */
  isSecond: boolean;
}

/**
 * Returns the change for all runs that the thread had begun. They continue from their checkpoints. A run that was alone
 * when the thread ended a second time has failed.
 */
export function changeOfLost(count: number, { isImporting, isSecond }: ThreadLoss): RunChange {
  if (isImporting || !isSecond || count > 1) return { state: 'queued' };
  const error = 'The run ended the thread of campaigns twice, which the log describes.';
  return { state: 'failed', error, finishedAt: Date.now() };
}
