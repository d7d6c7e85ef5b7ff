/** What runs give: links, files and PDFs of each row, and a message to the webhooks of the organization. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { openAsItIs } from '../../../src/store/database/database.ts';
import { startOrigin } from '../../fixtures/images-origin.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { plainImage, sends } from '../../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../../e2e/published.ts';
import { startService } from '../../e2e/service.ts';
import { call, download, key, remove, runCampaign, withKey } from './campaign-client.ts';
import { readPages, readZip } from './file-readers.ts';

const origin = await startOrigin({ '/a.png': sends(await plainImage('#2d6a4f', 120, 120)) });
t.teardown(() => origin.close());
const receiver = await startReceiver(t);

const line = { width: 700, height: 80, fontSize: 60 };
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, organizations }) => {
  organizations.createOrganization('other', 'org_other');
  organizations.createKey('org_other', { name: 'test', key: 'key-of-the-others' });
  const name = textVariable('name', 'friend');
  publish('card', {
    onImageError: 'default',
    variables: [
      name,
      { name: 'points', type: 'number', value: '1' },
      { name: 'photo', type: 'image', value: origin.url('/a.png') },
    ],
    layers: [textLayer('Hello {{name}} {{points}}'), imageLayer('{{photo}}')],
  });
  publish('signed', { linkAuth: 'signed', variables: [name] });
  const hostile = [textVariable('__proto__', 'friend'), textVariable('constructor', '')];
  const values = textLayer('{{__proto__}} {{constructor}}');
  publish('hostile', { variables: hostile, layers: [values] });
  const items = {
    name: 'items',
    type: 'list',
    value: [{ title: 'Sample' }],
    fields: [{ name: 'title', type: 'text', value: '' }],
  };
  const stack = { id: 'list', type: 'stack', x: 0, y: 0, width: 240, height: 40 } as const;
  const hug = { width: 'hug', height: 'hug', fontSize: 20 } as const;
  const title = { id: 'title', type: 'text', text: '{{item.title}}', ...hug } as const;
  publish('cart', {
    variables: [items as never],
    layers: [{ ...stack, direction: 'row', repeat: { list: 'items', max: 5 }, layers: [title] }],
  });
  const box = { type: 'rect', x: 0, y: 0, width: 1600, height: 1200, fill: '#336699' } as const;
  publish('costly', {
    width: 1600,
    height: 1200,
    layers: [1, 2, 3, 4].map((number) => ({ ...box, id: `rect-${number}`, blur: 2 })),
  });
  const shadow = { x: 4, y: 4, blur: 6, color: '#000000' };
  const faint = { opacity: 0.5, stroke: { width: 1, color: '#ff0000' } };
  publish('poster', {
    width: 1000,
    height: 501,
    variables: [name],
    layers: [
      imageLayer(origin.url('/a.png'), { x: 800, width: 200, height: 200 }),
      textLayer('Plain {{name}}', { id: 'plain', ...line }),
      textLayer('Shadow', { id: 'shadow', y: 80, ...line, shadow }),
      textLayer('Spaced', { id: 'spaced', y: 160, ...line, letterSpacing: 4 }),
      textLayer('Blurred', { id: 'blurred', y: 240, ...line, blur: 2 }),
      textLayer('Faint', { id: 'faint', y: 320, ...line, ...faint }),
      textLayer('q\u0307x\u0323y', { id: 'marked', y: 400, ...line }),
    ],
  });
});
const origins = [origin, receiver];
const service = await startService(t, { dataDirectory, origins, threadCount: 2 });

async function linksOf(template: string, list: string, options = {}) {
  const { id, counts } = await runCampaign(service, template, 'links', list, options);
  return { id, counts, csv: (await download(service, id, 'links.csv')).toString() };
}

/** Makes the files of a list. */
async function filesOf(template: string, list: string, options = {}) {
  const campaign = await runCampaign(service, template, 'files', list, options);
  const zip = await download(service, campaign.id, 'files.zip');
  return { ...campaign, files: await readZip(zip) };
}

t.test('lists that attack reach no further than their cells', async (t) => {
  const list = '__proto__,constructor,toString\n"Ann ""Big"" Lee",=cmd|A1,x\n';
  const { csv } = await linksOf('hostile', list);
  t.match(csv, /hostile\.png\?__proto__=Ann%20%22Big%22%20Lee&constructor=/);
  t.match(csv, `"Ann ""Big"" Lee",'=cmd|A1,x,`, 'formulas come back as text');
  t.match(csv, /,[^,"]*Ann ”Big” Lee[^,"]*$/m, 'no quotation mark ends an alternative text');
  const mapped = await linksOf('hostile', list, { map: { toString: '__proto__' } });
  t.match(mapped.csv, /hostile\.png\?__proto__=x&_version=1/);
});

