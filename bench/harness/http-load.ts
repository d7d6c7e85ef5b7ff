/** Sends requests from a separate process and returns the results. */
import { startChild } from './children.ts';
import type { UniqueLinks } from './values.ts';
import type { Effort } from '../scenario.ts';

/**
 * Images before a measurement of throughput. V8 compiles a service during its first 8,000 images, and their rate
 * doubles until then.
 */
export const warmUpOf: Record<Effort, number> = { quick: 400, normal: 8000 };

export interface LoadOrder {
  base: string;
  connections: number;
  /** Total number of requests. */
  amount: number;
  /** One path for all, or links with a unique text each. */
  links: string | UniqueLinks;
  /** The process of the service; without it, `mainThreadMs` is 0. */
  pid?: number;
}

export interface LoadResult {
  /** From the first request to the last response. */
  ms: number;
  /** Responses with 2xx. */
  answers: number;
  /** Other responses, broken connections and timeouts. */
  failures: number;
  perSecond: number;
  /** CPU time of the service's main thread from the first request to the last response. */
  mainThreadMs: number;
  latencyMs: { p50: number; p99: number; max: number };
}

/** Runs a load to its end. Throws unless every response is 2xx or `mayFail` is set. */
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
