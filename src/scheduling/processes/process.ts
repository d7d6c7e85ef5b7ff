/** One process that renders: started, given jobs one by one, watched, and killed where it does not come back. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { imageKey, WireReader, writeFrame } from '#wire/render-wire.ts';
import type {
  ProcessFigures,
  RenderProcessOptions,
  WireFrame,
  WireOrder,
  WireOutcome,
} from '#wire/render-wire.ts';
import { KeptParts } from './kept-parts.ts';
import { RenderLostError } from './lost-render.ts';
import type { LossCause } from './lost-render.ts';
import { cpuMsOf, isRunnable, residentOf } from '../../foundation/process-usage.ts';
import { takeSocket } from './take-socket.ts';

/** What one job may take. */
export interface JobLimits {
  /** CPU time of the process, ms. */
  cpuMsMax: number;
  /** Time in which the process could have worked and had nothing to do, ms. */
  stalledMsMax: number;
  /** Resident memory of the process. */
  residentBytesMax: number;
}

/** No render takes over 2 s of CPU time and 512 MB by its bounds: these are for what is wrong about the bounds. */
const limitsDefault: JobLimits = {
  cpuMsMax: 6000,
  stalledMsMax: 30_000,
  residentBytesMax: 1.5 * 1024 ** 3,
};

/**
 * Data that a process may map, KiB. The kernel refuses more at once, so what allocates fast cannot take the memory of
 * the machine between two looks at it.
 */
const dataKibMax = 3 * 1024 ** 2;

export interface RenderProcessSettings {
  /** The program, a file that Node runs. */
  filename: string;
  options: RenderProcessOptions;
  /** Bytes of files that it keeps; absent: 16 MiB. */
  partsBytesMax?: number | undefined;
  /** Heap from which on V8 collects all of it; absent: 96 MiB. */
  collectFromBytes?: number | undefined;
  /** Configuration of the fonts; absent: the system's. */
  fontConfigFile?: string | undefined;
  /** What is absent is as in `RenderPoolOptions`. */
  limits?: Partial<JobLimits> | undefined;
}

/**
 * Heap of JavaScript in a process; a job that needs more loses the process. All golden images one after the other
 * take 52 MB (measured), a fifth of it; pixels, fonts and base renders are no part of it.
 */
const heapMbMax = 256;

/**
 * Megabytes from which on V8 marks the whole heap. It would begin near the 18 that live there, which renders fill with
 * pixels 30 times a second: its marking took a fifth of all CPU time.
 */
const collectFromBytesDefault = 96 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** Options for Node that bound the heap of a render process. 16 MB, V8's default for new objects, make no render faster. */
export function heapOptions(collectFromBytes = collectFromBytesDefault): string[] {
  const collectFromMb = Math.round(collectFromBytes / mebibyte);
  const old = [`--max-old-space-size=${heapMbMax}`, `--initial-old-space-size=${collectFromMb}`];
  return [...old, '--max-semi-space-size=4'];
}

/** Characters that are kept of what a process writes to its standard error: its last words. */
const lastWordsMax = 2000;

/**
 * How glibc gives memory to a render process; other systems ignore it. One render runs at a time, so one thread for
 * libvips and one heap are enough: four threads with a heap each kept 22 MB more when they had done nothing yet.
 * Buffers from 4 MiB on, which are those above 1200 × 630 pixels, are mapped one by one and go back to the system
 * when they are freed. By default the bound of that rises to 32 MiB, and the holes that large buffers leave in
 * the heap were up to half of the memory. Huge pages make the mapping cheap (measured: none of the CPU time).
 */
export const memoryEnvironment = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(16 * 1024 * 1024),
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
};

/**
 * Starts a program with a bound on its memory and without core files, which would hold templates and take seconds to write, and beside it a shell
 * that kills it when descriptor 4 is closed without a word: however the service ends, and whatever its processes are doing.
 */
