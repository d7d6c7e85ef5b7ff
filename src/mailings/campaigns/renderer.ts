/** Renders rows of campaigns in separate processes, at a lower priority than the processes that answer links. */
import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '../../foundation/deadline.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Log } from '../../foundation/log.ts';
import type { RenderJob } from '#wire/render-job.ts';
import type { DrawnOrder } from '../../render/draw.ts';
import { drawOrder, renderKindOf } from '../../render/draw.ts';
import type { RenderOrder } from '../../render/order.ts';
import type { ResolvedValues } from '../../render/values.ts';
import { RenderPool } from '../../scheduling/pool.ts';
import type { RenderPoolOptions } from '../../scheduling/pool.ts';
import { warmUpJob } from '../../scheduling/warm-up.ts';
import type { FontLookup } from '../../store/assets/font-store.ts';
import type { Problem } from './campaign.ts';
import type { DrawnRow } from './proof/render-problems.ts';
import type { KeptImages } from './kept-images.ts';

/** Sections of the configuration that the processes need. */
export interface CampaignRenderConfig {
  threadCount: number;
  caches: NonNullable<RenderPoolOptions['caches']>;
  decodesBytesMax: number;
  fontConfigFile: string;
}

/** Upper bound of the time of one row with its images, in ms. */
const rowMsMax = 60_000;
/** Upper bound of the warm-up in ms. It is long, because links may take all processors for minutes. */
const warmUpMsMax = 600_000;
/** Attempts of a job that the processes have no time for. */
const attemptsMax = 10;
const attemptPauseMs = 500;
/** The lowest priority of Linux. */
const niceness = 19;
/** Idle time in ms after which the processes end, so that an idle service holds no memory for campaigns. */
const idleMs = 30_000;

/**
 * Upper bound of the heap in bytes from which V8 marks the whole heap of a process. Rows of a proof keep few pixels, so
 * that more heap saves little time.
 */
const collectFromBytesMax = 64 * 1024 * 1024;

