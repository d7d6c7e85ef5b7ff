/** Starts the service as its users do, with a separate process and data folder, and reads its metrics. */
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, serviceArguments, startChild, temporaryFolder } from './children.ts';
import { fetchAnswer } from './fetch-answer.ts';

export interface Service {
  base: string;
  pid: number;
  /** Why the process ended unexpectedly; undefined while it runs. */
  failure(): string | undefined;
  /** The log so far. */
  log(): string;
  /** Resident memory of all its processes. */
  residentBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The checkout to start. Default: this one. */
  checkout?: string;
  /** Default: a new, empty one, in which the service publishes its samples. */
  dataDirectory?: string;
  /** Default: the service's default, one a core. */
  threadCount?: number;
  /** The cores that it may use (taskset(1)). Default: all. */
  cores?: number;
  /** Memory for finished renders. Default: the service's size. */
  cacheMegabytes?: number;
  /** Further settings. */
  environment?: Readonly<Record<string, string>>;
}

/** The API key of the organization that owns the samples. */
export const demoApiKey = 'a-key-for-benchmarks';

/** Time limit of a start. */
const startTimeoutMs = 30_000;

/** Starts the service and resolves when it reports that it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = await spawnService(options);
  await ask(service, '/readyz', 20);
  return service;
}

/** Resolves when a service has warmed up, which it does at its start while no request waits. */
export async function waitUntilWarm(service: Service): Promise<void> {
  while (!service.log().includes('"event":"warmed up"')) {
    const failure = service.failure();
    if (failure !== undefined) throw new Error(failure);
    await sleep(5);
  }
}

/** Starts the process without waiting for anything. */
async function spawnService(options: ServiceOptions = {}): Promise<Service> {
  const folder = temporaryFolder();
  // A log file needs no other process that reads it and uses the cores.
  const log = openSync(join(folder, 'log'), 'w');
  // Both at the same time, so that they differ.
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const { threadCount, cacheMegabytes, cores } = options;
  const command = [process.execPath, ...serviceArguments(options.checkout)];
  // taskset replaces itself by the command, so that the process id stays.
  if (cores !== undefined) command.unshift('taskset', '--cpu-list', `0-${cores - 1}`);
  const [program = '', ...args] = command;
  const child = startChild(program, args, {
    ...(options.checkout === undefined ? {} : { cwd: options.checkout }),
    env: {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_METRICS_PORT: String(metricsPort),
      PLATEN_DATA_DIR: options.dataDirectory ?? join(folder, 'data'),
      PLATEN_DEMO_API_KEY: demoApiKey,
      ...(threadCount === undefined ? {} : { PLATEN_THREADS: String(threadCount) }),
      ...(cacheMegabytes === undefined ? {} : { PLATEN_CACHE_RENDERS_MB: String(cacheMegabytes) }),
      ...options.environment,
    },
    stdio: ['ignore', log, log],
  });
  let failure: string | undefined;
  child.once('exit', (code) => {
    const said = readFileSync(join(folder, 'log'), 'utf8').slice(-2000);
    failure = `The service ended with ${code}:\n${said}`;
  });
  const base = `http://127.0.0.1:${port}`;
  const residentBytes = async (): Promise<number> => {
    const { bytes } = await fetchAnswer(`http://127.0.0.1:${metricsPort}/metrics`);
    const lines = Buffer.from(bytes)
      .toString()
      .matchAll(/^platen_memory_bytes\{.*\} (\S+)$/gm);
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    base,
    pid: child.pid ?? Number.NaN,
    failure: () => failure,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    residentBytes,
    close: () => endChild(child),
  };
}

/** Requests a path every `pauseMs` until the response is 200, and returns its body. */
export async function ask(service: Service, path: string, pauseMs: number): Promise<Uint8Array> {
  const endMs = performance.now() + startTimeoutMs;
  while (performance.now() < endMs) {
    // The service does not listen yet, or is not ready: retried.
    const answer = await fetchAnswer(service.base + path).catch(() => undefined);
    if (answer?.status === 200) return answer.bytes;
    const failure = service.failure();
    if (failure !== undefined) throw new Error(failure);
    await sleep(pauseMs);
  }
  throw new Error(`The service did not answer ${path} with 200 within ${startTimeoutMs / 1000} s.`);
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
