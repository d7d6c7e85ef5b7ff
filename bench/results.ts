/** Keeps results between runs, so that one scenario can be measured again without all others. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BudgetId } from './budgets.ts';
import type { Measurement, PeerRow, ScenarioResult } from './scenario.ts';

/** Time and revision of a measurement. */
export interface Occasion {
  /** ISO 8601 in UTC; older files have only the day, which sorts before every time of that day. */
  date: string;
  /** A short commit, with `+` if files were changed since. */
  revision: string;
}

/** All results so far, each with its newest occasion. */
export interface Results {
  measurements: Partial<Record<BudgetId, Measurement & Occasion>>;
  peers?: { rows: PeerRow[] } & Occasion;
}

const folder = join(import.meta.dirname, 'results');
const file = join(folder, 'results.json');

/** Loads the results of earlier runs; empty before the first run. */
export function loadResults(): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { measurements: {} };
    throw new Error(`${file} cannot be read; delete it to start again.`, { cause: error });
  }
}

/** Replaces older results by new ones. */
export function mergeResults(known: Results, found: ScenarioResult, occasion: Occasion): Results {
  const measurements = { ...known.measurements };
  for (const each of found.measurements) measurements[each.budget] = { ...each, ...occasion };
  const peers = found.peers === undefined ? known.peers : { rows: found.peers, ...occasion };
  return { measurements, ...(peers === undefined ? {} : { peers }) };
}

export function saveResults(results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
