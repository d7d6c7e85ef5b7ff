/** Makes base renders in every render host before the first request: at the start, and after each publication. */
import { collectGarbage } from '#wire/program/collect-garbage.ts';
import { errorText } from '#wire/error-text.ts';
import { Deadline } from '../foundation/deadline.ts';
import type { Log } from '../foundation/log.ts';
import type { DatabaseHealth } from '../store/database/health.ts';
import type { TemplateUse } from '../store/template-use.ts';
import { defaultOrder } from '../render/order.ts';
import { drawRender } from '../render/draw.ts';
import type { RenderParts } from '../render/draw.ts';
import { warmUp } from '../scheduling/warm-up.ts';
import type { PublishedTemplates } from '../render/request.ts';
import { isMadeByPublication, makeBaseRenders } from './base-renders.ts';

/** Templates that are warmed at a start. A campaign has one or two, and each takes some 100 ms in a process. */
const warmedAtStartMax = 8;
/** Upper bound of the templates that wait to be warmed; beyond it the oldest are dropped. */
const waitingMax = 64;
/** Interval of the check for work and idle processes, in ms. */
const lookEveryMs = 250;
/** Interval at which counted renders are written, in ms. */
const flushEveryMs = 60_000;
/** Upper bound of a warm-up in ms. A template whose images take longer is warmed by its first requests. */
const warmTimeoutMs = 10_000;

export interface BaseRenderWarmerOptions extends RenderParts {
  threadCount: number;
  templates: PublishedTemplates;
  use: TemplateUse;
  health: Pick<DatabaseHealth, 'note' | 'isDamaged'>;
  log: Log;
}

/**
 * The warm-up: the common parts of templates, then one template at a time. It runs only while no process renders, so
 * that a client waits for one job at most. Failures are logged, and the first requests warm the template.
 */
export class BaseRenderWarmer {
  readonly #options: BaseRenderWarmerOptions;
  readonly #waiting = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isWarming = false;
  #isWarmedUp = false;
  /** Whether the garbage of the start is freed, which happens once, when no template waits. */
  #isCollected = false;
  #flushedMs = performance.now();
  /** Whether counts of the last minute wait to be written. */
  #isFlushing = false;

  /** The templates that were used most before this start are warmed first. */
  constructor(options: BaseRenderWarmerOptions) {
    this.#options = options;
    this.#guard(() => {
      // Publications until now are not new; later ones are.
      options.use.newlyPublished();
      for (const uid of options.use.mostUsed(warmedAtStartMax)) this.#waiting.add(uid);
    });
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Stops, and writes the counts. */
  close(): void {
    clearInterval(this.#timer);
    this.#guard(() => this.#options.use.flush());
  }

  #look(): void {
    const { use, pool } = this.#options;
    this.#guard(() => {
      for (const uid of use.newlyPublished()) this.#waiting.add(uid);
      if (performance.now() - this.#flushedMs >= flushEveryMs) {
        this.#flushedMs = performance.now();
        this.#isFlushing = true;
      }
      // Links of one minute may count 10,000 templates and 100,000 assets.
      if (this.#isFlushing) this.#isFlushing = use.flushPart();
    });
    for (const uid of this.#waiting) {
      if (this.#waiting.size <= waitingMax) break;
      this.#waiting.delete(uid);
    }
    const isIdle = pool.isReady && pool.busyThreads === 0 && pool.queueLength === 0;
    if (!isIdle || this.#isWarming) return;
    if (!this.#isWarmedUp) {
      this.#isWarmedUp = true;
      void this.#work('warm-up', (deadline) => this.#warmUp(deadline));
      return;
    }
    const [uid] = this.#waiting;
    if (uid === undefined) {
      if (!this.#isCollected) collectGarbage();
      this.#isCollected = true;
      return;
    }
    this.#waiting.delete(uid);
    void this.#work(uid, (deadline) => this.#warm(uid, deadline));
  }

  async #warmUp(deadline: Deadline): Promise<void> {
    const { pool, threadCount, log } = this.#options;
    await warmUp(pool, threadCount, deadline);
    log.info('warmed up');
  }

  async #warm(uid: string, deadline: Deadline): Promise<void> {
    const template = this.#options.templates.findPublished(uid);
    if (template === undefined || isMadeByPublication(template, this.#options.pool)) return;
    // Not counted as use, because no client requested the image.
    const use = { count: () => undefined, noteAsset: () => undefined };
    const order = defaultOrder(template, undefined, { makesBaseRender: true });
    // The cache keeps the image for readers during an overload.
    const first = await drawRender(order, { ...this.#options, use }, deadline);
    await makeBaseRenders(template, this.#options, deadline, first);
    this.#options.log.info('template warmed', { template: uid });
  }

  /** Does one piece of work at a time. Never rejects. */
  async #work(template: string, work: (deadline: Deadline) => Promise<void>): Promise<void> {
    this.#isWarming = true;
    const deadline = new Deadline(performance.now() + warmTimeoutMs);
    try {
      await work(deadline);
    } catch (error) {
      this.#options.log.warn('template not warmed', { template, detail: errorText(error) });
    } finally {
      deadline.clear();
      this.#isWarming = false;
    }
  }

  /** Runs `work` on a sound database, notes damage, and logs a failure. Requests report a busy database. */
  #guard(work: () => void): void {
    const { health, log } = this.#options;
    if (health.isDamaged) return;
    try {
      work();
    } catch (error) {
      health.note(error);
      log.warn('template use', { detail: errorText(error) });
    }
  }
}
