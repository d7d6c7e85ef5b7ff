/** How runs begin, make way for others and end, and what they leave. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  createCampaignId,
  createCampaignStore,
} from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { fillDataDirectory, textLayer, textVariable } from '../../e2e/published.ts';
import type { Answer } from '../../e2e/request.ts';
import { checkSame } from '../../e2e/image-bytes.ts';
import { eventually, startService } from '../../e2e/service.ts';
import {
  call,
  campaignFiles,
  createCampaign,
  download,
  getCampaign,
  isUnderWay,
  key,
  remove,
  rowsOf,
  runCampaign,
  startRun,
  storedCampaign,
  waitForRun,
  withKey,
} from './campaign-client.ts';

t.setTimeout(120_000);

const past = createCampaignId();
const dataDirectory = fillDataDirectory(
  join(t.testdir(), 'data'),
  ({ publish, organizations, db }) => {
    const variables = [textVariable('name', 'friend')];
    const document = { variables, layers: [textLayer('Hello {{name}}')] };
    publish('card', document);
    publish('gone', document);
    organizations.createOrganization('Other', 'org_other');
    organizations.createKey('org_other', { name: 'test', key: 'key-of-the-others' });
    publish('short', document, 'org_other');
    const store = createCampaignStore(db);
    store.create(storedCampaign(past, 'org_other', 'short'));
    const options = { version: 1, optionsJson: '{}', baseUrl: 'http://localhost' };
    const run = store.createRun({ campaignId: past, mode: 'files', ...options });
    const countsJson = JSON.stringify({ bytes: 64 * 1024 ** 3 });
    store.changeRun(run, { state: 'finished', countsJson, finishedAt: Date.now() });
  },
);
const folderOf = (id: string): string => join(dataDirectory, 'campaigns', id);
const kept = join(folderOf(past), 'images', 'kept');
mkdirSync(join(kept, '..'), { recursive: true });
writeFileSync(kept, 'an image');
const start = (environment: Record<string, string> = {}) =>
  startService(t, { dataDirectory, environment });
const service = await start();
const other = withKey(service, 'key-of-the-others');

/** Every 50th row has a fault. */
function listOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    return `p${row}@example.com,${row % 50 === 0 ? '*|FNAME|*' : `Person ${row}`}`;
  });
  return ['email,name', ...lines].join('\n');
}
/** No machine ends these within a test. */
const longRows = 20_000;
const longList = listOf(longRows);
const shortList = 'email,name\na@example.com,Amanda\n';

const create = async (list: string, mode = 'proof'): Promise<string> =>
  (await createCampaign(service, 'card', mode, list)).body.id;

t.test('a canceled run keeps what it has found, and makes way for the next', async (t) => {
  const id = await create(longList);
  t.ok(await isUnderWay(service, id));
  const busy = await call(service, 'POST', `/${id}/runs`, { body: '{"mode":"links"}' });
  t.equal(busy.status, 409, 'one run at a time');
  t.match(busy.text, /has a run of \\"proof\\" that is running/);
  t.match((await call(service, 'POST', `/${id}/cancel`)).json(), { state: 'canceled' });
  t.equal((await call(service, 'GET', `/${id}/sheet.png`)).status, 404);
  t.ok((await rowsOf(service, id)).length > 0, 'what it has found');
  t.equal(await startRun(service, id, { mode: 'links' }), 202);
  const finished = await waitForRun(service, id);
  t.match(finished, {
    mode: 'links',
    state: 'finished',
    done: longRows,
    runs: [{ mode: 'links' }, { mode: 'proof', state: 'canceled' }],
  });
  const { runs } = finished as unknown as { runs: { done: number }[] };
  t.ok((runs[1]?.done ?? longRows) < longRows, 'the canceled run did not go on');
  t.equal((await call(service, 'GET', `/${id}/links.csv`)).status, 200);
  t.equal(await startRun(service, id, { mode: 'links' }), 202);
  const open = await call(service, 'GET', `/${id}/links.csv`);
  t.equal(open.status, 404, 'an open run has no result');
  await remove(service, id);
});

