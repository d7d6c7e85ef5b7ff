/** One render thread of the service beside one thread that draws and encodes the same image with skia-canvas. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { BudgetId } from '../budgets.ts';
import { checkPainter } from '../harness/check-image.ts';
import { temporaryFolder } from '../harness/children.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { describeComparison, formatNumber } from '../harness/format-number.ts';
import type { Painter, PainterOptions } from '../harness/painter.ts';
import { startPlatenPainter, startPeer } from '../harness/painter.ts';
import { createRandom } from '../stages/random-text.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** Renders of one round on each side. */
const countOf: Record<Effort, { own: number; peer: number }> = {
  quick: { own: 20, peer: 8 },
  normal: { own: 120, peer: 40 },
  long: { own: 240, peer: 80 },
};
const roundsOf: Record<Effort, number> = { quick: 2, normal: 9, long: 15 };

/** Different photos that alternate; each counts as a new one. */
const photoCount = 12;

/** The work that the time of the service's side includes. */
const inIt: Record<Case['photos'], string> = {
  own: 'Includes all work of a thread (`renderJob`), over the base render of the template',
  kept:
    'Includes all work of a thread (`renderJob`): layout, the search for base renders and the comparison with that of the template, ' +
    'paint and encoding of everything; no photo is used twice, so none has a base render',
  new: 'Includes the same and decoding the photo at its drawn size, without fetching it',
};

interface Case {
  budget: BudgetId;
  template: PainterOptions['template'];
  format: 'jpeg' | 'png';
  photos: 'own' | 'kept' | 'new';
}

const banner = { width: 1200, height: 630 };
const card = { width: 800, height: 1000 };

const cases: readonly Case[] = [
  { budget: 'text-jpeg', template: 'welcome-banner', format: 'jpeg', photos: 'own' },
  { budget: 'text-png-card', template: 'product-card', format: 'png', photos: 'own' },
  { budget: 'text-png-banner', template: 'welcome-banner', format: 'png', photos: 'own' },
  { budget: 'photo-jpeg', template: 'welcome-banner', format: 'jpeg', photos: 'kept' },
  { budget: 'new-photo-jpeg', template: 'welcome-banner', format: 'jpeg', photos: 'new' },
];

export const threadScenarios: readonly Scenario[] = cases.map((each) => ({
  name: each.budget,
  words: ['thread', 'threads', 'skia-canvas'],
  programs: [],
  needsPeers: false,
  run: async (effort) => ({ measurements: [await measure(each, effort)] }),
}));

async function measure(each: Case, effort: Effort): Promise<Measurement> {
  const { template, format } = each;
  const photos = each.photos === 'own' ? [] : await makePhotos();
  const options = { template, photos, keepsPhotos: each.photos === 'kept' };
  const [own, plain, tuned] = await Promise.all([
    startPlatenPainter(options),
    startPeer('skia-canvas', options),
    startPeer('skia-canvas, tuned', options),
  ]);
  const claim = { format, ...(template === 'product-card' ? card : banner) };
  const image = await checkPainter(own, claim);
  for (const painter of [plain, tuned]) await checkPainter(painter, claim, image);

  const { own: platenCount, peer: peerCount } = countOf[effort];
  for (const [painter, count] of [
    [own, platenCount],
    [plain, peerCount],
    [tuned, peerCount],
  ] as const) {
    await perSecond(painter, format, count);
  }
  const rounds = roundsOf[effort];
  const compared = await compareRounds(
    rounds,
    () => perSecond(own, format, platenCount),
    () => perSecond(plain, format, peerCount),
  );
  const withTuned = await compareRounds(
    Math.ceil(rounds / 3),
    () => perSecond(own, format, platenCount),
    () => perSecond(tuned, format, peerCount),
  );
  const detail = await describeCost(own, plain, format, peerCount);
  const secondLinks =
    each.photos === 'kept' ? await describeSecondLinks(options, plain, format, effort) : '';
  for (const painter of [own, plain, tuned]) await painter.close();
  return {
    budget: each.budget,
    reached: compared.ratio,
    how:
      `${describeComparison(compared, 'skia-canvas', 'renders/s')}; ${detail}. ` +
      `${inIt[each.photos]}. ` +
      `Against a tuned skia-canvas (photo scaled beforehand${format === 'jpeg' ? ', 4:2:0' : ''}): ${formatNumber(withTuned.ratio)}×${secondLinks}`,
  };
}

/**
 * The cost of a base render: two links use each photo, and the second makes a base render that only a third would use.
 */
async function describeSecondLinks(
  options: PainterOptions,
  peer: Painter,
  format: Case['format'],
  effort: Effort,
): Promise<string> {
  const pairs = await startPlatenPainter({ ...options, linksAPhoto: 2 });
  await checkPainter(pairs, { format, ...banner });
  const counts = countOf[effort];
  await perSecond(pairs, format, counts.own);
  const { ratio } = await compareRounds(
    Math.ceil(roundsOf[effort] / 3),
    () => perSecond(pairs, format, counts.own),
    () => perSecond(peer, format, counts.peer),
  );
  await pairs.close();
  return `; if two links use each photo, of which the second makes its base render: ${formatNumber(ratio)}×`;
}

async function perSecond(painter: Painter, format: Case['format'], count: number): Promise<number> {
  return (count / (await painter.round(format, count, 1)).ms) * 1000;
}

/** CPU time and bytes of one image: background threads do not improve the figure. */
async function describeCost(
  own: Painter,
  peer: Painter,
  format: Case['format'],
  count: number,
): Promise<string> {
  const [a, b] = [await own.round(format, count, 1), await peer.round(format, count, 1)];
  const each = (value: number): string => formatNumber(value / count);
  return (
    `processor time ${each(a.cpuMs)} against ${each(b.cpuMs)} ms, ` +
    `size ${each(a.bytes / 1000)} against ${each(b.bytes / 1000)} KB an image`
  );
}

/** Photos as users upload them: 1600 × 840 parts of the samples, each lit differently. */
async function makePhotos(): Promise<string[]> {
  const random = createRandom(5);
  const folder = temporaryFolder();
  const samples = ['coast', 'stage', 'fabric', 'mug'];
  const makes = Array.from({ length: photoCount }, async (_, index) => {
    const source = `${samples[index % samples.length]}.jpg`;
    const path = join(folder, `${index}.jpg`);
    await sharp(join(import.meta.dirname, '../../data/templates/pictures', source))
      .resize(1600, 840, { fit: 'cover' })
      .modulate({ brightness: 0.8 + random() * 0.4, hue: Math.floor(random() * 360) })
      .jpeg({ quality: 88 })
      .toFile(path);
    return path;
  });
  return Promise.all(makes);
}
