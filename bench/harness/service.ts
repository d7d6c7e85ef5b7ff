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
  /** `performance.now()` just before the start of the process. */
  startedMs: number;
  /** Why the process ended unexpectedly; undefined while it runs. */
  failure(): string | undefined;
  /** The log so far. */
  log(): string;
  /** The value of one line of `/metrics`, 0 without such a line. */
  metric(line: string): Promise<number>;
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
  threads?: number;
  /** Memory for finished renders, with one MB for aliases. Default: the service's sizes. */
  cacheMegabytes?: number;
  /** Further settings. */
  environment?: Readonly<Record<string, string>>;
}

/** Time limit of a start. */
const startTimeoutMs = 30_000;

/** Starts the service and resolves when it reports that it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = await spawnService(options);
  await ask(service, '/readyz', 20);
  return service;
}

/** Starts the process without waiting for anything. */
export async function spawnService(options: ServiceOptions = {}): Promise<Service> {
  const folder = temporaryFolder();
  // A log file needs no other process that reads it and uses the cores.
  const log = openSync(join(folder, 'log'), 'w');
  // Both at the same time, so that they differ.
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const startedMs = performance.now();
  const { threads, cacheMegabytes } = options;
  const child = startChild(process.execPath, serviceArguments(options.checkout), {
    ...(options.checkout === undefined ? {} : { cwd: options.checkout }),
    env: {
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_METRICS_PORT: String(metricsPort),
      PLATEN_DATA_DIR: options.dataDirectory ?? join(folder, 'data'),
      ...(threads === undefined ? {} : { PLATEN_THREADS: String(threads) }),
      ...(cacheMegabytes === undefined ? {} : cacheSettings(cacheMegabytes)),
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
  const metric: Service['metric'] = async (line) => {
    const { bytes } = await fetchAnswer(`http://127.0.0.1:${metricsPort}/metrics`);
    const text = Buffer.from(bytes).toString();
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? 0);
  };
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
    startedMs,
    failure: () => failure,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    metric,
    residentBytes,
    close: () => endChild(child),
  };
}

function cacheSettings(megabytes: number): Record<string, string> {
  return { PLATEN_CACHE_RENDERS_MB: String(megabytes) };
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
