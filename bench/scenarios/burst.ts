/** A campaign is sent: every contact opens a unique link at once, over 200 connections. */
import { formatNumber } from '../harness/format-number.ts';
import type { LoadResult } from '../harness/http-load.ts';
import { runLoad, warmUpOf } from '../harness/http-load.ts';
import { startService } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const connections = 200;
const amountOf: Record<Effort, number> = { quick: 600, normal: 4000 };
const roundsOf: Record<Effort, number> = { quick: 1, normal: 3 };
/** So small that it is full before the first burst: evictions are part of each render. */
const cacheMegabytes = 32;

export const burst: Scenario = {
  name: 'burst',
  words: ['campaign', 'main-thread'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ cacheMegabytes });
    await checkLinks(service, 'welcome-banner', 'jpeg', '.jpg');
    const amount = amountOf[effort];
    let from = 1000;
    const send = async (images: number): Promise<LoadResult> => {
      const links = { templates: ['welcome-banner'], extension: '.jpg', from } as const;
      from += images;
      const { base, pid } = service;
      return runLoad({ base, pid, connections, amount: images, links }, true);
    };
    await send(warmUpOf[effort]);
    const loads: LoadResult[] = [];
    for (let round = 0; round < roundsOf[effort]; round += 1) loads.push(await send(amount));
    await service.close();
    const failures = loads.reduce((sum, load) => sum + load.failures, 0);
    const mainThreadMs = loads.map((load) => load.mainThreadMs / amount);
    const waits = loads.map(againstWait);
    const bursts = `${loads.length} bursts of ${formatNumber(amount)} unique links, \`welcome-banner\` JPEG (autocannon)`;
    const perSecond = median(loads.map((load) => load.perSecond));
    return {
      measurements: [
        {
          budget: 'main-thread',
          reached: median(mainThreadMs),
          how:
            `median of ${bursts}, ${formatNumber(Math.min(...mainThreadMs))} to ${formatNumber(Math.max(...mainThreadMs))} ms; ` +
            `without helper threads of V8; ${formatNumber(perSecond)} images/s`,
        },
        {
          budget: 'burst-p99',
          reached: median(waits.map(({ ratio }) => ratio)),
          how:
            `median of ${bursts}: ${waits.map(({ ratio, how }) => `${formatNumber(ratio)} (${how})`).join('; ')}; ` +
            `${formatNumber(failures)} responses were not images`,
        },
      ],
    };
  },
};

/**
 * A closed loop: each connection waits for the others' renders, so the queue is as long as the number of connections. A
 * request without an image waits forever.
 */
function againstWait(load: LoadResult): { ratio: number; how: string } {
  const { perSecond, answers, failures } = load;
  const waitMs = (connections / perSecond) * 1000;
  const p99 = failures > (answers + failures) / 100 ? Infinity : load.latencyMs.p99;
  const how = `p99 ${formatNumber(p99)}, ${connections} ÷ throughput ${formatNumber(waitMs)} ms`;
  return { ratio: p99 / waitMs, how };
}
