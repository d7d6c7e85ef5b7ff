/** Runs the command line as its users do, as a process of its own, and collects what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What a command said and how it ended. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as bytes. */
  bytes: Buffer;
  /** Standard output as JSON; throws when it is none. */
  json(): unknown;
}

export interface RunOptions {
  /** Default: the repository. */
  cwd?: string;
  environment?: Record<string, string>;
  /** What the user types. */
  input?: string;
}

export const repository = join(import.meta.dirname, '../..');

const program = join(repository, 'dist/platen.js');
const node = join(repository, 'node_modules/.bin/node');

/** Runs `platen` with these arguments and exactly this environment beside HOME and PATH. */
export async function runPlaten(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return collect(node, [program, ...args], options);
}

/** The same on a terminal of its own, whose output is in `stdout`; needs `script` of util-linux. */
export async function runOnTerminal(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const command = [node, program, ...args].map((word) => `'${word}'`).join(' ');
  return collect('script', ['--quiet', '--return', '--command', command, '/dev/null'], options);
}

async function collect(
  file: string,
  args: readonly string[],
  { cwd = repository, environment = {}, input }: RunOptions,
): Promise<Ran> {
  const child = spawn(file, args, {
    cwd,
    env: { HOME: homedir(), PATH: process.env['PATH'], ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const bytes = Buffer.concat(out);
  const stdout = bytes.toString();
  return {
    code,
    stdout,
    stderr: Buffer.concat(err).toString(),
    bytes,
    json: () => JSON.parse(stdout) as unknown,
  };
}
