/** Responses from memory, measured beside a server that only sends. */
import { startBareServer } from '../harness/bare-server.ts';
import { checkImage } from '../harness/check-image.ts';
import { compareRounds } from '../harness/compare-rounds.ts';
import { fetchAnswer } from '../harness/fetch-answer.ts';
import { describeComparison, formatNumber } from '../harness/format-number.ts';
import { runLoad } from '../harness/http-load.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import { linkOf } from '../harness/values.ts';
import { runWrk } from '../harness/wrk.ts';
import type { Effort, Measurement, Scenario } from '../scenario.ts';

/** The image size of the bar. */
const bytesWanted = 48_000;

const secondsOf: Record<Effort, number> = { quick: 1, normal: 3, long: 5 };
const roundsOf: Record<Effort, number> = { quick: 2, normal: 7, long: 9 };
/** Most of what autocannon measures is its work: enough requests to show that. */
const autocannonAmount: Record<Effort, number> = { quick: 1000, normal: 8000, long: 8000 };

export const hits: Scenario = {
  name: 'hits',
  words: ['hit', '304', 'not-modified'],
  programs: ['wrk'],
  needsPeers: false,
  async run(effort) {
    const service = await startService();
    const link = await imageOfSize(service);
    const { headers, bytes } = await fetchAnswer(service.base + link);
    const etag = headers.get('etag') ?? '';
    await checkImage('The service', bytes, { format: 'jpeg', width: 1200, height: 630 });
    await checkNotModified(service.base + link, etag);

    const bare = await startBareServer(bytes);
    const measurements = [
      await measureHit(effort, service.base, bare.base, link, bytes.length),
      await measureNotModified(effort, service.base + link, `${bare.base}/not-modified`, etag),
    ];
    await bare.close();
    await service.close();
    return { measurements };
  },
};

async function measureHit(
  effort: Effort,
  base: string,
  bareBase: string,
  link: string,
  bytes: number,
): Promise<Measurement> {
  const seconds = secondsOf[effort];
  await runWrk({ url: base + link, seconds: 1 });
  const compared = await compareRounds(
    roundsOf[effort],
    () => runWrk({ url: base + link, seconds }),
    () => runWrk({ url: `${bareBase}/image`, seconds }),
  );
  const amount = autocannonAmount[effort];
  const client = await compareRounds(
    3,
    async () => (await runLoad({ base, connections: 16, amount, links: link })).perSecond,
    async () =>
      (await runLoad({ base: bareBase, connections: 16, amount, links: '/image' })).perSecond,
  );
  return {
    budget: 'hit',
    reached: compared.ratio,
    how:
      `${formatNumber(bytes)} bytes; wrk, ${describeComparison(compared, 'the bare server', 'requests/s')}. ` +
      `autocannon, whose own work dominates: ${formatNumber(client.ratio)}× (${formatNumber(client.subject)} requests/s)`,
  };
}

async function measureNotModified(
  effort: Effort,
  url: string,
  bareUrl: string,
  etag: string,
): Promise<Measurement> {
  const seconds = secondsOf[effort];
  const headers = { 'If-None-Match': etag };
  await runWrk({ url, seconds: 1, headers });
  const compared = await compareRounds(
    roundsOf[effort],
    () => runWrk({ url, seconds, headers }),
    () => runWrk({ url: bareUrl, seconds, headers }),
  );
  return {
    budget: 'not-modified',
    reached: compared.ratio,
    how: `wrk, ${describeComparison(compared, 'the bare server', 'requests/s')}`,
  };
}

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

async function checkNotModified(url: string, etag: string): Promise<void> {
  const { status } = await fetchAnswer(url, { 'If-None-Match': etag });
  if (status !== 304) throw new Error(`The service answered its own ETag ${etag} with ${status}.`);
}
