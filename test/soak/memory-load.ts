/**
 * Measures the service's memory under the mixed load: `npm run load:memory -- [renders=2000] [seconds=3600] [limit-mb=512] [callers=8]
 * [photos=300]`. Settings of the service (`PLATEN_…`) are taken from the environment. Prints a line every
 * few seconds and the figures of the whole in the end, and exits with 1 when the service ended.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../e2e/request.ts';
import { createControlGroup } from './control-group.ts';
import { mixedLink } from './mixed-links.ts';
import { photoPath, startPhotoOrigin } from './photo-origin.ts';
import { readProcessTree } from './process-memory.ts';
import type { ProcessMemory } from './process-memory.ts';

const sampleEveryMs = 2000;
/** A caller who was refused asks again later. */
const refusedPauseMs = 1000;
const startTimeoutMs = 60_000;
const mebibyte = 1024 * 1024;

const options = { renders: 2000, seconds: 3600, 'limit-mb': 0, callers: 8, photos: 300 };
for (const argument of process.argv.slice(2)) {
  const [name = '', value = ''] = argument.split('=');
  if (!(name in options) || !(Number(value) >= 0)) {
    throw new Error(
      `"${argument}" is no option; expected one of ${Object.keys(options).join(', ')} with =<number>.`,
    );
  }
  options[name as keyof typeof options] = Number(value);
}

const origin = await startPhotoOrigin(options.photos);
const folder = mkdtempSync(join(tmpdir(), 'platen-memory-'));
const limitBytes = options['limit-mb'] * mebibyte;
const group = limitBytes === 0 ? undefined : createControlGroup('platen-load', limitBytes);
const service = startService();
try {
  await becomesReady();
  await measure();
} finally {
  service.child.kill('SIGTERM');
  await service.ended;
  await origin.close();
  group?.remove();
  rmSync(folder, { recursive: true });
}

