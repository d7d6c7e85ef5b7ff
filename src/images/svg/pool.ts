/** Has SVG drawn by processes of their own: callers' files and the layers of templates. */
import type { ImageAsker } from '../fetch/shares.ts';
import { ImageError, secondsText } from '../image-error.ts';
import { SvgProcess } from './process.ts';
import type { SvgResult } from './process.ts';
import { overloadedError, SvgQueue } from './queue.ts';
import type { SvgTurn } from './queue.ts';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packagePath } from '#paths.ts';
import { LRUCache } from 'lru-cache';
import type { SourceImage } from '#wire/render-job.ts';

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
 * A drawing: the file, its pixels for one of the SVG's own (of a layer, for one that was asked for), and its CPU time with
 * that of the start of a process in place of one that it ended.
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
   * `overloaded` when too many wait, in all or for this asker, and when its process was ended from outside twice.
   */
  draw(request: SvgRequest, asker: ImageAsker, isWanted: () => boolean): Promise<SvgRaster>;
  /** Kills the processes; what is being drawn rejects. */
  close(): void;
}

/** More than nearly all logos and drawings take: 20 to 200 ms (measured, one core). */
const shortCpuMs = 400;
const waitTimes = 3;
/** A process that ends from outside twice on one drawing: the machine lacks memory, or somebody kills. */
const attemptsMax = 2;
const retryAfterSeconds = 5;
/** CPU time of a process's start, until one has been measured (260 to 320 ms on one quiet core, 600 on a busy machine). */
const firstStartCpuMs = 300;

/** Its first process starts with the first drawing. */
export class SvgPool implements SvgRasteriser {
  readonly #options: SvgPoolOptions;
  readonly #queue: SvgQueue;
  readonly #records = createSvgRecords();
  readonly #all = new Set<SvgProcess>();
  #idle: SvgProcess[] = [];
  #isClosed = false;
  /** CPU time of the latest start: a drawing that ends its process pays for the start of the next. */
  #startCpuMs = firstStartCpuMs;
  #environment: NodeJS.ProcessEnv | undefined;

  constructor(options: SvgPoolOptions) {
    this.#options = options;
    this.#queue = new SvgQueue({ ...options, waitMsMax: options.queueWaitMs * waitTimes });
  }

