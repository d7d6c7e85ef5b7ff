/** How campaigns end, who sees them, and what is refused before it is stored. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  createCampaignStore,
  campaignsMax,
  createCampaignId,
} from '../../src/store/campaigns/campaign-store.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { eventually, startService } from '../e2e/service.ts';
import {
  campaignFiles,
  createCampaign,
  getCampaign,
  key,
  rowsOf,
  waitForRun,
  storedCampaign,
} from './campaign-client.ts';

t.setTimeout(120_000);

const other = { uid: 'org_other', key: 'key-of-the-others' };
const full = { uid: 'org_full', key: 'key-of-the-full' };

const dataDirectory = fillDataDirectory(
  join(t.testdir(), 'data'),
  ({ publish, organizations, db }) => {
    const document = {
      variables: [textVariable('name', 'friend')],
      layers: [textLayer('Hello {{name}}')],
    };
    publish('card', document);
    publish('gone', document);
    for (const { uid, key: secret } of [other, full]) {
      organizations.createOrganization(uid, uid);
      organizations.createKey(uid, { name: 'test', key: secret });
    }
    publish('full-card', document, full.uid);
    const store = createCampaignStore(db);
    for (let count = 0; count < campaignsMax; count += 1) {
      store.create(storedCampaign(createCampaignId(), full.uid, 'full-card'));
    }
  },
);
const campaignsFolder = join(dataDirectory, 'campaigns');
const service = await startService(t, { dataDirectory });

/** Long enough to be caught in its middle. */
const longList = `email,name\n${Array.from({ length: 20_000 }, (_, row) => `p${row}@example.com,Person ${row}`).join('\n')}\n`;
const shortList = 'email,name\na@example.com,Amanda\n';

async function post(path: string, body: object = {}, headers = key) {
  const options = { 'Content-Type': 'application/json', ...headers };
  return service.get(path, { method: 'POST', headers: options, body: JSON.stringify(body) });
}

/** Resolves when some rows are done, and not all. */
async function isUnderWay(id: string): Promise<boolean> {
  return eventually(async () => (await getCampaign(service, id)).done > 0, 30_000);
}

t.test('a canceled run keeps what it has found, and can be started again', async (t) => {
  const { id } = (await createCampaign(service, 'card', 'proof', longList)).body;
  t.ok(await isUnderWay(id));
  const busy = await post(`/v1/campaigns/${id}/runs`, { mode: 'links' });
  t.equal(busy.status, 409, 'one run at a time');
  t.match(busy.text, /has a run of \\"proof\\" that is running/);
  const canceled = await post(`/v1/campaigns/${id}/cancel`);
  t.match(canceled.json(), { state: 'canceled' });
  const { done } = await getCampaign(service, id);
  t.ok(done < 20_000);
  t.equal((await service.get(`/v1/campaigns/${id}/sheet.png`, { headers: key })).status, 404);
  t.equal((await post(`/v1/campaigns/${id}/runs`, { mode: 'links' })).status, 202);
  t.match(await waitForRun(service, id), { state: 'finished', done: 20_000 });
  await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
});

t.test(
  'an organization has a limited number of streams of events, and others have theirs',
  async (t) => {
    const { id } = (await createCampaign(service, 'card', 'proof', longList)).body;
    t.ok(await isUnderWay(id));
    const open = new AbortController();
    t.teardown(() => open.abort());
    const watch = async (): Promise<Response> =>
      fetch(`${service.base}/v1/campaigns/${id}/events`, { headers: key, signal: open.signal });
    const streams = await Promise.all(Array.from({ length: 32 }, watch));
    t.ok(streams.every(({ status }) => status === 200));
    const refused = await watch();
    t.equal(refused.status, 503);
    t.match(await refused.text(), /32 at a time for an organization/);
    await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
    await Promise.all(streams.map((stream) => stream.text()));
    const next = (await createCampaign(service, 'card', 'proof', shortList)).body;
    t.equal((await service.get(`/v1/campaigns/${next.id}/events`, { headers: key })).status, 200);
    await waitForRun(service, next.id);
    await service.get(`/v1/campaigns/${next.id}`, { method: 'DELETE', headers: key });
  },
);

t.test('readers of rows that stop hold four of an organization, and its fifth waits', async (t) => {
  // More than the sockets of both sides hold.
  const list = `name\n${'a,b\n'.repeat(120_000)}`;
  const { id } = (await createCampaign(service, 'card', 'links', list)).body;
  const open = new AbortController();
  const read = async (method = 'GET'): Promise<Response> =>
    fetch(`${service.base}/v1/campaigns/${id}/rows`, {
      method,
      headers: key,
      signal: open.signal,
    });
  const readers = await Promise.all(Array.from({ length: 4 }, async () => read()));
  t.ok(readers.every(({ status }) => status === 200));
  const refused = await read();
  t.equal(refused.status, 503);
  t.match(refused.headers.get('retry-after'), '5');
  t.match(await refused.text(), /4 at a time for an organization/);
  open.abort();
  await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
});

