/** Images that are made before sending answer the links of the list, also after a restart. */
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { checkSame } from '../e2e/image-bytes.ts';
import { startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { createCampaign, getCampaign, key, waitForRun } from './campaign-client.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables: [textVariable('name', 'friend')], layers: [textLayer('{{name}}')] });
});

const list = ['name', 'Amanda', 'Wei', 'Ngozi', 'Amanda'].join('\r\n');

async function linksOf(service: Service, id: string): Promise<string[]> {
  const body = JSON.stringify({ mode: 'links' });
  await service.get(`/v1/campaigns/${id}/runs`, { method: 'POST', headers: key, body });
  await waitForRun(service, id);
  const { text } = await service.get(`/v1/campaigns/${id}/links.csv`, { headers: key });
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map(
      (line) =>
        new URL(line.split(',')[1] ?? '').pathname + new URL(line.split(',')[1] ?? '').search,
    );
}

const originOf = (header: string | string[] | undefined): string =>
  /desc=(\w+)/.exec(String(header))?.[1] ?? '';

t.test('links of a warm campaign are answered from the disk', async (t) => {
  const first = await startService(t, { dataDirectory });
  const cold = await first.render('card?name=Ngozi&_version=1');
  t.equal(originOf(cold.headers['server-timing']), 'miss');
  const { body } = await createCampaign(first, 'card', 'warm', list);
  const campaign = await waitForRun(first, body.id);
  t.match(campaign, { state: 'finished', done: 4, error: null });
  t.match(campaign.counts, { warm: 4, failed: 0, no_space: 0 });
  const links = await linksOf(first, body.id);
  t.equal(links.length, 4);
  first.process.kill('SIGKILL');
  await first.process.ended;

  const service = await startService(t, { dataDirectory });
  const wei = await service.get(links[1] ?? '');
  t.equal(wei.status, 200);
  t.equal(originOf(wei.headers['server-timing']), 'warm', 'after a restart');
  const again = await service.get(links[1] ?? '', {
    headers: { 'If-None-Match': String(wei.headers['etag']) },
  });
  t.equal(again.status, 304);
  const ngozi = await service.get(links[2] ?? '');
  t.equal(ngozi.headers['etag'], cold.headers['etag']);
  // The same pixels: a base render encodes them in other bytes, so tags are weak.
  await checkSame(t, ngozi, cold, 'the image is the one that a link draws');
  const newest = await service.render('card?name=Amanda');
  t.equal(
    originOf(newest.headers['server-timing']),
    'warm',
    'a link without a version draws the same',
  );
  const other = await service.render('card?name=Nobody&_version=1');
  t.equal(originOf(other.headers['server-timing']), 'miss');

  const gone = await service.get(`/v1/campaigns/${body.id}`, { method: 'DELETE', headers: key });
  t.equal(gone.status, 204);
  const drawn = await service.render('card?name=Amanda&_format=webp');
  t.equal(originOf(drawn.headers['server-timing']), 'miss');
});

t.test('the use of warm images is counted', async (t) => {
  const service = await startService(t, { dataDirectory });
  const { body } = await createCampaign(service, 'card', 'warm', 'name\r\nZoë\r\n');
  await waitForRun(service, body.id);
  await service.render('card?name=Zo%C3%AB');
  await service.render('card?name=unknown');
  service.process.kill('SIGTERM');
  await service.process.ended;
  const next = await startService(t, { dataDirectory });
  const { runs } = (await getCampaign(next, body.id)) as unknown as { runs: { use: unknown }[] };
  t.match(runs, [{ mode: 'warm', use: { hits: 1, misses: 1 } }]);
});

t.test('without space images stay cold, and rows whose link is refused have none', async (t) => {
  const environment = { PLATEN_CAMPAIGNS_WARM_GIB: '0' };
  const service = await startService(t, { dataDirectory, environment });
  const rows = `name\r\nZoë\r\n${'a'.repeat(20_000)}\r\n`;
  const { body } = await createCampaign(service, 'card', 'warm', rows);
  const { counts } = await waitForRun(service, body.id);
  t.match(counts, { warm: 0, no_space: 1, failed: 1 });
});
