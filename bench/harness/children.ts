/** Starts all other processes of a measurement, and ends them, also after an error or a signal. */
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeOptions, memoryEnvironment } from '../../src/scheduling/hosts/node-options.ts';

const repository = join(import.meta.dirname, '../..');

/** A process is killed if it has not ended this long after the request. */
const endTimeoutMs = 15_000;

const running = new Set<ChildProcess>();
const folders = new Set<string>();

// A handler of `exit` runs last, whatever ended the program; it can do only synchronous work.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** Node's arguments by which `npm start` runs the service of a checkout. */
export function serviceArguments(checkout = repository): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words.slice(words.indexOf('node') + 1);
}

/** Starts a program in the folder of the repository. It is killed when this process ends. */
export function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawn(command, args, { cwd: repository, ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Ends a process and waits until it has ended. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** Ends all processes that were started and still run. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map(endChild));
}

/** Starts a program of this repository with the options of V8 and the allocator that a render host has. */
export function startRenderChild(args: readonly string[], options: SpawnOptions): ChildProcess {
  const env = { ...process.env, ...memoryEnvironment(1) };
  return startChild(process.execPath, [...nodeOptions(), ...args], { ...options, env });
}

/** Runs a program of `startRenderChild` to its end and returns its output; throws with its errors if it fails. */
export async function runRenderChild(args: readonly string[]): Promise<string> {
  return outputOf(startRenderChild(args, { stdio: ['ignore', 'pipe', 'pipe'] }), args);
}

/** Runs a program to its end and returns its output; throws with its errors if it fails. */
export async function runChild(command: string, args: readonly string[]): Promise<string> {
  return outputOf(startChild(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }), args);
}

async function outputOf(child: ChildProcess, args: readonly string[]): Promise<string> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  if (code === 0) return stdout;
  throw new Error(`${args.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`);
}

/** Creates a folder that is removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  folders.add(folder);
  return folder;
}
