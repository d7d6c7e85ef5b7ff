/** Ten times as many new links as can be rendered, and beside them requests for an image in memory. */
import { availableParallelism } from 'node:os';
import { startBareServer } from '../harness/bare-server.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeLatencies, sendFlood } from '../harness/flood.ts';
import { formatNumber } from '../harness/format-number.ts';
import { runLoad, warmUpOf } from '../harness/http-load.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import type { OverloadAnswers } from '../programs/overload-side.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const secondsOf: Record<Effort, number> = { quick: 5, normal: 45 };
/** Seconds of the flood on the bare server, and the images beside it. */
const besideSecondsOf: Record<Effort, number> = { quick: 3, normal: 12 };
const capacityAmountOf: Record<Effort, number> = { quick: 400, normal: 2000 };
const overloadFactor = 10;
/** Requests a second that need no render host: enough for a 99th percentile, too few to be a load. */
const besidePerSecond = 100;
/** So small that it is full at once: an image that is requested again and again must stay even so. */
const cacheMegabytes = 32;

const links = { templates: ['welcome-banner'], extension: '.jpg' } as const;
const noAnswers = { answers: 0, p50: 0, p99: 0, max: 0 };

export const overload: Scenario = {
  name: 'overload',
  words: ['goodput', '503'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ cacheMegabytes });
    await checkLinks(service, 'welcome-banner', 'jpeg', '.jpg');
    const kept = linkOf('welcome-banner', 0, '.jpg');
    const amount = capacityAmountOf[effort];
    const connections = 4 * availableParallelism();
    let from = 1000;
    const measureCapacity = async (images = amount): Promise<number> => {
      const order = { base: service.base, connections, amount: images, links: { ...links, from } };
      from += images;
      return (await runLoad(order)).perSecond;
    };
    await measureCapacity(warmUpOf[effort]);
    const capacity = await measureCapacity();
    const seconds = secondsOf[effort];
    const perSecond = capacity * overloadFactor;
    const bare = await startBareServer(Buffer.from('an image'));
    // The flood comes from this machine: the time of its client and the kernel is not the fault of either server.
    const measureBeside = async (): Promise<number> => {
      const order = { base: bare.base, perSecond, seconds: besideSecondsOf[effort] };
      const flood = sendFlood({ ...order, links: ['/refused'] });
      const [beside] = await Promise.all([measureCapacity(), flood]);
      return beside;
    };
    const besideBefore = await measureBeside();
    const [flood, hits] = await Promise.all([
      sendFlood({ base: service.base, perSecond, seconds, links: { ...links, from } }),
      sendFlood({ base: service.base, perSecond: besidePerSecond, seconds, links: [kept] }),
      watchHealth(service, seconds),
    ]);
    from += Math.ceil(perSecond * seconds);
    const besideAfter = await measureBeside();
    await bare.close();
    await service.close();
    checkAnswers(flood, hits);

    const served = flood.byStatus[200] ?? noAnswers;
    const refused = flood.byStatus[503] ?? noAnswers;
    const goodput = served.answers / (seconds + served.p50 / 1000);
    const besideCapacity = (besideBefore + besideAfter) / 2;
    return {
      measurements: [
        {
          budget: 'overload-goodput',
          reached: goodput / besideCapacity,
          how:
            `${formatNumber(perSecond)} new links a second for ${seconds} s; capacity ${formatNumber(capacity)}/s, ` +
            `beside the bare server ${formatNumber(besideBefore)} before and ${formatNumber(besideAfter)} after; ` +
            `${formatNumber(goodput)} images/s (${describeLatencies(served)}), ${formatNumber(refused.answers / seconds)} refusals/s ` +
            `(${describeLatencies(refused)}); ${besidePerSecond} hits a second beside it (${describeLatencies(hits.byStatus[200] ?? noAnswers)})`,
        },
      ],
    };
  },
};

/** Throws unless every link was answered with an image or a 503 with `Retry-After`, and every hit with its image. */
function checkAnswers(flood: OverloadAnswers, hits: OverloadAnswers): void {
  const answered = (flood.byStatus[200]?.answers ?? 0) + (flood.byStatus[503]?.answers ?? 0);
  const wrong = flood.sent - answered + hits.sent - (hits.byStatus[200]?.answers ?? 0);
  if (wrong + flood.failures + hits.failures === 0) return;
  const statuses = [flood, hits].map(({ byStatus }) =>
    Object.entries(byStatus).map(([status, { answers }]) => `${answers} × ${status}`),
  );
  throw new Error(
    `${wrong} of ${flood.sent + hits.sent} requests had another answer than an image or a 503: ` +
      `flood ${statuses[0]?.join(', ')}, hits ${statuses[1]?.join(', ')}.`,
  );
}

/** Throws unless the service reports all the time that it is alive and ready. */
async function watchHealth(service: Service, seconds: number): Promise<void> {
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await fetchAnswer(service.base + path);
      if (status !== 200) throw new Error(`${path} was answered with ${status} under load.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
