/** Lists and requests at their edges: what is refused, what a proof counts, and what is left behind. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, textLayer, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { openAsItIs } from '../../src/store/database/database.ts';
import { createCampaign, key, rowsOf, waitForRun } from './campaign-client.ts';

const name = textVariable('name', 'friend');
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables: [name], layers: [textLayer('{{name}}')] });
  publish('card', { width: 300, variables: [name], layers: [textLayer('{{name}}')] });
  publish('faulty', {
    variables: [name],
    layers: [textLayer('{{name}}'), textLayer('static \uE123', { id: 'static', y: 20 })],
  });
  publish('faint', {
    height: 80,
    background: '#ffffff',
    variables: [name, { name: 'color', type: 'color', value: '#101010' }],
    layers: [
      textLayer('static', { id: 'static', y: 40, fill: '#cccccc' }),
      {
        id: 'column',
        type: 'stack',
        direction: 'column',
        x: 0,
        y: 0,
        width: 200,
        height: 40,
        layers: [
          {
            id: 'title',
            type: 'text',
            width: 'fill',
            height: 'hug',
            text: '{{name}}',
            fontSize: 20,
            fill: '{{color}}',
          },
        ],
      },
    ],
  });
  const option = textVariable('_version', 'first');
  publish('versions', { variables: [name, option], layers: [textLayer('{{name}} {{_version}}')] });
  publish('blurred', {
    width: 600,
    height: 400,
    variables: [name, { name: 'blur', type: 'number', value: '0' }],
    layers: [
      textLayer('{{name}}'),
      ...Array.from({ length: 60 }, (_, index) => ({
        id: `rect${index}`,
        type: 'rect' as const,
        x: 0,
        y: 60,
        width: 600,
        height: 300,
        fill: '#d0d8e0',
        blur: '{{blur}}' as unknown as number,
      })),
    ],
  });
  publish('keyed', { linkAuth: 'key', variables: [name], layers: [textLayer('{{name}}')] });
  publish('cart', {
    variables: [
      {
        name: 'items',
        type: 'list',
        fields: [{ name: 'title', type: 'text', value: '' }],
        value: [{ title: 'Sample' }],
      },
    ],
    layers: [
      {
        id: 'list',
        type: 'stack',
        direction: 'row',
        x: 0,
        y: 0,
        width: 240,
        height: 40,
        repeat: { list: 'items', max: 3 },
        layers: [
          {
            id: 'title',
            type: 'text',
            width: 'hug',
            height: 'hug',
            text: '{{item.title}}',
            fontSize: 20,
          },
        ],
      },
    ],
  });
});
const service = await startService(t, { dataDirectory });

async function prove(template: string, list: string) {
  const { body } = await createCampaign(service, template, 'proof', list);
  return waitForRun(service, body.id);
}

t.test(
  'a faint text of the template is said once, a faint one of a row with its row',
  async (t) => {
    const { id, counts } = await prove('faint', 'name,color\nAmanda,#303030\nWei,#eeeeee\n');
    t.match(counts, { fine: 1, problems: 1, template: [{ code: 'LOW_CONTRAST' }] });
    const problems = [{ code: 'LOW_CONTRAST', variable: 'color', message: /layer "title"/ }];
    t.match(await rowsOf(service, id), [{ row: 2, problems }]);
  },
);

t.test('links of a template that takes _version as a value are refused', async (t) => {
  const list = 'name\nAmanda\n';
  const { status, body } = await createCampaign(service, 'versions', 'links', list);
  t.equal(status, 400);
  t.match(JSON.stringify(body), /a variable \\"_version\\", so its links cannot be pinned/);
  t.match((await prove('versions', list)).counts, { fine: 1 });
});

t.test('what is wrong with the template itself is said once', async (t) => {
  const { counts } = await prove('faulty', 'name\r\nAmanda\r\nWei\r\n');
  t.match(counts, { fine: 2, problems: 0, template: [{ code: 'GLYPH_MISSING' }] });
});

t.test('a list without a column for a variable says so in its verdict', async (t) => {
  const { counts } = await prove('card', 'email,Stadt\r\na@example.com,Ulm\r\n');
  t.equal(
    counts.verdict,
    '1 fine, none need you. No column gives "name": every row has the default.',
  );
});

t.test('rows without items fall back to those of the template', async (t) => {
  const list = 'id,items.0.title\r\n1,Mug\r\n2,\r\n3,\uE123\r\n';
  const { body } = await createCampaign(service, 'cart', 'proof', list);
  const { counts } = await waitForRun(service, body.id);
  t.match(counts, { fine: 1, defaults: 1, problems: 1, EMPTY: 1, GLYPH_MISSING: 1 });
  t.match(await rowsOf(service, body.id), [
    { row: 2, problems: [{ code: 'EMPTY', variable: 'items' }] },
    { row: 3, problems: [{ code: 'GLYPH_MISSING', variable: 'items' }] },
  ]);
});

t.test('short links of a list have only what the template reads, and a limit', async (t) => {
  const columns = Array.from({ length: 5 }, (_, index) => `items.${index}.title`);
  const cells = columns.map(() => 'x'.repeat(30_000));
  const lists = [
    `items\n"[{""title"":""Mug"",""note"":""${'y'.repeat(30_000)}""}]"\n`,
    `${columns.join(',')}\n${cells.join(',')}\nMug,,,,\n`,
  ];
  const options = { options: JSON.stringify({ short: true }) };
  for (const [index, list] of lists.entries()) {
    const { body } = await createCampaign(service, 'cart', 'links', list, options);
    const { counts } = await waitForRun(service, body.id);
    t.match(counts, { links: 1, short: 1, bad_rows: index });
  }
  const db = openAsItIs(join(dataDirectory, 'platen.db'));
  const stored = db.prepare('SELECT link_json FROM short_links').pluck().all();
  db.close();
  t.match(stored, [/Mug/, /Mug/]);
  t.notMatch(stored.join(' '), /note|y{9}/);
});

t.test('a row that fails in a job of several is proved alone, and says why', async (t) => {
  const failing = [1, 4, 8, 9];
  const rows = Array.from({ length: 12 }, (_, index) => {
    const row = index + 1;
    return `${row === 6 ? '\u{13000}' : `name ${row}`},${failing.includes(row) ? 200 : 0}`;
  });
  const list = ['name,blur', ...rows].join('\r\n');
  const { body } = await createCampaign(service, 'blurred', 'proof', list);
  const { state, counts } = await waitForRun(service, body.id);
  t.equal(state, 'finished');
  t.match(counts, { fine: 7, RENDER_FAILED: 4, GLYPH_MISSING: 1 });
  const found = await rowsOf(service, body.id);
  t.same(
    found.map(({ row, problems }) => [row, ...problems.map(({ code }) => code)]),
    [1, 4, 6, 8, 9].map((row) => [row, row === 6 ? 'GLYPH_MISSING' : 'RENDER_FAILED']),
  );
  for (const { problems } of found.filter(({ row }) => row !== 6)) {
    t.match(problems[0]?.message, /takes too long to paint|blur/);
  }
});

t.test('requests that cannot be meant are refused with what was expected', async (t) => {
  const list = 'name\r\nAmanda\r\n';
  const create = (query: Record<string, string>, template = 'card', mode = 'proof') =>
    createCampaign(service, template, mode, list, query);
  t.equal((await create({ options: '[]' })).status, 400);
  t.equal((await create({ options: '{"version":9}' })).status, 404);
  const empty = await createCampaign(service, 'card', 'proof', 'name\r\n');
  t.equal(empty.status, 400);
  t.match(empty.answer.text, /The list has no rows/);
  const old = await create({ options: '{"version":1}' });
  t.match(old.body, { version: 1, runs: [{ options: {} }] });
  const keyed = await create({}, 'keyed', 'links');
  t.match(keyed.answer.text, /readers do not have/);
  t.equal(keyed.status, 400);
  const map = JSON.stringify({ map: { name: 'nobody' } });
  t.match((await create({ options: map })).answer.text, /expected a variable of the template/);
  const headers = { ...key, 'Content-Type': 'multipart/form-data; boundary=x' };
  const form = await service.get('/v1/campaigns?template=card', {
    method: 'POST',
    headers,
    body: list,
  });
  t.equal(form.status, 415);
  await waitForRun(service, old.body.id);
  const rows = await service.get(`/v1/campaigns/${old.body.id}/rows?problem=bad_row`, {
    headers: key,
  });
  t.match(rows.text, /expected one of BAD_ROW/);
});

t.test('a kept answer has no row of the list', async (t) => {
  const headers = { ...key, 'Content-Type': 'text/csv', 'Idempotency-Key': '"once"' };
  const call = { method: 'POST', headers, body: 'name\r\nAmanda\r\n' };
  const path = '/v1/campaigns?template=card';
  const first = await service.get(path, call);
  t.equal(first.status, 202);
  const again = await service.get(path, call);
  t.equal(again.text, first.text, 'the request takes effect once');
  t.notMatch(again.text, /Amanda/);
  await waitForRun(service, (first.json() as { id: string }).id);
});

t.test('HEAD of a result opens no file', async (t) => {
  const { body } = await createCampaign(service, 'card', 'links', 'name\r\nAmanda\r\n');
  await waitForRun(service, body.id);
  const open = (): number => readdirSync(`/proc/${service.process.pid}/fd`).length;
  const before = open();
  for (let count = 0; count < 40; count += 1) {
    for (const file of ['links.csv', 'rows']) {
      // oxlint-disable-next-line no-await-in-loop -- one connection for all
      const head = await service.get(`/v1/campaigns/${body.id}/${file}`, {
        method: 'HEAD',
        headers: key,
      });
      t.equal(head.status, 200);
    }
  }
  t.ok(open() < before + 20, `${before} files before, ${open()} after`);
});
