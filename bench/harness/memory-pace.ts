/** How evenly the machine gives its memory to whoever asks: other guests of its host use it as well. */
import { runChild } from './children.ts';

/** Windows of one measurement. */
const windows = 30;

/** Copies made in each of 30 windows of `windowMs` by as many threads as there are cores, a millisecond. */
export async function copyRates(windowMs: number): Promise<number[]> {
  const order = JSON.stringify({ windowMs, windows });
  return JSON.parse(await runChild(process.execPath, ['bench/programs/copy-memory.ts', order]));
}

/** How many times as long as on average the slowest window took for as much. */
export function slowestOf(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return mean / Math.min(...rates);
}
