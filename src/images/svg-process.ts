/** Has callers' SVG drawn by processes of their own, which have little memory and time and may be killed. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FetchQueue } from './fetch-queue.ts';
import type { ImageAsker } from './fetch-shares.ts';
import { ImageError, secondsText } from './image-error.ts';
import { writeSvgFontConfig } from './svg-fonts.ts';
import { FrameReader, writeFrame } from './svg-frames.ts';
import type { Frame, SvgAnswer } from './svg-frames.ts';

export interface SvgProcessOptions {
  /** Processes at a time; each has one core's work and, with its limit, at most 768 MiB. */
  svgProcessesMax: number;
  /** Drawings that wait for one. */
  svgWaitingMax: number;
  /** How long one waits. */
  queueWaitMs: number;
  /** How long one drawing may take. */
  svgTimeoutMs: number;
  /** Font configuration of the templates, on which the processes' own is built; undefined: the system's fonts. */
  svgFontConfigFile: string | undefined;
}

/** A drawing: the file, and its pixels for one of the SVG's own. */
export interface SvgDrawing {
  png: Uint8Array;
  scale: number;
}

/** Draws SVG files. */
export interface SvgRasteriser {
  /**
   * Draws one file in sRGB with transparency, its longest side 2,048 … 4,096 px. `isWanted` is asked
   * before it starts. Rejects with an `ImageError`: `decode` for a file that cannot be drawn or takes
   * more time or memory than it may, `overloaded` when too many wait, in all or for this asker.
   */
  draw(file: Uint8Array, asker: ImageAsker, isWanted: () => boolean): Promise<SvgDrawing>;
  /** Kills the processes; what is being drawn rejects. */
  close(): void;
}

/** Private writable memory of a process; a blank one has 250 MB of it, most of them stacks (measured). */
const dataBytesMax = 768 * 1024 * 1024;
/** Of its own heap, which only holds the file and its text. */
const heapMegabytesMax = 192;
/** CPU time of a process: the kernel's last word, should this one ever be too busy to kill it. */
const cpuSecondsMax = 20;
/** One that has used half of it is replaced, so that no drawing meets the limit for what others used. */
const retireCpuMs = (cpuSecondsMax / 2) * 1000;
/** Starting takes 0.3 s, and some seconds on a machine that has no core to spare. */
const startTimeoutMs = 10_000;
/** A warm process holds some 80 MB: it is kept through a mail's burst and no longer. */
const idleMs = 60_000;
const problemCharactersMax = 300;

const program = fileURLToPath(new URL('./svg-rasterise.ts', import.meta.url));

/** `ulimit -d` counts on Linux; other systems take it and enforce less. */
const limitedStart = 'ulimit -c 0 && ulimit -t "$1" && ulimit -d "$2" && shift 2 && exec "$@"';

/** Creates a rasteriser; its first process starts with the first drawing. */
export function createSvgRasteriser(options: SvgProcessOptions): SvgRasteriser {
  const queue = new FetchQueue({
    fetchesMax: options.svgProcessesMax,
    fetchesPerHostMax: options.svgProcessesMax,
    fetchesWaitingMax: options.svgWaitingMax,
    queueWaitMs: options.queueWaitMs,
  });
  const all = new Set<SvgProcess>();
  const idle: SvgProcess[] = [];
  let isClosed = false;
  let environment: NodeJS.ProcessEnv | undefined;

  function start(): SvgProcess {
    environment ??= environmentOf(options);
    return new SvgProcess(environment, options.svgTimeoutMs);
  }

  async function draw(file: Uint8Array): Promise<SvgDrawing> {
    if (isClosed) throw new ImageError('network', 'could not be loaded: the service is stopping');
    const worker = idle.findLast((each) => each.isAlive) ?? start();
    idle.splice(0, idle.length, ...idle.filter((each) => each !== worker && each.isAlive));
    all.add(worker);
    try {
      return await worker.draw(file);
    } finally {
      if (worker.isAlive && !isClosed) idle.push(worker);
      else worker.kill();
      for (const each of all) if (!each.isAlive) all.delete(each);
    }
  }

  return {
    draw: (file, asker, isWanted) => queue.run(asker, 'svg', isWanted, () => draw(file)),
    close() {
      isClosed = true;
      for (const worker of all) worker.kill();
    },
  };
}

