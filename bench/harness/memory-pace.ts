/** Measures how evenly the machine provides memory bandwidth, which other guests of its host use as well. */
import { runChild } from './children.ts';

/** Windows of one measurement. */
const windows = 30;

/** Returns the copies a millisecond in each of 30 windows of `windowMs`, made by as many threads as there are cores. */
export async function copyRates(windowMs: number): Promise<number[]> {
  const order = JSON.stringify({ windowMs, windows });
  return JSON.parse(await runChild(process.execPath, ['bench/programs/copy-memory.ts', order]));
}

/** Time of the slowest window for the same work, relative to the mean. */
export function slowestOf(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return mean / Math.min(...rates);
}
