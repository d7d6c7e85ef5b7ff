/** A campaign is sent: every reader opens a link of their own at once. Nobody may get an error, and memory stays. */
import { formatMegabytes, formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import type { LoadResult } from '../harness/http-load.ts';
import { copyRates, slowestOf } from '../harness/memory-pace.ts';
import { watchMemory } from '../harness/memory.ts';
import { startService } from '../harness/service.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const connections = 200;
const amountOf: Record<Effort, number> = { quick: 800, normal: 20_000, long: 20_000 };
/**
 * A burst right after the start, which is told of by itself: it fills the cache and the memory that V8 and the threads
 * keep for themselves, and until its end V8 compiles code anew.
 */
const firstOf: Record<Effort, number> = { quick: 200, normal: 8000, long: 8000 };

/** So small that it is full before the burst begins: what grows then is no cache. */
const cacheMegabytes = 32;

export const burst: Scenario = {
  name: 'burst',
  words: ['campaign'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ cacheMegabytes });
    await checkLinks(service, 'jpeg', '.jpg');
    const amount = amountOf[effort];
    const firstAmount = firstOf[effort];
    const links = { template: 'welcome-banner', extension: '.jpg' } as const;
    const first = await runLoad({
      base: service.base,
      connections,
      amount: firstAmount,
      links: { ...links, from: 1000 },
    });
    // A reader waits for as many pictures as there are connections: what the slowest of such windows takes is the p99.
    const windowMs = waitMsOf(first);
    const before = effort === 'quick' ? [] : await copyRates(windowMs);
    const memory = watchMemory(service);
    const load = await runLoad(
      { base: service.base, connections, amount, links: { ...links, from: 1000 + firstAmount } },
      true,
    );
    const { beginning, end, peak } = await memory.stop();
    await service.close();
    const wait = againstWait(load);
    const rates = [...before, ...(await copyRates(windowMs))];

    const sent = `${formatNumber(amount)} unique links over ${connections} connections (autocannon), ${formatNumber(load.perSecond)} images/s`;
    return {
      measurements: [
        {
          budget: 'burst-errors',
          reached: load.failures + (amount - load.failures - load.answers),
          how: sent,
        },
        {
          budget: 'burst-p99',
          reached: wait.reached,
          how:
            `${wait.how}. Right before and after it, threads that only copy memory, one a core, took ` +
            `${formatNumber(slowestOf(rates))} times as long as on average in the slowest of ${rates.length} such windows`,
        },
        {
          budget: 'first-burst-p99',
          ...againstWait(first),
        },
        {
          budget: 'burst-memory',
          reached: end / beginning,
          how:
            `median of its last quarter against that of its first: ${formatMegabytes(end)} against ${formatMegabytes(beginning)}, ` +
            `most ${formatMegabytes(peak)}; ${cacheMegabytes} MB of cache, full before it begins`,
        },
      ],
    };
  },
};

function waitMsOf({ perSecond }: Pick<LoadResult, 'perSecond'>): number {
  return (connections / perSecond) * 1000;
}

/** A closed loop: each connection waits for the others' renders, so the queue is as long as there are connections. */
function againstWait({ perSecond, latencyMs }: LoadResult): { reached: number; how: string } {
  const { p50, p99, max } = latencyMs;
  const waitMs = waitMsOf({ perSecond });
  const how =
    `${formatNumber(perSecond)} images/s, p50 ${p50}, p99 ${p99}, most ${max} ms; ` +
    `${connections} ÷ throughput is ${formatNumber(waitMs)} ms`;
  return { reached: p99 / waitMs, how };
}
