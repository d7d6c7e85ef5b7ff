/** Sends requests from a process of its own and says what came of them. */
import { startChild } from './children.ts';
import type { MeasuredTemplate } from './values.ts';

export interface LoadOrder {
  base: string;
  connections: number;
  /** Requests in all. */
  amount: number;
  /** One path for all, or links that each have a text of their own, numbered from `from` on. */
  links: string | { template: MeasuredTemplate; extension: string; from: number };
}

export interface LoadResult {
  /** From the first request to the last answer. */
  ms: number;
  /** Those with 2xx. */
  answers: number;
  /** Other answers, broken connections and time-outs. */
  failures: number;
  perSecond: number;
  bytes: number;
  latencyMs: { p50: number; p99: number; max: number };
}

/** Runs a load to its end. Throws when not every answer is good, unless `mayFail`. */
export async function runLoad(order: LoadOrder, mayFail = false): Promise<LoadResult> {
  const child = startChild(
    process.execPath,
    ['bench/programs/http-load.ts', JSON.stringify(order)],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const result = await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('exit', (code) => reject(new Error(`The client ended with ${code}.`)));
  });
  if (result.failures > 0 && !mayFail) {
    throw new Error(`${result.failures} of ${order.amount} requests were not answered with 2xx.`);
  }
  return result;
}
