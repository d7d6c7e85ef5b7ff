/** Draws SVG in separate processes: files of callers and layers of templates. */
import { ImageError, secondsText } from '../image-error.ts';
import { DrawingError } from './drawing-cpu.ts';
import type { CpuLeft } from './drawing-cpu.ts';
import { organizationSlots, requesterKeys, templateSlots, Turns } from '../turns.ts';
import type { Claim, ImageRequester } from '../turns.ts';
import { SvgProcess, svgEnvironment } from './process.ts';
import type { SvgResult } from './process.ts';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';

export interface SvgPoolOptions {
  /** Processes at a time; each uses one core and at most 608 MiB of data. */
  svgProcessesMax: number;
  /** Drawings that may wait for a process. */
  svgWaitingMax: number;
  /** How long a fetch waits for its turn; a drawing waits three times as long. */
  queueWaitMs: number;
  /** CPU time that one drawing may take. */
  svgTimeoutMs: number;
  /** Font configuration of the templates, to be included in the processes' one; undefined: the system's fonts. */
  svgFontConfigFile: string | undefined;
}

/** One SVG to draw. */
export interface SvgRequest {
  file: Uint8Array;
  /** Identifies the file and its `size`, if any; the key of records of earlier attempts. */
  key: string;
  /** The exact size in device pixels; absent: longest side 2,048 … 4,096 px, by the SVG's own size. */
  size?: { widthPx: number; heightPx: number };
  /** CPU time left of the limit for all drawings of the image; absent: `svgTimeoutMs` for both. */
  cpu?: CpuLeft;
}

/**
 * A drawing: the PNG, its scale, and its CPU time. The scale is pixels for one unit of the SVG's own size, or, for a
 * layer, of the requested size. A drawing that ended its process also pays the CPU time of the next start.
 */
export type SvgRaster = Omit<SvgResult & { state: 'drawn' }, 'state'>;

/** Draws SVG files. */
export interface SvgRasteriser {
  /**
   * Draws one file in sRGB with transparency. Calls `isWanted` before the drawing starts. Rejects with an `ImageError`.
   * A `DrawingError` is for a file that cannot be drawn or exceeds its CPU time or memory, at once if an earlier
   * attempt showed this. `overloaded` is for too many waiting drawings, in total or of this requester, and for a
   * process that was ended from outside twice. `network` is for a service that stops.
   */
  draw(request: SvgRequest, requester: ImageRequester, isWanted: () => boolean): Promise<SvgRaster>;
  /** Kills the processes; pending drawings reject. */
  close(): void;
}

/** CPU time of a short drawing. Nearly all logos and drawings take 20 to 200 ms (measured, one core). */
const shortCpuMs = 400;
const waitTimes = 3;
/** Attempts at a drawing whose process is ended from outside, because the machine lacks memory or by an operator. */
const attemptsMax = 2;
const retryAfterSeconds = 5;
const overloadedProblem =
  'could not be drawn: too many SVGs are being drawn at the moment, try again';
/** CPU time of a process start before the first measurement (260 to 320 ms on an idle core, 600 on a busy machine). */
const firstStartCpuMs = 300;

/** The first process starts with the first drawing. */
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
      // The time of one drawing does not predict that of the next one.
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
    const { drawingCpu } = requester;
    if (request.cpu !== undefined) return this.#draw(request, request.cpu, requester, isWanted);
    if (drawingCpu === undefined) {
      const alone = { leftMs: svgTimeoutMs, limitMs: svgTimeoutMs };
      return this.#draw(request, alone, requester, isWanted);
    }
    return drawingCpu.share(svgTimeoutMs, async (cpu) =>
      this.#draw(request, cpu, requester, isWanted),
    );
  }

  async #draw(
    request: SvgRequest,
    cpu: CpuLeft,
    requester: ImageRequester,
    isWanted: () => boolean,
  ): Promise<SvgRaster> {
    const { key } = request;
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
      // A preempted drawing runs again as a long one, which is not preempted.
      if (result.state === 'killed') attempt += 1;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const worker of this.#all) worker.kill();
  }

  /** `mayGoOn` returns whether the drawing may continue as a long one. */
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
    // A drawing that ends its process also pays for the next start. Exceptions: it runs again, its process was ended
    // from outside, or it is late, so that its image has no time for another drawing.
    const { state } = result;
    const isCharged = state === 'crashed' || (!worker.isAlive && !unchargedStates.has(state));
    return isCharged ? { ...result, cpuMs: result.cpuMs + this.#startCpuMs } : result;
  }

  /** Records the result of a failed drawing and returns its error; undefined if the drawing must be tried again. */
  #judge(
    request: SvgRequest,
    result: SvgResult,
    cpu: CpuLeft,
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
 * A drawing starts as a short one, unless it is known to be long. Of n processes, long drawings use at most n − 1 (of
 * one process, that one). So one of several processes always becomes free within the time of a short drawing.
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
  { leftMs, limitMs }: CpuLeft,
  cpuMs = leftMs,
): DrawingError {
  const limit = secondsText(limitMs);
  const isTogether = leftMs < limitMs;
  const others = isTogether ? ' together with the others' : '';
  const fact = `takes longer than ${limit} to draw${others}, the limit`;
  return drawingError(request, fact, cpuMs, isTogether);
}

/** `fact` follows the name of the property that holds the markup, or, for a file, its address and "is an SVG that". */
function drawingError(
  { size }: SvgRequest,
  fact: string,
  cpuMs: number,
  concernsRequester = false,
): DrawingError {
  const problem = size === undefined ? `is an SVG that ${fact}` : fact;
  return new DrawingError(problem, cpuMs, { concernsRequester });
}

/** States of drawings that pay for no further process. */
const unchargedStates: ReadonlySet<SvgResult['state']> = new Set(['late', 'preempted', 'killed']);

function closedError(): ImageError {
  return new ImageError('network', 'could not be loaded: the service is stopping');
}

/** The result of earlier attempts at an SVG. */
interface SvgRecord {
  /** Lower bound of its CPU time. */
  cpuMs: number;
  /** The error of an SVG that cannot be drawn. */
  error?: ImageError;
}

const recordsMax = 10_000;
/** Lifetime of a record. */
const recordMs = 10 * 60 * 1000;
/** Lifetime of the record of a temporary error. */
const passingRecordMs = 10_000;

/** Creates the records of SVGs by key: a hostile SVG takes CPU time only once in the lifetime of its record. */
function createSvgRecords(): LRUCache<string, SvgRecord> {
  return new LRUCache({ ...entryLimit(recordsMax), ttl: recordMs });
}
