/** A countdown of 60 frames as GIF: CPU time and bytes, beside libvips, and beside a canvas with gifenc. */
import { join } from 'node:path';
import type { BudgetId } from '../budgets.ts';
import type { AnimationCost } from '../harness/animation-rounds.ts';
import { runChild } from '../harness/children.ts';
import { formatNumber } from '../harness/format-number.ts';
import { median } from '../harness/statistics.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

const folder = join(import.meta.dirname, '..');

/** Each side is a process of its own. */
const sides = {
  platen: 'programs/animation.ts',
  libvips: 'programs/animation.ts',
  canvas: 'peers/countdown-gif.ts',
} as const;
type Side = keyof typeof sides;

/** GIFs before those that count, and those. The others are slow and even. */
const roundsOf: Record<Effort, Record<Side, [warmUp: number, rounds: number]>> = {
  quick: { platen: [1, 1], libvips: [0, 1], canvas: [0, 1] },
  normal: { platen: [10, 15], libvips: [0, 1], canvas: [1, 3] },
};

const cases: [widthPx: number, time: BudgetId, size: BudgetId][] = [
  [1200, 'animation-large', 'animation-large-size'],
  [600, 'animation-small', 'animation-small-size'],
];

export const animations: Scenario = {
  name: 'animations',
  words: ['gif', 'countdown', 'thread'],
  programs: [],
  needsPeers: true,
  async run(effort) {
    const measurements: Measurement[] = [];
    for (const [widthPx, time, size] of cases) {
      const platen = await measureSide('platen', widthPx, effort);
      const others: [string, AnimationCost][] = [
        [
          'libvips at effort 1 (encodes the painted frames)',
          await measureSide('libvips', widthPx, effort),
        ],
        ['@napi-rs/canvas and gifenc', await measureSide('canvas', widthPx, effort)],
      ];
      const { eachCpuMs, bytes } = platen;
      const platenMs = median(eachCpuMs);
      const spread = [Math.min(...eachCpuMs), Math.max(...eachCpuMs)].map((ms) => formatNumber(ms));
      const how =
        `other headline and time each; median of ${eachCpuMs.length} after the warm-up, ${spread.join(' to ')} ms; ` +
        others
          .map(([name, cost]) => {
            const ms = median(cost.eachCpuMs);
            return `${name} ${formatNumber(ms)} ms (${formatNumber(ms / platenMs)}×)`;
          })
          .join(', ');
      measurements.push({ budget: time, reached: platenMs, how });
      const sizes = others.map(([name, cost]) => `${name} ${formatNumber(cost.bytes / 1000)} KB`);
      measurements.push({ budget: size, reached: bytes / 1000, how: sizes.join(', ') });
    }
    return { measurements };
  },
};

async function measureSide(side: Side, widthPx: number, effort: Effort): Promise<AnimationCost> {
  const order = [widthPx, ...roundsOf[effort][side]].map(String);
  const printed = await runChild(process.execPath, [join(folder, sides[side]), side, ...order]);
  return JSON.parse(printed) as AnimationCost;
}
