/** A campaign is sent: every reader opens a link of their own at once. Nobody may get an error, and memory stays. */
import { formatMegabytes, formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import { watchMemory } from '../harness/memory.ts';
import { startService } from '../harness/service.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const connections = 200;
const amountOf: Record<Effort, number> = { quick: 800, normal: 20_000, long: 20_000 };
/** Renders before the burst, which fill the cache and the memory that V8 and the threads keep for themselves. */
const warmUpOf: Record<Effort, number> = { quick: 200, normal: 2000, long: 2000 };

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
    const warmUp = warmUpOf[effort];
    const links = { template: 'welcome-banner', extension: '.jpg' } as const;
    await runLoad({
      base: service.base,
      connections,
      amount: warmUp,
      links: { ...links, from: 1000 },
    });
    const memory = watchMemory(service);
    const load = await runLoad(
      { base: service.base, connections, amount, links: { ...links, from: 1000 + warmUp } },
      true,
    );
    const { beginning, end, peak } = await memory.stop();
    await service.close();

    const { p50, p99, max } = load.latencyMs;
    // A closed loop: each connection waits for the others' renders, so the queue is as long as there are connections.
    const waitMs = (connections / load.perSecond) * 1000;
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
          reached: p99 / waitMs,
          how: `p50 ${p50}, p99 ${p99}, most ${max} ms; ${connections} ÷ throughput is ${formatNumber(waitMs)} ms`,
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
