/** One render thread of the service beside one thread that draws and encodes the same picture with skia-canvas. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { BudgetId } from '../budgets.ts';
import { checkDifferent, checkPicture, differenceOf } from '../harness/check-picture.ts';
import { temporaryFolder } from '../harness/children.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { describeComparison, formatNumber } from '../harness/format-number.ts';
import type { Painter, PainterOptions } from '../harness/painter.ts';
import { startOwnPainter, startPeer } from '../harness/painter.ts';
import { createRandom } from '../stages/random-text.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** Renders of one round on each side. */
const countOf: Record<Effort, { own: number; peer: number }> = {
  quick: { own: 20, peer: 8 },
  normal: { own: 120, peer: 40 },
  long: { own: 240, peer: 80 },
};
const roundsOf: Record<Effort, number> = { quick: 2, normal: 9, long: 15 };

/** Mean difference of 255 that two engines' drawings of one template may have, seen from far away. */
const differenceMax = 3;

/** Different photos that take turns; each counts as one that was never seen. */
const photoCount = 12;

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
    startOwnPainter(options),
    startPeer('skia-canvas', options),
    startPeer('skia-canvas, tuned', options),
  ]);
  for (const painter of [plain, tuned]) await checkPair(own, painter, each);

  const { own: ownCount, peer: peerCount } = countOf[effort];
  const perSecond = async (painter: Painter, count: number): Promise<number> =>
    (count / (await painter.round(format, count, 1)).ms) * 1000;
  for (const [painter, count] of [
    [own, ownCount],
    [plain, peerCount],
    [tuned, peerCount],
  ] as const) {
    await painter.round(format, count, 1);
  }
  const rounds = roundsOf[effort];
  const compared = await compareRounds(
    rounds,
    () => perSecond(own, ownCount),
    () => perSecond(plain, peerCount),
  );
  const withTuned = await compareRounds(
    Math.ceil(rounds / 3),
    () => perSecond(own, ownCount),
    () => perSecond(tuned, peerCount),
  );
  const detail = await describeCost(own, plain, format, peerCount);
  for (const painter of [own, plain, tuned]) await painter.close();
  return {
    budget: each.budget,
    reached: compared.ratio,
    how:
      `${describeComparison(compared, 'skia-canvas', 'renders/s')}; ${detail}. ` +
      `Against a tuned skia-canvas (photo scaled beforehand${format === 'jpeg' ? ', 4:2:0' : ''}): ${formatNumber(withTuned.ratio)}×`,
  };
}

/** Processor time and bytes of one picture: no thread in the background works for the figure. */
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
    `size ${each(a.bytes / 1000)} against ${each(b.bytes / 1000)} KB a picture`
  );
}

/** Both draw the template, each number differently, and both the same for one number. */
async function checkPair(own: Painter, peer: Painter, each: Case): Promise<void> {
  const { format, template } = each;
  const size = template === 'product-card' ? card : banner;
  const pictures: Uint8Array[] = [];
  for (const painter of [own, peer]) {
    const first = await painter.draw({ number: 1, format });
    const second = await painter.draw({ number: 2, format });
    await checkPicture(painter.name, first, { format, ...size });
    await checkDifferent(painter.name, first, second);
    pictures.push(first);
  }
  const [ours, theirs] = pictures;
  if (ours === undefined || theirs === undefined) return;
  const difference = await differenceOf(ours, theirs);
  if (difference <= differenceMax) return;
  throw new Error(
    `${peer.name} drew another picture than the service: they differ by ${formatNumber(difference)} of 255.`,
  );
}

/** Photos as readers upload them: 1600 × 840 parts of the samples, each lit differently. */
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
