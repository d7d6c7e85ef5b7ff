/** What a scenario is: something to measure, with the lines of the report that come of it. */
import type { BudgetId } from './budgets.ts';

/** How long to measure: `quick` shows that everything works, `long` is for the figures that need many renders. */
export type Effort = 'quick' | 'normal' | 'long';

/** One measured line. */
export interface Measurement {
  budget: BudgetId;
  /** In the budget's unit. */
  reached: number;
  /** Of what it was measured and how: both sides' own numbers, rounds, spread. */
  how: string;
}

/** One row of the table of peers: pictures a second, none for a peer that could not be measured here. */
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
  /** Words that choose it beside its name. */
  words: readonly string[];
  /** Programs of the system that it needs, as they are called; it is left out without one. */
  programs: readonly string[];
  /** Whether it needs the packages of `bench/peers`. */
  needsPeers: boolean;
  /** Measures; throws when an answer is not what it should be. */
  run(effort: Effort): Promise<ScenarioResult>;
}
