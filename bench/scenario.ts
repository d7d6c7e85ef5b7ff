/** The interface of a scenario: a measurement, with its lines in the report. */
import type { BudgetId } from './budgets.ts';

/** How long to measure: `quick` checks that everything works, `long` is for the figures that need many renders. */
export type Effort = 'quick' | 'normal' | 'long';

/** One measured line. */
export interface Measurement {
  budget: BudgetId;
  /** In the budget's unit. */
  reached: number;
  /** What was measured and how: the numbers of both sides, rounds, spread. */
  how: string;
}

/** One row of the table of peers: images a second, none for a peer that could not be measured here. */
export interface PeerRow {
  name: string;
  jpegPerSecond?: number;
  pngPerSecond?: number;
}

export interface ScenarioResult {
  measurements: Measurement[];
  peers?: PeerRow[];
}

export interface Scenario {
  name: string;
  /** Words that choose it besides its name. */
  words: readonly string[];
  /** Names of the system programs that it needs; without one, it is skipped. */
  programs: readonly string[];
  /** Whether it needs the packages of `bench/peers`. */
  needsPeers: boolean;
  /** Measures; throws if a response is not as required. */
  run(effort: Effort): Promise<ScenarioResult>;
}
