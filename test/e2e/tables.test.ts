/** Data tables of the whole service: an upload, its links in every form, and what the log has. */
import { join } from 'node:path';
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { startService } from './service.ts';
import { createCampaign, waitForRun } from '../campaigns/campaign-client.ts';

const variables: Template['variables'] = [
  { name: 'id', type: 'text', value: '' },
  { name: 'name', type: 'text', value: 'friend', from: 'members.{{id}}.name' },
];
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables, layers: [textLayer('{{name}}')] });
  publish('plain', {
    variables: [{ name: 'name', type: 'text', value: '' }],
    layers: [textLayer('{{name}}')],
  });
});
const service = await startService(t, { dataDirectory });
const headers = { 'X-API-Key': testOrganization.key };
const post = (uid: string, body: object) =>
  service.get(`/v1/render/${uid}`, { method: 'POST', headers, body: JSON.stringify(body) });

t.test('a row is drawn by links, short links and JSON renders alike', async (t) => {
  const body = 'id,name\n8f2c,Wolfeschlegel\n';
  const stored = await service.get('/v1/tables/members?key=id', { method: 'PUT', headers, body });
  t.equal(stored.status, 201);
  const [plain, link, unknown, friend] = await Promise.all([
    service.render('plain.png?name=Wolfeschlegel'),
    service.render('card.png?id=8f2c'),
    service.render('card.png?id=nobody'),
    service.render('plain.png?name=friend'),
  ]);
  t.ok(link.body.equals(plain.body), 'the image of the row');
  t.ok(unknown.body.equals(friend.body), 'the image of the default');
  const image = await post('card', { format: 'png', values: { id: '8f2c', name: 'Spoofed' } });
  t.ok(image.body.equals(link.body));
  const url = await post('card', {
    format: 'png',
    values: { id: '8f2c', name: 'x' },
    response: 'url',
    short: true,
  });
  const made = JSON.parse(url.text) as { url: string; ignored: string[] };
  t.same(made.ignored, ['name']);
  const short = await service.get(new URL(made.url).pathname);
  t.ok(short.body.equals(link.body));
  const changed = await service.get('/v1/tables/members', {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ rows: [{ id: '8f2c', name: 'friend' }] }),
  });
  t.equal(changed.status, 200);
  t.ok(
    (await service.get(new URL(made.url).pathname)).body.equals(friend.body),
    'a short link has the new row',
  );
  t.notMatch(
    service.process.stdout + service.process.stderr,
    /Wolfeschlegel/,
    'the log has no value',
  );
});

t.test('conditions and deadlines read a table', async (t) => {
  const body = 'sku,stock,until,client\nshoe,3,2026-11-27T18:00,gold\nhat,40,2026-12-01,\n';
  await service.get('/v1/tables/stock?key=sku', { method: 'PUT', headers, body });
  const from = (column: string): { from: string } => ({ from: `stock.{{sku}}.${column}` });
  const template = {
    format: 1,
    name: 'Stock',
    width: 200,
    height: 100,
    clock: { until: '{{until}}' },
    variables: [
      textVariable('sku', ''),
      { name: 'stock', type: 'number', value: '0', ...from('stock') },
      { ...textVariable('until', '2026-11-26T13:00'), ...from('until') },
      { ...textVariable('tier', ''), ...from('client') },
    ],
    layers: [
      textLayer('{{stock}} left', { id: 'few', visibleWhen: { variable: 'stock', lessThan: 5 } }),
      textLayer('In stock', { id: 'many', visibleWhen: { variable: 'stock', greaterThan: 4 } }),
      textLayer('Gold', {
        id: 'gold',
        visibleWhen: [
          { variable: 'tier', equals: 'gold' },
          { variable: 'now', lessThan: '{{until}}' },
        ],
      }),
      textLayer('{{countdown.totalHours}}', { id: 'left' }),
    ],
  };
  const shown = async (sku: string, now: string): Promise<string[]> => {
    const answer = await service.get('/v1/preview', {
      method: 'POST',
      headers: { ...headers, Accept: 'application/json' },
      body: JSON.stringify({ template, values: { sku }, now, contrast: false }),
    });
    const { layers } = JSON.parse(answer.text) as {
      layers: { id: string; text?: { text: string } }[];
    };
    return layers.map(({ id, text }) => `${id}: ${text?.text}`);
  };
  const now = '2026-11-26T12:00';
  t.same(await shown('shoe', now), ['few: 3 left', 'gold: Gold', 'left: 30']);
  t.same(
    await shown('shoe', '2026-11-28'),
    ['few: 3 left', 'left: 0'],
    'after the deadline of the row',
  );
  t.same(await shown('hat', now), ['many: In stock', 'left: 108']);
  t.same(await shown('none', now), ['few: 0 left', 'left: 1'], 'the defaults');
});

t.test('a campaign of ids proves and links the rows of a table', async (t) => {
  const body = 'id,name\n8f2c,Amanda\nlong,*|FNAME|*\n';
  await service.get('/v1/tables/members?key=id', { method: 'PUT', headers, body });
  const list = 'id,name\n8f2c,Spoofed\nnobody,Spoofed\n';
  const made = await createCampaign(service, 'card', 'links', list);
  t.equal(made.status, 202);
  t.notOk(Object.values(made.body.mapping).includes('name'), 'no column is mapped to it');
  t.equal((await waitForRun(service, made.body.id)).state, 'finished');
  const links = await service.get(`/v1/campaigns/${made.body.id}/links.csv`, { headers });
  const [, first = '', second = ''] = links.text.split(/\r?\n/);
  t.match(first, /id=8f2c.*Amanda/, 'the alternative text has the row');
  t.notMatch(first, 'name=');
  t.match(second, /id=nobody.*friend/);
});
