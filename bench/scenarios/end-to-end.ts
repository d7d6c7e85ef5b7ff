/**
 * The whole service over HTTP, with a different link each time, beside libraries that draw the same banner in-process.
 */
import { availableParallelism } from 'node:os';
import { checkImages, checkPainter } from '../harness/check-image.ts';
import type { Comparison } from '../harness/compare-rounds.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeComparison, formatNumber } from '../harness/format-number.ts';
import { publishHeadlineBanner } from '../harness/headline-banner.ts';
import { runLoad, warmUpOf } from '../harness/http-load.ts';
import { startPeer } from '../harness/painter.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import type { Banner } from '../harness/values.ts';
import { linkOf } from '../harness/values.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** Of both banners. */
export const bannerSize = { width: 1200, height: 630 };

/** Concurrent images, on both sides. */
export const concurrency = 2 * availableParallelism();

/** Links whose images are checked: two names of each of the ten scripts. */
const checkedLinks = 20;

/** Images of a round. Those of the peers take as long. */
const amountOf: Record<Effort, { platen: number; peer: number }> = {
  quick: { platen: 100, peer: 40 },
  normal: { platen: 1000, peer: 160 },
};
const roundsOf: Record<Effort, number> = { quick: 2, normal: 7 };

const cases = [
  { budget: 'http-jpeg', peerName: '@napi-rs/canvas', format: 'jpeg', extension: '.jpg' },
  { budget: 'http-png', peerName: 'takumi', format: 'png', extension: '.png' },
] as const;
type Case = (typeof cases)[number];

export const endToEndScenarios: readonly Scenario[] = cases.map((each) => ({
  name: each.budget,
  words: ['http', 'end-to-end', each.peerName],
  programs: [],
  needsPeers: true,
  run: async (effort) => ({ measurements: [await measure(each, effort)] }),
}));

async function measure(each: Case, effort: Effort): Promise<Measurement> {
  const service = await startService();
  await publishHeadlineBanner(service);
  const compared: [Banner, Comparison][] = [];
  const warmUps: string[] = [];
  for (const template of ['welcome-banner', 'headline-banner'] as const) {
    const { first, comparison } = await compareBanner(service, template, each, effort);
    compared.push([template, comparison]);
    warmUps.push(`${formatNumber(first)} images/s of \`${template}\``);
  }
  await service.close();
  const details = compared.map(
    ([template, comparison]) =>
      `\`${template}\` ${formatNumber(comparison.ratio)}×: ${describeComparison(comparison, each.peerName, 'images/s')}`,
  );
  return {
    budget: each.budget,
    reached: Math.min(...compared.map(([, { ratio }]) => ratio)),
    how:
      `${details.join('. ')}. ${formatNumber(warmUpOf[effort])} images of each were drawn before. ` +
      `The first ${formatNumber(amountOf[effort].platen)} of each after a start: ${warmUps.join(', then ')}. ` +
      `${concurrency} at a time; the client (autocannon) runs on the same cores as the service`,
  };
}

async function compareBanner(
  service: Service,
  template: Banner,
  { peerName, format, extension }: Case,
  effort: Effort,
): Promise<{ first: number; comparison: Comparison }> {
  const peer = await startPeer(peerName, { template, photos: [] });
  const image = await checkLinks(service, template, format, extension);
  await checkPainter(peer, { format, ...bannerSize }, checkedLinks, image);

  const { platen, peer: peerAmount } = amountOf[effort];
  let from = 1000;
  const measurePlaten = async (amount = platen): Promise<number> => {
    const links = { templates: [template], extension, from };
    from += amount;
    const order = { base: service.base, connections: concurrency, amount, links };
    return (await runLoad(order)).perSecond;
  };
  const measurePeer = async (): Promise<number> =>
    (peerAmount / (await peer.round(format, peerAmount, concurrency)).ms) * 1000;
  const first = await measurePlaten();
  await measurePlaten(warmUpOf[effort]);
  await measurePeer();
  const comparison = await compareRounds(roundsOf[effort], () => measurePlaten(), measurePeer);
  await peer.close();
  return { first, comparison };
}

/** Checks that links return different images of the right kind. Returns the first, of number 0. */
export async function checkLinks(
  service: Service,
  template: Banner,
  format: 'jpeg' | 'png',
  extension: string,
): Promise<Uint8Array> {
  const images: Uint8Array[] = [];
  for (let number = 0; number < checkedLinks; number += 1) {
    const link = linkOf(template, number, extension);
    const { status, headers, bytes } = await fetchAnswer(service.base + link);
    const type = headers.get('content-type');
    if (status !== 200 || type !== `image/${format}`)
      throw new Error(`The service answered ${link} with ${status} and ${type}.`);
    images.push(bytes);
  }
  await checkImages('The service', images, { format, ...bannerSize });
  return images[0] ?? new Uint8Array();
}
