/** What campaigns of one organization take of the disk, so that others have some. */
import { request } from 'node:http';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { CampaignStore } from '../../src/store/campaigns/campaign-store.ts';
import { createCampaignId, createCampaignStore } from '../../src/store/campaigns/campaign-store.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { eventually, startService } from '../e2e/service.ts';
import {
  campaignFiles,
  createCampaign,
  getCampaign,
  key,
  storedCampaign,
  waitForRun,
} from './campaign-client.ts';

const gibibyte = 1024 ** 3;
const past = createCampaignId();

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, db }) => {
  publish('card', {
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('Hello {{name}}')],
  });
  const store = createCampaignStore(db);
  store.create({
    ...storedCampaign(past, testOrganization.uid, 'card'),
    fileBytes: gibibyte - 100_000,
  });
  addFiles(store, past, 64 * gibibyte);
});
const folderOf = (id: string): string => join(dataDirectory, 'campaigns', id);
mkdirSync(join(folderOf(past), 'images'), { recursive: true });
writeFileSync(join(folderOf(past), 'images', 'kept'), 'an image');
const service = await startService(t, { dataDirectory });

/** A finished run that has made files. */
function addFiles(store: CampaignStore, campaignId: string, bytes: number): void {
  const options = { version: 1, optionsJson: '{}', baseUrl: 'http://localhost' };
  const run = store.createRun({ campaignId, mode: 'files', ...options });
  const countsJson = JSON.stringify({ bytes });
  store.changeRun(run, { state: 'finished', countsJson, finishedAt: Date.now() });
}

const smallList = 'email,name\na@example.com,Amanda\n';

t.test('a run deletes the kept images of campaigns that no run works on', async (t) => {
  t.ok(existsSync(join(folderOf(past), 'images', 'kept')));
  const { id } = (await createCampaign(service, 'card', 'proof', smallList)).body;
  t.match(await waitForRun(service, id), { state: 'finished' });
  t.notOk(existsSync(join(folderOf(past), 'images')));
  await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
});

t.test('files of all campaigns of an organization are limited together', async (t) => {
  const { id } = (await createCampaign(service, 'card', 'files', smallList)).body;
  const failed = await waitForRun(service, id);
  t.match(failed, { state: 'failed', error: /campaigns .* have more than 64 GiB: delete/ });
  t.ok(await eventually(() => !existsSync(join(folderOf(id), 'files'))), 'nothing of it stays');
  await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
});

t.test('an upload has no more bytes than the organization may still store', async (t) => {
  const refusal = /more bytes than the organization may still store, which are 0\.09\d+ MiB/;
  const large = Buffer.alloc(200_000, 'a');
  const { answer } = await createCampaign(service, 'card', 'proof', large);
  t.equal(answer.status, 413);
  t.match(answer.text, refusal);
  // Without a length, the size is known when it is too much.
  const path = '/v1/campaigns?template=card';
  const body = new Blob([large]).stream();
  const init = { method: 'POST', headers: key, body, duplex: 'half' } as RequestInit;
  const chunked = await fetch(`${service.base}${path}`, init);
  t.equal(chunked.status, 413);
  t.match(await chunked.text(), refusal);
  t.same(campaignFiles(dataDirectory), [past], 'nothing of it is stored');
});

t.test('an organization uploads one list at a time', async (t) => {
  const path = '/v1/campaigns?template=card';
  const upload = request(`${service.base}${path}`, { method: 'POST', headers: key });
  upload.on('error', () => undefined);
  upload.write('email,name\n');
  t.ok(await eventually(() => campaignFiles(dataDirectory).length === 2), 'it is on its way');
  const { answer } = await createCampaign(service, 'card', 'proof', smallList);
  t.equal(answer.status, 503);
  t.match(answer.text, /Too many lists .*: one at a time for an organization, and 8 in all/);
  t.equal(answer.headers['retry-after'], '5');
  upload.destroy();
  t.ok(await eventually(() => campaignFiles(dataDirectory).length === 1), 'nothing of it stays');
  const next = await createCampaign(service, 'card', 'proof', smallList);
  t.match(await waitForRun(service, next.body.id), { state: 'finished' });
  await service.get(`/v1/campaigns/${next.body.id}`, { method: 'DELETE', headers: key });
});

t.test('lists count as stored bytes of their organization', async (t) => {
  const before = campaignFiles(dataDirectory);
  const rows = Array.from({ length: 3000 }, (_, row) => `p${row}@example.com,Person ${row}`);
  const large = ['email,name', ...rows].join('\n');
  const { answer } = await createCampaign(service, 'card', 'proof', large);
  t.equal(answer.status, 413, answer.text);
  t.match(answer.text, /may store 1024 MiB.*campaigns that are not used/);
  t.same(campaignFiles(dataDirectory), before, 'nothing of it is stored');
  const deleted = await service.get(`/v1/campaigns/${past}`, { method: 'DELETE', headers: key });
  t.equal(deleted.status, 204);
  const { body } = await createCampaign(service, 'card', 'files', large);
  t.match(await waitForRun(service, body.id), { state: 'finished' }, 'deletion makes space');
  t.match(await getCampaign(service, body.id), { counts: { failed: 0 } });
});
