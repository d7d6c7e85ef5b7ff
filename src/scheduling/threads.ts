/**
 * Starts the render threads, with their fonts and a first job each. This is the longest part of a start, so it comes
 * first.
 */
import { programPath } from '#paths.ts';
import { Deadline } from '../foundation/deadline.ts';
import type { Log } from '../foundation/log.ts';
import { prepareFontEnvironment } from './font-environment.ts';
import { RenderPool } from './pool.ts';
import type { RenderPoolOptions } from './pool-options.ts';
import { warmUpJob } from './warm-up.ts';

/** Threads that load their code and fonts while the rest of the service starts. */
export interface RenderThreads {
  pool: RenderPool;
  /** The fonts' configuration, for processes that do not inherit the environment. */
  fontConfigFile: string;
  /** Resolves when each thread has rendered; rejects if a render fails or takes 30 s. */
  ready: Promise<void>;
}

/** The sections of the configuration about rendering. */
export interface RenderThreadsConfig {
  templates: { dataDirectory: string };
  render: Pick<RenderPoolOptions, 'threads' | 'queueMax'>;
  images: Required<Pick<RenderPoolOptions, 'decodesBytesMax'>>;
  cache: NonNullable<RenderPoolOptions['caches']>;
}

/** Time limit for the first render of each thread: a cold start on a busy machine takes two seconds. */
const warmUpTimeoutMs = 30_000;

/**
 * Prepares the fonts in the data directory, which is created if missing, and starts the processes. The caller closes
 * the pool.
 */
export async function startRenderThreads(
  config: RenderThreadsConfig,
  log: Log,
): Promise<RenderThreads> {
  const fontConfigFile = await prepareFontEnvironment(config.templates.dataDirectory);
  const { threads, queueMax } = config.render;
  const pool = new RenderPool({
    filename: programPath('render'),
    threads,
    caches: config.cache,
    queueMax,
    decodesBytesMax: config.images.decodesBytesMax,
    fontConfigFile,
    log,
  });
  const ready = pool.warmUp(warmUpJob, new Deadline(performance.now() + warmUpTimeoutMs));
  // The caller handles a rejection; until it awaits this promise, the rejection must not count as unhandled.
  ready.catch(() => undefined);
  return { pool, fontConfigFile, ready };
}
