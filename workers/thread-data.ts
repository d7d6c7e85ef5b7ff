/** What this render thread was given by the pool; nothing on another thread, as in tests. */
import { workerData } from 'piscina';
import type { RenderThreadData } from '#shared/render-thread-data.ts';

export const threadData: Partial<RenderThreadData> =
  (workerData as RenderThreadData | undefined) ?? {};
