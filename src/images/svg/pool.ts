/** Has SVG drawn by processes of their own: callers' files and the layers of templates. */
import { ImageError, secondsText } from '../image-error.ts';
import { organizationSlots, requesterKeys, templateSlots, Turns } from '../turns.ts';
import type { Claim, ImageRequester } from '../turns.ts';
import { SvgProcess, svgEnvironment } from './process.ts';
import type { SvgResult } from './process.ts';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';

export interface SvgPoolOptions {
  /** Processes at a time; each has one core's work and, with its limit, at most 608 MiB. */
  svgProcessesMax: number;
  /** Drawings that wait for one. */
  svgWaitingMax: number;
  /** How long a fetch waits for its turn; a drawing waits three times as long. */
  queueWaitMs: number;
  /** CPU time that one drawing may take. */
  svgTimeoutMs: number;
  /** Font configuration of the templates, on which the processes' own is built; undefined: the system's fonts. */
  svgFontConfigFile: string | undefined;
}

/** One SVG to draw. */
export interface SvgRequest {
  file: Uint8Array;
  /** Names the file, and the size where one is wanted: what is known of an SVG is kept under it. */
  key: string;
  /** The exact size in device pixels; absent: longest side 2,048 … 4,096 px, by the SVG's own size. */
  size?: { widthPx: number; heightPx: number };
  /** CPU time that is left for it, of what all drawings of its image may take together; absent: `svgTimeoutMs`. */
  cpu?: { leftMs: number; limitMs: number };
}

/**
 * A drawing: the PNG, its scale, and its CPU time. The scale is pixels for one unit of the SVG's own size, or, for a
 * layer, of the requested size. A drawing that ended its process also pays the CPU time of the next start.
 */
export type SvgRaster = Omit<SvgResult & { state: 'drawn' }, 'state'>;

/** A file that cannot be drawn within its bounds, and the CPU time that finding out took. */
export class DrawingError extends ImageError {
  readonly cpuMs: number;

  constructor(message: string, cpuMs: number) {
    super('decode', message);
    this.cpuMs = cpuMs;
  }
}

/** Draws SVG files. */
export interface SvgRasteriser {
  /**
   * Draws one file in sRGB with transparency. `isWanted` is asked before it starts. Rejects with an `ImageError`: a `DrawingError`
   * for a file that cannot be drawn or takes more CPU time or memory than it may, at once where that is known from before;
   * `overloaded` when too many wait, in all or for this requester, and when its process was ended from outside twice.
   */
  draw(request: SvgRequest, requester: ImageRequester, isWanted: () => boolean): Promise<SvgRaster>;
  /** Kills the processes; what is being drawn rejects. */
  close(): void;
}

/** More than nearly all logos and drawings take: 20 to 200 ms (measured, one core). */
const shortCpuMs = 400;
const waitTimes = 3;
/** A process that ends from outside twice on one drawing: the machine lacks memory, or somebody kills. */
const attemptsMax = 2;
const retryAfterSeconds = 5;
const overloadedProblem =
  'could not be drawn: too many SVGs are being drawn at the moment, try again';
/** CPU time of a process's start, until one has been measured (260 to 320 ms on one quiet core, 600 on a busy machine). */
const firstStartCpuMs = 300;

/** Its first process starts with the first drawing. */
export class SvgPool implements SvgRasteriser {
  readonly #options: SvgPoolOptions;
  readonly #turns: Turns;
  readonly #records = createSvgRecords();
  readonly #all = new Set<SvgProcess>();
  #idle: SvgProcess[] = [];
  #isClosed = false;
  /** CPU time of the latest start: a drawing that ends its process pays for the start of the next. */
  #startCpuMs = firstStartCpuMs;
  #environment: NodeJS.ProcessEnv | undefined;

