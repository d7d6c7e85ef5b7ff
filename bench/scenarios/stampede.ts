/** Many clients request the same image, which was never requested before. */
import { checkImage } from '../harness/check-image.ts';
import { formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import { ask, startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import type { Effort, Scenario } from '../scenario.ts';

const amountOf: Record<Effort, number> = { quick: 1000, normal: 5000, long: 5000 };

export const stampede: Scenario = {
  name: 'stampede',
  words: ['flight'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({});
    const link = linkOf('welcome-banner', 1, '.jpg');
    const amount = amountOf[effort];
    // Each has one request, so that none arrives after the render by waiting for another.
    const connections = amount;
    const drawn = (how: string): Promise<number> =>
      service.metric(`platen_pictures_drawn_total{drawn="${how}"}`);
    const load = await runLoad({ base: service.base, connections, amount, links: link });
    const images = (await drawn('whole')) + (await drawn('plan'));
    const shared = await service.metric('platen_renders_total{cache="shared"}');
    const claim = { format: 'jpeg', width: 1200, height: 630 } as const;
    await checkImage('The service', await ask(service, link, 50), claim);
    await service.close();
    return {
      measurements: [
        {
          budget: 'stampede',
          reached: images,
          how:
            `${formatNumber(amount)} requests over ${formatNumber(connections)} connections (autocannon); ` +
            `${formatNumber(shared)} waited for the one render, most ${formatNumber(load.latencyMs.max)} ms`,
        },
      ],
    };
  },
};
