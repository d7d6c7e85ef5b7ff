/** Measured by estimated processor time of painting, over documents of the law: `npm run law:estimate [documents] [seed]`. */
import * as fc from 'fast-check';
import { checkTemplate } from '#language/template.ts';
import { layoutScene } from '../../workers/layout/layout.ts';
import { paint } from '../../workers/paint/paint.ts';
import { paintCost } from '../../workers/paint/cost/paint-cost.ts';
import { bindScene } from '../../workers/bind-scene.ts';
import { lawCases } from './documents.ts';

const documents = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? 1);
/** Documents at both ends that are shown. */
const shown = 8;
/** Measured by estimated, of the documents of the law that are accepted; without their images and what takes less than this. */
const smallUs = 50_000;
const cases: { ratio: number; text: string }[] = [];
for (const { document, values, scale } of fc.sample(lawCases, { seed, numRuns: documents })) {
  const checked = checkTemplate(document);
  if (!checked.ok) continue;
  const { displayList } = layoutScene(
    bindScene(checked.template, new Map(Object.entries(values))),
    new Map(),
  );
  const { us } = paintCost(displayList, scale);
  const measuredUs = us < 1_000_000 ? paintUs(displayList, scale) : 0;
  if (Math.max(measuredUs, us) < smallUs || measuredUs === 0) continue;
  const ms = [measuredUs, us].map((each) => `${Math.round(each / 1000)} ms`).join(' by ');
  const text = `${ms}, scale ${scale}: ${JSON.stringify(document).slice(0, 500)}`;
  cases.push({ ratio: measuredUs / us, text });
}
cases.sort((a, b) => a.ratio - b.ratio);
const ratios = cases.map(({ ratio }) => ratio);
for (const { ratio, text } of [...cases.slice(0, shown), ...cases.slice(-shown)]) {
  console.log(`${ratio.toFixed(2)} ${text}`);
}
const at = (share: number): string =>
  (ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * share))] ?? 0).toFixed(2);
console.log(
  `measured by estimated, ${ratios.length} documents: p1 ${at(0.01)}, p10 ${at(0.1)}, p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)}`,
);

function paintUs(list: Parameters<typeof paint>[0], scale: number): number {
  const before = process.cpuUsage();
  paint(list, new Map(), scale);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
