/** One process that draws SVG, with little memory and time, which may be killed at any moment. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { packagePath, programPath } from '#paths.ts';
import { cpuMsOf } from '../../foundation/process-usage.ts';
import { FrameReader, writeFrame } from './frames.ts';
import type { Frame, SvgAnswer, SvgOrder } from './frames.ts';

/** Private writable memory of a process; a blank one has 250 MB of it, most of them stacks (measured). */
const dataBytesMax = 608 * 1024 * 1024;
/** Of its own heap, which only holds the file and its text. */
const heapMegabytesMax = 192;
/** CPU time of a process: the kernel's last word, should this one ever be too busy to kill it. */
const cpuSecondsMax = 20;
/** Starting takes 0.3 s, and some seconds on a machine that has no core to spare. */
const startTimeoutMs = 10_000;
/** A warm process holds some 80 MB: it is kept through an email's burst and no longer. */
const idleMs = 60_000;
const problemCharactersMax = 300;
/** How often the CPU time of a drawing is looked at, ms. */
const lookEveryMs = 50;
/** A drawing whose machine has no core to spare is not to blame for the time that passes; for so long it is waited for. */
const starvedAfterMs = 15_000;
/** Where CPU time cannot be read, a drawing is taken to have half of the time that passes. */
const wallPerCpuUnread = 2;
/** Signals that nothing in a drawing raises: the kernel short of memory sends the first, operators all of them. */
const foreignSignals: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/**
 * `ulimit -d` counts on Linux; other systems take it and enforce less. Where the kernel runs out of memory, it ends such
 * a process before any other.
 */
const limitedStart =
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; ' +
  'ulimit -c 0 && ulimit -t "$1" && ulimit -d "$2" && shift 2 && exec "$@"';

/** What a drawing may use. */
export interface SvgBounds {
  cpuMsMax: number;
  /** CPU time of a short drawing; one that has used it goes on while `mayGoOn` says so. */
  shortCpuMs: number;
  mayGoOn: () => boolean;
}

/**
 * What became of a drawing: a PNG of `scale` pixels for one of the SVG's own; a problem that the program tells; `late` and
 * `crashed`, which are the drawing's doing; `preempted`, when `mayGoOn` said no; `starved`, when the machine gave it no
 * time; `killed`, when the process was ended from outside or never came up.
 */
export type SvgResult = { cpuMs: number } & (
  | { state: 'drawn'; png: Uint8Array; scale: number }
  | { state: 'refused'; problem: string }
  | { state: 'late' | 'crashed' | 'preempted' | 'starved' | 'killed' }
);

/** Drawings come one after the other. */
export class SvgProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #reader = new FrameReader();
  #isAlive = true;
  #isReady = false;
  #startCpuMs: number | undefined;
  /** The signal or fault that ended it; undefined of a process that was ended here. */
  #endedBy: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Takes the next frame, or undefined when the process has ended instead. */
  #onFrame: ((frame: Frame | undefined) => void) | undefined;

  /** `environment` is all that the program is given: no keys, no proxies, no options for Node. */
  constructor(environment: NodeJS.ProcessEnv) {
    const limits = [String(cpuSecondsMax), String(dataBytesMax / 1024)];
    const node = [process.execPath, `--max-old-space-size=${heapMegabytesMax}`, programPath('svg')];
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
    this.#child.on('close', (_code, signal) => this.#end(signal ?? 'exit'));
    // A process that has died cannot be written to; `close` reports its end.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
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
    writeFrame(this.#child.stdin, order, file);
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
    this.#child.kill('SIGKILL');
    this.#end(fault);
  }

  /** The process has read hostile bytes: its answer is taken as a stranger's, its PNG checked like any. */
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

  /** Ends the process when its drawing has used what it may. */
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

  /** CPU time of the process so far; undefined where the system does not tell it. */
  #cpuMs(): number | undefined {
    const { pid } = this.#child;
    return pid === undefined ? undefined : cpuMsOf(pid);
  }

  #nextFrame(): Promise<Frame | undefined> {
    if (!this.#isAlive) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#onFrame = resolve;
    });
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.push(chunk)) this.#settle(frame);
    } catch {
      this.kill('frames');
    }
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

  /** Lets this program end while the process waits; a drawing's timer keeps it running. */
  #unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}

// The fonts of drawings: those of templates, except for emoji.

/** Noto Emoji. */
const emojiFonts = packagePath('data/svg-fonts/');

/** Its glyphs are coloured layers (COLR), for which librsvg draws nothing. Noto Emoji has outlines of one colour. */
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
