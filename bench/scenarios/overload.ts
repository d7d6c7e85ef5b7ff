/** Ten times as many new links as can be rendered, for a minute, and beside them requests for images in memory. */
import { availableParallelism } from 'node:os';
import { startBareServer } from '../harness/bare-server.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeLatencies, sendFlood } from '../harness/flood.ts';
import { formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import type { Service } from '../harness/service.ts';
import { ask, startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { checkLinks } from './end-to-end.ts';

const secondsOf: Record<Effort, number> = { quick: 5, normal: 60, long: 60 };
/** Seconds of the flood on the bare server: longer than the images beside it take. */
const besideSecondsOf: Record<Effort, number> = { quick: 3, normal: 15, long: 15 };
/** Images by which the capacity is measured, in the same way as in the scenarios of HTTP end to end. */
const capacityAmountOf: Record<Effort, number> = { quick: 400, normal: 3000, long: 3000 };
const overloadFactor = 10;
/** Requests a second that need no thread: enough for a 99th percentile, too few to be a load. */
const besidePerSecond = 100;
/** The service's default. */
const deadlineMs = 10_000;
/** So small that it is full at once: an image that is requested again and again must stay even so. */
const cacheMegabytes = 32;

const links = { template: 'welcome-banner', extension: '.jpg' } as const;

export const overload: Scenario = {
  name: 'overload',
  words: ['goodput', '503'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const service = await startService({ cacheMegabytes });
    await checkLinks(service, 'jpeg', '.jpg');
    const kept = linkOf('welcome-banner', 1, '.jpg');
    await ask(service, kept, 50);
    const amount = capacityAmountOf[effort];
    const connections = 4 * availableParallelism();
    let from = 1000;
    const measureCapacity = async (): Promise<number> => {
      const { perSecond } = await runLoad({
        base: service.base,
        connections,
        amount,
        links: { ...links, from },
      });
      from += amount;
      return perSecond;
    };
    await measureCapacity();
    const capacity = await measureCapacity();
    const seconds = secondsOf[effort];
    const perSecond = capacity * overloadFactor;
    const bare = await startBareServer(Buffer.from('an image'));
    // The flood comes from this machine: the time of its client and the kernel is not the fault of either server.
    const measureBeside = async (): Promise<number> => {
      const flood = sendFlood({
        base: bare.base,
        perSecond,
        seconds: besideSecondsOf[effort],
        links: ['/refused'],
      });
      const beside = await measureCapacity();
      await flood;
      return beside;
    };
    const besideBefore = await measureBeside();
    const [flood, hits] = await Promise.all([
      sendFlood({ base: service.base, perSecond, seconds, links: { ...links, from } }),
      sendFlood({ base: service.base, perSecond: besidePerSecond, seconds, links: [kept] }),
      watchHealth(service, seconds),
    ]);
    const besideCapacity = (besideBefore + (await measureBeside())) / 2;
    await bare.close();
    await service.close();

    const served = flood.byStatus[200] ?? { answers: 0, p50: 0, p99: 0, max: 0 };
    const refused = flood.byStatus[503] ?? { answers: 0, p50: 0, p99: 0, max: 0 };
    const hit = hits.byStatus[200] ?? { answers: 0, p50: 0, p99: Infinity, max: Infinity };
    const goodput = served.answers / (seconds + served.p50 / 1000);
    const wrong = flood.sent - served.answers - refused.answers + (hits.sent - hit.answers);
    const sent = `${formatNumber(perSecond)} new links a second for ${seconds} s, ${formatNumber(overloadFactor)} times the capacity of ${formatNumber(capacity)}/s`;
    return {
      measurements: [
        {
          budget: 'overload-goodput',
          reached: goodput / besideCapacity,
          how: `${sent}, ${formatNumber(besideCapacity)}/s beside the bare server; ${formatNumber(goodput)} images/s, ${formatNumber(refused.answers / seconds)} refusals/s (${describeLatencies(refused)})`,
        },
        {
          budget: 'overload-undisturbed',
          reached: goodput / capacity,
          how: `${formatNumber(goodput)} against ${formatNumber(capacity)} images/s`,
        },
        {
          budget: 'overload-p99',
          reached: served.p99 / deadlineMs,
          how: `${formatNumber(served.answers)} images, ${describeLatencies(served)}; the deadline is ${formatNumber(deadlineMs)} ms`,
        },
        {
          budget: 'overload-hits',
          reached: hit.p99,
          how: `${besidePerSecond} hits a second beside it, ${describeLatencies(hit)}`,
        },
        {
          budget: 'overload-errors',
          reached: wrong + flood.failures + hits.failures,
          how: `of ${formatNumber(flood.sent + hits.sent)} requests; 503 with \`Retry-After\` is none`,
        },
      ],
    };
  },
};

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
