/** Options of a pool of render processes. */
import type { Log } from '../foundation/log.ts';
import type { CacheSizes } from './memory-budget.ts';
import type { JobLimits } from './processes/process.ts';

export interface RenderPoolOptions {
  /** The program of a render process; see `workers/serve-renders.ts`. */
  filename: string;
  /** Processes; each renders on one thread. */
  threads: number;
  /** Bytes that each process keeps. Default: those of `RenderProcessOptions` and `KeptParts`. */
  caches?: Pick<
    CacheSizes,
    'plansBytesMax' | 'drawablesBytesMax' | 'partsBytesMax' | 'collectFromBytes'
  >;
  /** Jobs that may wait for a thread. */
  queueMax: number;
  /** Estimated bytes of decoding in all processes at a time, beside 100 MB that each always has. Default: 1 GiB. */
  decodesBytesMax?: number;
  /** Configuration of the fonts; the system's if absent. */
  fontConfigFile?: string;
  log: Log;
  /** Limits of one job before its process is killed. Default: 6 s of CPU time, 30 s without any, 1.5 GiB. */
  limits?: Partial<JobLimits>;
}