/** Nothing of this process's environment: no keys, no proxies, no options for Node. */
function environmentOf({ svgFontConfigFile }: SvgProcessOptions): NodeJS.ProcessEnv {
  if (svgFontConfigFile === undefined) return {};
  return { FONTCONFIG_FILE: writeSvgFontConfig(svgFontConfigFile) };
}

/** One process and the frame that it owes; drawings come one after the other. */
class SvgProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #reader = new FrameReader();
  readonly #timeoutMs: number;
  #isAlive = true;
  #isReady = false;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Takes the next frame, or undefined when the process has ended instead. */
  #onFrame: ((frame: Frame | undefined) => void) | undefined;

  constructor(environment: NodeJS.ProcessEnv, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    const limits = [String(cpuSecondsMax), String(dataBytesMax / 1024)];
    const node = [process.execPath, `--max-old-space-size=${heapMegabytesMax}`, program];
    this.#child = spawn('/bin/sh', ['-c', limitedStart, 'sh', ...limits, ...node], {
      env: environment,
      cwd: '/',
      // A group of its own: Ctrl+C in a terminal is for the service to hear.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // Where cores are short, renders come first.
    if (this.#child.pid !== undefined)
      setPriority(this.#child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    this.#child.on('error', () => this.#end());
    this.#child.on('close', () => this.#end());
    // A process that has died cannot be written to; its end is told by `close`.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async draw(file: Uint8Array): Promise<SvgDrawing> {
    clearTimeout(this.#idleTimer);
    if (!this.#isReady) {
      const ready = await this.#nextFrame(startTimeoutMs);
      if (ready === undefined) {
        this.kill();
        throw new ImageError('overloaded', 'could not be drawn at the moment, try again');
      }
      this.#isReady = true;
    }
    const answered = this.#nextFrame(this.#timeoutMs);
    writeFrame(this.#child.stdin, 'draw', file);
    const frame = await answered;
    if (frame === undefined) throw this.#giveUp();
    // The process has read hostile bytes: its answer is taken as a stranger's, its PNG checked like any.
    const answer = frame.head as Partial<SvgAnswer & { ok: true }> & { problem?: unknown };
    if (!(Number(answer.cpuMs) < retireCpuMs)) this.kill();
    else this.#rest();
    const scale = Number(answer.scale);
    if (answer.ok === true && scale > 0 && scale < Infinity) return { png: frame.body, scale };
    throw new ImageError('decode', String(answer.problem).slice(0, problemCharactersMax));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  #giveUp(): ImageError {
    const isLate = this.#isAlive;
    this.kill();
    return new ImageError(
      'decode',
      isLate
        ? `is an SVG that takes longer than ${secondsText(this.#timeoutMs)} to draw, the limit`
        : 'is an SVG that needs more memory to draw than it may have',
    );
  }

  #nextFrame(timeoutMs: number): Promise<Frame | undefined> {
    if (!this.#isAlive) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(undefined), timeoutMs);
      this.#onFrame = (frame) => {
        clearTimeout(timer);
        resolve(frame);
      };
    });
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.push(chunk)) this.#settle(frame);
    } catch {
      this.kill();
    }
  }

  #settle(frame: Frame | undefined): void {
    const settle = this.#onFrame;
    this.#onFrame = undefined;
    settle?.(frame);
  }

  #end(): void {
    this.#isAlive = false;
    clearTimeout(this.#idleTimer);
    this.#settle(undefined);
  }

  #rest(): void {
    this.#idleTimer = setTimeout(() => this.kill(), idleMs);
    this.#idleTimer.unref();
  }

  /** Lets this program end while the process waits; a drawing's timer keeps it running. */
  #unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}