function startService(): {
  child: ReturnType<typeof spawn>;
  ended: Promise<void>;
  port: number;
  metricsPort: number;
} {
  const port = 20_000 + (process.pid % 20_000);
  const log = openSync(join(folder, 'log'), 'w');
  const settings = Object.entries(process.env).filter(([name]) =>
    /^(PLATEN|MALLOC|NODE_OPTIONS|LD_PRELOAD|UV_|MI_)/.test(name),
  );
  const child = spawn(
    '/bin/sh',
    ['-c', `${group?.enterCommand ?? ':'} && exec "$0" dist/main.js`, process.execPath],
    {
      env: {
        PLATEN_HOST: '127.0.0.1',
        PLATEN_PORT: String(port),
        PLATEN_METRICS_PORT: String(port + 1),
        PLATEN_DATA_DIR: join(folder, 'data'),
        PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
        PLATEN_IMAGES_ALLOWED_PORTS: String(origin.port),
        ...Object.fromEntries(settings),
      },
      stdio: ['ignore', log, log],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { child, ended, port, metricsPort: port + 1 };
}

async function becomesReady(): Promise<void> {
  const endMs = performance.now() + startTimeoutMs;
  while (performance.now() < endMs && service.child.exitCode === null) {
    const answer = await request(service.port, '/readyz', { agent: false }).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(200);
  }
  throw new Error(`The service did not start:\n${lastLog()}`);
}

async function measure(): Promise<void> {
  const answers = new Map<string, number>();
  const times: number[] = [];
  const peaks = new Map<string, number>();
  const samples: Sample[] = [];
  let cpuMs = 0;
  let next = 0;
  const sample = async (): Promise<void> => {
    const tree = readProcessTree(service.child.pid ?? 0);
    const { text } = await request(service.metricsPort, '/metrics', { agent: false });
    const [cached, kept] = [cachedBytes(text), keptBytes(text)];
    const total = sum(tree.map(({ proportionalBytes }) => proportionalBytes));
    cpuMs = sum(tree.map((each) => each.cpuMs));
    samples.push({ total, rest: total - cached, work: total - cached - kept });
    for (const { role, pid, residentBytes } of tree) {
      const name = `${role} ${pid}`;
      peaks.set(name, Math.max(peaks.get(name) ?? 0, residentBytes));
    }
    console.log(
      `${next} renders: ${describe(tree)}; together ${mb(total)} MB, caches ${mb(cached)} MB`,
    );
  };
  await sleep(3000);
  await sample();
  const agent = new Agent({ keepAlive: true });
  const endMs = performance.now() + options.seconds * 1000;
  const caller = async (): Promise<void> => {
    while (
      next < options.renders &&
      performance.now() < endMs &&
      service.child.exitCode === null &&
      service.child.signalCode === null
    ) {
      const path = mixedLink(next++, (number) =>
        origin.url(photoPath(number % Math.max(1, options.photos))),
      );
      const startedMs = performance.now();
      const status = await request(service.port, path, { agent }).then(
        ({ status: code, text }) => `${code} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`,
        (error: unknown) => String(error),
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
      times.push(performance.now() - startedMs);
      if (status.startsWith('503')) await sleep(refusedPauseMs);
    }
  };
  const startedMs = performance.now();
  const working = Promise.all(Array.from({ length: options.callers }, caller));
  const hasEnded = await Promise.race([working.then(() => true), watch(sample)]);
  await working;
  if (hasEnded) await sample().catch(() => undefined);
  const seconds = (performance.now() - startedMs) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(times[Math.floor(times.length * share)] ?? NaN)} ms`;
  console.log(
    `\n${times.length} renders in ${seconds.toFixed(0)} s; p50 ${at(0.5)}, p99 ${at(0.99)}; ${(cpuMs / 1000).toFixed(1)} s of CPU`,
  );
  for (const [answer, count] of answers) console.log(`  ${answer}: ${count}`);
  for (const [name, of] of [
    ['total', ({ total }: Sample) => total],
    ['total without the caches of files', ({ rest }: Sample) => rest],
    ['total without all caches', ({ work }: Sample) => work],
  ] as const)
    console.log(`  ${name}: ${quantiles(samples.map(of))} MB`);
  for (const [name, bytes] of peaks) console.log(`  at most, ${name}: ${mb(bytes)} MB`);
  if (group !== undefined)
    console.log(
      `  at most charged to the group: ${mb(group.peakBytes())} MB; ended by the kernel: ${group.kills()}`,
    );
  const metrics = await request(service.metricsPort, '/metrics', { agent: false }).catch(
    () => undefined,
  );
  for (const line of metrics?.text.match(/^platen_(memory|cache_bytes).*$/gm) ?? [])
    console.log(`  ${line}`);
  if (service.child.exitCode !== null || service.child.signalCode !== null) {
    console.log(
      `The service has ended: ${service.child.signalCode ?? service.child.exitCode}\n${lastLog()}`,
    );
    process.exitCode = 1;
  }
}

/** Samples until the service has ended; never resolves before. */
async function watch(sample: () => Promise<void>): Promise<false> {
  for (;;) {
    await sleep(sampleEveryMs, undefined, { ref: false });
    if (service.child.exitCode !== null || service.child.signalCode !== null) return false;
    await sample().catch(() => undefined);
  }
}

/** Memory of all processes, the part that is no cache of files, and the part of that which is no cache of renders either. */
interface Sample {
  total: number;
  rest: number;
  work: number;
}

/** Bytes of finished renders and fetched images, by the text of the metrics. */
function cachedBytes(metrics: string): number {
  return (
    figure(metrics, 'platen_cache_bytes{cache="renders"}') +
    figure(metrics, 'platen_cache_bytes{cache="sources"}')
  );
}

/** Bytes that all render processes keep for later renders: base renders, decoded images, parts of templates. */
function keptBytes(metrics: string): number {
  return sum(
    ['plans', 'drawables', 'parts'].map((holder) =>
      figure(metrics, `platen_memory_bytes{process="render",holder="${holder}"}`),
    ),
  );
}

function figure(metrics: string, series: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

function quantiles(bytes: readonly number[]): string {
  const sorted = bytes.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    mb(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return `median ${at(0.5)}, p90 ${at(0.9)}, at most ${at(1)}`;
}

function describe(tree: readonly ProcessMemory[]): string {
  return tree
    .map(
      ({ role, residentBytes, anonymousBytes }) =>
        `${role} ${mb(residentBytes)} (${mb(anonymousBytes)})`,
    )
    .join(', ');
}

function lastLog(): string {
  return readFileSync(join(folder, 'log'), 'utf8').slice(-3000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
