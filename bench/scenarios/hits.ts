/** Responses from memory, measured beside a server that only sends. */
import { startBareServer } from '../harness/bare-server.ts';
import { checkImage } from '../harness/check-image.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeComparison, formatNumber } from '../harness/format-number.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import { runWrk } from '../harness/wrk.ts';
import type { Effort, Scenario } from '../scenario.ts';
import { bannerSize } from './end-to-end.ts';

/** The image size of the goal. */
const bytesWanted = 48_000;

const secondsOf: Record<Effort, number> = { quick: 1, normal: 3 };
const roundsOf: Record<Effort, number> = { quick: 2, normal: 9 };

export const hits: Scenario = {
  name: 'hit',
  words: ['hits', 'cache'],
  programs: ['wrk'],
  needsPeers: false,
  async run(effort) {
    const service = await startService();
    const link = await imageOfSize(service);
    const { bytes } = await fetchAnswer(service.base + link);
    await checkImage('The service', bytes, { format: 'jpeg', ...bannerSize });
    const bare = await startBareServer(bytes);
    const measurePlaten = (seconds: number): Promise<number> =>
      runWrk({ url: service.base + link, seconds });
    const measureBare = (seconds: number): Promise<number> =>
      runWrk({ url: `${bare.base}/image`, seconds });
    await measurePlaten(1);
    await measureBare(1);
    const seconds = secondsOf[effort];
    const compared = await compareRounds(
      roundsOf[effort],
      () => measurePlaten(seconds),
      () => measureBare(seconds),
    );
    await bare.close();
    await service.close();
    return {
      measurements: [
        {
          budget: 'hit',
          reached: compared.ratio,
          how: `${formatNumber(bytes.length)} bytes; wrk, ${describeComparison(compared, 'the bare server', 'requests/s')}`,
        },
      ],
    };
  },
};

/** Returns the link of a banner whose quality brings it nearest to the wanted size. */
async function imageOfSize(service: Service): Promise<string> {
  let best = { link: '', distance: Infinity };
  for (let quality = 30; quality <= 90; quality += 2) {
    const link = `${linkOf('welcome-banner', 1, '.jpg')}&_quality=${quality}`;
    const { status, bytes } = await fetchAnswer(service.base + link);
    const distance = Math.abs(bytes.length - bytesWanted);
    if (status === 200 && distance < best.distance) best = { link, distance };
  }
  if (best.distance > bytesWanted / 10) throw new Error('No quality gives an image of 48 KB.');
  return best.link;
}
