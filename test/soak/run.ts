/**
 * `npm run soak -- MINUTES`: mixed traffic with faults against a service of its own: remote photographs at three scales,
 * hostile documents, hosts that hang, fonts that come and go, lost render hosts, a locked database, a restart. Its
 * memory must stay flat. Prints the figures in the end.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { openAsItIs } from '../../src/store/database/database.ts';
import { plainImage, sends } from '../e2e/image-bytes.ts';
import { request } from '../e2e/request.ts';
import { demoKey, startService } from '../e2e/service.ts';
import type { Program } from '../e2e/service.ts';
import { startShared } from '../e2e/shared-port.ts';
import { mixedTemplates } from './mixed-links.ts';
import { startPhotoOrigin } from './photo-origin.ts';
import type { ProcessMemory } from './process-memory.ts';
import { readProcessTree } from './process-memory.ts';
import { summaryOf } from './tally.ts';
import { photosCount, runTraffic } from './traffic.ts';

const minutes = Number(process.argv[2] ?? 3);
if (!(minutes >= 1)) {
  throw new Error(`"${process.argv[2]}" is no time; expected minutes, at least 1, such as 60.`);
}

const sampleEveryMs = 2000;
/** Often enough for many losses, seldom enough that the bounds on losses are not reached by them. */
const faultEveryMs = 45_000;
const lockMs = 1000;

/** Share of the time after which another process follows: early, so that the memory of the second one is judged. */
const followedShare = 0.1;

/** Without it the kernel resets connections that nobody has accepted when a process leaves a port: systemd/platen-sysctl.conf. */
const migratesConnections =
  readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1';

/** Share of the time after which the caches of a soak are full, and memory may grow no more. */
const warmShare = 0.4;

/** What the memory may grow between the first and the last third after that: 10 %, and the noise of the collector. */
const growthMax = 1.1;
const noiseBytes = 30_000_000;

const good = await plainImage('#0a7', 300, 200);
const origin = await startPhotoOrigin(photosCount, {
  '/good.png': sends(good),
  '/text.png': sends('no image'),
  '/slow.png': () => undefined,
  '/reset.png': (_, response) => {
    response.writeHead(200, { 'Content-Length': good.length });
    response.write(good.subarray(0, 100));
    response.socket?.resetAndDestroy();
  },
});
t.teardown(() => origin.close());
t.setTimeout(0);

/** Memory of the process that answers and of those that render, bytes. */
interface Sample {
  front: number;
  /** All together; what processes share counts once. */
  render: number;
  largestRender: number;
  /** Processes that draw SVG. */
  svg: number;
}

/** What a soak does to the service, and what it has measured. */
interface Watch {
  /** In order of time, of the process that runs at the end. */
  samples: Sample[];
  kills: number;
  locks: number;
}

/**
 * Kills a render host and locks the database now and then, has another process follow once, and samples the memory
 * until `endMs`. Rejects when a process ends by itself.
 */
async function watch(soak: Soak, endMs: number): Promise<Watch> {
  const startedMs = performance.now();
  const followedAtMs = startedMs + (endMs - startedMs) * followedShare;
  const seen: Watch = { samples: [], kills: 0, locks: 0 };
  let faultMs = startedMs;
  let hasFollowed = false;
  while (performance.now() < endMs) {
    await sleep(sampleEveryMs);
    if (soak.process.hasEnded) {
      const { code, signal } = await soak.process.ended;
      throw new Error(
        `The service has ended: ${signal ?? code}. ${soak.process.stderr.slice(-3000)}`,
      );
    }
    if (!hasFollowed && performance.now() > followedAtMs) {
      hasFollowed = true;
      await soak.follow();
      seen.samples = [];
    }
    const tree = readProcessTree(soak.process.pid);
    seen.samples.push(sampleOf(tree));
    if (performance.now() - faultMs < faultEveryMs) continue;
    faultMs = performance.now();
    // What the last fault quarantined is released by hand, as an operator does who knows of it.
    await soak.releaseTemplates();
    if (killRender(tree, seen.kills)) seen.kills += 1;
    seen.locks += 1;
    await lockDatabase(soak.dataDirectory);
  }
  return seen;
}

function sampleOf(tree: readonly ProcessMemory[]): Sample {
  const bytesOf = (wanted: string): number[] =>
    tree.filter(({ role }) => role === wanted).map(({ proportionalBytes }) => proportionalBytes);
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const render = bytesOf('render');
  return {
    front: sum(bytesOf('front')),
    render: sum(render),
    largestRender: Math.max(0, ...render),
    svg: sum(bytesOf('svg')),
  };
}

/**
 * Ends a render host as the kernel or a fault would. The last one is the youngest, and works only when the first does:
 * three times out of four it is the one, so that the first one grows old enough to show a leak.
 */
function killRender(tree: readonly ProcessMemory[], kills: number): boolean {
  const processes = tree.filter(({ role }) => role === 'render');
  const pid = processes.at(kills % 4 === 3 ? 0 : -1)?.pid;
  if (pid === undefined) return false;
  process.kill(pid, kills % 2 === 0 ? 'SIGKILL' : 'SIGSEGV');
  return true;
}

