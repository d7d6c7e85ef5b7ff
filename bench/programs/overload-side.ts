/** The client of an overload, in a separate process: sends requests at a fixed rate and returns the results. */
import { nameOf } from '../harness/names.ts';
import { sendAtRate } from '../harness/open-loop.ts';
import { quantile } from '../harness/statistics.ts';
import { uniqueLink } from '../harness/values.ts';
import type { UniqueLinks } from '../harness/values.ts';

/** Paths that are requested in turn, or links with a unique text each. */
export type OverloadLinks =
  | readonly string[]
  | UniqueLinks
  /** `{name}` and `{number}` differ from link to link. */
  | { pattern: string; from: number };

export interface OverloadOrder {
  base: string;
  perSecond: number;
  seconds: number;
  links: OverloadLinks;
}

export interface OverloadAnswers {
  sent: number;
  byStatus: Record<number, { answers: number; p50: number; p99: number; max: number }>;
  /** Broken connections, missing responses, and refusals without `Retry-After`. */
  failures: number;
}

const order: OverloadOrder = JSON.parse(process.argv[2] ?? '{}');

// Names are made before the clock runs.
pathOf(order.links, Math.ceil(order.perSecond * order.seconds));
const { sent, latenciesMs, failures, withoutRetryAfter } = await sendAtRate({
  ...order,
  pathOf: (number) => pathOf(order.links, number),
});
const byStatus = Object.fromEntries(
  Object.entries(latenciesMs).map(([status, ms]) => [
    status,
    {
      answers: ms.length,
      p50: quantile(ms, 0.5),
      p99: quantile(ms, 0.99),
      max: quantile(ms, 1),
    },
  ]),
);
process.send?.({
  sent,
  byStatus,
  failures: failures + withoutRetryAfter,
} satisfies OverloadAnswers);
process.disconnect?.();

function pathOf(links: OverloadLinks, index: number): string {
  if ('templates' in links) return uniqueLink(links, index);
  if (!('pattern' in links)) return links[index % links.length] ?? '/';
  const number = links.from + index;
  const name = encodeURIComponent(nameOf(number));
  return links.pattern.replace('{name}', name).replace('{number}', String(number));
}
