/** The first image: of a process that was just started, and of a template that was never requested before. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listDirectory } from '../../src/store/publish.ts';
import { checkImage } from '../harness/check-image.ts';
import type { ImageClaim } from '../harness/check-image.ts';
import { runChild, temporaryFolder } from '../harness/children.ts';
import { median } from '../harness/compare-rounds.ts';
import { formatNumber } from '../harness/format-number.ts';
import { ask, spawnService, startService } from '../harness/service.ts';
import type { Service } from '../harness/service.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

const roundsOf: Record<Effort, number> = { quick: 2, normal: 7, long: 9 };
const templateRoundsOf: Record<Effort, number> = { quick: 1, normal: 3, long: 5 };

const samples = join(import.meta.dirname, '../../data/templates');
const claim = { format: 'jpeg', width: 1200, height: 630 } as const;
const link = '/v1/render/welcome-banner?name=Amanda';
/** Interval between two attempts to reach a service that starts. */
const pauseMs = 5;

export const cold: Scenario = {
  name: 'cold',
  words: ['start', 'first'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const usedFolder = join(temporaryFolder(), 'data');
    await (await startService({ dataDirectory: usedFolder })).close();
    const starts: Record<'used' | 'empty' | 'bare', number[]> = { used: [], empty: [], bare: [] };
    for (let round = 0; round < roundsOf[effort]; round += 1) {
      starts.used.push(await secondsToFirstImage(usedFolder));
      starts.empty.push(await secondsToFirstImage(undefined));
      starts.bare.push(await secondsOfBareStart());
    }
    const bare = median(starts.bare);
    const describe = (seconds: readonly number[]): string =>
      `from the start of the process to the last byte, ${spreadOf(seconds)} s; ` +
      `${formatNumber(median(seconds) / bare)} times \`node -e 0\` (${formatNumber(bare)} s)`;
    return {
      measurements: [
        { budget: 'cold-start', reached: median(starts.used), how: describe(starts.used) },
        { budget: 'first-start', reached: median(starts.empty), how: describe(starts.empty) },
        await measureColdTemplates('cold-template', templateRoundsOf[effort], bare),
        await measureColdTemplates('cold-process-template', 1, bare),
      ],
    };
  },
};

async function secondsToFirstImage(dataDirectory: string | undefined): Promise<number> {
  const service = await spawnService(dataDirectory === undefined ? {} : { dataDirectory });
  const image = await ask(service, link, pauseMs);
  const seconds = (performance.now() - service.startedMs) / 1000;
  await checkImage('The service', image, claim);
  await service.close();
  return seconds;
}

async function secondsOfBareStart(): Promise<number> {
  const startedMs = performance.now();
  await runChild(process.execPath, ['-e', '0']);
  return (performance.now() - startedMs) / 1000;
}

/**
 * Requests each sample once, each in another process that has rendered nothing but its warm-up: at its start, and in
 * the second after it unless the process itself is cold.
 */
async function measureColdTemplates(
  budget: 'cold-template' | 'cold-process-template',
  rounds: number,
  bareSeconds: number,
): Promise<Measurement> {
  const firstImages = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const uid of listDirectory(samples)) {
      const service = await startService();
      if (budget === 'cold-template') await isWarmedUp(service);
      const startedMs = performance.now();
      const image = await ask(service, `/v1/render/${uid}?name=Amanda`, pauseMs);
      firstImages.set(uid, [...(firstImages.get(uid) ?? []), performance.now() - startedMs]);
      await checkImage(uid, image, claimOf(uid));
      await service.close();
    }
  }
  const medians = [...firstImages].map(([uid, times]) => ({ uid, ms: median(times) }));
  const slowest = Math.max(...medians.map(({ ms }) => ms));
  const each = medians.map(({ uid, ms }) => `\`${uid}\` ${formatNumber(ms)}`).join(', ');
  return {
    budget,
    reached: slowest,
    how:
      `the slowest of the samples, each in another new process, medians of ${rounds} in ms: ${each}; ` +
      `${formatNumber(slowest / 1000 / bareSeconds)} times \`node -e 0\``,
  };
}

async function isWarmedUp(service: Service): Promise<void> {
  while (!service.log().includes('"event":"warmed up"')) {
    const failure = service.failure();
    if (failure !== undefined) throw new Error(failure);
    await sleep(pauseMs);
  }
}

function claimOf(uid: string): ImageClaim {
  const document: { width: number; height: number; output?: { format?: 'jpeg' } } = JSON.parse(
    readFileSync(join(samples, `${uid}.json`), 'utf8'),
  );
  const { width, height, output } = document;
  return { format: output?.format ?? 'png', width, height };
}

function spreadOf(numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `median of ${numbers.length}, ${formatNumber(low)} to ${formatNumber(high)}`;
}
