/** Measured by estimated processor time of painting, over documents of the law: `npm run law:estimate [documents]`. */
import * as fc from 'fast-check';
import { checkTemplate } from '#shared/template.ts';
import { layoutScene } from '../../workers/layout/layout.ts';
import { paint } from '../../workers/paint/paint.ts';
import { paintCost } from '../../workers/paint/paint-cost.ts';
import { buildScene } from '../../workers/scene.ts';
import { lawCases } from './documents.ts';

const documents = Number(process.argv[2] ?? 200);
/** Measured by estimated, of the documents of the law that are accepted; without their images and what takes less than this. */
const smallUs = 50_000;
const ratios: number[] = [];
for (const { document, values, scale } of fc.sample(lawCases, { seed: 1, numRuns: documents })) {
  const checked = checkTemplate(document);
  if (!checked.ok) continue;
  const { displayList } = layoutScene(
    buildScene(checked.template, new Map(Object.entries(values))),
    new Map(),
  );
  const { us } = paintCost(displayList, scale);
  const measuredUs = us < 1_000_000 ? paintUs(displayList, scale) : 0;
  if (measuredUs > smallUs) ratios.push(measuredUs / us);
}
ratios.sort((a, b) => a - b);
const at = (share: number): string => (ratios[Math.floor(ratios.length * share)] ?? 0).toFixed(2);
console.log(
  `measured by estimated, ${ratios.length} documents: p1 ${at(0.01)}, p50 ${at(0.5)}, p99 ${at(0.99)}`,
);

function paintUs(list: Parameters<typeof paint>[0], scale: number): number {
  const before = process.cpuUsage();
  paint(list, new Map(), scale);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
