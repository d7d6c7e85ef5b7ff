/** Who sees what of a campaign, and what is refused before it is stored. */
import { request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  campaignsMax,
  createCampaignId,
  createCampaignStore,
} from '../../../src/mailings/store/campaigns/campaign-store.ts';
import { fillDataDirectory, textLayer, textVariable } from '../../e2e/published.ts';
import { eventually, startService } from '../../e2e/service.ts';
import { xlsxParts, zip } from '../lists/xlsx-file.ts';
import {
  call,
  campaignFiles,
  createCampaign,
  getCampaign,
  key,
  remove,
  runCampaign,
  startRun,
  storedCampaign,
  waitForRun,
  withKey,
} from './campaign-client.ts';

t.setTimeout(120_000);

const others = ['other', 'full', 'storing'];
const past = createCampaignId();
const dataDirectory = fillDataDirectory(
  join(t.testdir(), 'data'),
  ({ publish, organizations, db }) => {
    const name = textVariable('name', 'friend');
    const document = { variables: [name], layers: [textLayer('{{name}}')] };
    publish('card', document);
    publish('card', { ...document, width: 300 });
    publish('keyed', { ...document, linkAuth: 'key' });
    publish('versions', { ...document, variables: [name, textVariable('_version', 'first')] });
    for (const each of others) {
      organizations.createOrganization(each, `org_${each}`);
      organizations.createKey(`org_${each}`, { name: 'test', key: `key-of-${each}` });
      publish(`${each}-card`, document, `org_${each}`);
    }
    const store = createCampaignStore(db);
    for (let count = 0; count < campaignsMax; count += 1) {
      store.create(storedCampaign(createCampaignId(), 'org_full', 'full-card'));
    }
    const stored = storedCampaign(past, 'org_storing', 'storing-card');
    store.create({ ...stored, fileBytes: 1024 ** 3 - 100_000 });
  },
);
const service = await startService(t, { dataDirectory });
const [other, full, storing] = others.map((each) => withKey(service, `key-of-${each}`)) as [
  typeof service,
  typeof service,
  typeof service,
];

const list = 'email,name\na@example.com,Amanda\n';

t.test('another organization sees nothing of a campaign, at no address', async (t) => {
  const { id } = await runCampaign(service, 'card', 'proof', list);
  for (const path of ['', '/rows', '/events', '/sheet.png', '/links.csv', '/files.zip']) {
    const answer = await call(other, 'GET', `/${id}${path}`);
    t.equal(answer.status, 404, path);
    t.match(answer.json(), { error: 'Campaign not found' });
  }
  t.equal(await startRun(other, id, { mode: 'links' }), 404);
  t.equal((await call(other, 'POST', `/${id}/cancel`)).status, 404);
  t.equal(await remove(other, id), 404);
  t.match((await call(other, 'GET', '')).json(), { campaigns: { length: 0 }, total: 0 });
  t.equal((await createCampaign(other, 'card', 'proof', list)).status, 404, 'nor its templates');
  t.match(await getCampaign(service, id), { state: 'finished' });
  for (const path of ['../../platen.db', 'cmp_..%2f..%2f', `${id}%00`, '%2e%2e']) {
    t.equal((await service.get(`/v1/campaigns/${path}/links.csv`, { headers: key })).status, 404);
  }
  await remove(service, id);
});

t.test('a list whose encoding is not sure says so, with the cells of each reading', async (t) => {
  const bytes = Buffer.from('name,city\nRen\u008ee,Lyon\n', 'latin1');
  const doubtful = await createCampaign(service, 'card', 'proof', bytes);
  t.match(doubtful.body.list, {
    encoding: 'macintosh',
    encoding_doubt: {
      readings: [
        { encoding: 'macintosh', cells: ['Renée'] },
        { encoding: 'windows-1252', cells: ['RenŽe'] },
      ],
    },
  });
  const shown = await call(service, 'GET', `/${doubtful.body.id}`);
  t.match(shown.json(), {
    list: { encoding_doubt: { readings: [{ encoding: 'macintosh' }, {}] } },
  });
  const sure = await createCampaign(service, 'card', 'proof', bytes, { encoding: 'macintosh' });
  t.match(sure.body.list, { encoding: 'macintosh' });
  t.notOk('encoding_doubt' in sure.body.list);
  for (const { body } of [doubtful, sure]) await remove(service, body.id);
});

