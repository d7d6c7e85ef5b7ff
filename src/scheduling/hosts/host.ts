/** One render host: starts it, sends jobs to its threads, watches them, and ends it if a job exceeds a limit. */
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { hostFrameBounds, imageKey } from '#wire/render-wire.ts';
import type {
  HostOrder,
  HostReport,
  JobRest,
  JobTemplate,
  RenderHostOptions,
  ThreadFigures,
} from '#wire/render-wire.ts';
import { programPath } from '#paths.ts';
import type { CacheSizes } from '../memory-budget.ts';
import { KeptParts } from './kept-parts.ts';
import { memoryEnvironment, nodeOptions } from './node-options.ts';
import { RenderLostError } from './lost-render.ts';
import type { LossCause } from './lost-render.ts';
import { RenderThread } from './thread.ts';
import { GuardedProgram } from '../../foundation/guarded-program.ts';
import type { GuardedEnd } from '../../foundation/guarded-program.ts';
import { zoneRulesEnvironment } from '../../foundation/zone-rules.ts';
import { cpuMsOf, isStopped, residentOf } from '../../foundation/process-usage.ts';

/** Limits of one job. */
export interface JobLimits {
  /** CPU time of its thread in ms. */
  cpuMsMax: number;
  /** Time in ms in which the thread could run and used no CPU time. */
  stalledMsMax: number;
  /** Resident memory of a host with one thread; each further thread adds `furtherBytes`. */
  residentBytesMax: number;
}

/** By its bounds, no render takes over 3 s of CPU time and 512 MB. These limits apply if the bounds are faulty. */
const limitsDefault: JobLimits = {
  cpuMsMax: 6000,
  stalledMsMax: 30_000,
  residentBytesMax: 1.5 * 1024 ** 3,
};

/** Data that a host with one thread may map, in KiB. */
const dataKibMax = 3 * 1024 ** 2;

/** Memory of each further thread: that of a render, by its bounds. */
const furtherBytes = 512 * 1024 ** 2;

/** Time in ms for which the other threads of a host that will be killed may finish their jobs. */
const finishMs = 2000;

export interface RenderHostSettings {
  /** The module of the threads; see `workers/serve-tasks.ts`. Default: the one that renders. */
  threadFile?: string;
  /** Bytes that a thread keeps. Default: those of `RenderThreadOptions`, 16 MiB of files, and a heap of 96 MiB. */
  caches?: Pick<
    CacheSizes,
    'baseRendersBytesMax' | 'drawablesBytesMax' | 'partsBytesMax' | 'collectFromBytes'
  >;
  /** Configuration of the fonts; the system's if absent. */
  fontConfigFile?: string;
  /** As in `RenderHostOptions`. */
  niceness?: number;
  /** Limits of one job before its host is ended. */
  limits?: Partial<JobLimits>;
}

/** What a host tells its owner. */
export interface HostEvents {
  /** A thread takes its first job. */
  onThread: (thread: RenderThread) => void;
  /** A thread has ended, and its host lives and starts another one. */
  onThreadEnd: (thread: RenderThread) => void;
  /** The host has ended, after its jobs were rejected. */
  onEnd: (loss: RenderLostError) => void;
  /** Whether the kernel has just killed a process because memory was short. */
  hasKernelKilled: () => boolean;
}

/** The owner calls `look` at intervals. All resources are released when `onEnd` is called. */
export class RenderHost {
  readonly #program: GuardedProgram;
  readonly #kept: KeptParts;
  readonly #limits: JobLimits;
  readonly #events: HostEvents;
  readonly #threads = new Map<number, RenderThread>();
  #jobs = 0;
  #isEnded = false;
  #figures: ThreadFigures | undefined;
  /** Why the host takes no more jobs; `guilty` has the job that is to blame. */
  #verdict: { cause: LossCause; guilty?: RenderThread } | undefined;
  #finishTimer: NodeJS.Timeout | undefined;
  #cpuMs: number | undefined;