t.test('short links outlive their campaign, until somebody deletes them', async (t) => {
  const other = withKey(service, 'key-of-the-others');
  const uploaded = async (options: object): Promise<{ id: string; url: string }> => {
    const { id, csv } = await linksOf('card', 'name\nAmanda\n', options);
    return { id, url: /http[^,\s]+/.exec(csv)?.[0] ?? '' };
  };
  const image = async (url: string): Promise<number> => (await fetch(url)).status;
  const [first, second] = [await uploaded({ short: true }), await uploaded({ short: true })];
  const plain = await uploaded({});
  t.equal(await remove(service, first.id), 204);
  t.equal(await image(first.url), 200, 'emails that are sent show their images');
  t.equal(await remove(other, `${first.id}?short_links=true`), 404);
  t.equal(await image(first.url), 200);
  t.equal(await remove(service, `${first.id}?short_links=true`), 204, 'also later');
  t.equal(await image(first.url), 404);
  t.equal(await image(second.url), 200, 'those of others stay');
  t.equal(await remove(service, `${second.id}?short_links=true`), 204);
  t.equal(await image(second.url), 404);
  t.notMatch(storedLinks(), 'Amanda');
  t.equal(await remove(service, `${plain.id}?short_links=true`), 204);
  t.equal(await image(plain.url), 200, 'a link with its values needs no database');
});

function storedLinks(): string {
  const db = openAsItIs(join(dataDirectory, 'platen.db'));
  const stored = db.prepare('SELECT link_json FROM short_links').pluck().all();
  db.close();
  return stored.join(' ');
}

t.test('short links of a list have only what the template reads, and a limit', async (t) => {
  const columns = Array.from({ length: 5 }, (_, index) => `items.${index}.title`);
  const cells = columns.map(() => 'x'.repeat(30_000));
  const lists = [
    `items\n"[{""title"":""Mug"",""note"":""${'y'.repeat(30_000)}""}]"\n`,
    `${columns.join(',')}\n${cells.join(',')}\nMug,,,,\n`,
  ];
  for (const [index, list] of lists.entries()) {
    const { counts } = await linksOf('cart', list, { short: true });
    t.match(counts, { links: 1, short: 1, bad_rows: index });
  }
  t.match(storedLinks(), /Mug.* .*Mug/);
  t.notMatch(storedLinks(), /note|y{9}/);
});

t.test('each file has the pixels of the link of its row', async (t: Test) => {
  const names = ['Amanda', 'José', 'محمد', '王伟', '', 'A&B=C?', '🎉 party'];
  const list = ['name,points', ...names.map((name, index) => `${name},${index}`)].join('\n');
  const pixelsOf = (image: Buffer): Promise<Buffer> => sharp(image).raw().toBuffer();
  for (const format of ['png', 'jpg']) {
    const { files, ...campaign } = await filesOf('card', list, { format, scale: 2 });
    const counts = { files: names.length, failed: 0 };
    t.match(campaign, { state: 'finished', error: null, counts });
    const expected = names.map((_, index) => `${index + 1}.${format}`);
    t.same([...files.keys()], expected);
    for (const [index, name] of names.entries()) {
      const query = new URLSearchParams({ name, points: String(index), _scale: '2' });
      const link = await service.render(`card.${format}?${query.toString()}&_version=1`);
      const file = files.get(`${index + 1}.${format}`) as Buffer;
      t.ok((await pixelsOf(file)).equals(await pixelsOf(link.body)), `${name} as ${format}`);
    }
  }
});

t.test('each file has a name of its own, from a pattern of columns', async (t: Test) => {
  const list = 'first name,name\nAmanda,X\nAmanda,Y\nAMANDA,Z\nAmanda-2,\n...,\n';
  const { files } = await filesOf('card', list, { names: '{{first name}}' });
  const names = ['Amanda.png', 'Amanda-2.png', 'AMANDA-3.png', 'Amanda-2-2.png', '5.png'];
  t.same([...files.keys()], names);
  const [composed, decomposed] = ['prénom', 'prénom'.normalize('NFD')];
  for (const form of [composed, decomposed]) {
    const options = { names: `{{${form}}}`, map: { [form]: 'name' } };
    const found = await filesOf('card', `${decomposed}\nZoe\n`, options);
    t.same([...found.files.keys()], ['Zoe.png'], 'in each normal form');
  }
});

