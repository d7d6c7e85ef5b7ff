/** One process that draws SVG, with limits on memory and CPU time. It may be killed at any time. */
import { renameSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { packagePath, programPath } from '#paths.ts';
import { GuardedProgram } from '../../foundation/guarded-program.ts';
import { cpuMsOf } from '../../foundation/process-usage.ts';
import type { Frame } from '#wire/program/frames.ts';
import { svgFrameBounds } from './frames.ts';
import type { SvgAnswer, SvgOrder } from './frames.ts';

/** Private writable memory of a process. An idle new process has 250 MB, most of it stacks (measured). */
const dataBytesMax = 608 * 1024 * 1024;
/** JavaScript heap of a process, which holds only the file and its text. */
const heapMegabytesMax = 192;
/** CPU time after which the kernel ends a process, in case the service is too busy to kill it. */
const cpuSecondsMax = 20;
/** Time-out of a start, which takes 0.3 s, or some seconds on a machine without an idle core. */
const startTimeoutMs = 10_000;
/** Time after which an idle process ends. It holds some 80 MB and is kept for the burst of requests after an email. */
const idleMs = 60_000;
const problemCharactersMax = 300;
/** Interval between two reads of a drawing's CPU time, in ms. */
const lookEveryMs = 50;
/** Wall time after which a drawing ends as `starved`: the machine had no idle core for it. */
const starvedAfterMs = 15_000;
/** Wall time per CPU time, as an estimate for systems without a reading of CPU time. */
const wallPerCpuUnread = 2;
/** Signals that no drawing causes: the kernel sends the first when memory is short, and operators may send all. */
const foreignSignals: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** With it, a kernel that is short of memory ends this process before any other. */
const oomScoreAdjust = 1000;

export interface SvgBounds {
  cpuMsMax: number;
  /** CPU time of a short drawing. A longer one continues only while `mayGoOn` returns true. */
  shortCpuMs: number;
  mayGoOn: () => boolean;
}

/**
 * The result of a drawing. `drawn`: a PNG of `scale` pixels for one unit of the SVG. `refused`: a problem that the
 * program reports. `late`, `crashed`: the SVG exceeded a limit or ended the process. `preempted`: `mayGoOn` returned
 * false. `starved`: the machine was too busy. `killed`: the process was ended from outside or did not start.
 */
export type SvgResult = { cpuMs: number } & (
  | { state: 'drawn'; png: Uint8Array; scale: number }
  | { state: 'refused'; problem: string }
  | { state: 'late' | 'crashed' | 'preempted' | 'starved' | 'killed' }
);

/** A process that makes one drawing at a time. */
export class SvgProcess {
  readonly #program: GuardedProgram;
  #isAlive = true;
  #isReady = false;
  #startCpuMs: number | undefined;
  /** The signal or fault that ended the process; undefined if `kill` without a fault ended it. */
  #endedBy: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Called with the next frame, or with undefined when the process ends. */
  #onFrame: ((frame: Frame | undefined) => void) | undefined;

  /** `environment` is the whole environment of the program: no keys, no proxies, no options for Node. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#program = new GuardedProgram({
      node: [`--max-old-space-size=${heapMegabytesMax}`, programPath('svg')],
      environment,
      dataKibMax: dataBytesMax / 1024,
      cpuSecondsMax,
      oomScoreAdjust,
      frames: svgFrameBounds,
      onFrame: (frame) => this.#settle(frame),
    });
    // Renders have priority on a busy machine. A process of a thread has the priority of the thread, and must not raise it.
    const { pid } = this.#program;
    if (isMainThread && pid !== undefined)
      setPriority(pid, Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority(pid)));
    void this.#program.ended.then(({ signal }) =>
      this.#end(this.#program.isBroken ? 'frames' : (signal ?? 'exit')),
    );
    // Allows the service to end while the process is idle; the timer of a drawing keeps the service running.
    this.#program.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** CPU time that its start took; undefined before it is ready, or where the system does not report it. */
  get startCpuMs(): number | undefined {
    return this.#startCpuMs;
  }

  /** Never rejects. A process that is alive afterwards may draw again. */
  async draw(order: SvgOrder, file: Uint8Array, bounds: SvgBounds): Promise<SvgResult> {
    clearTimeout(this.#idleTimer);
    if (!this.#isReady) {
      const timer = setTimeout(() => this.kill(), startTimeoutMs);
      const ready = await this.#nextFrame();
      clearTimeout(timer);
      if (ready === undefined) return { state: 'killed', cpuMs: 0 };
      this.#isReady = true;
      this.#startCpuMs = this.#cpuMs();
    }
    const answered = this.#nextFrame();
    this.#program.send(JSON.stringify(order), file);
    const watch = this.#watch(bounds);
    const frame = await answered;
    const { state, cpuMs } = watch.end();
    if (frame === undefined) {
      if (state !== undefined) return { state, cpuMs };
      const isForeign = this.#endedBy === undefined || foreignSignals.has(this.#endedBy);
      return { state: isForeign ? 'killed' : 'crashed', cpuMs };
    }
    return this.#read(frame, cpuMs);
  }

  kill(fault?: string): void {
    this.#program.kill();
    this.#end(fault);
  }

  /** Reads an answer. The process has read hostile bytes, so the answer is untrusted; callers check the PNG. */
  #read({ head, body }: Frame, cpuMs: number): SvgResult {
    const answer = head as Partial<SvgAnswer & { ok: true }> & { problem?: unknown };
    if (answer.isSpent !== false) this.kill();
    else this.#rest();
    const scale = Number(answer.scale);
    if (answer.ok === true && scale > 0 && scale < Infinity)
      return { state: 'drawn', png: body, scale, cpuMs };
    const problem = String(answer.problem).slice(0, problemCharactersMax);
    return { state: 'refused', problem, cpuMs };
  }

  /** Kills the process when its drawing exceeds a bound. */
  #watch({ cpuMsMax, shortCpuMs, mayGoOn }: SvgBounds): {
    end: () => { state: 'late' | 'preempted' | 'starved' | undefined; cpuMs: number };
  } {
    const startedMs = performance.now();
    const startCpuMs = this.#cpuMs();
    let state: 'late' | 'preempted' | 'starved' | undefined;
    let cpuMs = 0;
    const measure = (): number => {
      const wallMs = performance.now() - startedMs;
      const nowMs = this.#cpuMs();
      const isRead = nowMs !== undefined && startCpuMs !== undefined;
      cpuMs = isRead ? nowMs - startCpuMs : wallMs / wallPerCpuUnread;
      return wallMs;
    };
    const look = (): void => {
      const wallMs = measure();
      if (cpuMs >= cpuMsMax) state = 'late';
      else if (wallMs >= starvedAfterMs) state = 'starved';
      else if (cpuMs >= shortCpuMs && !mayGoOn()) state = 'preempted';
      if (state !== undefined) this.kill();
    };
    const timer = setInterval(look, lookEveryMs);
    return {
      end: () => {
        clearInterval(timer);
        if (this.#isAlive) measure();
        return { state, cpuMs };
      },
    };
  }

  /** CPU time of the process so far; undefined where the system does not report it. */
  #cpuMs(): number | undefined {
    const { pid } = this;
    return pid === undefined ? undefined : cpuMsOf(pid);
  }

  #nextFrame(): Promise<Frame | undefined> {
    if (!this.#isAlive) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#onFrame = resolve;
    });
  }

  #settle(frame: Frame | undefined): void {
    const settle = this.#onFrame;
    this.#onFrame = undefined;
    settle?.(frame);
  }

  #end(fault?: string): void {
    if (this.#isAlive) this.#endedBy = fault;
    this.#isAlive = false;
    clearTimeout(this.#idleTimer);
    this.#settle(undefined);
  }

  #rest(): void {
    this.#idleTimer = setTimeout(() => this.kill(), idleMs);
    this.#idleTimer.unref();
  }
}

