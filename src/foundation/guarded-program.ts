/** A program of Node in a process of its own: bounded, without the service's environment, and ended with the service. */
import type { Socket } from 'node:net';
import { errorText } from '#wire/error-text.ts';
import { FrameReader, writeFrame } from '#wire/program/frames.ts';
import type { Frame, FrameBounds } from '#wire/program/frames.ts';
import { startProgram } from './child-program.ts';
import type { ChildProgram, ProgramEnd } from './child-program.ts';
import { takeSocket } from './take-socket.ts';

export interface GuardedProgramOptions {
  /** Options of Node, the module, and its arguments. */
  node: readonly string[];
  /** All environment variables: no keys, no proxies, no options for Node. */
  environment: NodeJS.ProcessEnv;
  /**
   * Data that the process may map, in KiB: the kernel refuses more at once, so that fast allocation cannot exhaust the
   * machine's memory between two checks. Other systems than Linux enforce less.
   */
  dataKibMax: number;
  /** CPU time in seconds after which the kernel ends it; absent: no bound. */
  cpuSecondsMax?: number;
  /** `oom_score_adj` from the start; absent: that of the service. */
  oomScoreAdjust?: number;
  frames: FrameBounds;
  onFrame: (frame: Frame) => void;
}

/** How a program ended, with the end of its standard error. */
export interface GuardedEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  lastWords: string;
}

/** Last characters of standard error that are kept for the log. */
const lastWordsMax = 2000;

/**
 * Starts a program without core files, which would contain templates and take seconds to write. A shell beside it kills
 * it if descriptor 4 is closed without a message, so it always ends with the service.
 */
function startScript({ dataKibMax, cpuSecondsMax, oomScoreAdjust }: GuardedProgramOptions): string {
  const score =
    oomScoreAdjust === undefined
      ? ''
      : `{ echo ${oomScoreAdjust} > /proc/self/oom_score_adj; } 2>/dev/null; `;
  const time = cpuSecondsMax === undefined ? '' : `ulimit -t ${cpuSecondsMax}; `;
  const guard = '{ trap "" TERM HUP; read -r _ <&4 || kill -KILL $$; } >/dev/null 2>&1 3>&- 5>&- &';
  return `${score}ulimit -c 0; ${time}ulimit -d ${dataKibMax}; ${guard} exec "$@" 4>&-`;
}

export class GuardedProgram {
  /** Resolves after all output of the program has been read. */
  readonly ended: Promise<GuardedEnd>;
  readonly #child: ChildProgram;
  readonly #input: Socket;
  readonly #streams: readonly Socket[];
  readonly #reader: FrameReader;
  readonly #onFrame: (frame: Frame) => void;
  #lastWords = '';
  #isBroken = false;

  /** Throws if the system cannot start another process. */
  constructor(options: GuardedProgramOptions) {
    const { node, environment, frames, onFrame } = options;
    this.#reader = new FrameReader(frames);
    this.#onFrame = onFrame;
    const command = ['-c', startScript(options), 'sh', process.execPath, ...node];
    this.#child = startProgram('/bin/sh', command, {
      env: environment,
      cwd: '/',
      // Not `detached`: Linux would share the cores by session (sched(7), autogroup), making low priority useless.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    // A process that cannot be started has no streams, and reports its error later.
    this.#child.ended.catch((error: unknown) => {
      this.#lastWords = errorText(error);
    });
    const [, , stderr, input, guard, output] = (this.#child.stdio ?? []) as unknown as Socket[];
    if (!stderr || !input || !guard || !output) throw new Error('No process can be started.');
    this.#input = input;
    const answers = takeSocket(output, (chunk) => this.#receive(chunk));
    this.#streams = [input, answers, stderr, guard];
    // Writing to a process that has died fails; its end is reported elsewhere.
    for (const stream of [input, answers, guard]) stream.on('error', () => undefined);
    stderr.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString()).slice(-lastWordsMax);
    });
    // A message, because the shell kills by id after a plain close, and another process may have the id by then.
    const exit = this.#child.ended.finally(() => guard.end('ended\n'));
    const closes = [closed(answers), closed(stderr)];
    this.ended = exit.then(
      (end) => Promise.all(closes).then(() => this.#endOf(end)),
      () => this.#endOf([null, null]),
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether its output was unreadable: its memory is corrupt. It is killed then. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** `head` is JSON. `body` must not change before it is written. */
  send(head: string, body?: Uint8Array): void {
    writeFrame(this.#input, head, body);
  }

  /** By SIGKILL. */
  kill(): void {
    this.#child.kill();
  }

  /** Allows the service to end beside the program. */
  unref(): void {
    for (const each of [this.#child, ...this.#streams]) each.unref();
  }

  #receive(chunk: Uint8Array): void {
    let frames: Frame[] = [];
    try {
      frames = this.#reader.push(chunk);
    } catch {
      this.#isBroken = true;
      this.kill();
    }
    for (const frame of frames) this.#onFrame(frame);
  }

  #endOf([code, signal]: ProgramEnd): GuardedEnd {
    return { code, signal, lastWords: this.#lastWords };
  }
}

/** Resolves at `close`. Unlike `once`, ignores errors: unread input of a process resets its socket. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
