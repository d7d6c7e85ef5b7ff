/** Starts Platen as its users do, as a process of its own with an environment, and watches what it says. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import root from 'tap';
import type { Test } from 'tap';
import type { Origin } from '../fixtures/images-origin.ts';
import { sharedDatabaseFor } from '../helpers/shared-databases.ts';
import { shareFonts } from '../helpers/share-fonts.ts';
import { request } from './request.ts';
import type { Answer, RequestOptions } from './request.ts';

export interface Service {
  base: string;
  port: number;
  metricsPort: number;
  process: Program;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  /** A path below `/v1/render/`. */
  render(target: string, options?: RequestOptions): Promise<Answer>;
  /** The value of one line of `/metrics`, 0 when there is no such line. */
  metric(line: string): Promise<number>;
}

/** A started process. */
export interface Program {
  /** What it has written so far. */
  stdout: string;
  stderr: string;
  kill: (signal: NodeJS.Signals) => void;
  pid: number;
  /** Resolves when it has ended and all that it wrote was read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  hasEnded: boolean;
}

export interface ServiceOptions {
  /** Default: `<testdir>/data`, which is empty but for code unless a test has put templates there. */
  dataDirectory?: string;
  /** Origins that images may be fetched from. */
  origins?: readonly Pick<Origin, 'port'>[];
  environment?: Record<string, string>;
  /** Threads that render. Default: one, because each costs half a second of a start. */
  threadCount?: number;
  /** Of the command line. */
  arguments?: readonly string[];
  /** The program that runs it. Default: Node as it is installed. */
  node?: string;
  /** The folder of the package. Default: this repository. */
  folder?: string;
  /** Let it lay out its fonts itself, as a first start does. */
  hasOrganizationFonts?: boolean;
  /** Resolve when it renders, ready or not. */
  mayBeUnready?: boolean;
}

/** The key of the organization demo, unless a test starts the service without one. */
export const demoKey = 'demo-key-of-the-tests';

const repository = join(import.meta.dirname, '../..');

/** Milliseconds that a start may take before a test gives up; the contract's 3 s are judged elsewhere. */
const startTimeoutMs = 90_000;

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
/** The arguments of Node in `exec node …`. */
const startArguments = scripts.start.split(' ').slice(2);

/** Starts the service as `npm start` does, with exactly this environment; what is still running is killed with the test. */
export function startProgram(
  t: Test,
  environment: Record<string, string>,
  args: readonly string[] = [],
  node?: string,
  folder = repository,
): Program {
  const child = spawn(
    node ?? join(folder, 'node_modules/.bin/node'),
    [...startArguments, ...args],
    {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const program: Program = {
    stdout: '',
    stderr: '',
    kill: (signal) => void child.kill(signal),
    pid: child.pid ?? 0,
    ended: once(child, 'close').then(([code, signal]) => {
      program.hasEnded = true;
      return { code, signal };
    }),
    hasEnded: false,
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (program.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (program.stderr += text));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await program.ended;
  });
  return program;
}

/** Starts the service on free ports and resolves when it is ready. */
export async function startService(t: Test, options: ServiceOptions = {}): Promise<Service> {
  const dataDirectory = options.dataDirectory ?? join(t.testdir(), 'data');
  if (options.hasOrganizationFonts !== true) await shareFonts(dataDirectory);
  // At the same time, so that they differ.
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const environment = {
    PLATEN_HOST: '127.0.0.1',
    PLATEN_PORT: String(port),
    PLATEN_METRICS_PORT: String(metricsPort),
    PLATEN_DATA_DIR: dataDirectory,
    PLATEN_DEMO_API_KEY: demoKey,
    PLATEN_THREADS: String(options.threadCount ?? 1),
    // With the default of 10 s, a service beside other tests on a slow machine refuses renders.
    PLATEN_RENDER_TIMEOUT_MS: '30000',
    PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
    PLATEN_IMAGES_ALLOWED_PORTS: (options.origins ?? [{ port: 80 }])
      .map((origin) => origin.port)
      .join(','),
    ...(await sharedDatabaseFor(dataDirectory)),
    ...options.environment,
  };
  const program = startProgram(t, environment, options.arguments, options.node, options.folder);
  const base = `http://127.0.0.1:${port}`;
  await becomesReady(program, base, options.mayBeUnready);
  const get: Service['get'] = (path, init) => request(port, path, init);
  return {
    base,
    port,
    metricsPort,
    process: program,
    get,
    render: (target, init) => get(`/v1/render/${target}`, init),
    async metric(line) {
      const { text } = await request(metricsPort, '/metrics');
      const found = text.split('\n').find((each) => each.startsWith(`${line} `));
      return Number(found?.slice(line.length + 1) ?? 0);
    },
  };
}

let shared: Promise<Service> | undefined;

/**
 * The service of this process on the sample templates, for tests that leave it as others can use it: each has templates
 * of its own. It is started for the first test.
 */
export async function shareService(): Promise<Service> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const service = await startService(root, { dataDirectory: join(folder, 'data') });
  root.teardown(() => rmSync(folder, { recursive: true }));
  return service;
}

async function becomesReady(program: Program, base: string, orUnready = false): Promise<void> {
  const { port } = new URL(base);
  const reached = await eventually(async () => {
    if (program.hasEnded) return true;
    const answer = await request(Number(port), '/readyz').catch(() => undefined);
    return answer?.status === 200 || (orUnready && /"workers":true/.test(answer?.text ?? ''));
  }, startTimeoutMs);
  if (!reached || program.hasEnded) {
    const written = `${program.stdout}\n${program.stderr}`.split('\n');
    const reported = written.filter((line) => !line.includes('"route":"readyz"')).join('\n');
    throw new Error(`The service did not become ready.\n${reported.slice(-4000)}`);
  }
}

/** Asks `isTrue` again and again; false when it did not come true in `timeoutMs`. */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (performance.now() < endMs) {
    if (await isTrue()) return true;
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
  }
  return false;
}

/**
 * Ports below those that the kernel takes for outgoing connections (`ip_local_port_range`, from 32768): no connection of
 * another test takes a port before its service listens. Clients refuse some ports up to 10080 (Fetch, "bad port").
 */
const [portMin, portEnd] = [11_000, 32_000];
const givenPorts = new Set<number>();

/** Returns a port of 127.0.0.1 on which nothing listens, another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portEnd);
    const isGiven = givenPorts.has(port);
    givenPorts.add(port);
    if (!isGiven && (await isFree(port))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return true;
}
