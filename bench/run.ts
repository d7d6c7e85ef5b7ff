/**
 * Measures the service beside its alternatives: `npm run bench [words]`.
 *
 * Without words, all scenarios run, which takes about 40 minutes on two cores, and the results page is written. Words
 * choose scenarios by name (`npm run bench http burst`) and only print. `quick` only checks that everything works.
 * Exits with 1 if a goal is missed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgets, isReached } from './budgets.ts';
import { chooseScenarios } from './choose-scenarios.ts';
import { endChildren } from './harness/children.ts';
import { hasProgram, installPeers } from './harness/programs.ts';
import { plotCoreRates, plotRegionCosts } from './plots.ts';
import { benchmarkPage, describeMachine, measurementLine } from './report.ts';
import type { Occasion } from './report.ts';
import type { Effort, Results, Scenario } from './scenario.ts';
import { animations } from './scenarios/animations.ts';
import { burst } from './scenarios/burst.ts';
import { campaignFiles } from './scenarios/campaign-files.ts';
import { proofMemory } from './scenarios/campaign-memory.ts';
import { liveBeside, proofRate } from './scenarios/campaigns.ts';
import { cold } from './scenarios/cold.ts';
import { cores } from './scenarios/cores.ts';
import { endToEndScenarios } from './scenarios/end-to-end.ts';
import { fairness } from './scenarios/fairness.ts';
import { hits } from './scenarios/hits.ts';
import { idleMemory, memory } from './scenarios/memory.ts';
import { newPhoto } from './scenarios/new-photo.ts';
import { overload } from './scenarios/overload.ts';
import { peers } from './scenarios/peers.ts';
import { regionCost } from './scenarios/region-cost.ts';
import { shortWordScenarios, slowNames } from './scenarios/render-process.ts';
import { studio } from './scenarios/studio.ts';

const scenarios: readonly Scenario[] = [
  ...endToEndScenarios,
  slowNames,
  ...shortWordScenarios,
  burst,
  newPhoto,
  animations,
  cold,
  hits,
  overload,
  idleMemory,
  memory,
  regionCost,
  cores,
  fairness,
  campaignFiles,
  proofRate,
  proofMemory,
  liveBeside,
  studio,
  peers,
];

const docs = join(import.meta.dirname, '../docs');

async function run(words: readonly string[]): Promise<void> {
  const { chosen, effort } = chooseScenarios(scenarios, words);
  const startedMs = performance.now();
  const occasion = currentOccasion();
  const results: Results = { measurements: [] };
  for (const scenario of chosen) {
    const { measurements, ...others } = await measure(scenario, effort);
    results.measurements.push(...measurements);
    Object.assign(results, others);
  }
  const minutes = (performance.now() - startedMs) / 60_000;
  console.log(`\nThe run took ${minutes.toFixed(1)} minutes.`);
  // A page has the rows of one run alone.
  if (effort === 'quick' || chosen.length < scenarios.length) return;
  mkdirSync(join(docs, 'images'), { recursive: true });
  const plots = {
    'cost-by-region': plotRegionCosts(results.regionCosts ?? []),
    'images-by-cores': plotCoreRates(results.coreRates ?? []),
  };
  for (const [name, svg] of Object.entries(plots)) {
    writeFileSync(join(docs, 'images', `${name}.svg`), svg);
  }
  const page = benchmarkPage(results, { ...occasion, minutes }, describeMachine());
  writeFileSync(join(docs, 'benchmarks.md'), page);
  console.log('docs/benchmarks.md is written.');
}

/** Prints the lines of a scenario. One that cannot run or fails leaves its lines out and does not end the others. */
async function measure(scenario: Scenario, effort: Effort): Promise<Results> {
  const none: Results = { measurements: [] };
  const missing = scenario.programs.filter((name) => !hasProgram(name));
  if (missing.length > 0) {
    console.log(
      `\n${scenario.name} is left out: there is no program \`${missing.join('`, `')}\` (Debian: apt install ${missing.join(' ')}).`,
    );
    process.exitCode = 1;
    return none;
  }
  console.log(`\n${scenario.name} …`);
  const startedMs = performance.now();
  try {
    if (scenario.needsPeers) await installPeers();
    const results = await scenario.run(effort);
    for (const measurement of results.measurements) {
      console.log(measurementLine(measurement));
      const isMissed = !isReached(budgets[measurement.budget], measurement.reached);
      if (isMissed && effort !== 'quick') process.exitCode = 1;
    }
    for (const rows of [results.peers, results.coreRates]) {
      if (rows !== undefined) console.table(rows);
    }
    console.log(`${' '.repeat(10)}${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    return results;
  } catch (error) {
    console.error(`${scenario.name} failed:`, error instanceof Error ? error.message : error);
    process.exitCode = 1;
    // What it has left running would take time from the next scenario.
    await endChildren();
    return none;
  }
}

function currentOccasion(): Omit<Occasion, 'minutes'> {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  // The results themselves are no change, because each run writes them.
  const written = ['docs/benchmarks.md', 'docs/images/*.svg'].map(
    (path) => `:(top,exclude)${path}`,
  );
  const changed = git('status', '--porcelain', '--', ':/', ...written);
  const revision = commit === '' ? 'unknown' : commit + (changed === '' ? '' : '+');
  return { date: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length), revision };
}

try {
  // `--only` may stand before the words.
  await run(process.argv.slice(2).filter((word) => word !== '--only'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Idle connections would keep this process alive.
process.exit();