t.test('rows that cannot be drawn are named, and stop nothing else', async (t: Test) => {
  const gone = origin.url('/gone.png');
  const list = `name;points;photo\nAnn;5;\nBo;free;\nCy;1;2;3;4\nDee;2;${gone}\n`;
  const { files, ...campaign } = await filesOf('card', list);
  t.match(campaign, { state: 'finished', counts: { files: 2, failed: 2, degraded: 1 } });
  const rows = campaign.counts['problem_rows'] as { row: number }[];
  t.same(
    rows.map(({ row }) => row),
    [2, 3, 4],
  );
  t.same([...files.keys()], ['1.png', '4.png', 'problems.csv']);
  const table = files.get('problems.csv')?.toString().split('\n') ?? [];
  t.equal(table[0], 'row;line;problem', 'as the list was written');
  t.match(table[1], /^2;3;.*points.* is not a number/);
  t.match(table[2], /^3;4;.*5 cells/);
  t.match(table[3], /^4;5;/);
});

/** The texts of every page of the poster. */
const posterText = (name: string): string[] => [
  `Plain ${name}`,
  'Shadow',
  'Spaced',
  'Blurred',
  'Faint',
  'q\u0307x\u0323y',
];

t.test('a PDF has a page for each row, with text and the letters of its fonts', async (t: Test) => {
  const pdfOf = async (list: string) => {
    const campaign = await runCampaign(service, 'poster', 'files', list, { output: 'pdf' });
    const bytes = await download(service, campaign.id, 'files.pdf');
    const images = bytes.toString('latin1').split('/Subtype /Image').length - 1;
    return { campaign, bytes, images };
  };
  const { campaign, bytes, images } = await pdfOf('name\nAmanda\nŁukasz\n');
  t.match(campaign, { state: 'finished', error: null, counts: { files: 2 } });
  const pages = await readPages(bytes);
  // 72 points for 96 pixels.
  const page = { size: [750, 375.75], areEmbedded: true };
  const texts = ['Amanda', 'Łukasz'].map(posterText);
  t.same(
    pages,
    texts.map((each) => ({ ...page, texts: each })),
  );
  t.equal(images, (await pdfOf('name\nAmanda\n')).images, 'equal images are in the file once');
  const other = await call(service, 'GET', `/${campaign.id}/files.zip`);
  t.equal(other.status, 404, 'this run made no ZIP');
});

t.test('PDFs of rows are files of a ZIP', async (t: Test) => {
  const options = { output: 'pdfs', names: '{{name}}', scale: 1 };
  const { files } = await filesOf('poster', 'name\nAmanda\nWei\n', options);
  t.same([...files.keys()], ['Amanda.pdf', 'Wei.pdf']);
  const [page] = await readPages(files.get('Wei.pdf') as Buffer);
  t.same(page?.texts, posterText('Wei'));
});

t.test('a PDF that takes too long or has no page is refused, or has fewer pixels', async (t) => {
  const run = (template: string, list: string, options = {}) =>
    runCampaign(service, template, 'files', list, { output: 'pdf', ...options });
  const list = 'name\nAmanda\n';
  t.match(await run('costly', list), { state: 'finished', counts: { files: 1 } });
  const refused = await run('costly', list, { scale: 2 });
  t.equal(refused.state, 'failed');
  t.match(refused.error, /takes about \d+ ms of processor time to write as PDF/);
  const empty = await run('card', 'points\nx\n');
  t.equal(empty.state, 'failed');
  t.match(empty.error, /No row of the list can be drawn.*points/);
});

t.test('webhooks get the end of a run, without a value of a row', async (t) => {
  const body = JSON.stringify({ url: receiver.url });
  await service.get('/v1/webhooks', { method: 'POST', headers: key, body });
  const list = 'name,email\r\nAmanda,amanda@example.com\r\n*|FNAME|*,wei@example.com\r\n';
  const { id } = await runCampaign(service, 'card', 'proof', list);
  await receiver.hasReceived(1);
  const finished = receiver.received[0]?.body ?? '';
  const counts = { fine: 1, problems: 1, UNMERGED: 1 };
  t.match(JSON.parse(finished), {
    type: 'campaign.finished',
    data: { id, template: 'card', version: 1, mode: 'proof', rows: 2, done: 2, counts },
  });
  t.notMatch(finished, /amanda|FNAME/i);
  const refused = await runCampaign(service, 'signed', 'links', list);
  t.equal(refused.state, 'failed');
  await receiver.hasReceived(2);
  t.match(JSON.parse(receiver.received[1]?.body ?? ''), {
    type: 'campaign.failed',
    data: { id: refused.id, mode: 'links', error: /signing key/ },
  });
});
