/** Resident memory: idle, and after very many renders, each with a text that was never requested before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMegabytes, formatNumber } from '../harness/format-number.ts';
import { askAll } from '../harness/keep-alive-load.ts';
import type { Service } from '../harness/service.ts';
import { startService, waitUntilWarm } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import { samples, uniqueLink } from '../harness/values.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const rendersOf: Record<Effort, number> = { quick: 3000, normal: 200_000 };
/** Parts of the load; the course of memory has a figure for each. */
const parts = 10;

const threadCount = 2;
const connections = 16;
/** Full after a few hundred renders, so that it does not hide the rest. */
const cacheMegabytes = 32;

/** Time after the warm-up, and the samples of memory in it. */
const idleSeconds = 10;
const startsOf: Record<Effort, number> = { quick: 1, normal: 3 };

export const idleMemory: Scenario = {
  name: 'idle-memory',
  words: ['resident'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const starts: number[] = [];
    for (let start = 0; start < startsOf[effort]; start += 1) {
      const service = await startService({ threadCount });
      await waitUntilWarm(service);
      await sleep(idleSeconds * 1000);
      starts.push(await service.residentBytes());
      await service.close();
    }
    const how =
      `median of ${starts.length} starts, ${formatMegabytes(Math.min(...starts))} to ${formatMegabytes(Math.max(...starts))}; ` +
      `${idleSeconds} s after the warm-up; all processes, files that they share counted once`;
    return {
      measurements: [{ budget: 'idle-memory', reached: median(starts) / 1e6, how }],
    };
  },
};

export const memory: Scenario = {
  name: 'memory',
  words: ['resident', 'leak'],
  programs: [],
  needsPeers: false,
  run: async (effort) => ({ measurements: [await measureMemory(effort)] }),
};

async function measureMemory(effort: Effort): Promise<Measurement> {
  const service = await startService({ threadCount, cacheMegabytes });
  await checkLinks(service, 'welcome-banner', 'jpeg', '.jpg');
  const renders = rendersOf[effort];
  const amount = renders / parts;
  const course: number[] = [];
  const startedMs = performance.now();
  for (let part = 0; part < parts; part += 1) {
    const from = 1000 + part * Math.ceil(amount / samples.length);
    const links = { templates: samples, extension: '', from };
    const paths = Array.from({ length: amount }, (_, index) => uniqueLink(links, index));
    const load = askAll(service.base, connections, paths);
    const resident = await sampleUntil(service, load);
    course.push(median(resident.slice(-Math.ceil(resident.length / 4))));
    await load;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await service.close();
  return {
    budget: 'memory',
    reached: (course.at(-1) ?? Number.NaN) / 1e6,
    how:
      `the six samples in turn, in their own formats, ${formatNumber(renders / seconds)} images/s; after each tenth of the renders: ` +
      `${course.map((bytes) => formatNumber(Math.round(bytes / 1e6))).join(', ')} MB (medians under load); ` +
      'all processes, files that they share counted once',
  };
}

/** Samples the resident memory every 250 ms until `end` settles. */
async function sampleUntil(service: Service, end: Promise<unknown>): Promise<number[]> {
  const bytes: number[] = [];
  const running = Symbol('running');
  const ended = end.catch(() => undefined);
  do {
    bytes.push(await service.residentBytes());
  } while ((await Promise.race([ended, sleep(250, running)])) === running);
  return bytes;
}
