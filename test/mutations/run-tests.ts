/** Builds a tree and runs its test files, until the first of them fails. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export type TestsEnd =
  | { result: 'passed' }
  /** `by` is what `test/run.ts` calls the files that failed. */
  | { result: 'failed'; by: string }
  | { result: 'late' };

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Time for the processes of a test to end by themselves. */
const graceMs = 3000;

const stopped = new AbortController();
let current: Child | undefined;

/** Undefined once it is built; otherwise what the build prints. */
export async function build(tree: string): Promise<string | undefined> {
  const child = start(tree, 'npm', ['run', '--silent', 'build']);
  const output: string[] = [];
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => output.push(bytes.toString()));
  await once(child, 'close');
  stopped.signal.throwIfAborted();
  return child.exitCode === 0 ? undefined : output.join('').trim();
}

/** Runs test files at full length; without names, all. */
export async function runTests(
  tree: string,
  tests: readonly string[],
  limitMs: number,
): Promise<TestsEnd> {
  const child = start(tree, process.execPath, ['test/run.ts', ...tests]);
  child.stderr.resume();
  const limit = new AbortController();
  const end = await Promise.race([
    firstFailure(child),
    once(child, 'close').then((): TestsEnd => endOf(child)),
    sleep<TestsEnd>(limitMs, { result: 'late' }, { signal: limit.signal }),
  ]);
  limit.abort();
  // What follows the first failure is of no interest.
  await endCurrent();
  stopped.signal.throwIfAborted();
  return end;
}

/** Ends what runs; `build` and `runTests` then throw. */
export async function stop(): Promise<void> {
  stopped.abort(new Error('stopped'));
  await endCurrent();
}

/** Resolves at the first line of a failure, if there is one. */
async function firstFailure(child: Child): Promise<TestsEnd> {
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (each) => {
      if (each.startsWith('not ok')) resolve(each);
    });
  });
  const by = /^not ok (.*?): \d+ passed/.exec(line)?.[1] ?? line;
  return { result: 'failed', by };
}

function endOf(child: Child): TestsEnd {
  if (child.exitCode === 0) return { result: 'passed' };
  return { result: 'failed', by: `test/run.ts, which ended with ${child.exitCode}` };
}

function start(tree: string, command: string, parameters: readonly string[]): Child {
  stopped.signal.throwIfAborted();
  current = spawn(command, parameters, {
    cwd: tree,
    // A process group of its own, which ends as one.
    detached: true,
    env: { ...process.env, TEST_FULL: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return current;
}

/** Ends the process that runs, and all that it has started. */
async function endCurrent(): Promise<void> {
  const child = current;
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  signalGroup(child.pid, 'SIGTERM');
  await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
  signalGroup(child.pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All have ended.
  }
}
