/** `npm run soak -- MINUTES`: mixed traffic with faults against a service of its own; its memory must stay flat. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { plainPicture, sends } from '../e2e/pictures.ts';
import { demoKey, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { runTraffic } from './traffic.ts';

const minutes = Number(process.argv[2] ?? 3);
if (!(minutes >= 1)) {
  throw new Error(`"${process.argv[2]}" is no time; expected minutes, at least 1, such as 60.`);
}

const sampleEveryMs = 2000;
const killEveryMs = 20_000;

/** Share of the time after which the caches of a soak are full, and memory may grow no more. */
const warmShare = 0.4;

/** What the memory may grow between the first and the last third after that: 10 %, and the noise of the collector. */
const growthMax = 1.1;
const noiseBytes = 30_000_000;

const good = await plainPicture('#0a7', 300, 200);
const origin = await startOrigin({
  '/good.png': sends(good),
  '/text.png': sends('no picture'),
  '/slow.png': () => undefined,
  '/reset.png': (_, response) => {
    response.writeHead(200, { 'Content-Length': good.length });
    response.write(good.subarray(0, 100));
    response.socket?.resetAndDestroy();
  },
});
t.teardown(() => origin.close());
t.setTimeout(0);

/** Kills a thread now and then and samples the memory until `endMs`; resolves to the samples, in bytes, and the kills. */
async function watch(service: Service, endMs: number): Promise<{ bytes: number[]; kills: number }> {
  const bytes: number[] = [];
  let kills = 0;
  let killedMs = performance.now();
  while (performance.now() < endMs) {
    await new Promise((resolve) => {
      setTimeout(resolve, sampleEveryMs);
    });
    if (service.process.hasEnded) {
      const { code, signal } = await service.process.ended;
      throw new Error(
        `The service has ended: ${signal ?? code}. ${service.process.stderr.slice(-3000)}`,
      );
    }
    bytes.push(await service.metric('process_resident_memory_bytes').catch(() => 0));
    if (performance.now() - killedMs < killEveryMs) continue;
    killedMs = performance.now();
    kills += 1;
    service.process.kill('SIGUSR2');
  }
  return { bytes, kills };
}

t.test(`${minutes} min of mixed traffic with faults`, { timeout: 0 }, async (t) => {
  const killer = new URL('kill-threads.ts', import.meta.url);
  const service = await startService(t, {
    threads: 2,
    origins: [origin],
    environment: {
      NODE_OPTIONS: `--import=${JSON.stringify(fileURLToPath(killer))}`,
      PLATEN_LOG_LEVEL: 'error',
      // Full within a minute, so that what grows afterwards is a leak.
      PLATEN_CACHE_RENDERS_MB: '32',
      PLATEN_CACHE_LINKS_MB: '4',
      PLATEN_CACHE_PLANS_MB: '32',
      PLATEN_IMAGES_CACHE_MIB: '16',
      PLATEN_IMAGES_TOTAL_TIMEOUT_MS: '2000',
    },
  });
  const endMs = performance.now() + minutes * 60_000;
  const target = { port: service.port, key: demoKey, imageUrl: (path: string) => origin.url(path) };
  const [tally, { bytes, kills }] = await Promise.all([
    runTraffic(target, endMs),
    watch(service, endMs),
  ]);
  const counts = [...tally.answers].toSorted(([a], [b]) => a.localeCompare(b));
  t.comment(`${tally.requests} requests, ${kills} threads killed`);
  for (const [answer, count] of counts) t.comment(`${answer}: ${count}`);
  const warm = bytes.slice(Math.floor(bytes.length * warmShare));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [first, last] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  t.comment(
    `resident: ${toMb(first)} MB at first, ${toMb(last)} MB at last, ${toMb(Math.max(...bytes))} MB at most`,
  );
  t.ok(last <= first * growthMax + noiseBytes, 'memory is flat');
  t.same(tally.complaints, [], 'every request has its answer');
  t.equal(tally.lost, 0);
  const faults = counts.filter(([answer]) => answer.endsWith(' 500'));
  const failed = faults.reduce((sum, [, count]) => sum + count, 0);
  t.ok(failed <= kills * counts.length, `${failed} renders died with their thread`);
  t.equal(service.process.hasEnded, false);
  t.equal((await service.get('/readyz')).status, 200);
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
