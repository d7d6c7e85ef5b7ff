/**
 * Measures the service beside its alternatives: `npm run bench [words]`.
 *
 * Words choose scenarios by name (`npm run bench http burst`); without any, all of them run. `quick` only checks that
 * everything works and writes nothing; `long` measures figures that need very many renders. Exits with 1 if a bar is
 * missed.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgets, isReached } from './budgets.ts';
import { hasProgram, installPeers } from './harness/programs.ts';
import { hostileOrigins } from './hostile-origins.ts';
import { benchmarkPage, describeMachine, measurementLine } from './report.ts';
import type { Occasion } from './results.ts';
import { loadResults, mergeResults, saveResults } from './results.ts';
import type { Effort, Scenario } from './scenario.ts';
import { burst } from './scenarios/burst.ts';
import { cold } from './scenarios/cold.ts';
import { endToEndScenarios } from './scenarios/end-to-end.ts';
import { fairness } from './scenarios/fairness.ts';
import { hits } from './scenarios/hits.ts';
import { memory } from './scenarios/memory.ts';
import { overload } from './scenarios/overload.ts';
import { peers } from './scenarios/peers.ts';
import { studio } from './scenarios/studio.ts';
import { stampede } from './scenarios/stampede.ts';
import { threadScenarios } from './scenarios/threads.ts';
import { chooseScenarios } from './choose-scenarios.ts';

const scenarios: readonly Scenario[] = [
  hits,
  ...threadScenarios,
  ...endToEndScenarios,
  burst,
  stampede,
  overload,
  fairness,
  hostileOrigins,
  cold,
  memory,
  studio,
  peers,
];

const page = join(import.meta.dirname, '../docs/benchmarks.md');

async function run(words: readonly string[]): Promise<void> {
  const { chosen, effort } = chooseScenarios(scenarios, words);
  const occasion = currentOccasion();
  for (const scenario of chosen) {
    if (!(await isPossible(scenario))) continue;
    console.log(`\n${scenario.name} …`);
    await measure(scenario, effort, occasion);
  }
}

async function measure(scenario: Scenario, effort: Effort, occasion: Occasion): Promise<void> {
  const result = await scenario.run(effort);
  for (const measurement of result.measurements) {
    console.log(measurementLine(measurement));
    const isMissed = isReached(budgets[measurement.budget], measurement.reached) === false;
    if (isMissed && effort !== 'quick') process.exitCode = 1;
  }
  if (result.peers !== undefined) console.table(result.peers);
  if (effort === 'quick') return;
  // After each scenario, so that an error in a later one loses nothing.
  const results = mergeResults(loadResults(), result, occasion);
  saveResults(results);
  writeFileSync(page, benchmarkPage(results, describeMachine()));
}

async function isPossible(scenario: Scenario): Promise<boolean> {
  const missing = scenario.programs.filter((name) => !hasProgram(name));
  if (missing.length > 0) {
    console.log(
      `\n${scenario.name} is left out: there is no program \`${missing.join('`, `')}\` (Debian: apt install ${missing.join(' ')}).`,
    );
    return false;
  }
  if (scenario.needsPeers) await installPeers();
  return true;
}

function currentOccasion(): Occasion {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  // The page itself is no change, because each run writes it.
  const changed = git('status', '--porcelain', '--', ':/', ':(top,exclude)docs/benchmarks.md');
  const revision = commit === '' ? 'unknown' : commit + (changed === '' ? '' : '+');
  return { date: new Date().toISOString(), revision };
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Processes that a failed scenario has left running end with this one.
process.exit();
