/** CPU time of the code of a render host, alone: for each name of the list, and for one short word. */
import { checkPainter } from '../harness/check-image.ts';
import { formatNumber } from '../harness/format-number.ts';
import { fullNames } from '../harness/names.ts';
import { startPlatenPainter } from '../harness/painter.ts';
import { largestTenthRatio, median, quantile } from '../harness/statistics.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** Passes over the list of names; each draws every name with other letters. */
const passesOf: Record<Effort, number> = { quick: 1, normal: 5 };

/** Renders of a round, and rounds, of one short word. */
const rendersOf: Record<Effort, number> = { quick: 50, normal: 400 };
const roundsOf: Record<Effort, number> = { quick: 2, normal: 7 };
/** V8 compiles during the first 1,000 renders, and a process meets its font sizes. */
const warmUpOf: Record<Effort, number> = { quick: 50, normal: 2500 };

export const slowNames: Scenario = {
  name: 'slow-names',
  words: ['names', 'thread'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const painter = await startPlatenPainter({
      template: 'welcome-banner',
      text: 'full name',
      photos: [],
    });
    await checkPainter(painter, { format: 'jpeg', width: 1200, height: 630 }, 20);
    const passes: number[][] = [];
    for (let pass = -1; pass < passesOf[effort]; pass += 1) {
      const { eachCpuMs } = await painter.round('jpeg', fullNames.length, 1);
      // The first pass warms up: V8 compiles, and the process meets its font sizes.
      if (pass >= 0) passes.push(eachCpuMs);
    }
    await painter.close();
    // The median over the passes leaves out garbage collections, which hit one render of many.
    const eachName = fullNames.map((_, index) => median(passes.map((pass) => pass[index] ?? 0)));
    const ratios = passes.map(largestTenthRatio);
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((part) => formatNumber(quantile(eachName, part)));
    const how =
      `mean of the slowest tenth; each name is the median of ${passes.length} renders with other letters; ` +
      `p50 ${p50}, p90 ${p90}, p99 ${p99} ms; the ratio of single renders is ` +
      `${formatNumber(Math.min(...ratios))} to ${formatNumber(Math.max(...ratios))}`;
    return {
      measurements: [{ budget: 'slow-names', reached: largestTenthRatio(eachName), how }],
    };
  },
};

const shortCases = [
  { budget: 'short-banner', template: 'welcome-banner', format: 'jpeg', width: 1200, height: 630 },
  { budget: 'short-ticket', template: 'event-ticket', format: 'png', width: 1200, height: 480 },
  { budget: 'short-hello', template: 'hello', format: 'png', width: 400, height: 200 },
] as const;

export const shortWordScenarios: readonly Scenario[] = shortCases.map((each) => ({
  name: each.budget,
  words: ['short', 'thread'],
  programs: [],
  needsPeers: false,
  run: async (effort) => ({ measurements: [await measureShortWord(each, effort)] }),
}));

async function measureShortWord(
  { budget, template, format, width, height }: (typeof shortCases)[number],
  effort: Effort,
): Promise<Measurement> {
  const painter = await startPlatenPainter({ template, text: 'short word', photos: [] });
  await checkPainter(painter, { format, width, height }, 20);
  await painter.round(format, warmUpOf[effort], 1);
  const rounds: number[] = [];
  for (let round = 0; round < roundsOf[effort]; round += 1) {
    const { cpuMs } = await painter.round(format, rendersOf[effort], 1);
    rounds.push(cpuMs / rendersOf[effort]);
  }
  await painter.close();
  return {
    budget,
    reached: median(rounds),
    how:
      `all threads of the process, garbage collection included; median of ${rounds.length} rounds of ` +
      `${formatNumber(rendersOf[effort])} renders, ${formatNumber(Math.min(...rounds))} to ${formatNumber(Math.max(...rounds))} ms`,
  };
}
