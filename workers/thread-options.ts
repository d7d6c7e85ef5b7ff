/** The options that a render host passes to its threads; empty elsewhere, as in tests. */
import { workerData } from 'node:worker_threads';
import type { RenderThreadOptions } from '#wire/render-wire.ts';

export const threadOptions: RenderThreadOptions & {
  /** Memory of `requests.ts`, if the host has several threads. */
  requestMemory?: SharedArrayBuffer;
  /** Memory of `writeToService`. */
  writeLock?: SharedArrayBuffer;
} = (workerData as { renderThread?: RenderThreadOptions } | null)?.renderThread ?? {};
