/** Throughput of a service with one core, two cores and so on, with as many render threads. */
import { availableParallelism } from 'node:os';
import { runLoad, warmUpOf } from '../harness/http-load.ts';
import { startService } from '../harness/service.ts';
import { median } from '../harness/statistics.ts';
import type { CoreRate, Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const amountOf: Record<Effort, number> = { quick: 100, normal: 500 };
const roundsOf: Record<Effort, number> = { quick: 1, normal: 3 };

export const cores: Scenario = {
  name: 'cores',
  words: ['scale'],
  programs: ['taskset'],
  needsPeers: false,
  async run(effort) {
    const coreRates: CoreRate[] = [];
    for (let count = 1; count <= availableParallelism(); count *= 2) {
      for (const format of ['jpeg', 'png'] as const) {
        coreRates.push(await measureRate(count, format, effort));
      }
    }
    return { measurements: [], coreRates };
  },
};

async function measureRate(
  count: number,
  format: CoreRate['format'],
  effort: Effort,
): Promise<CoreRate> {
  const service = await startService({ cores: count, threadCount: count });
  const extension = format === 'png' ? '.png' : '.jpg';
  await checkLinks(service, 'welcome-banner', format, extension);
  const amount = amountOf[effort];
  let from = 1000;
  const measure = async (images: number): Promise<number> => {
    const links = { templates: ['welcome-banner'], extension, from } as const;
    from += images;
    const order = { base: service.base, connections: 4 * count, amount: images, links };
    return (await runLoad(order)).perSecond;
  };
  await measure(warmUpOf[effort]);
  const rounds: number[] = [];
  for (let round = 0; round < roundsOf[effort]; round += 1) rounds.push(await measure(amount));
  await service.close();
  const [low, high] = [Math.min(...rounds), Math.max(...rounds)];
  return { format, cores: count, perSecond: median(rounds), low, high };
}
