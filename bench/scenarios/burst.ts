/** A campaign is sent: every contact opens a unique link at once. No request may fail, and memory must not grow. */
import { median } from '../harness/compare-rounds.ts';
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
 * A burst right after the start, which is reported separately. It fills the cache and the memory that V8 and the
 * threads keep, and V8 compiles code until its end.
 */
const firstOf: Record<Effort, number> = { quick: 200, normal: 8000, long: 8000 };

/** Bursts after it: other guests of the machine slow down one or another. */
const roundsOf: Record<Effort, number> = { quick: 1, normal: 3, long: 5 };

/** So small that it is full before the burst starts, so that growth during the burst is not the cache. */
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
    // A request waits for as many images as there are connections, so the slowest of such windows gives the p99.
    const windowMs = waitMsOf(first);
    const before = effort === 'quick' ? [] : await copyRates(windowMs);
    const memory = watchMemory(service);
    const loads: LoadResult[] = [];
    for (let round = 0; round < roundsOf[effort]; round += 1) {
      const from = 1000 + firstAmount + round * amount;
      loads.push(
        await runLoad({ base: service.base, connections, amount, links: { ...links, from } }, true),
      );
    }
    const { beginning, end, peak } = await memory.stop();
    await service.close();
    const waits = loads.map((load) => againstWait(load));
    const ratios = waits.map(({ reached }) => reached);
    const rates = [...before, ...(await copyRates(windowMs))];
    const failures = loads.map((load) => amount - load.answers);

    return {
      measurements: [
        {
          budget: 'burst-errors',
          reached: failures.reduce((sum, count) => sum + count, 0),
          how: `${loads.length} bursts of ${formatNumber(amount)} unique links over ${connections} connections (autocannon)`,
        },
        {
          budget: 'burst-p99',
          reached: median(ratios),
          how:
            `median of ${loads.length} bursts: ${waits.map(({ reached, how }) => `${formatNumber(reached)} (${how})`).join('; ')}. ` +
            `Right before and after them, threads that only copy memory, one a core, took ` +
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

/**
 * A closed loop: each connection waits for the others' renders, so the queue is as long as the number of connections.
 */
function againstWait({ perSecond, latencyMs }: LoadResult): { reached: number; how: string } {
  const { p50, p99, max } = latencyMs;
  const waitMs = waitMsOf({ perSecond });
  const how =
    `${formatNumber(perSecond)} images/s, p50 ${p50}, p99 ${p99}, most ${max} ms; ` +
    `${connections} ÷ throughput is ${formatNumber(waitMs)} ms`;
  return { reached: p99 / waitMs, how };
}