  constructor(options: SvgPoolOptions) {
    this.#options = options;
    this.#turns = new Turns({
      runningMax: options.svgProcessesMax,
      organizationMax: Infinity,
      templateMax: Infinity,
      waitingMax: options.svgWaitingMax,
      waitMsMax: options.queueWaitMs * waitTimes,
      // One slow drawing says nothing about the next one.
      predictedMsMax: Infinity,
      problem: overloadedProblem,
    });
  }

  async draw(
    request: SvgRequest,
    requester: ImageRequester,
    isWanted: () => boolean,
  ): Promise<SvgRaster> {
    const { svgTimeoutMs } = this.#options;
    const { key, cpu = { leftMs: svgTimeoutMs, limitMs: svgTimeoutMs } } = request;
    const longClaims = longClaimsOf(requester, this.#options.svgProcessesMax);
    let isReturning = false;
    for (let attempt = 1; ; isReturning = true) {
      const { cpuMs = 0, error } = this.#records.get(key) ?? {};
      if (error !== undefined) throw error;
      if (cpuMs >= cpu.leftMs) throw lateError(request, cpu);
      const result = await this.#turns.run(
        requester,
        cpuMs >= shortCpuMs ? longClaims : [],
        isWanted,
        (turn) => this.#run(request, cpu.leftMs, () => turn.extend(longClaims)),
        isReturning,
      );
      if (result.state === 'drawn') {
        if (result.cpuMs >= shortCpuMs) this.#records.set(key, { cpuMs: shortCpuMs });
        const { state: _drawn, ...raster } = result;
        return raster;
      }
      if (this.#isClosed) throw closedError();
      const failure = this.#judge(request, result, cpu, attempt);
      if (failure !== undefined) throw failure;
      // A drawing that made way for others has its turn among the long ones, where none does.
      if (result.state === 'killed') attempt += 1;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const worker of this.#all) worker.kill();
  }

  /** `mayGoOn`: whether the drawing may continue as a long one. */
  async #run(
    { file, size }: SvgRequest,
    cpuMsMax: number,
    mayGoOn: () => boolean,
  ): Promise<SvgResult> {
    if (this.#isClosed) throw closedError();
    this.#environment ??= svgEnvironment(this.#options.svgFontConfigFile);
    const worker = this.#idle.findLast((each) => each.isAlive) ?? new SvgProcess(this.#environment);
    this.#idle = this.#idle.filter((each) => each !== worker && each.isAlive);
    this.#all.add(worker);
    const result = await worker.draw(size ?? 'draw', file, { cpuMsMax, shortCpuMs, mayGoOn });
    this.#startCpuMs = worker.startCpuMs ?? this.#startCpuMs;
    if (worker.isAlive && !this.#isClosed) this.#idle.push(worker);
    else worker.kill();
    for (const each of this.#all) if (!each.isAlive) this.#all.delete(each);
    // The image pays for the next process where its next drawing needs one. What is drawn again, or was ended from
    // outside, does not; nor does a drawing that is late, because its image has no time for another one.
    const { state } = result;
    const isCharged = state === 'crashed' || (!worker.isAlive && !unchargedStates.has(state));
    return isCharged ? { ...result, cpuMs: result.cpuMs + this.#startCpuMs } : result;
  }

  /** Keeps what a drawing reported; undefined when it is to be tried once more. */
  #judge(
    request: SvgRequest,
    result: SvgResult,
    cpu: Required<SvgRequest>['cpu'],
    attempt: number,
  ): ImageError | undefined {
    const { key } = request;
    const { state, cpuMs } = result;
    if (state === 'preempted') {
      this.#records.set(key, { cpuMs });
      return undefined;
    }
    if (state === 'late') {
      this.#records.set(key, { cpuMs: cpu.leftMs });
      return lateError(request, cpu, cpuMs);
    }
    if (state === 'killed' && attempt < attemptsMax) return undefined;
    const error = errorOf(request, result);
    const isPassing = error.reason === 'overloaded';
    this.#records.set(key, { cpuMs, error }, isPassing ? { ttl: passingRecordMs } : {});
    return error;
  }
}

/**
 * A drawing starts as a short one, unless it is known to be long. Of n processes long drawings use n − 1 (of one process,
 * that one). A short drawing therefore always finds a process that becomes free within the time of a short drawing.
 */
function longClaimsOf(requester: ImageRequester, processesMax: number): Claim[] {
  const longMax = Math.max(1, processesMax - 1);
  const [organization, template] = requesterKeys(requester);
  return [
    { key: 'long', max: longMax },
    { key: `long ${organization}`, max: organizationSlots(longMax), isPrivate: true },
    { key: `long ${template}`, max: templateSlots(longMax), isPrivate: true },
  ];
}

function errorOf(request: SvgRequest, result: SvgResult): ImageError {
  const { state, cpuMs } = result;
  if (state === 'refused') return new DrawingError(result.problem, cpuMs);
  if (state === 'crashed')
    return drawingError(request, 'needs more memory to draw than it may have', cpuMs);
  return new ImageError('overloaded', overloadedProblem, { retryAfterSeconds });
}

function lateError(
  request: SvgRequest,
  { leftMs, limitMs }: Required<SvgRequest>['cpu'],
  cpuMs = leftMs,
): DrawingError {
  const limit = secondsText(limitMs);
  const others = leftMs < limitMs ? ' together with the others' : '';
  return drawingError(request, `takes longer than ${limit} to draw${others}, the limit`, cpuMs);
}

/** `fact` follows the name of the property that holds the markup, or, for a file, its address and "is an SVG that". */
function drawingError({ size }: SvgRequest, fact: string, cpuMs: number): DrawingError {
  return new DrawingError(size === undefined ? `is an SVG that ${fact}` : fact, cpuMs);
}

/** States of drawings that pay for no further process. */
const unchargedStates: ReadonlySet<SvgResult['state']> = new Set(['late', 'preempted', 'killed']);

function closedError(): ImageError {
  return new ImageError('network', 'could not be loaded: the service is stopping');
}

/** What earlier attempts showed of an SVG. */
interface SvgRecord {
  /** It takes at least so much CPU time. */
  cpuMs: number;
  /** It cannot be drawn. */
  error?: ImageError;
}

const recordsMax = 10_000;
/** A record of the SVG itself stays valid, unless the machine becomes faster. */
const recordMs = 10 * 60 * 1000;
/** The same of a temporary error. */
const passingRecordMs = 10_000;

/** Creates the memory of SVGs by their digests. A hostile one costs its time once, and then nothing for as long as this lasts. */
function createSvgRecords(): LRUCache<string, SvgRecord> {
  return new LRUCache({ ...entryLimit(recordsMax), ttl: recordMs });
}
