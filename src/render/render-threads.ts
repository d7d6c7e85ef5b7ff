/** Starts the threads that render, with their fonts and a first job each: the longest part of a start, so the first. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Config } from '../config.ts';
import { Deadline } from '../deadline.ts';
import type { Log } from '../log.ts';
import { prepareFontEnvironment } from './font-environment.ts';
import { RenderPool } from './render-pool.ts';
import { warmUpJob } from './warm-up.ts';

/** Threads that load their code and fonts while the rest of the service is made. */
export interface RenderThreads {
  pool: RenderPool;
  /** The fonts' configuration, for processes that do not inherit the environment. */
  fontConfigFile: string;
  /** Resolves when each thread has rendered; rejects when a render fails or takes 30 s. */
  ready: Promise<void>;
}

/** Milliseconds for the first render of each thread: a cold start on a busy machine takes two seconds. */
const warmUpTimeoutMs = 30_000;

/**
 * Megabytes from which on a thread marks its whole heap. V8 would begin near the 18 that live there, which renders
 * fill with pixels 30 times a second: its marking took a fifth of all processor time.
 */
const collectFromMb = 96;

const workerFile = fileURLToPath(new URL('../../workers/render.ts', import.meta.url));

/**
 * Prepares the fonts below the data directory, which is made when missing, and starts the threads. The caller
 * closes the pool. `onFatal` is called when a thread is stuck in native code: only the end of the process frees it.
 */
export async function startRenderThreads(
  config: Config,
  log: Log,
  onFatal: (reason: string) => void,
): Promise<RenderThreads> {
  const fontConfigFile = await prepareFontEnvironment(config.templates.dataDirectory);
  const { threads, queueMax } = config.render;
  // For isolates made from now on; threads take no such option of their own.
  setFlagsFromString(`--initial-old-space-size=${collectFromMb}`);
  const pool = new RenderPool({
    filename: workerFile,
    threads,
    plansBytesMax: config.cache.plansBytesMax,
    queueMax,
    decodesBytesMax: config.images.decodesBytesMax,
    log,
    onStuck: () => onFatal('A render has held its thread for too long.'),
  });
  const ready = pool.warmUp(warmUpJob, new Deadline(performance.now() + warmUpTimeoutMs));
  // Whoever waits for it is told; until somebody does, it is no forgotten promise.
  ready.catch(() => undefined);
  return { pool, fontConfigFile, ready };
}
