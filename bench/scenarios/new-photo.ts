/** A render with a photo that was never seen before, beside skia-canvas; both decode the photo and draw everything. */
import { join } from 'node:path';
import sharp from 'sharp';
import { checkPainter } from '../harness/check-image.ts';
import { temporaryFolder } from '../harness/children.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { describeComparison } from '../harness/format-number.ts';
import type { Painter } from '../harness/painter.ts';
import { startPeer, startPlatenPainter } from '../harness/painter.ts';
import { createRandom } from '../stages/random-text.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { bannerSize } from './end-to-end.ts';

/** Renders of one round on each side. */
const countOf: Record<Effort, number> = { quick: 10, normal: 60 };
/** V8 compiles during the first renders. */
const warmUpOf: Record<Effort, number> = { quick: 10, normal: 600 };
const roundsOf: Record<Effort, number> = { quick: 2, normal: 9 };

/** Different photos that alternate; each counts as a new one. */
const photoCount = 12;

export const newPhoto: Scenario = {
  name: 'new-photo',
  words: ['photo', 'thread', 'skia-canvas'],
  programs: [],
  needsPeers: false,
  async run(effort) {
    const template = 'welcome-banner';
    const photos = await makePhotos();
    const [platen, peer] = await Promise.all([
      startPlatenPainter({ template, text: 'full name', photos }),
      startPeer('skia-canvas, tuned', { template, photos }),
    ]);
    const claim = { format: 'jpeg', ...bannerSize } as const;
    const image = await checkPainter(platen, claim, photoCount);
    await checkPainter(peer, claim, photoCount, image);
    const count = countOf[effort];
    const perSecond = async (painter: Painter): Promise<number> =>
      (count / (await painter.round('jpeg', count, 1)).ms) * 1000;
    for (const painter of [platen, peer]) await painter.round('jpeg', warmUpOf[effort], 1);
    const compared = await compareRounds(
      roundsOf[effort],
      () => perSecond(platen),
      () => perSecond(peer),
    );
    for (const painter of [platen, peer]) await painter.close();
    return {
      measurements: [
        {
          budget: 'new-photo',
          reached: compared.ratio,
          how:
            `\`welcome-banner\`, photos of 1600 × 840; ${describeComparison(compared, 'skia-canvas', 'renders/s')}; ` +
            'includes all work of a render host (`renderJob`) except fetching the photo',
        },
      ],
    };
  },
};

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
