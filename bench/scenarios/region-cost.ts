/** The cost of a render over the size of the region that its values change. */
import { runRenderChild } from '../harness/children.ts';
import { formatNumber } from '../harness/format-number.ts';
import { fitLine, largestStep } from '../harness/statistics.ts';
import type { RegionOrder } from '../programs/region-cost.ts';
import type { Effort, RegionCost, Scenario } from '../scenario.ts';

const [shareMin, shareMax, shareCount] = [0.1, 60, 40];
const repetitionsOf: Record<Effort, Pick<RegionOrder, 'passes' | 'renders'>> = {
  quick: { passes: 1, renders: 6 },
  normal: { passes: 5, renders: 25 },
};

export const regionCost: Scenario = {
  name: 'region-cost',
  words: ['region', 'damage', 'thread'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const shares = Array.from(
      { length: shareCount },
      (_, index) => shareMin + ((shareMax - shareMin) * index) / (shareCount - 1),
    );
    const { passes, renders } = repetitionsOf[effort];
    const fits = [];
    for (const format of ['jpeg', 'png'] as const) {
      const order: RegionOrder = { format, shares, passes, renders };
      const program = 'bench/programs/region-cost.ts';
      const output = await runRenderChild([program, JSON.stringify(order)]);
      const costs: RegionCost[] = JSON.parse(output);
      const points = costs.map(({ share, cpuMs }) => ({ x: share, y: cpuMs }));
      const line = fitLine(points);
      fits.push({ format, costs, line, step: largestStep(points, line) });
    }
    const lines = fits.map(
      ({ format, costs, line: { intercept, slope, rSquared } }) =>
        `${format.toUpperCase()} ${formatNumber(intercept)} ms + ${formatNumber(slope)} ms a percent, R² ${formatNumber(rSquared)}, ` +
        `${costs.filter(({ isWhole }) => isWhole).length} of ${costs.length} regions rendered as a whole image`,
    );
    const steps = fits.map(
      ({ format, step }) => `${format.toUpperCase()} ${formatNumber(step * 100)} %`,
    );
    return {
      measurements: [
        {
          budget: 'region-fit',
          reached: Math.min(...fits.map(({ line }) => line.rSquared)),
          how: `${lines.join('; ')}; a translucent rectangle over \`welcome-banner\` changes its colour; median of ${passes} passes of ${renders} renders`,
        },
        {
          budget: 'region-step',
          reached: Math.max(...fits.map(({ step }) => step)) * 100,
          how: steps.join(', '),
        },
      ],
      regionCosts: fits.flatMap(({ costs }) => costs),
    };
  },
};
