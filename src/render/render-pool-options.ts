/** What a pool of threads is made with. */
import type { Log } from '../log.ts';

export interface RenderPoolOptions {
  /** The worker's module; its default export takes a `RenderJob` and gives a `RenderOutcome`. */
  filename: string;
  threads: number;
  /** Bytes that each thread keeps of plans. Default: 128 MiB. */
  plansBytesMax?: number;
  /** Jobs that may wait for a thread. */
  queueMax: number;
  /**
   * Estimated bytes of decoding in all threads at a time, beside 100 MB that each thread holds anyway.
   * Default: 1 GiB.
   */
  decodesBytesMax?: number;
  log: Log;
  /** A thread has been at one job for `stuckAfterMs`: it cannot be stopped without ending the process. */
  onStuck: () => void;
  /** Default: 30 s. */
  stuckAfterMs?: number;
}
