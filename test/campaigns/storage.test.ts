/** What campaigns of one organization take of the disk, so that others have some. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { CampaignStore } from '../../src/store/campaigns/campaign-store.ts';
import { createCampaignId, createCampaignStore } from '../../src/store/campaigns/campaign-store.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { eventually, startService } from '../e2e/service.ts';
import { campaignFiles, createCampaign, getCampaign, key, waitForRun } from './campaign-client.ts';

const gibibyte = 1024 ** 3;
const past = createCampaignId();

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, db }) => {
  publish('card', {
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('Hello {{name}}')],
  });
  const store = createCampaignStore(db);
  store.create({ ...listOf(past), fileBytes: gibibyte - 100_000 });
  addFiles(store, past, 64 * gibibyte);
});
const folderOf = (id: string): string => join(dataDirectory, 'campaigns', id);
mkdirSync(join(folderOf(past), 'images'), { recursive: true });
writeFileSync(join(folderOf(past), 'images', 'kept'), 'an image');
const service = await startService(t, { dataDirectory });

function listOf(id: string): Parameters<CampaignStore['create']>[0] {
  return {
    id,
    organizationUid: testOrganization.uid,
    templateUid: 'card',
    name: 'a list',
    listJson: '{}',
    mappingJson: '{}',
    rowCount: 0,
    bytes: 0,
    fileBytes: 0,
    expiresAt: Date.now() + 1e9,
  };
}

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