  /** Throws if the system cannot start another process. */
  constructor(
    { threadFile, caches, fontConfigFile, niceness, limits }: RenderHostSettings,
    threads: number,
    events: HostEvents,
  ) {
    const { baseRendersBytesMax, drawablesBytesMax, partsBytesMax, collectFromBytes } =
      caches ?? {};
    const further = (threads - 1) * furtherBytes;
    this.#limits = { ...limitsDefault, ...limits };
    this.#limits.residentBytesMax += further;
    this.#events = events;
    this.#kept = new KeptParts(partsBytesMax && partsBytesMax * threads);
    const options: RenderHostOptions = {
      threadFile: threadFile ?? programPath('render-thread'),
      threads,
      niceness,
      thread: { baseRendersBytesMax, drawablesBytesMax },
    };
    const program = [programPath('render'), JSON.stringify(options)];
    const node = ['--enable-source-maps', ...nodeOptions(collectFromBytes), ...program];
    this.#program = new GuardedProgram({
      node,
      environment: {
        ...memoryEnvironment(threads),
        ...zoneRulesEnvironment(),
        ...(fontConfigFile && { FONTCONFIG_FILE: fontConfigFile }),
      },
      dataKibMax: dataKibMax + further / 1024,
      frames: hostFrameBounds,
      onFrame: ({ head, body }) => this.#take(head as HostReport, body),
    });
    void this.#program.ended.then((end) => this.#end(end));
  }

  /** Whether the threads take jobs, now or after the current ones. */
  get isOpen(): boolean {
    return !this.#isEnded && this.#verdict === undefined;
  }

  get threads(): readonly RenderThread[] {
    return [...this.#threads.values()];
  }

  /** Jobs that run. */
  get busy(): number {
    return this.#busy().length;
  }

  /** The last memory report of the host; undefined until its first job is done. */
  get figures(): (ThreadFigures & { partsBytes: number }) | undefined {
    return this.#figures && { ...this.#figures, partsBytes: this.#kept.bytes };
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** Sends a job to a thread, which must be idle. Rejects with `RenderLostError` if the job is lost. */
  run(thread: RenderThread, job: RenderJob): Promise<RenderOutcome> {
    const { templateKey, templateJson, fonts, images, subject: _forTheLog, ...others } = job;
    if (this.#kept.use(templateKey, 2 * templateJson.length)) {
      const template: JobTemplate = { templateJson, ...(fonts === undefined ? {} : { fonts }) };
      this.#send({ kind: 'template', key: templateKey }, Buffer.from(JSON.stringify(template)));
    }
    const sent = images.map(([source, image]) => {
      const { bytes, ...facts } = image;
      const key = imageKey(image);
      if (this.#kept.use(key, bytes.byteLength)) this.#send({ kind: 'image', key }, bytes);
      return [source, { ...facts, key }] as [string, typeof facts & { key: string }];
    });
    const forget = this.#kept.trim();
    const number = (this.#jobs += 1);
    const rest: JobRest = { ...others, values: [...others.values] };
    this.#send(
      { kind: 'job', number, thread: thread.id, template: templateKey, images: sent, forget },
      Buffer.from(JSON.stringify(rest)),
    );
    return thread.start(number);
  }

  /** Ends the host if a job exceeds a limit. `ranMs`: time since the last check in which the service ran. */
  look(ranMs: number): void {
    const { pid } = this.#program;
    if (pid === undefined || this.busy === 0) return;
    const cpuMs = cpuMsOf(pid);
    const hostMs = cpuMs === undefined ? 0 : cpuMs - (this.#cpuMs ?? cpuMs);
    this.#cpuMs = cpuMs;
    const { threads } = this;
    const ofThreads = threads.map((thread) => thread.readCpuMs());
    // Decoders and encoders of some formats run in threads of the system's pool, while the thread of the job waits.
    const poolMs = Math.max(0, hostMs - ofThreads.reduce((sum, ms) => sum + ms, 0));
    for (const [at, thread] of threads.entries()) thread.look(ofThreads[at] ?? 0, poolMs, ranMs);
    if (this.#verdict !== undefined) return;
    const { cpuMsMax, stalledMsMax, residentBytesMax } = this.#limits;
    const resident = residentOf(pid);
    if (resident !== undefined && resident.private + resident.files > residentBytesMax)
      this.kill('memory');
    const late = threads.find(({ job }) => (job?.cpuMs ?? 0) > cpuMsMax);
    const stalled = threads.find(({ job }) => (job?.stalledMs ?? 0) > stalledMsMax);
    if (late !== undefined) this.#condemn('cpu', late);
    else if (stalled !== undefined) this.#condemn(isStopped(pid) ? 'stopped' : 'stalled', stalled);
  }

  /** Kills the host at once; its jobs are lost with this cause. */
  kill(cause: LossCause): void {
    this.#verdict ??= { cause };
    this.#program.kill();
  }

  /** Kills the host for the job of one thread, after the others have finished. */
  #condemn(cause: LossCause, guilty: RenderThread): void {
    this.#verdict ??= { cause, guilty };
    this.#finishTimer = setTimeout(() => this.#program.kill(), finishMs);
    this.#killIfFinished();
  }

  #killIfFinished(): void {
    const { guilty } = this.#verdict ?? {};
    if (guilty !== undefined && this.#busy().every((each) => each === guilty)) this.#program.kill();
  }

  #busy(): RenderThread[] {
    return this.threads.filter(({ job }) => job !== undefined);
  }

  #send(order: HostOrder, body: Uint8Array): void {
    this.#program.send(JSON.stringify(order), body);
  }

  #take(report: HostReport, body: Uint8Array): void {
    if (report.kind === 'started') {
      const thread = new RenderThread(
        report.thread,
        report.task === undefined ? undefined : `${this.pid}/task/${report.task}`,
      );
      this.#threads.set(report.thread, thread);
      this.#events.onThread(thread);
      return;
    }
    if (report.kind === 'ended') {
      const thread = this.#threads.get(report.thread);
      this.#threads.delete(report.thread);
      // A job that was sent meanwhile has not begun.
      thread?.end(new RenderLostError('exit', 'The thread had ended.', true));
      if (thread !== undefined && !this.#isEnded) this.#events.onThreadEnd(thread);
      return;
    }
    if (report.kind === 'figures') {
      this.#figures = report.figures;
      return;
    }
    const thread = this.threads.find(({ job }) => job?.number === report.number);
    if (report.kind === 'lost') {
      const { detail } = report;
      thread?.end(new RenderLostError(causeIn(detail) ?? 'exit', detail));
    } else {
      const { outcome } = report;
      thread?.end(outcome.ok ? { ...outcome, bytes: body as Uint8Array<ArrayBuffer> } : outcome);
    }
    this.#killIfFinished();
  }

  #end({ code, signal, lastWords }: GuardedEnd): void {
    this.#isEnded = true;
    clearTimeout(this.#finishTimer);
    const cause = this.#verdict?.cause ?? this.#causeOf(signal, lastWords);
    const detail = `${signal ?? `exit code ${code}`}. ${lastWords}`;
    const busy = this.#busy();
    // The only job of a host has ended it, unless the end came from outside.
    const guilty =
      this.#verdict?.guilty ?? (busy.length === 1 && cause !== 'killed' ? busy[0] : undefined);
    for (const thread of busy) thread.end(new RenderLostError(cause, detail, thread !== guilty));
    this.#events.onEnd(new RenderLostError(cause, detail));
  }

  #causeOf(signal: NodeJS.Signals | null, lastWords: string): LossCause {
    if (this.#program.isBroken) return 'crash';
    if (signal === 'SIGKILL') return this.#events.hasKernelKilled() ? 'memory' : 'killed';
    return causeIn(lastWords) ?? (signal === null ? 'exit' : 'crash');
  }
}

/** The cause that the text of an error names. */
function causeIn(text: string): LossCause | undefined {
  const isMemory = /out of memory|heap limit|bad_alloc|allocation failed/i.test(text);
  return isMemory ? 'memory' : undefined;
}