  async draw(request: SvgRequest, asker: ImageAsker, isWanted: () => boolean): Promise<SvgRaster> {
    const { svgTimeoutMs } = this.#options;
    const { key, cpu = { leftMs: svgTimeoutMs, limitMs: svgTimeoutMs } } = request;
    let isReturning = false;
    for (let attempt = 1; ; isReturning = true) {
      const { cpuMs = 0, error } = this.#records.get(key) ?? {};
      if (error !== undefined) throw error;
      if (cpuMs >= cpu.leftMs) throw lateError(cpu);
      const place = { isLong: cpuMs >= shortCpuMs, isReturning };
      const result = await this.#queue.run(asker, place, isWanted, (turn) =>
        this.#run(request, cpu.leftMs, turn),
      );
      if (result.state === 'drawn') {
        if (result.cpuMs >= shortCpuMs) this.#records.set(key, { cpuMs: shortCpuMs });
        const { state: _drawn, ...raster } = result;
        return raster;
      }
      if (this.#isClosed) throw closedError();
      const failure = this.#judge(key, result, cpu, attempt);
      if (failure !== undefined) throw failure;
      // A drawing that made way for others has its turn among the long ones, where none does.
      if (result.state === 'killed') attempt += 1;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const worker of this.#all) worker.kill();
  }

  async #run({ file, size }: SvgRequest, cpuMsMax: number, turn: SvgTurn): Promise<SvgResult> {
    if (this.#isClosed) throw closedError();
    this.#environment ??= environmentOf(this.#options);
    const worker = this.#idle.findLast((each) => each.isAlive) ?? new SvgProcess(this.#environment);
    this.#idle = this.#idle.filter((each) => each !== worker && each.isAlive);
    this.#all.add(worker);
    const bounds = { cpuMsMax, shortCpuMs, mayGoOn: () => turn.mayGoOn() };
    const result = await worker.draw(size ?? 'draw', file, bounds);
    this.#startCpuMs = worker.startCpuMs ?? this.#startCpuMs;
    if (worker.isAlive && !this.#isClosed) this.#idle.push(worker);
    else worker.kill();
    for (const each of this.#all) if (!each.isAlive) this.#all.delete(each);
    // What is drawn again, or was ended from outside, does not pay for the next process.
    const { state } = result;
    const isEnded = state === 'late' || state === 'crashed' || !worker.isAlive;
    const isCharged = isEnded && state !== 'preempted' && state !== 'killed';
    return isCharged ? { ...result, cpuMs: result.cpuMs + this.#startCpuMs } : result;
  }

  /** Keeps what a drawing told; undefined when it is to be tried once more. */
  #judge(
    key: string,
    result: SvgResult,
    cpu: Required<SvgRequest>['cpu'],
    attempt: number,
  ): ImageError | undefined {
    const { state, cpuMs } = result;
    if (state === 'preempted') {
      this.#records.set(key, { cpuMs });
      return undefined;
    }
    if (state === 'late') {
      this.#records.set(key, { cpuMs: cpu.leftMs });
      return lateError(cpu, cpuMs);
    }
    if (state === 'killed' && attempt < attemptsMax) return undefined;
    const error = errorOf(result);
    const isPassing = error.reason === 'overloaded';
    this.#records.set(key, { cpuMs, error }, isPassing ? { ttl: passingRecordMs } : {});
    return error;
  }
}

/** Nothing of this process's environment: no keys, no proxies, no options for Node. */
function environmentOf({ svgFontConfigFile }: SvgPoolOptions): NodeJS.ProcessEnv {
  if (svgFontConfigFile === undefined) return {};
  return { FONTCONFIG_FILE: writeSvgFontConfig(svgFontConfigFile) };
}

function errorOf(result: SvgResult): ImageError {
  const { state, cpuMs } = result;
  if (state === 'refused') return new DrawingError(result.problem, cpuMs);
  if (state === 'crashed')
    return new DrawingError('is an SVG that needs more memory to draw than it may have', cpuMs);
  return overloadedError(retryAfterSeconds);
}

function lateError({ leftMs, limitMs }: Required<SvgRequest>['cpu'], cpuMs = leftMs): DrawingError {
  const limit = secondsText(limitMs);
  const others = leftMs < limitMs ? ' together with the others' : '';
  return new DrawingError(
    `is an SVG that takes longer than ${limit} to draw${others}, the limit`,
    cpuMs,
  );
}

function closedError(): ImageError {
  return new ImageError('network', 'could not be loaded: the service is stopping');
}

// The fonts that SVG files from links are drawn with: those of templates, but for emoji.

/** Noto Emoji alone. */
const ownFonts = packagePath('data/svg-fonts/');

/**
 * The SVG renderer draws nothing at all for a glyph that is made of coloured layers (COLR), as all of
 * these are; with outlines of one colour emoji are there at least.
 */
const layeredFamily = 'Twemoji Mozilla';

/** Writes a font configuration beside that of the templates, and gives its path. Its folder must be writable. */
function writeSvgFontConfig(fontConfigFile: string): string {
  const path = join(dirname(fontConfigFile), 'svg-fonts.conf');
  const draft = `${path}.${process.pid}`;
  writeFileSync(
    draft,
    `<?xml version="1.0"?>
<fontconfig>
  <include>${escapeXml(fontConfigFile)}</include>
  <dir>${escapeXml(ownFonts)}</dir>
  <selectfont><rejectfont><pattern>
    <patelt name="family"><string>${layeredFamily}</string></patelt>
  </pattern></rejectfont></selectfont>
</fontconfig>
`,
  );
  // A process that starts at the same time reads all of it or the same of before.
  renameSync(draft, path);
  return path;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

// Remembers the drawings of SVG layers, and what is known of SVGs that are slow or cannot be drawn, in bounded memory.

/** A layer's drawing, and the CPU time that it took. */
export interface KeptDrawing {
  image: SourceImage;
  cpuMs: number;
}

/** Logos have some 20 KB, so that these are a thousand; what a thread draws with it keeps decoded by itself. */
const drawingsBytesMax = 32 * 1024 * 1024;
/** Entry, keys and map slots beside the bytes. */
const entryBytes = 512;

/** Creates the cache of drawings by `drawingSource`. */
export function createDrawingCache(): LRUCache<string, KeptDrawing> {
  return new LRUCache({
    maxSize: drawingsBytesMax,
    sizeCalculation: ({ image }, source) => image.bytes.byteLength + 2 * source.length + entryBytes,
  });
}

/** What earlier attempts told of an SVG. */
interface SvgRecord {
  /** It takes at least so much CPU time. */
  cpuMs: number;
  /** It cannot be drawn. */
  error?: ImageError;
}

const recordsMax = 10_000;
/** What is told of the SVG itself stays true, but for a machine that becomes faster. */
const recordMs = 10 * 60 * 1000;
/** Of an error that passes. */
const passingRecordMs = 10_000;

/** Creates the memory of SVGs by their digests. A hostile one costs its time once, and then nothing for as long as this lasts. */
function createSvgRecords(): LRUCache<string, SvgRecord> {
  return new LRUCache({ max: recordsMax, ttl: recordMs });
}
