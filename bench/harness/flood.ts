/** Sends requests at a fixed rate from a separate process, for the scenarios of overload and fairness. */
import type { OverloadAnswers, OverloadOrder } from '../programs/overload-side.ts';
import { startChild } from './children.ts';
import { formatNumber } from './format-number.ts';

/** Sends an order and resolves with the responses. Rejects if the client ends without them. */
export async function sendFlood(order: OverloadOrder): Promise<OverloadAnswers> {
  const child = startChild(
    process.execPath,
    ['bench/programs/overload-side.ts', JSON.stringify(order)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as OverloadAnswers));
    child.once('exit', (code) => reject(new Error(`The client ended with ${code}.`)));
  });
}

/** `p50 1.2, p99 3, most 8 ms`. */
export function describeLatencies({
  p50,
  p99,
  max,
}: {
  p50: number;
  p99: number;
  max: number;
}): string {
  return `p50 ${formatNumber(p50)}, p99 ${formatNumber(p99)}, most ${formatNumber(max)} ms`;
}