t.test('wrong options are refused, each with its name', async (t) => {
  const names = '{"names":"{{nmae}}"}';
  const cases: [status: number, message: RegExp, query: Record<string, string>][] = [
    [400, /options is no object of JSON/, { options: '{' }],
    ...['[]', '"text"', 'null'].map((options): (typeof cases)[0] => [400, /./, { options }]),
    [400, /scale/, { options: '{"scale":9}' }],
    [400, /format/, { options: '{"format":"bmp"}' }],
    [400, /nonsense/, { options: '{"nonsense":1}' }],
    [400, /expires/, { options: '{"expires":1}' }],
    [400, /map/, { options: '{"map":{"none":"name"}}' }],
    [400, /expected a variable of the template/, { options: '{"map":{"name":"none"}}' }],
    [400, /map/, { options: '{"map":["name"]}' }],
    [400, /mode/, { mode: 'mischief' }],
    [400, /nmae.*no column of the list.*\{\{name\}\}/, { mode: 'files', options: names }],
    [400, /encoding/, { encoding: 'klingon' }],
    [400, /separator/, { separator: 'abc' }],
    [404, /./, { options: '{"version":9}' }],
    [404, /./, { version: '7' }],
    [404, /./, { template: 'none' }],
    [400, /readers do not have/, { template: 'keyed', mode: 'links' }],
    [400, /a variable \\"_version\\", so its links/, { template: 'versions', mode: 'links' }],
  ];
  for (const [status, message, query] of cases) {
    const { answer } = await createCampaign(service, 'card', 'proof', list, query);
    t.equal(answer.status, status, `${JSON.stringify(query)} ${answer.text}`);
    t.match(answer.text, message);
  }
  const old = await createCampaign(service, 'card', 'proof', list, { options: '{"version":1}' });
  t.match(old.body, { version: 1, runs: [{ options: {} }] });
  await waitForRun(service, old.body.id);
  const { text } = await call(service, 'GET', `/${old.body.id}/rows?problem=bad_row`);
  t.match(text, /expected one of BAD_ROW/);
  t.equal(await startRun(service, old.body.id, { mode: 'files', names: '{{x}}' }), 400);
  await remove(service, old.body.id);
  t.same(campaignFiles(dataDirectory), []);
});

t.test('a workbook with several sheets says so, and makes nothing but a proof', async (t) => {
  const fixtures = join(import.meta.dirname, '../lists/fixtures');
  for (const kind of ['ods', 'xlsx']) {
    const workbook = readFileSync(join(fixtures, `members.${kind}`));
    const sheets = ['Mitglieder 2026', 'Orte'];
    const proof = await createCampaign(service, 'card', 'proof', workbook);
    t.equal(proof.status, 202, proof.answer.text);
    t.match(proof.body.list, { kind, sheet: sheets[0], sheets, sheet_doubt: true });
    t.notMatch(proof.answer.text, 'isSheetDoubted');
    await remove(service, proof.body.id);
    for (const mode of ['links', 'files', 'warm']) {
      const { answer } = await createCampaign(service, 'card', mode, workbook);
      t.equal(answer.status, 400, mode);
      t.match(answer.json(), {
        error: /several sheets with rows.*by "sheet".*Mitglieder 2026.*Orte/,
      });
    }
    const named = await createCampaign(service, 'card', 'links', workbook, { sheet: 'Orte' });
    t.match(named.body.list, { sheet: 'Orte', columns: ['Ort', 'Land'] });
    t.notOk('sheet_doubt' in named.body.list);
    await remove(service, named.body.id);
  }
  t.same(campaignFiles(dataDirectory), []);
});

t.test('lists that are no list, too large or bombs are refused', async (t) => {
  const many = await createCampaign(full, 'full-card', 'proof', list);
  t.equal(many.status, 409);
  t.match(many.answer.text, /has 100 campaigns, at most 100/);
  const sheet = 'xl/worksheets/sheet1.xml';
  const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>';
  const parts = xlsxParts({ rows });
  const padded = { ...parts, [sheet]: String(parts[sheet]) + ' '.repeat(64 * 1024 * 1024) };
  const columns = Array.from({ length: 201 }, (_, index) => `column${index}`).join(',');
  const pages = `name\n${'x\n'.repeat(10_001)}`;
  const cases: [status: number, message: RegExp, list: Buffer | string, options?: object][] = [
    [413, /201 columns on line 1, at most 200/, `${columns}\n`],
    [413, /line 2 \(byte 11\) has more than 32,767/, `name,note\n,${'x'.repeat(40_000)}\n`],
    [413, /line 1 \(byte 0\) has more than 32,767/, Buffer.alloc(64 * 1024 * 1024, 'x')],
    [413, /is compressed [\d,]+ times, at most 200 times/, zip(padded)],
    [400, /10001 rows.*at most 10000 pages/, pages, { output: 'pdf' }],
    [400, /The list has no rows/, 'name\r\n'],
    [400, /./, ''],
    [400, /./, 'PK\u0003\u0004 and no more'],
    [400, /./, Buffer.alloc(1000)],
  ];
  for (const [status, message, body, options = {}] of cases) {
    const query = { options: JSON.stringify(options) };
    const { answer } = await createCampaign(service, 'card', 'files', body, query);
    t.equal(answer.status, status, answer.text.slice(0, 300));
    t.match(answer.text, message);
  }
  const upload = (headers: Record<string, string>) =>
    call(service, 'POST', '?template=card', { headers, agent: false });
  t.equal((await upload({ 'Content-Length': String(1024 ** 3) })).status, 413);
  t.equal((await upload({ 'Content-Type': 'multipart/form-data; boundary=x' })).status, 415);
  t.same(campaignFiles(dataDirectory), [], 'nothing of them stays');
  t.equal((await service.get('/readyz')).status, 200);
});

