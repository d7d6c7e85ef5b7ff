/** The other side of an overload, in a process of its own: asks at a fixed rate and says what came of it. */
import { quantile, sendAtRate } from '../harness/open-loop.ts';
import { linkOf } from '../harness/values.ts';
import type { MeasuredTemplate } from '../harness/values.ts';

export interface OverloadOrder {
  base: string;
  perSecond: number;
  seconds: number;
  /** Paths that are asked for in turn, or links that each have a text of their own, numbered from `from` on. */
  links: readonly string[] | { template: MeasuredTemplate; extension: string; from: number };
}

export interface OverloadAnswers {
  sent: number;
  byStatus: Record<number, { answers: number; p50: number; p99: number; max: number }>;
  /** Broken connections, missing answers, and refusals that do not say when to come back. */
  failures: number;
}

const order: OverloadOrder = JSON.parse(process.argv[2] ?? '{}');
const { links } = order;
const pathOf = (number: number): string =>
  'template' in links
    ? linkOf(links.template, links.from + number, links.extension)
    : (links[number % links.length] ?? '/');

const { sent, latenciesMs, failures, withoutRetryAfter } = await sendAtRate({ ...order, pathOf });
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
