/** Decides the next state of the runs whose thread ended by a fault. */
import type { RunChange } from '../store/campaigns/campaign-records.ts';

/**
 * Returns the change for all runs that the thread had begun. They continue from their checkpoints. A run that was alone
 * when the thread ended a second time has failed. `isSecond`: whether a thread ended before, and this one did one run at
 * a time since then.
 */
export function changeOfLost(count: number, isSecond: boolean): RunChange {
  if (!isSecond || count > 1) return { state: 'queued' };
  const error = 'The run ended the thread of campaigns twice, which the log describes.';
  return { state: 'failed', error, finishedAt: Date.now() };
}
