/** Starts programs as children: of this process, or of the system where a thread starts them. */
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Stream } from 'node:stream';
import { isMainThread } from 'node:worker_threads';

/** How a program ended; both null where nobody knows. */
export type ProgramEnd = [code: number | null, signal: NodeJS.Signals | null];

export interface ChildProgram {
  /** Undefined without a process; in a thread, also before the process is reported. */
  readonly pid: number | undefined;
  /** The streams of the descriptors, by number. */
  readonly stdio: readonly (Stream | null | undefined)[] | undefined;
  /** Rejects with the error of the start. Output of the program may be unread. */
  readonly ended: Promise<ProgramEnd>;
  /** By SIGKILL. */
  kill(): void;
  /** Allows the service to end beside the program. */
  unref(): void;
}

type ProgramOptions = Omit<SpawnOptions, 'stdio'> & { stdio: ('pipe' | 'ignore')[] };

/**
 * Starts a program. Node reaps a child in the thread that has started it, so the children of a thread that ends by a
 * fault would remain as zombies. In a thread, a shell therefore starts the program and ends: the system adopts the rest,
 * and reaps it. A program must end by itself when its descriptors are closed.
 */
export function startProgram(
  command: string,
  given: readonly string[],
  options: ProgramOptions,
): ChildProgram {
  return isMainThread
    ? new DirectProgram(spawn(command, given, options))
    : new AdoptedProgram(command, given, options);
}

class DirectProgram implements ChildProgram {
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('error', () => undefined);
    this.ended = once(child, 'exit') as Promise<ProgramEnd>;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdio(): ChildProgram['stdio'] {
    return this.#child.stdio;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  unref(): void {
    this.#child.unref();
  }
}

/** Reports the process and its exit code at the descriptor `report`. The program reads `input` in place of descriptor 0. */
const adoptedStart = (report: number, input: number): string =>
  `("$@" <&${input} ${input}>&- ${report}>&- & exec 2>/dev/null ${input}>&-; trap "" TERM HUP; ` +
  `echo $! >&${report}; wait $!; echo $? >&${report}) &`;

/** Exit codes of a shell for a program that a signal ended are this and the number of the signal. */
const signalCodeMin = 128;

class AdoptedProgram implements ChildProgram {
  readonly ended: Promise<ProgramEnd>;
  readonly #starter: ChildProcess;
  readonly stdio: ChildProgram['stdio'];
  readonly #reports: Socket | undefined;
  #report = '';
  #isKilled = false;
  #isEnded = false;

  constructor(command: string, given: readonly string[], options: ProgramOptions) {
    // Node closes the input of a child when that ends, and the starter ends at once.
    const stdio = ['ignore', ...options.stdio.slice(1), 'pipe', 'pipe'] as const;
    const script = adoptedStart(stdio.length - 2, stdio.length - 1);
    const program = ['-c', script, 'sh', command, ...given];
    this.#starter = spawn('/bin/sh', program, { ...options, stdio: [...stdio] });
    const streams = this.#starter.stdio as ChildProcess['stdio'] | undefined;
    this.#reports = streams?.at(-2) as Socket | undefined;
    this.stdio = streams && [streams.at(-1), ...streams.slice(1, -2)];
    if (options.stdio[0] === 'ignore') (streams?.at(-1) as Socket | undefined)?.destroy();
    this.#starter.on('error', () => undefined);
    this.ended = this.#readReport();
  }

  get pid(): number | undefined {
    const [pid, ...others] = this.#report.split('\n');
    return others.length === 0 ? undefined : Number(pid);
  }

  kill(): void {
    this.#isKilled = true;
    const { pid } = this;
    if (pid === undefined || this.#isEnded) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  unref(): void {
    this.#starter.unref();
    this.#reports?.unref();
  }

  async #readReport(): Promise<ProgramEnd> {
    const reports = this.#reports;
    reports?.on('error', () => undefined);
    reports?.on('data', (part: Buffer) => {
      this.#report += part.toString('latin1');
      this.#isEnded = this.#report.split('\n').length > 2;
      if (this.#isKilled) this.kill();
    });
    await (reports === undefined ? once(this.#starter, 'exit') : closeOf(this.#starter, reports));
    this.#isEnded = true;
    const [, code] = this.#report.split('\n');
    return code === undefined || code === '' ? [null, null] : endOf(Number(code));
  }
}

/** Resolves when `reports` is closed. Rejects with the error of the start. */
function closeOf(starter: ChildProcess, reports: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    starter.once('error', reject);
    reports.once('close', () => resolve());
  });
}

function endOf(code: number): ProgramEnd {
  const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  const signal = signals.find(([, number]) => number === code - signalCodeMin)?.[0];
  return signal === undefined ? [code, null] : [null, signal];
}