// The fonts of drawings: those of templates, except for emoji.

/** The folder of Noto Emoji. */
const emojiFonts = packagePath('data/svg-fonts/');

/** A font with coloured layers (COLR), which librsvg does not draw. Noto Emoji has outlines of one colour. */
const layeredFamily = 'Twemoji Mozilla';

/** Returns all environment variables of a process: no keys, no proxies, no options for Node. */
export function svgEnvironment(fontConfigFile: string | undefined): NodeJS.ProcessEnv {
  return fontConfigFile === undefined
    ? {}
    : { FONTCONFIG_FILE: writeSvgFontConfig(fontConfigFile) };
}

/** Writes a font configuration beside that of the templates and returns its path. The folder must be writable. */
function writeSvgFontConfig(fontConfigFile: string): string {
  const path = join(dirname(fontConfigFile), 'svg-fonts.conf');
  const draft = `${path}.${process.pid}`;
  writeFileSync(
    draft,
    `<?xml version="1.0"?>
<fontconfig>
  <include>${escapeXml(fontConfigFile)}</include>
  <dir>${escapeXml(emojiFonts)}</dir>
  <selectfont><rejectfont><pattern>
    <patelt name="family"><string>${layeredFamily}</string></patelt>
  </pattern></rejectfont></selectfont>
</fontconfig>
`,
  );
  // Atomic: another process may start at the same time.
  renameSync(draft, path);
  return path;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