t.test('a kept answer has no row of the list', async (t) => {
  const headers = { 'Content-Type': 'text/csv', 'Idempotency-Key': '"once"' };
  const upload = () => call(service, 'POST', '?template=card', { headers, body: list });
  const first = await upload();
  t.equal(first.status, 202);
  t.equal((await upload()).text, first.text, 'the request takes effect once');
  t.notMatch(first.text, /Amanda/);
  const { id } = first.json() as { id: string };
  await waitForRun(service, id);
  await remove(service, id);
});

t.test('HEAD of a result opens no file', async (t) => {
  const { id } = await runCampaign(service, 'card', 'links', list);
  const open = (): number => readdirSync(`/proc/${service.process.pid}/fd`).length;
  const before = open();
  for (let count = 0; count < 80; count += 1) {
    const path = `/${id}/${count % 2 === 0 ? 'links.csv' : 'rows'}`;
    t.equal((await call(service, 'HEAD', path)).status, 200);
  }
  t.ok(open() < before + 20, `${before} files before, ${open()} after`);
  await remove(service, id);
});

t.test('an organization uploads one list at a time, and others theirs', async (t) => {
  const path = `${service.base}/v1/campaigns?template=card`;
  const once = { 'Content-Type': 'text/csv', 'Idempotency-Key': '"underway"' };
  const upload = request(path, { method: 'POST', headers: { ...key, ...once } });
  upload.on('error', () => undefined);
  upload.write('email,name\n');
  t.ok(await eventually(() => campaignFiles(dataDirectory).length === 1), 'it is on its way');
  const { answer } = await createCampaign(service, 'card', 'proof', list);
  t.equal(answer.status, 503);
  t.match(answer.text, /Too many lists .*: one at a time for an organization, and 8 in all/);
  t.equal(answer.headers['retry-after'], '5');
  const repeat = () => call(service, 'POST', '?template=card', { headers: once, body: list });
  const early = await repeat();
  t.equal(early.status, 409, 'a repeat while the first is under way needs no slot');
  t.match(early.text, /in progress/);
  t.equal(early.headers['retry-after'], '1');
  const { id } = await runCampaign(other, 'other-card', 'proof', list);
  await remove(other, id);
  upload.destroy();
  t.ok(await eventually(() => campaignFiles(dataDirectory).length === 0), 'nothing of it stays');
  const late = await repeat();
  t.equal(late.status, 202, 'and counts as the first when that has failed');
  const { id: lateId } = late.json() as { id: string };
  await waitForRun(service, lateId);
  await remove(service, lateId);
});

t.test('lists count as stored bytes of their organization', async (t) => {
  const refusal = /more bytes than the organization may still store, which are 0\.09\d+ MiB/;
  const large = Buffer.alloc(200_000, 'a');
  const { answer } = await createCampaign(storing, 'storing-card', 'proof', large);
  t.equal(answer.status, 413);
  t.match(answer.text, refusal);
  // Without a length, the size is known when it is too much.
  const init = { method: 'POST', headers: { 'X-API-Key': 'key-of-storing' }, duplex: 'half' };
  const chunked = await fetch(`${service.base}/v1/campaigns?template=storing-card`, {
    ...(init as RequestInit),
    body: new Blob([large]).stream(),
  });
  t.equal(chunked.status, 413);
  t.match(await chunked.text(), refusal);

  const rows = Array.from({ length: 3000 }, (_, row) => `p${row}@example.com,Person ${row}`);
  const longer = ['email,name', ...rows].join('\n');
  const { answer: stored } = await createCampaign(storing, 'storing-card', 'proof', longer);
  t.equal(stored.status, 413, stored.text);
  t.match(stored.text, /may store 1024 MiB.*campaigns that are not used/);
  t.same(campaignFiles(dataDirectory), [], 'nothing of it is stored');
  t.equal(await remove(storing, past), 204);
  const { id, state } = await runCampaign(storing, 'storing-card', 'links', longer);
  t.equal(state, 'finished', 'deletion makes space');
  await remove(storing, id);
});
