import t from 'tap';
import { budgets, isReached } from '../../bench/budgets.ts';
import type { Budget } from '../../bench/budgets.ts';
import { chooseScenarios } from '../../bench/choose-scenarios.ts';
import { plotCoreRates, plotRegionCosts } from '../../bench/plots.ts';
import type { Machine } from '../../bench/report.ts';
import { benchmarkPage } from '../../bench/report.ts';
import type { CoreRate, Measurement, RegionCost, Scenario } from '../../bench/scenario.ts';

const machine: Machine = {
  processor: 'A processor',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  system: 'linux x64',
  node: 'v22.0.0',
  packages: { sharp: '1.2.3' },
};
const occasion = { date: '2030-02-01', revision: 'bbbbbbb', minutes: 21.6 };

const hit: Measurement = { budget: 'hit', reached: 0.962_34, how: 'wrk' };
const memory: Measurement = { budget: 'memory', reached: 640.4, how: 'renders' };

const regionCosts: RegionCost[] = (['jpeg', 'png'] as const).flatMap((format) =>
  [1, 20, 60].map((share) => ({ format, share, cpuMs: 1 + share / 10, isWhole: false })),
);
const coreRates: CoreRate[] = (['jpeg', 'png'] as const).flatMap((format) =>
  [1, 2].map((cores) => {
    return { format, cores, perSecond: 150 * cores, low: 140 * cores, high: 151 * cores };
  }),
);

t.test('the page states goal, figure and occasion, and says which goal is missed', async (t) => {
  const peers = [
    { name: 'Platen', jpegPerSecond: 600, pngPerSecond: 200 },
    { name: 'Other', jpegPerSecond: 150, pngPerSecond: 50 },
  ];
  const page = benchmarkPage({ measurements: [memory, hit], peers }, occasion, machine);
  t.match(
    page,
    'Measured on 2030-02-01 at revision bbbbbbb, in 22 minutes: A processor, 2 cores, 8 GiB',
  );
  t.match(page, '| ≥ 0.95× | **0.96×** | wrk |');
  t.match(page, '| ≤ 500 MB | **640 MB** (missed) | renders |');
  t.match(page, '| Other | 150 (1 : 4) | 50 (1 : 4) |');
  t.match(page, '`sharp` 1.2.3.');
});

t.test('what was not measured is said, never left out', async (t) => {
  const page = benchmarkPage({ measurements: [hit] }, occasion, machine);
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  t.equal(rows.length, Object.keys(budgets).length + 2, 'a row a budget, the head and its line');
  t.equal(rows.filter((row) => row.includes('| not measured |')).length, rows.length - 3);
  t.match(page, '## Alternatives\n\nNot measured.');
  t.match(page, '## Cost against changed pixels\n\nNot measured.');
  t.notMatch(page, '.svg');

  const peers = [{ name: 'Platen', jpegPerSecond: 600, pngPerSecond: 200 }, { name: 'Other' }];
  const withPeers = benchmarkPage({ measurements: [], peers }, occasion, machine);
  t.match(withPeers, '| Other | not measured | not measured |');
});

t.test('a plot is an SVG with its axes and a mark for each figure', async (t) => {
  const cost = plotRegionCosts(regionCosts);
  t.match(cost, /^<svg .*<\/svg>\n$/s);
  for (const text of ['changed pixels, % of the canvas', 'CPU time of a render, ms', 'PNG']) {
    t.match(cost, `>${text}<`);
  }
  const fewer = plotRegionCosts(regionCosts.slice(1));
  t.equal(marksIn(cost, '#0072b2') - marksIn(fewer, '#0072b2'), 1);
  t.match(plotCoreRates(coreRates), '>images a second<');
  t.match(plotCoreRates([]), /^<svg /, 'a run without figures has an empty plot');
});

/** Filled shapes of a colour. */
function marksIn(svg: string, color: string): number {
  return svg.split(`fill="${color}"`).length;
}

t.test('a goal that nothing could be measured for is missed', async (t) => {
  for (const budget of Object.values<Budget>(budgets)) {
    t.equal(isReached(budget, Number.NaN), false, budget.claim);
  }
  t.equal(isReached(budgets.hit, 0.95), true);
  t.equal(isReached(budgets.hit, 0.949), false);
  t.equal(isReached(budgets.memory, 501), false);
  t.equal(isReached(budgets['fair-cheap-refused'], 0), true);
  t.equal(isReached(budgets['fair-cheap-refused'], 1), false);
});

t.test('words choose scenarios and the effort, and a wrong word says which there are', (t) => {
  const scenario = (name: string, words: string[] = []): Scenario => ({
    name,
    words,
    programs: [],
    needsPeers: false,
    run: () => Promise.resolve({ measurements: [] }),
  });
  const all = [
    scenario('short-banner', ['thread']),
    scenario('new-photo', ['thread']),
    scenario('burst'),
  ];
  const chosen = (...words: string[]): string[] =>
    chooseScenarios(all, words).chosen.map(({ name }) => name);
  t.same(chosen(), ['short-banner', 'new-photo', 'burst']);
  t.same(chosen('quick'), ['short-banner', 'new-photo', 'burst']);
  t.same(chosen('burst', 'photo', 'quick'), ['new-photo', 'burst']);
  t.same(chosen('thread'), ['short-banner', 'new-photo']);
  t.equal(chooseScenarios(all, ['burst', 'quick']).effort, 'quick');
  t.equal(chooseScenarios(all, []).effort, 'normal');
  t.throws(
    () => chooseScenarios(all, ['brust']),
    /"brust": there are short-banner, new-photo, burst/,
  );
  t.end();
});