t.test('a campaign is deleted with every file and row, also while it runs', async (t) => {
  const { id } = (await createCampaign(service, 'card', 'proof', longList)).body;
  t.ok(await isUnderWay(id));
  const events = service.get(`/v1/campaigns/${id}/events`, { headers: key });
  const deleted = await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers: key });
  t.equal(deleted.status, 204);
  t.match((await events).text, /"state":"canceled"/);
  t.same(campaignFiles(dataDirectory), []);
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  const count = db.prepare('SELECT count(*) FROM campaign_runs WHERE campaign_id = ?').pluck();
  t.equal(count.get(id), 0);
  db.close();
  t.equal((await service.get(`/v1/campaigns/${id}`, { headers: key })).status, 404);
});

t.test('short links outlive their campaign, until somebody deletes them', async (t) => {
  const uploaded = (query: string): Promise<{ id: string; url: string }> =>
    createCampaign(service, 'card', 'links', shortList, { options: query }).then(
      async ({ body: { id } }) => {
        await waitForRun(service, id);
        const { text } = await service.get(`/v1/campaigns/${id}/links.csv`, { headers: key });
        return { id, url: /http[^,]+/.exec(text)?.[0] ?? '' };
      },
    );
  const remove = async (path: string, headers = key): Promise<number> =>
    (await service.get(`/v1/campaigns/${path}`, { method: 'DELETE', headers })).status;
  const image = async (url: string): Promise<number> => (await fetch(url)).status;
  const stored = (): string[] => {
    const db = openDatabase(join(dataDirectory, 'platen.db'));
    const texts = db.prepare<[], string>('SELECT link_json FROM short_links').pluck().all();
    db.close();
    return texts;
  };
  const [first, second] = [await uploaded('{"short":true}'), await uploaded('{"short":true}')];
  const plain = await uploaded('{}');
  t.equal(await remove(first.id), 204);
  t.equal(await image(first.url), 200, 'emails that are sent show their images');
  const foreign = { 'X-API-Key': other.key };
  t.equal(await remove(`${first.id}?short_links=true`, foreign), 404);
  t.equal(await image(first.url), 200);
  t.equal(await remove(`${first.id}?short_links=true`), 204, 'also when the campaign is gone');
  t.equal(await image(first.url), 404);
  t.equal(await image(second.url), 200, 'those of others stay');
  t.equal(await remove(`${second.id}?short_links=true`), 204);
  t.equal(await image(second.url), 404);
  t.notOk(stored().some((text) => text.includes('Amanda')));
  t.equal(await remove(`${plain.id}?short_links=true`), 204);
  t.equal(await image(plain.url), 200, 'a link with its values needs no database');
});

t.test('another organization sees nothing of a campaign, at no address', async (t) => {
  const { id } = (await createCampaign(service, 'card', 'proof', shortList)).body;
  await waitForRun(service, id);
  const headers = { 'X-API-Key': other.key };
  for (const path of ['', '/rows', '/events', '/sheet.png', '/links.csv']) {
    const answer = await service.get(`/v1/campaigns/${id}${path}`, { headers });
    t.equal(answer.status, 404, path);
    t.match(answer.json(), { error: 'Campaign not found' });
  }
  t.equal((await post(`/v1/campaigns/${id}/runs`, { mode: 'links' }, headers)).status, 404);
  t.equal((await post(`/v1/campaigns/${id}/cancel`, {}, headers)).status, 404);
  const deleted = await service.get(`/v1/campaigns/${id}`, { method: 'DELETE', headers });
  t.equal(deleted.status, 404);
  const list = await service.get('/v1/campaigns', { headers });
  t.match(list.json(), { campaigns: [], total: 0 });
  const foreign = await service.get('/v1/campaigns?template=card', {
    method: 'POST',
    headers,
    body: shortList,
  });
  t.equal(foreign.status, 404, 'and cannot use its templates');
  t.match(await getCampaign(service, id), { state: 'finished' });
  for (const path of ['../../platen.db', 'cmp_..%2f..%2f', `${id}%00`, '%2e%2e']) {
    t.equal((await service.get(`/v1/campaigns/${path}/links.csv`, { headers: key })).status, 404);
  }
});