/** The processes of all campaigns, started at the first use. */
export class CampaignHosts {
  readonly #config: CampaignRenderConfig;
  readonly #log: Log;
  #started: Promise<RenderPool> | undefined;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: CampaignRenderConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  get threadCount(): number {
    return this.#config.threadCount;
  }

  /** Runs `work` with the pool, and keeps the pool for `idleMs` after the last use. */
  async use<Result>(work: (pool: RenderPool) => Promise<Result>): Promise<Result> {
    this.#users += 1;
    clearTimeout(this.#timer);
    try {
      this.#started ??= this.#start();
      return await work(await this.#started);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#timer = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const started = this.#started;
    this.#started = undefined;
    await started?.then(
      (pool) => pool.close(0),
      () => undefined,
    );
  }

  async #start(): Promise<RenderPool> {
    const { threadCount, caches, decodesBytesMax, fontConfigFile } = this.#config;
    const pool = new RenderPool({
      threadCount,
      caches: {
        ...caches,
        collectFromBytes: Math.min(caches.collectFromBytes, collectFromBytesMax),
      },
      queueMax: 1000,
      decodesBytesMax,
      fontConfigFile,
      niceness,
      log: this.#log,
    });
    try {
      await pool.warmUp(warmUpJob, new Deadline(performance.now() + warmUpMsMax));
      return pool;
    } catch (error) {
      this.#started = undefined;
      await pool.close(0);
      throw error;
    }
  }
}

/** Options that a mode sets on the job of a row. */
type RowJob = Pick<RenderJob, 'proof' | 'pdf' | 'makesBaseRender'>;

/** Draws the rows of one run. */
export class CampaignRenderer {
  /** Rows at a time: each process has one that it renders and one that waits. */
  readonly concurrency: number;
  readonly #pool: RenderPool;
  readonly #images: KeptImages;
  readonly #fonts: Pick<FontLookup, 'restoreFiles'>;

  constructor(
    pool: RenderPool,
    threadCount: number,
    images: KeptImages,
    fonts: Pick<FontLookup, 'restoreFiles'>,
  ) {
    this.concurrency = 2 * threadCount;
    this.#pool = pool;
    this.#images = images;
    this.#fonts = fonts;
  }

  /** Draws a row, and retries while the pool is busy. Rejects as `drawOrder` does. */
  draw(order: RenderOrder, jobOptions: RowJob = {}): Promise<DrawnOrder> {
    return patiently(() => this.#drawOnce(order, jobOptions));
  }

  /** As `draw`, but resolves with a problem for a row that cannot be drawn. Rejects with other errors. */
  async tryDraw(order: RenderOrder, jobOptions: RowJob = {}): Promise<DrawnOrder | Problem> {
    try {
      return await this.draw(order, jobOptions);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { code: 'RENDER_FAILED', message: error.message };
    }
  }

  /**
   * Checks rows of one template with the same images in one job. Undefined for a row that needs a separate job. Rejects
   * as `draw` does.
   */
  async prove(
    orders: readonly RenderOrder[],
    fileBytesMax: number,
  ): Promise<(DrawnRow | undefined)[]> {
    const [first, ...others] = orders;
    if (first === undefined) return [];
    const more = others.map(({ values }) => [...values]);
    const proof = { fileBytesMax, ...(more.length === 0 ? {} : { more }) };
    const { images, outcome } = await this.draw(first, { proof });
    const { failedLayers } = images;
    const { warnings, bytes, moreProofs = [] } = outcome;
    // A failed image changes the values of the first row only, so each other row needs a separate job.
    const proved = failedLayers.size > 0 ? [] : moreProofs;
    const row = { proof: outcome.proof ?? { shrunk: [] }, warnings, fileBytes: bytes.byteLength };
    return [row, ...others.map((_, index) => proved[index] ?? undefined)].map(
      (each) => each && { ...each, failedLayers },
    );
  }

  /** Renders a job of the service, not of a row, and resolves with its file. */
  run(job: RenderJob): Promise<Uint8Array> {
    return patiently(() => this.#runOnce(job));
  }

  async #runOnce(job: RenderJob): Promise<Uint8Array> {
    const deadline = new Deadline(performance.now() + rowMsMax);
    try {
      const { outcome } = await this.#pool.run(job, deadline);
      if (outcome.ok) return outcome.bytes;
      throw new AppError('INTERNAL', 'The contact sheet could not be drawn.', {
        reason: 'campaigns',
        detail: outcome.detail,
      });
    } finally {
      deadline.clear();
    }
  }

  /** Problems of images that took long to load, each with the variable of `values` that names it. */
  slowImages(sources: readonly string[], values: ResolvedValues): Problem[] {
    return sources.flatMap((source): Problem[] => {
      const ms = this.#images.slowMs(source);
      if (ms === undefined) return [];
      const message = `an image took ${(ms / 1000).toFixed(1)} s to load: serve it from a faster host, or upload it`;
      const variable = namesSource(source, values);
      return [{ code: 'IMAGE_SLOW', ...(variable === undefined ? {} : { variable }), message }];
    });
  }

  async #drawOnce(order: RenderOrder, jobOptions: RowJob): Promise<DrawnOrder> {
    const deadline = new Deadline(performance.now() + rowMsMax);
    try {
      const admission = this.#pool.admit(renderKindOf(order), deadline);
      try {
        const supplies = { loader: this.#images, fonts: this.#fonts };
        return await drawOrder(admission, order, supplies, deadline, jobOptions);
      } finally {
        admission.leave();
      }
    } finally {
      deadline.clear();
    }
  }
}

/** The variable with the longest value that is part of the address; undefined for an image of the template alone. */
function namesSource(source: string, values: ResolvedValues): string | undefined {
  const [name] = [...values]
    .filter(([, value]) => value !== '' && source.includes(value))
    .toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [undefined];
  return name;
}

/** Retries work for which the processes have no time: links come first, and may take all of it for a while. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === attemptsMax) throw error;
      await pause(attemptPauseMs * attempt);
    }
  }
}

/** False for a render that used up its time: it is not retried. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'OVERLOADED' || (error.code === 'TIMEOUT' && error.reason === 'deadline');
}
