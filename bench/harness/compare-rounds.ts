/** Measures two things side by side, in alternating rounds, so that a busy moment of the machine affects both. */
import { median } from './statistics.ts';

/** The result. `ratio` is the median over the rounds, `low` and `high` are the extremes. */
export interface Comparison {
  ratio: number;
  low: number;
  high: number;
  rounds: number;
  /** Medians of the two sides, in the unit of their measurements. */
  subject: number;
  peer: number;
}

/** One side of a comparison: runs a round and returns a number, of which a larger one is better. */
export type Measure = (round: number) => Promise<number>;

/**
 * Runs `rounds` rounds of both. The sides alternate in starting a round, so that a drift in one direction (a processor
 * that heats up) favours neither.
 */
export async function compareRounds(
  rounds: number,
  subject: Measure,
  peer: Measure,
): Promise<Comparison> {
  const subjects: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isSubjectFirst = round % 2 === 0;
    if (isSubjectFirst) subjects.push(await subject(round));
    peers.push(await peer(round));
    if (!isSubjectFirst) subjects.push(await subject(round));
  }
  return summarize(subjects, peers);
}

/** Returns the ratios of two equally long series, pair by pair. */
export function summarize(subjects: readonly number[], peers: readonly number[]): Comparison {
  const ratios = subjects.map((each, round) => each / (peers[round] ?? Number.NaN));
  return {
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    rounds: ratios.length,
    subject: median(subjects),
    peer: median(peers),
  };
}