t.test('a short proof ends beside four long ones of another organization', async (t) => {
  /** Takes longer than a turn, so that it makes way. */
  const rows = 4000;
  const ids: string[] = [];
  for (const list of [listOf(rows), longList, longList, longList]) ids.push(await create(list));
  const short = await runCampaign(
    other,
    'short',
    'proof',
    'email,name\na@b.example,A\nd@e.example,D\n',
  );
  t.match(short, { state: 'finished', counts: { fine: 2 } });
  for (const id of ids) {
    const { state, done } = await getCampaign(service, id);
    t.ok(['queued', 'running'].includes(state), `${state} after ${done}`);
  }
  const [first = '', ...others] = ids;
  for (const id of others) await remove(service, id);
  const faults = rows / 50;
  const counts = { problems: faults, UNMERGED: faults, fine: rows - faults };
  t.match(await waitForRun(service, first), { state: 'finished', done: rows, counts });
  t.equal((await rowsOf(service, first, 'UNMERGED')).length, faults, 'none twice');
  await remove(service, first);
  await remove(other, short.id);
});

t.test('an organization has a limited number of streams of events', async (t) => {
  const id = await create(longList);
  t.ok(await isUnderWay(service, id));
  const open = new AbortController();
  t.teardown(() => open.abort());
  const watch = (): Promise<Response> =>
    fetch(`${service.base}/v1/campaigns/${id}/events`, { headers: key, signal: open.signal });
  const streams = await Promise.all(Array.from({ length: 32 }, watch));
  t.ok(streams.every(({ status }) => status === 200));
  const refused = await watch();
  t.equal(refused.status, 503);
  t.match(await refused.text(), /32 at a time for an organization/);
  t.equal((await runCampaign(other, 'short', 'proof', shortList)).state, 'finished');
  await remove(service, id);
  const texts = await Promise.all(streams.map((stream) => stream.text()));
  t.match(texts[0], /"state":"canceled"/);
  t.equal((await runCampaign(service, 'card', 'proof', shortList)).state, 'finished');
});

t.test('readers of rows that stop hold four of an organization, and its fifth waits', async (t) => {
  // More than the sockets of both sides hold.
  const id = await create(`name\n${'a,b\n'.repeat(120_000)}`, 'links');
  const open = new AbortController();
  const read = async (): Promise<Response> =>
    fetch(`${service.base}/v1/campaigns/${id}/rows`, { headers: key, signal: open.signal });
  const readers = await Promise.all(Array.from({ length: 4 }, read));
  t.ok(readers.every(({ status }) => status === 200));
  const refused = await read();
  t.equal(refused.status, 503);
  t.equal(refused.headers.get('retry-after'), '5');
  t.match(await refused.text(), /4 at a time for an organization/);
  open.abort();
  await remove(service, id);
});

t.test('what is canceled or deleted at work leaves no file and no row', async (t) => {
  const id = await create(longList, 'files');
  t.ok(await eventually(() => existsSync(join(folderOf(id), 'files', 'files.zip'))));
  await call(service, 'POST', `/${id}/cancel`);
  t.notOk(existsSync(join(folderOf(id), 'files')));
  await startRun(service, id, { mode: 'files' });
  t.ok(await eventually(() => existsSync(join(folderOf(id), 'files', 'files.zip'))));
  t.equal(await remove(service, id), 204);
  t.notOk(campaignFiles(dataDirectory).includes(id));
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  const count = db.prepare('SELECT count(*) FROM campaign_runs WHERE campaign_id = ?').pluck();
  t.equal(count.get(id), 0);
  db.close();
  t.equal((await call(service, 'GET', `/${id}`)).status, 404);
});

t.test('the disk holds kept images of running campaigns alone, and bounded files', async (t) => {
  t.notOk(existsSync(kept), 'the runs before have deleted it');
  const failed = await runCampaign(other, 'short', 'files', shortList);
  t.match(failed, { state: 'failed', error: /campaigns .* have more than 64 GiB: delete/ });
  t.ok(await eventually(() => !existsSync(join(folderOf(failed.id), 'files'))), 'nothing stays');
});