t.test('what is over a limit is refused before it is stored', async (t) => {
  const before = campaignFiles(dataDirectory);
  const many = await service.get('/v1/campaigns?template=full-card', {
    method: 'POST',
    headers: { 'X-API-Key': full.key },
    body: shortList,
  });
  t.equal(many.status, 409);
  t.match(many.text, /has 100 campaigns, at most 100/);
  const columns = Array.from({ length: 201 }, (_, index) => `column${index}`).join(',');
  const cases: [status: number, message: RegExp, list: string][] = [
    [413, /201 columns on line 1, at most 200/, `${columns}\n`],
    [413, /32,767/, `name,note\na,${'x'.repeat(40_000)}\n`],
    [413, /./, `name,note\na,"${'x'.repeat(3_000_000)}`],
    [400, /./, ''],
  ];
  for (const [status, message, list] of cases) {
    const { answer } = await createCampaign(service, 'card', 'proof', list);
    t.equal(answer.status, status, answer.text.slice(0, 300));
    t.match(answer.text, message);
  }
  const large = await service.get('/v1/campaigns?template=card', {
    method: 'POST',
    headers: { ...key, 'Content-Length': String(1024 ** 3) },
    agent: false,
  });
  t.equal(large.status, 413);
  t.same(campaignFiles(dataDirectory), before);
});

t.test('wrong options are refused, each with its name', async (t) => {
  const cases: [status: number, message: RegExp, query: Record<string, string>][] = [
    [400, /options is no object of JSON/, { options: '{' }],
    [400, /./, { options: '[]' }],
    [400, /./, { options: '"text"' }],
    [400, /./, { options: 'null' }],
    [400, /scale/, { options: '{"scale":9}' }],
    [400, /format/, { options: '{"format":"bmp"}' }],
    [400, /nonsense/, { options: '{"nonsense":1}' }],
    [400, /expires/, { options: '{"expires":1}' }],
    [400, /map/, { options: '{"map":{"none":"name"}}' }],
    [400, /map/, { options: '{"map":{"name":"none"}}' }],
    [400, /map/, { options: '{"map":["name"]}' }],
    [400, /mode/, { mode: 'mischief' }],
    [400, /encoding/, { encoding: 'klingon' }],
    [400, /separator/, { separator: 'abc' }],
    [404, /./, { version: '7' }],
    [404, /./, { template: 'none' }],
  ];
  const before = campaignFiles(dataDirectory);
  for (const [status, message, query] of cases) {
    const { answer } = await createCampaign(service, 'card', 'proof', shortList, query);
    t.equal(answer.status, status, `${JSON.stringify(query)} ${answer.text}`);
    t.match(answer.text, message);
  }
  t.same(campaignFiles(dataDirectory), before);
});

t.test(
  'a template that is archived, and a list that is lost, fail a run with the reason',
  async (t) => {
    const { id } = (await createCampaign(service, 'gone', 'proof', shortList)).body;
    await waitForRun(service, id);
    await service.get('/v1/templates/gone', { method: 'DELETE', headers: key });
    const refused = await post(`/v1/campaigns/${id}/runs`, { mode: 'links' });
    t.equal(refused.status, 404);
    t.match(await getCampaign(service, id), { state: 'finished' }, 'what was made remains');
    t.same(await rowsOf(service, id), []);

    const lost = (await createCampaign(service, 'card', 'proof', shortList)).body;
    await waitForRun(service, lost.id);
    rmSync(join(campaignsFolder, lost.id), { recursive: true });
    await post(`/v1/campaigns/${lost.id}/runs`, { mode: 'links' });
    const failed = await waitForRun(service, lost.id);
    t.match(failed, { state: 'failed', error: /The list of the campaign is missing/ });
    const rows = await service.get(`/v1/campaigns/${lost.id}/rows`, { headers: key });
    t.equal(rows.status, 507);
    const deleted = await service.get(`/v1/campaigns/${lost.id}`, {
      method: 'DELETE',
      headers: key,
    });
    t.equal(deleted.status, 204);
  },
);

t.test('a campaign is deleted when its time is over', async (t) => {
  const { id } = (await createCampaign(service, 'card', 'links', shortList)).body;
  await waitForRun(service, id);
  service.process.kill('SIGTERM');
  t.match(await service.process.ended, { code: 0 });
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  db.prepare('UPDATE campaigns SET expires_at = ? WHERE id = ?').run(Date.now(), id);
  db.close();
  t.ok(existsSync(join(campaignsFolder, id, 'links.csv')));
  const later = await startService(t, { dataDirectory });
  t.ok(await eventually(() => !existsSync(join(campaignsFolder, id))));
  const headers = { 'X-API-Key': testOrganization.key };
  t.equal((await later.get(`/v1/campaigns/${id}`, { headers })).status, 404);
});
