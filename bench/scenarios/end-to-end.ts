/**
 * The whole service over HTTP, with a different link each time, beside libraries that draw the same banner in-process.
 */
import { availableParallelism } from 'node:os';
import type { BudgetId } from '../budgets.ts';
import { checkDifferent, checkPainter, checkImage } from '../harness/check-image.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeComparison } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import { startPeer } from '../harness/painter.ts';
import type { Service } from '../harness/service.ts';
import { ask, startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** Of `welcome-banner`. */
const size = { width: 1200, height: 630 };

/** Concurrent images, on both sides. */
export const concurrency = 2 * availableParallelism();

const amountOf: Record<Effort, { own: number; peer: number }> = {
  quick: { own: 100, peer: 40 },
  normal: { own: 1500, peer: 400 },
  long: { own: 3000, peer: 800 },
};
const roundsOf: Record<Effort, number> = { quick: 2, normal: 7, long: 9 };

const cases = [
  { budget: 'http-jpeg', peerName: '@napi-rs/canvas', format: 'jpeg', extension: '.jpg' },
  { budget: 'http-png', peerName: 'takumi', format: 'png', extension: '.png' },
] as const;

export const endToEndScenarios: readonly Scenario[] = cases.map((each) => ({
  name: each.budget,
  words: ['http', 'end-to-end', each.peerName],
  programs: [],
  needsPeers: true,
  run: async (effort) => ({ measurements: [await measure(each, effort)] }),
}));

async function measure(
  { budget, peerName, format, extension }: (typeof cases)[number] & { budget: BudgetId },
  effort: Effort,
): Promise<Measurement> {
  const service = await startService();
  const peer = await startPeer(peerName, {
    template: 'welcome-banner',
    photos: [],
    keepsPhotos: false,
  });
  const image = await checkLinks(service, format, extension);
  await checkPainter(peer, { format, ...size }, image);

  const { own, peer: peerAmount } = amountOf[effort];
  let from = 1000;
  const measureOwn = async (): Promise<number> => {
    const links = { template: 'welcome-banner', extension, from } as const;
    from += own;
    return (await runLoad({ base: service.base, connections: concurrency, amount: own, links }))
      .perSecond;
  };
  const measurePeer = async (): Promise<number> =>
    (peerAmount / (await peer.round(format, peerAmount, concurrency)).ms) * 1000;
  await measureOwn();
  await measurePeer();
  const compared = await compareRounds(roundsOf[effort], measureOwn, measurePeer);
  await peer.close();
  await service.close();
  return {
    budget,
    reached: compared.ratio,
    how:
      `\`welcome-banner\`, ${concurrency} at a time, ${describeComparison(compared, peerName, 'images/s')}; ` +
      'the client (autocannon) runs on the same cores as the service',
  };
}

/** Checks that two links return two images of the right kind. Returns the first, of number 1. */
export async function checkLinks(
  service: Service,
  format: 'jpeg' | 'png',
  extension: string,
): Promise<Uint8Array> {
  const claim = { format, ...size };
  const link = service.base + linkOf('welcome-banner', 1, extension);
  const { headers, bytes: first } = await fetchAnswer(link);
  const type = headers.get('content-type');
  if (type !== `image/${format}`) throw new Error(`The service sent ${type} for ${extension}.`);
  const second = await ask(service, linkOf('welcome-banner', 2, extension), 50);
  for (const image of [first, second]) await checkImage('The service', image, claim);
  await checkDifferent('The service', first, second);
  return first;
}
