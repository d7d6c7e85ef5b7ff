/** Images are decoded before they are stored: each asset renders, and what does not is refused with the reason. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { damagedFiles, lyingFiles, soundFiles } from '../fixtures/images-damaged.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { createPool } from '../fixtures/render-pool.ts';
import { fillDataDirectory, imageLayer, testOrganization } from './published.ts';
import { startService } from './service.ts';

const headers = { 'X-API-Key': testOrganization.key };

t.test('an image is stored exactly when it renders', async (t) => {
  const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), () => undefined);
  const service = await startService(t, { dataDirectory });
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(`${service.base}${path}`, { method: 'POST', headers, body });
  const sound = await soundFiles();
  let refused = 0;
  for (const { name, bytes } of [...sound, ...sound.flatMap(damagedFiles), ...lyingFiles(sound)]) {
    // oxlint-disable-next-line no-await-in-loop -- one thread renders, one after the other
    const answer = await post('/v1/assets', new Uint8Array(bytes));
    // oxlint-disable-next-line no-await-in-loop
    const { id, error } = (await answer.json()) as { id?: string; error?: string };
    if (id === undefined) {
      refused += 1;
      t.ok([400, 413, 415].includes(answer.status), `${name}: ${answer.status} ${error}`);
      t.notOk(
        sound.some((file) => file.name === name),
        `${name} is sound: ${error}`,
      );
      continue;
    }
    const layers = [imageLayer(id)];
    const template = { format: 1, name: 'x', width: 240, height: 40, variables: [], layers };
    // oxlint-disable-next-line no-await-in-loop
    const rendered = await post('/v1/preview', JSON.stringify({ template }));
    t.equal(rendered.status, 200, `${name} is stored, and renders`);
    // oxlint-disable-next-line no-await-in-loop
    await rendered.arrayBuffer();
  }
  t.ok(refused > 50, `${refused} files are refused`);
});

t.test('a pool that takes no renders refuses an upload with 503, not as damaged', async (t) => {
  const pool = createPool(t);
  const { call, key, service } = await startOrganizationApi(t, pool);
  await pool.close(1000);
  const [png] = await soundFiles();
  const answer = await call('POST', '/v1/assets', { key, body: new Uint8Array(png?.bytes ?? []) });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal(service.stores.assets.listAssets('org_a', 1, 0).total, 0);
});

t.test('an upload that takes too much to decode is refused with what it takes', async (t) => {
  const { call, key, service } = await startOrganizationApi(t, createPool(t));
  const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: '#36c' } });
  const file = await flat.avif({ effort: 0 }).toBuffer();
  const extent = file.indexOf('ispe') + 8;
  for (const [side, fileBytes, message] of [
    [7000, 2_100_000, /needs 984 MB to decode, the limit is 340 MB: use a smaller image/],
    [4000, 9_000_000, /takes about 2\d{3} ms of processor time to decode, the limit is 1600 ms/],
  ] as const) {
    file.writeUInt32BE(side, extent);
    file.writeUInt32BE(side, extent + 4);
    const body = new Uint8Array(fileBytes);
    body.set(file);
    // oxlint-disable-next-line no-await-in-loop -- two
    const answer = await call('POST', '/v1/assets', { key, body });
    t.equal(answer.status, 413);
    t.match(JSON.stringify(answer.body), message);
  }
  t.equal(service.stores.assets.listAssets('org_a', 1, 0).total, 0);
});
