/** `npm run law:front -- --documents 200 --seed 1`: the law of the thread that answers over many documents. */
import { parseArgs } from 'node:util';
import t from 'tap';
import { frontCases } from './front-documents.ts';
import { entranceNames, frontOffence, startFrontTrial } from './front.ts';
import type { Measured } from './front.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [documents, seed] = [options.documents, options.seed].map(Number) as [number, number];

t.setTimeout(0);

/** The largest, the 99th percentile and the median. */
function quantiles(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => b - a);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `max ${at(0)}, p99 ${at(0.01)}, p50 ${at(0.5)}`;
}

t.test(`the law of the thread that answers, ${documents} documents of seed ${seed}`, async (t) => {
  const cases = frontCases(documents, seed);
  const trial = await startFrontTrial(t, cases);
  for (const entrance of entranceNames) {
    const all: Measured[] = [];
    for (const [index, lawCase] of cases.entries()) {
      const measured = await trial.measure(index, entrance);
      all.push(measured);
      const offence = frontOffence(measured);
      if (offence !== undefined) t.fail(`case ${index} by ${entrance} ${offence}`, { lawCase });
    }
    const statuses = Object.entries(Object.groupBy(all, ({ status }) => status));
    t.comment(
      `${entrance}, ${all.length} requests, ms: turn ${quantiles(all.map(({ turnMs }) => turnMs))}; request ${quantiles(all.map(({ cpuMs }) => cpuMs))}; ${statuses.map(([status, of]) => `${of?.length} × ${status}`).join(', ')}`,
    );
  }
  t.pass(`${cases.length} valid documents by ${entranceNames.length} entrances`);
});
