/** Memory after very many renders, each with a text that was never requested before. */
import { formatMegabytes, formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import { watchMemory } from '../harness/memory.ts';
import { startService } from '../harness/service.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

/** Renders before the first sample of memory, and before the last. */
const rendersOf: Record<Effort, { first: number; last: number }> = {
  quick: { first: 100, last: 1000 },
  normal: { first: 2000, last: 20_000 },
  long: { first: 20_000, last: 200_000 },
};

/** Share of the renders before the first sample during which memory is watched, and as many at the end. */
const watchedPart = 0.25;

const connections = 16;
/** Full before the first sample, so that later growth is not the cache. */
const cacheMegabytes = 32;

export const memory: Scenario = {
  name: 'memory',
  words: ['leak'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ cacheMegabytes });
    await checkLinks(service, 'jpeg', '.jpg');
    const { first, last } = rendersOf[effort];
    const watched = Math.round(first * watchedPart);
    let rendered = 0;
    const render = async (amount: number): Promise<void> => {
      const links = {
        template: 'welcome-banner',
        extension: '.jpg',
        from: 1000 + rendered,
      } as const;
      rendered += amount;
      await runLoad({ base: service.base, connections, amount, links });
    };
    const look = async (): Promise<number> => {
      const watch = watchMemory(service);
      await render(watched);
      const { beginning, end } = await watch.stop();
      return (beginning + end) / 2;
    };
    await render(first - watched);
    const before = await look();
    await render(last - first - watched);
    const after = await look();
    await service.close();
    return {
      measurements: [
        {
          // The bar is for very many renders: a shorter run must not have its row.
          budget: effort === 'long' ? 'memory' : 'short-memory',
          reached: after / before,
          how:
            `${formatMegabytes(after)} after ${formatNumber(last)} renders against ${formatMegabytes(before)} after ` +
            `${formatNumber(first)}; ${cacheMegabytes} MB of cache, full before the first sample`,
        },
      ],
    };
  },
};
