/** The alternatives of a user: the same banner by other means, in images a second, beside the service over HTTP. */
import { checkPainter } from '../harness/check-image.ts';
import { runLoad, warmUpOf } from '../harness/http-load.ts';
import type { Painter } from '../harness/painter.ts';
import { startPeer } from '../harness/painter.ts';
import { hasProgram } from '../harness/programs.ts';
import type { Service } from '../harness/service.ts';
import { startService } from '../harness/service.ts';
import type { Effort, PeerRow, Scenario } from '../scenario.ts';
import { bannerSize, checkLinks, concurrency } from './end-to-end.ts';

const peerNames = ['@napi-rs/canvas', 'takumi', 'skia-canvas, tuned', 'Chromium'];

/** Time to measure a peer in each format, and the images after which that is enough. */
const secondsOf: Record<Effort, number> = { quick: 0.5, normal: 4 };
const platenAmountOf: Record<Effort, number> = { quick: 60, normal: 1500 };

/** Images of each peer that are checked: one name of each of the ten scripts. */
const checkedImages = 10;

export const peers: Scenario = {
  name: 'peers',
  words: ['others'],
  programs: [],
  needsPeers: true,
  async run(effort) {
    const service = await startService();
    const rows: PeerRow[] = [
      {
        name: 'Platen, over HTTP',
        jpegPerSecond: await measureService(service, 'jpeg', effort),
        pngPerSecond: await measureService(service, 'png', effort),
      },
    ];
    const platen = await checkLinks(service, 'welcome-banner', 'png', '.png');
    await service.close();
    for (const name of peerNames) {
      if (name === 'Chromium' && !hasProgram('chromium')) {
        console.log(
          'Chromium is left out: there is no program `chromium` (Debian: apt install chromium).',
        );
        rows.push({ name });
        continue;
      }
      const peer = await startPeer(name, { template: 'welcome-banner', photos: [] });
      for (const format of ['png', 'jpeg'] as const) {
        await checkPainter(peer, { format, ...bannerSize }, checkedImages, platen);
      }
      rows.push({
        name,
        jpegPerSecond: await measurePeer(peer, 'jpeg', effort),
        pngPerSecond: await measurePeer(peer, 'png', effort),
      });
      await peer.close();
    }
    return { measurements: [], peers: rows };
  },
};

async function measureService(
  service: Service,
  format: 'jpeg' | 'png',
  effort: Effort,
): Promise<number> {
  const extension = format === 'png' ? '.png' : '.jpg';
  await checkLinks(service, 'welcome-banner', format, extension);
  const amount = platenAmountOf[effort];
  const order = { base: service.base, connections: concurrency };
  const links = { templates: ['welcome-banner'], extension } as const;
  const warmUp = warmUpOf[effort];
  await runLoad({ ...order, amount: warmUp, links: { ...links, from: 1000 } });
  return (await runLoad({ ...order, amount, links: { ...links, from: 1000 + warmUp } })).perSecond;
}

/** Rounds of growing size until the last one is long enough to be reliable. */
async function measurePeer(peer: Painter, format: 'jpeg' | 'png', effort: Effort): Promise<number> {
  await peer.round(format, concurrency, concurrency);
  for (let count = 2 * concurrency; ; count *= 2) {
    const { ms } = await peer.round(format, count, concurrency);
    if (ms >= secondsOf[effort] * 1000) return (count / ms) * 1000;
  }
}
