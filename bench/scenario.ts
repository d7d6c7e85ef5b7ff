/** The interface of a scenario: a measurement, with its lines and plots in the report. */
import type { BudgetId } from './budgets.ts';

/** How long to measure: `quick` only checks that everything works. */
export type Effort = 'quick' | 'normal';

/** One measured line. */
export interface Measurement {
  budget: BudgetId;
  /** In the budget's unit. */
  reached: number;
  /** What was measured and how: the numbers of both sides, rounds, spread. */
  how: string;
}

/** One row of the table of alternatives: images a second, none for a peer that could not be measured here. */
export interface PeerRow {
  name: string;
  jpegPerSecond?: number;
  pngPerSecond?: number;
}

/** CPU time of a render of which a region of this share of the canvas changed. */
export interface RegionCost {
  format: 'jpeg' | 'png';
  /** In percent. */
  share: number;
  cpuMs: number;
  /** The render thread did not use the base render. */
  isWhole: boolean;
}

/** Throughput of a service with so many cores and as many render threads. */
export interface CoreRate {
  format: 'jpeg' | 'png';
  cores: number;
  /** Images a second, median and extremes of the rounds. */
  perSecond: number;
  low: number;
  high: number;
}

/** The results of one scenario, or of a whole run. */
export interface Results {
  measurements: Measurement[];
  peers?: PeerRow[];
  regionCosts?: RegionCost[];
  coreRates?: CoreRate[];
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
  run(effort: Effort): Promise<Results>;
}
