/** One render process: starts it, sends it jobs one by one, watches it, and kills it if a job exceeds a limit. */
import type { Socket } from 'node:net';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { errorText } from '#wire/error-text.ts';
import { imageKey, WireReader, writeFrame } from '#wire/render-wire.ts';
import type {
  ProcessFigures,
  RenderProcessOptions,
  WireFrame,
  WireOrder,
  WireOutcome,
} from '#wire/render-wire.ts';
import type { CacheSizes } from '../memory-budget.ts';
import { KeptParts } from './kept-parts.ts';
import { memoryEnvironment, nodeOptions } from './node-options.ts';
import { RenderLostError } from './lost-render.ts';
import type { LossCause } from './lost-render.ts';
import { startProgram } from '../../foundation/child-program.ts';
import type { ChildProgram } from '../../foundation/child-program.ts';
import { cpuMsOf, isRunnable, isStopped, residentOf } from '../../foundation/process-usage.ts';
import { takeSocket } from './take-socket.ts';

/** Limits of one job. */
export interface JobLimits {
  /** CPU time of the process in ms. */
  cpuMsMax: number;
  /** Time in ms in which the process could run and used no CPU time. */
  stalledMsMax: number;
  /** Resident memory of the process. */
  residentBytesMax: number;
}

/** By its bounds, no render takes over 3 s of CPU time and 512 MB. These limits apply if the bounds are faulty. */
const limitsDefault: JobLimits = {
  cpuMsMax: 6000,
  stalledMsMax: 30_000,
  residentBytesMax: 1.5 * 1024 ** 3,
};

/**
 * Data that a process may map, in KiB. The kernel refuses more at once, so that fast allocation cannot exhaust the
 * machine's memory between two checks.
 */
const dataKibMax = 3 * 1024 ** 2;

export interface RenderProcessSettings {
  /** The program of a render process; see `workers/serve-renders.ts`. */
  filename: string;
  /** Bytes that a process keeps. Default: those of `RenderProcessOptions`, 16 MiB of files, and a heap of 96 MiB. */
  caches?: Pick<
    CacheSizes,
    'baseRendersBytesMax' | 'drawablesBytesMax' | 'partsBytesMax' | 'collectFromBytes'
  >;
  /** Configuration of the fonts; the system's if absent. */
  fontConfigFile?: string;
  /** As in `RenderProcessOptions`. */
  niceness?: number;
  /** Limits of one job before its process is killed. */
  limits?: Partial<JobLimits>;
}

/** Last characters of a process's standard error that are kept for the log. */
const lastWordsMax = 2000;

/**
 * Starts a program with a bound on its memory and without core files, which would contain templates and take seconds to
 * write. A shell beside it kills it if descriptor 4 is closed without a message, so it always ends with the service.
 */
const guardedStart = `ulimit -c 0; ulimit -d ${dataKibMax}; { trap "" TERM HUP; read -r _ <&4 || kill -KILL $$; } >/dev/null 2>&1 3>&- & exec "$@" 4>&-`;

interface Running {
  resolve: (outcome: RenderOutcome) => void;
  reject: (error: RenderLostError) => void;
  /** CPU time of the process at the first check in this job. */
  cpuFromMs: number | undefined;
  cpuMs: number;
  stalledMs: number;
}

/** The parent calls `look` at intervals. All resources are released when `onEnd` is called. */
export class RenderProcess {
  readonly #child: ChildProgram;
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

  /** `onReady` is called once, when the program takes jobs; `onEnd` once, at the end of the process, with its cause. */
  constructor(
    { filename, caches, fontConfigFile, niceness, limits }: RenderProcessSettings,
    onReady: () => void,
    onEnd: (loss: RenderLostError) => void,
  ) {
    this.#limits = { ...limitsDefault, ...limits };
    const { baseRendersBytesMax, drawablesBytesMax, partsBytesMax, collectFromBytes } =
      caches ?? {};
    const options: RenderProcessOptions = { baseRendersBytesMax, drawablesBytesMax, niceness };
    this.#kept = new KeptParts(partsBytesMax);
    const program = [filename, JSON.stringify(options)];
    const node = [process.execPath, '--enable-source-maps', ...nodeOptions(collectFromBytes)];
    this.#child = startProgram('/bin/sh', ['-c', guardedStart, 'sh', ...node, ...program], {
      // Nothing of the service's environment: no keys, no proxies, no options for Node.
      env: { ...memoryEnvironment, ...(fontConfigFile && { FONTCONFIG_FILE: fontConfigFile }) },
      cwd: '/',
      // Not `detached`: Linux would share the cores by session (sched(7), autogroup), making low priority useless.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    // A process that cannot be started has no streams, and reports its error later.
    this.#child.ended.catch((error: unknown) => {
      this.#lastWords = errorText(error);
    });
    const [, , stderr, pipe, guard] = (this.#child.stdio ?? []) as unknown as Socket[];
    if (stderr === undefined || pipe === undefined || guard === undefined)
      throw new Error('No process can be started.');
    this.#socket = takeSocket(pipe, (chunk) => this.#receive(chunk, onReady));
    // Writing to a process that has died fails; its end is reported elsewhere.
    for (const stream of [this.#socket, guard]) stream.on('error', () => undefined);
    stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-lastWordsMax);
    });
    // A message, because the shell kills by id after a plain close, and another process may have the id by then.
    const exit = this.#child.ended.finally(() => guard.end('ended\n'));
    // The end is reported only after all output of the process has been read.
    const ends = Promise.all([exit, closed(this.#socket), closed(stderr)]);
    void ends.then(
      ([[code, signal]]) => this.#end(onEnd, code, signal),
      () => this.#end(onEnd, null, null),
    );
  }

  /** Whether the process can take a job now. */
  get isIdle(): boolean {
    return this.isReady && this.#running === undefined;
  }

  /** Whether the process takes jobs, now or after the current one. */
  get isReady(): boolean {
    return this.#isReady && !this.#isEnded && this.#killedFor === undefined;
  }

  /** The last memory report of the process; undefined until its first job is done. */
  get figures(): (ProcessFigures & { partsBytes: number }) | undefined {
    return this.#figures && { ...this.#figures, partsBytes: this.#kept.bytes };
  }

  /** CPU time of the current or last job, as of the last check; undefined where the system does not report it. */
  get jobCpuMs(): number | undefined {
    return this.#jobCpuMs;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Renders one job; the process must be idle. Rejects with `RenderLostError` if the process ends first. */
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

  /** Kills the process if its job exceeds a limit. `ranMs`: time since the last check in which the service ran. */
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
    if (resident !== undefined && resident.private + resident.files > residentBytesMax)
      this.kill('memory');
    else if (running.cpuMs > cpuMsMax) this.kill('cpu');
    else if (running.stalledMs > stalledMsMax) this.kill(isStopped(pid) ? 'stopped' : 'stalled');
  }

  /** Kills the process; a current job is lost with this cause. */
  kill(cause: LossCause): void {
    this.#killedFor ??= cause;
    this.#child.kill();
  }

  #receive(chunk: Uint8Array, onReady: () => void): void {
    let frames: WireFrame[];
    try {
      frames = this.#reader.push(chunk);
    } catch {
      // Unreadable output: the memory of the process is corrupt.
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

/** Resolves at `close`. Unlike `once`, ignores errors: unread input of a process resets its socket. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function causeOf(signal: NodeJS.Signals | null, lastWords: string): LossCause {
  if (signal === 'SIGKILL') return 'killed';
  if (/out of memory|heap limit|bad_alloc|allocation failed/i.test(lastWords)) return 'memory';
  return signal === null ? 'exit' : 'crash';
}