t.test('an archived template and a lost list fail a run with the reason', async (t) => {
  const { id } = await runCampaign(service, 'gone', 'proof', shortList);
  const headers = key;
  await service.get('/v1/templates/gone', { method: 'DELETE', headers });
  t.equal(await startRun(service, id, { mode: 'links' }), 404);
  t.match(await getCampaign(service, id), { state: 'finished' }, 'what was made remains');
  t.same(await rowsOf(service, id), []);

  const lost = (await runCampaign(service, 'card', 'proof', shortList)).id;
  rmSync(folderOf(lost), { recursive: true });
  await startRun(service, lost, { mode: 'links' });
  const failed = await waitForRun(service, lost);
  t.match(failed, { state: 'failed', error: /The list of the campaign is missing/ });
  t.equal((await call(service, 'GET', `/${lost}/rows`)).status, 507);
  t.equal(await remove(service, lost), 204);
});

t.test('a campaign is deleted when its time is over', async (t) => {
  const { id } = await runCampaign(service, 'card', 'links', shortList);
  service.process.kill('SIGTERM');
  t.match(await service.process.ended, { code: 0 });
  const db = openDatabase(join(dataDirectory, 'platen.db'));
  db.prepare('UPDATE campaigns SET expires_at = ? WHERE id = ?').run(Date.now(), id);
  db.close();
  t.ok(existsSync(join(folderOf(id), 'links.csv')));
  const later = await start();
  t.ok(await eventually(() => !existsSync(folderOf(id))));
  t.equal((await call(later, 'GET', `/${id}`)).status, 404);
  later.process.kill('SIGTERM');
  await later.process.ended;
});

const originOf = ({ headers }: Answer): string =>
  /desc=(\w+)/.exec(String(headers['server-timing']))?.[1] ?? '';

t.test('links of a warm campaign are answered from the disk, and counted', async (t) => {
  const first = await start();
  const cold = await first.render('card?name=Ngozi&_version=1');
  t.equal(originOf(cold), 'miss');
  const names = 'name\nAmanda\nWei\nNgozi\nAmanda\n';
  const { id, ...campaign } = await runCampaign(first, 'card', 'warm', names);
  t.match(campaign, { state: 'finished', done: 4, error: null });
  t.match(campaign.counts, { warm: 4, failed: 0, no_space: 0 });
  await startRun(first, id, { mode: 'links' });
  await waitForRun(first, id);
  const csv = (await download(first, id, 'links.csv')).toString();
  const links = [...csv.matchAll(/https?:\/\/[^/]+(\/[^,\s]+)/g)].map(([, path = '']) => path);
  t.equal(links.length, 4);
  first.process.kill('SIGKILL');
  await first.process.ended;

  const second = await start();
  const wei = await second.get(links[1] ?? '');
  t.equal(wei.status, 200);
  t.equal(originOf(wei), 'warm', 'after a restart');
  const headers = { 'If-None-Match': String(wei.headers['etag']) };
  t.equal((await second.get(links[1] ?? '', { headers })).status, 304);
  const ngozi = await second.get(links[2] ?? '');
  t.equal(ngozi.headers['etag'], cold.headers['etag']);
  // The same pixels: a base render encodes them in other bytes, so tags are weak.
  await checkSame(t, ngozi, cold, 'the image is the one that a link draws');
  const newest = await second.render('card?name=Amanda');
  t.equal(originOf(newest), 'warm', 'a link without a version draws the same');
  t.equal(originOf(await second.render('card?name=Nobody&_version=1')), 'miss');
  second.process.kill('SIGTERM');
  await second.process.ended;

  const next = await start({ PLATEN_CAMPAIGNS_WARM_GIB: '0' });
  const { runs } = (await getCampaign(next, id)) as unknown as { runs: object[] };
  t.match(runs, [{ mode: 'links' }, { mode: 'warm', use: { hits: 3, misses: 1 } }]);
  t.equal(await remove(next, id), 204);
  t.equal(originOf(await next.render('card?name=Amanda&_format=webp')), 'miss');
  const { counts } = await runCampaign(next, 'card', 'warm', `name\nZoë\n${'a'.repeat(20_000)}\n`);
  t.match(counts, { warm: 0, no_space: 1, failed: 1 }, 'without space, and without a link');
});