const guardedStart = `ulimit -c 0; ulimit -d ${dataKibMax}; { trap "" TERM HUP; read -r _ <&4 || kill -KILL $$; } >/dev/null 2>&1 3>&- & exec "$@" 4>&-`;

interface Running {
  resolve: (outcome: RenderOutcome) => void;
  reject: (error: RenderLostError) => void;
  /** CPU time of the process when it was first looked at in this job. */
  cpuFromMs: number | undefined;
  cpuMs: number;
  stalledMs: number;
}

/** Its parent calls `look` now and then. Everything that it holds is freed when `onEnd` has been called. */
export class RenderProcess {
  readonly #child: ChildProcess;
  readonly #socket: Socket;
  readonly #reader = new WireReader();
  readonly #kept: KeptParts;
  readonly #limits: JobLimits;
  #lastWords = '';
  #isReady = false;
  #isEnded = false;
  #running: Running | undefined;
  #figures: ProcessFigures | undefined;
  #killedFor: LossCause | undefined;
  #jobCpuMs: number | undefined;

  /** `onReady` is called once, when the program takes jobs; `onEnd` once, when the process is gone, with the reason. */
  constructor(
    {
      filename,
      options,
      partsBytesMax,
      collectFromBytes,
      fontConfigFile,
      limits,
    }: RenderProcessSettings,
    onReady: () => void,
    onEnd: (loss: RenderLostError) => void,
  ) {
    this.#limits = { ...limitsDefault, ...limits };
    this.#kept = new KeptParts(partsBytesMax);
    const program = [filename, JSON.stringify(options)];
    const nodeOptions = ['--enable-source-maps', ...heapOptions(collectFromBytes)];
    const node = [process.execPath, ...nodeOptions, ...program];
    this.#child = spawn('/bin/sh', ['-c', guardedStart, 'sh', ...node], {
      // Nothing of the service's environment: no keys, no proxies, no options for Node.
      env: { ...memoryEnvironment, ...(fontConfigFile && { FONTCONFIG_FILE: fontConfigFile }) },
      cwd: '/',
      // Not `detached`: Linux would share the cores by session (sched(7), autogroup), where a low priority counts for nothing.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    // Where no process can be started it has no streams either, and says so later.
    this.#child.on('error', (error) => {
      this.#lastWords = error.message;
    });
    const [, , stderr, pipe, guard] = (this.#child.stdio ?? []) as unknown as Socket[];
    if (stderr === undefined || pipe === undefined || guard === undefined)
      throw new Error('No process can be started.');
    this.#socket = takeSocket(pipe, (chunk) => this.#receive(chunk, onReady));
    // A process that has died cannot be written to; its end is known from elsewhere.
    for (const stream of [this.#socket, guard]) stream.on('error', () => undefined);
    stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-lastWordsMax);
    });
    // A word and not only the end: the number of this process may be another's by now.
    const exit = once(this.#child, 'exit').finally(() => guard.end('ended\n'));
    // Whatever it has said before its end counts.
    const ends = Promise.all([exit, closed(this.#socket), closed(stderr)]);
    void ends.then(
      ([[code, signal]]) => this.#end(onEnd, code, signal),
      () => this.#end(onEnd, null, null),
    );
  }

  /** Whether it can be given a job now. */
  get isIdle(): boolean {
    return this.isReady && this.#running === undefined;
  }

  /** Whether it takes jobs, now or when the one that it is at is done. */
  get isReady(): boolean {
    return this.#isReady && !this.#isEnded && this.#killedFor === undefined;
  }

  /** What it held when it last said so; undefined before its first job is done. */
  get figures(): (ProcessFigures & { partsBytes: number }) | undefined {
    return this.#figures && { ...this.#figures, partsBytes: this.#kept.bytes };
  }

  /** CPU time of the job that it is at, or was at last, as of the last look; undefined where nobody says. */
  get jobCpuMs(): number | undefined {
    return this.#jobCpuMs;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Renders one job; it must be idle. Rejects with `RenderLostError` when the process ends first. */
  run(job: RenderJob): Promise<RenderOutcome> {
    const { templateKey, templateJson, fonts, images, subject: _forTheLog, ...rest } = job;
    const socket = this.#socket;
    const send = (order: WireOrder, body?: Uint8Array): void => writeFrame(socket, order, body);
    if (this.#kept.use(templateKey, 2 * templateJson.length)) {
      const template = { templateJson, ...(fonts === undefined ? {} : { fonts }) };
      send({ kind: 'template', key: templateKey, template });
    }
    const sent = images.map(([source, image]) => {
      const { bytes, ...facts } = image;
      const key = imageKey(image);
      if (this.#kept.use(key, bytes.byteLength)) send({ kind: 'image', key }, bytes);
      return [source, { ...facts, key }] as [string, typeof facts & { key: string }];
    });
    const forget = this.#kept.trim();
    const values = [...rest.values];
    send({ kind: 'job', job: { templateKey, ...rest, values, images: sent }, forget });
    return new Promise((resolve, reject) => {
      this.#jobCpuMs = undefined;
      this.#running = { resolve, reject, cpuFromMs: undefined, cpuMs: 0, stalledMs: 0 };
    });
  }

  /** Kills it when its job is over a limit. `ranMs` is the time since the last look in which the service itself ran. */
  look(ranMs: number): void {
    const running = this.#running;
    const { pid } = this.#child;
    if (running === undefined || pid === undefined) return;
    const cpuMs = cpuMsOf(pid);
    if (cpuMs !== undefined) {
      running.cpuFromMs ??= cpuMs;
      const usedMs = cpuMs - running.cpuFromMs;
      const isWorking = usedMs > running.cpuMs || isRunnable(pid);
      running.cpuMs = usedMs;
      this.#jobCpuMs = usedMs;
      if (isWorking) ranMs = 0;
    }
    running.stalledMs += ranMs;
    const { cpuMsMax, stalledMsMax, residentBytesMax } = this.#limits;
    const resident = residentOf(pid);
    if (resident !== undefined && resident.own + resident.files > residentBytesMax)
      this.kill('memory');
    else if (running.cpuMs > cpuMsMax) this.kill('cpu');
    else if (running.stalledMs > stalledMsMax) this.kill('stalled');
  }

  /** Kills it; a job that it is at is lost for this reason. */
  kill(cause: LossCause): void {
    this.#killedFor ??= cause;
    this.#child.kill('SIGKILL');
  }

  #receive(chunk: Uint8Array, onReady: () => void): void {
    let frames: WireFrame[];
    try {
      frames = this.#reader.push(chunk);
    } catch {
      // What it says cannot be read: memory was overwritten, or worse.
      this.kill('crash');
      return;
    }
    for (const { head, body } of frames) {
      if (!this.#isReady) {
        this.#isReady = true;
        onReady();
        continue;
      }
      const running = this.#running;
      this.#running = undefined;
      const { figures, ...outcome } = head as WireOutcome;
      this.#figures = figures ?? this.#figures;
      if (outcome.ok) this.#jobCpuMs = outcome.cpuMs;
      running?.resolve(outcome.ok ? { ...outcome, bytes: body } : outcome);
    }
  }

  #end(
    onEnd: (loss: RenderLostError) => void,
    code: number | null,
    signal: NodeJS.Signals | null,
  ): void {
    this.#isEnded = true;
    const cause = this.#killedFor ?? causeOf(signal, this.#lastWords);
    const loss = new RenderLostError(cause, `${signal ?? `exit code ${code}`}. ${this.#lastWords}`);
    const running = this.#running;
    this.#running = undefined;
    running?.reject(loss);
    onEnd(loss);
  }
}

/** Unlike `once` it takes no error for the end: input that a process has not read resets its socket. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function causeOf(signal: NodeJS.Signals | null, lastWords: string): LossCause {
  if (signal === 'SIGKILL') return 'killed';
  if (/out of memory|heap limit|bad_alloc|allocation failed/i.test(lastWords)) return 'memory';
  return signal === null ? 'exit' : 'crash';
}
