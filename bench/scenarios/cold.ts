/** The first image of a template that was never requested before. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkImage } from '../harness/check-image.ts';
import type { ImageClaim } from '../harness/check-image.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { formatNumber } from '../harness/format-number.ts';
import { startService, waitUntilWarm } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import type { Sample } from '../harness/values.ts';
import { linkOf, samples } from '../harness/values.ts';
import type { Effort, Scenario } from '../scenario.ts';

const roundsOf: Record<Effort, number> = { quick: 1, normal: 3 };

export const cold: Scenario = {
  name: 'cold-template',
  words: ['start', 'first'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const firstImages = new Map<Sample, number[]>(samples.map((sample) => [sample, []]));
    for (let round = 0; round < roundsOf[effort]; round += 1) {
      for (const [sample, times] of firstImages) times.push(await firstImageMs(sample));
    }
    const medians = [...firstImages].map(([sample, times]) => ({
      sample,
      times,
      ms: median(times),
    }));
    const each = medians.map(
      ({ sample, times, ms }) =>
        `\`${sample}\` ${formatNumber(ms)} (${formatNumber(Math.min(...times))} to ${formatNumber(Math.max(...times))})`,
    );
    return {
      measurements: [
        {
          budget: 'cold-template',
          reached: Math.max(...medians.map(({ ms }) => ms)),
          how: `each in another new process; medians of ${roundsOf[effort]} in ms: ${each.join(', ')}`,
        },
      ],
    };
  },
};

/** Milliseconds from the request to the last byte, in a process that has rendered nothing but its warm-up. */
async function firstImageMs(sample: Sample): Promise<number> {
  const service = await startService();
  await waitUntilWarm(service);
  // The connection and the code of the client are not cold.
  await fetchAnswer(`${service.base}/healthz`);
  const startedMs = performance.now();
  const { status, bytes } = await fetchAnswer(service.base + linkOf(sample, 0));
  const ms = performance.now() - startedMs;
  if (status !== 200) throw new Error(`The service answered ${sample} with ${status}.`);
  await checkImage(sample, bytes, claimOf(sample));
  await service.close();
  return ms;
}

function claimOf(sample: Sample): ImageClaim {
  const path = join(import.meta.dirname, '../../data/templates', `${sample}.json`);
  const document: { width: number; height: number; output?: { format?: 'jpeg' } } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const { width, height, output } = document;
  return { format: output?.format ?? 'png', width, height };
}