/** Keeps everybody else from writing for a second: they wait, up to two. */
async function lockDatabase(dataDirectory: string): Promise<void> {
  const db = openAsItIs(join(dataDirectory, 'platen.db'));
  try {
    db.exec('BEGIN IMMEDIATE');
    await sleep(lockMs);
    db.exec('ROLLBACK');
  } finally {
    db.close();
  }
}

/** The process that answers. */
interface Soak {
  process: Program;
  port: number;
  metricsPort: number;
  dataDirectory: string;
  isSettled: boolean;
  /** Starts another process beside this one, and ends this one with SIGTERM. */
  follow: () => Promise<void>;
  /** Renders templates again whose renders have ended their processes. */
  releaseTemplates: () => Promise<void>;
}

async function startSoak(t: Test): Promise<Soak> {
  const dataDirectory = join(t.testdir(), 'data');
  const environment = {
    PLATEN_LOG_LEVEL: 'error',
    PLATEN_PORT_SHARED: 'true',
    // Full within a minute, so that what grows afterwards is a leak.
    PLATEN_CACHE_RENDERS_MB: '32',
    PLATEN_CACHE_PLANS_MB: '32',
    PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '2000',
  };
  const options = { dataDirectory, threadCount: 2, origins: [origin], environment };
  const { process, port, metricsPort } = await startService(t, options);
  const soak: Soak = {
    process,
    port,
    metricsPort,
    dataDirectory,
    isSettled: true,
    async follow() {
      soak.isSettled = false;
      const before = soak.process;
      soak.process = await startShared(t, port, dataDirectory, {
        ...environment,
        PLATEN_METRICS_PORT: String(metricsPort),
        PLATEN_THREADS: String(options.threadCount),
        PLATEN_IMAGES_ALLOWED_ADDRESSES: '127.0.0.0/8',
        PLATEN_IMAGES_ALLOWED_PORTS: String(origin.port),
      });
      before.kill('SIGTERM');
      t.same(await before.ended, { code: 0, signal: null }, 'the first process ends in order');
      soak.isSettled = true;
    },
    async releaseTemplates() {
      for (const [uid] of mixedTemplates) {
        const headers = { 'X-API-Key': demoKey };
        const { status } = await request(port, `/v1/templates/${uid}/release`, {
          method: 'POST',
          headers,
          body: '{}',
        });
        t.equal(status, 204, `${uid} is released`);
      }
    },
  };
  return soak;
}

t.test(`${minutes} min of mixed traffic with faults`, { timeout: 0 }, async (t) => {
  const soak = await startSoak(t);
  const endMs = performance.now() + minutes * 60_000;
  const target = {
    port: soak.port,
    key: demoKey,
    imageUrl: (path: string) => origin.url(path),
    isSettled: () => soak.isSettled,
    migratesConnections,
  };
  const [tally, { samples, kills, locks }] = await Promise.all([
    runTraffic(target, endMs),
    watch(soak, endMs),
  ]);
  t.comment(
    `${tally.requests} requests, ${kills} render hosts killed, the database locked ${locks} times`,
  );
  t.comment(`${tally.resets} connections reset by the kernel while one process followed another`);
  for (const line of summaryOf(tally)) t.comment(line);
  for (const line of courseOf(samples)) t.comment(line);
  const warm = samples
    .slice(Math.floor(samples.length * warmShare))
    .map(({ front, render }) => front + render);
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [first, middle] = [median(warm.slice(0, third)), median(warm.slice(third, 2 * third))];
  const last = median(warm.slice(-third));
  t.comment(`memory: ${[first, middle, last].map(toMb).join(', ')} MB by thirds of the time`);
  // Memory follows the load: where other programs take the cores for a while, it falls, and its return is no growth.
  t.ok(last <= Math.max(first, middle) * growthMax + noiseBytes, 'memory is flat');
  t.same(tally.complaints, [], 'every request has its answer');
  t.equal(tally.lost, 0);
  const failed = [...tally.answers]
    .filter(([answer]) => answer.endsWith(' 500') && !answer.startsWith('hostile'))
    .reduce((sum, [, number]) => sum + number, 0);
  // A process renders one image at a time, for which several callers may wait.
  t.ok(failed <= 2 * kills, `${failed} renders ended with their process`);
  t.equal(soak.process.hasEnded, false);
  t.equal((await request(soak.port, '/readyz')).status, 200);
});

/** Memory over time, in tenths of it. */
function courseOf(samples: readonly Sample[]): string[] {
  const parts = 10;
  const length = Math.max(1, Math.ceil(samples.length / parts));
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, index) => {
    const part = samples.slice(index * length, (index + 1) * length);
    const figure = (name: keyof Sample): string => {
      const values = part.map((sample) => sample[name]);
      return `${toMb(median(values))} MB (at most ${toMb(Math.max(...values))})`;
    };
    return `memory, part ${index + 1}: front ${figure('front')}, render hosts ${figure('render')}, the largest ${figure('largestRender')}, SVG ${figure('svg')}`;
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
