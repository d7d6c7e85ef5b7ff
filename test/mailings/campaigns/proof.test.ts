/** A proof names each planted fault with its row, and raises no false alarm. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { pickRows } from '../../../src/mailings/campaigns/proof/sheet.ts';
import { startOrigin } from '../../fixtures/images-origin.ts';
import { plainImage, sends } from '../../e2e/image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from '../../e2e/published.ts';
import { startService } from '../../e2e/service.ts';
import { extent } from '../../helpers/extent.ts';
import { download, rowsOf, runCampaign } from './campaign-client.ts';

t.setTimeout(300_000); // The full length takes 52 s, and long on a busy machine.

const photo = await plainImage('#2d6a4f', 120, 120);
const grain = { type: 'gaussian', mean: 128, sigma: 60 } as const;
const grainy = { width: 700, height: 700, channels: 3, background: '#888', noise: grain } as const;
const noise = await sharp({ create: grainy }).png().toBuffer();
const origin = await startOrigin({
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}.png`, sends(photo)])),
  '/noise.png': sends(noise),
  '/text.png': sends('no image', 'text/html'),
  '/broken.png': sends(photo.subarray(0, 70)),
  // The answer begins at once, and ends after the time that an image may take.
  '/slow.png': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(photo.subarray(0, 100));
    setTimeout(() => response.end(photo.subarray(100)), 3300).unref();
  },
  // A connection on which nothing arrives.
  '/silent.png': () => undefined,
});
t.teardown(() => origin.close());

const name = textVariable('name', 'friend');
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  const row = { x: 10, y: 10, height: 30 };
  const large = { width: 300, height: 60, fontSize: 40 };
  const smaller = { width: 200, height: 50, fontSize: 36 };
  const color = { id: 'city', x: 10, fill: '{{color}}' };
  const city = textLayer('{{city}} {{price}}', { ...smaller, ...color });
  const group = { id: 'group', type: 'group', x: 0, y: 80, width: 700, height: 60 } as const;
  const bar = { id: 'bar', type: 'rect', x: 330, y: 50, height: 10, fill: '#2d6a4f' } as const;
  const code = { id: 'code', type: 'barcode', kind: 'ean8', value: '{{code}}' } as const;
  publish('offer', {
    width: 700,
    height: 700,
    variables: [
      name,
      textVariable('city', ''),
      textVariable('note', '', { whenEmpty: 'empty', maxLength: 50 }),
      { name: 'price', type: 'number', value: '10' },
      { name: 'color', type: 'color', value: '#000000' },
      { name: 'photo', type: 'image', value: origin.url('/a.png') },
      textVariable('badge', 'new'),
      textVariable('day', '2026-11-27'),
      { name: 'bar', type: 'number', value: '40' },
      textVariable('code', '40123455'),
    ],
    layers: [
      imageLayer('{{photo}}', { id: 'photo', x: 0, y: 200, width: 700, height: 500 }),
      textLayer('{{name}}', { ...row, ...large, id: 'name', overflow: 'ellipsis' }),
      // Its effect mixes the colour of the letters with the paper.
      { ...group, opacity: 0.8, layers: [city] },
      textLayer('{{note}}', { id: 'note', x: 10, y: 150, width: 680 }),
      textLayer('{{badge}}', { ...row, id: 'badge', x: 330, width: 90, overflow: 'clip' }),
      textLayer('{{day | date:long}}', { ...row, id: 'day', x: 440, width: 250 }),
      { ...bar, width: '{{bar}}' as never },
      { ...code, x: 440, y: 45, width: 240, height: 30 },
    ],
  });
  const stack = { id: 'stack', type: 'stack', x: 0, y: 0, width: 200, height: 40 } as const;
  const hug = { width: 'hug', height: 'hug', fontSize: 20 } as const;
  const title = { id: 'title', type: 'text', text: '{{name}}', fill: '{{color}}' } as const;
  publish('faulty', {
    height: 120,
    variables: [name, { name: 'color', type: 'color', value: '#101010' }],
    layers: [
      textLayer('static', { id: 'faint', y: 40, fill: '#cccccc' }),
      textLayer('static \uE123', { id: 'unknown', y: 80 }),
      { ...stack, direction: 'column', layers: [{ ...title, ...hug, width: 'fill' }] },
    ],
  });
  const items = {
    name: 'items',
    type: 'list',
    value: [{ title: 'Sample' }],
    fields: [{ name: 'title', type: 'text', value: '' }],
  } as const;
  const item = { id: 'title', type: 'text', text: '{{item.title}}', ...hug } as const;
  publish('cart', {
    variables: [items as never],
    layers: [{ ...stack, direction: 'row', repeat: { list: 'items', max: 3 }, layers: [item] }],
  });
  const area = { x: 0, y: 60, width: 600, height: 300 };
  const costly = { type: 'rect', ...area, fill: '#d0d8e0', blur: '{{blur}}' as never } as const;
  publish('blurred', {
    width: 600,
    height: 400,
    variables: [name, { name: 'blur', type: 'number', value: '0' }],
    layers: [
      textLayer('{{name}}'),
      ...Array.from({ length: 60 }, (_, index) => ({ ...costly, id: `rect${index}` })),
    ],
  });
});
const service = await startService(t, { dataDirectory, origins: [origin], threadCount: 2 });

const prove = (template: string, list: string) => runCampaign(service, template, 'proof', list);

function soundRow(index: number) {
  const names = ['Amanda', 'Jean-Luc', 'Ngozi', 'O’Neill', '[VIP] Ann', 'Søren', 'Wei'];
  const cities = ['Lyon', 'Kraków', 'São Paulo', 'Ulm'];
  return {
    email: `person${index}@example.com`,
    name: `${names[index % names.length]} ${index}`,
    city: cities[index % cities.length] ?? '',
    note: index % 3 === 0 ? '' : '100% off (today)',
    price: String(index % 100),
    color: '#202020',
    photo: origin.url(`/${'abc'[index % 3]}.png`),
    badge: index % 2 === 0 ? 'new' : 'last 3',
    day: `2026-12-${String((index % 28) + 1).padStart(2, '0')}`,
    bar: String(index % 200),
    code: '40123455',
  };
}

type Fault = [code: string, variable: string | null, change: Partial<ReturnType<typeof soundRow>>];

/** Each fault changes a sound row, and is found as this code alone. */
const allFaults: Fault[] = [
  ['UNMERGED', 'name', { name: '*|FNAME|*' }],
  ['UNMERGED', 'city', { city: '{{ city }}' }],
  ['UNMERGED', 'note', { note: '%%note%%' }],
  ['EMPTY', 'city', { city: ' ' }],
  ['EMPTY', 'name', { name: '' }],
  ['VALUE_TOO_LONG', 'note', { note: 'x'.repeat(51) }],
  ['BAD_VALUE', 'price', { price: 'free' }],
  ['BAD_VALUE', 'color', { color: 'reddish' }],
  ['TEXT_TRUNCATED', 'name', { name: 'Maximiliane Alexandra Josephine of Hohenstein' }],
  ['TEXT_SHRUNK', 'city', { city: 'Llanfairpwllgwyngyllgogerychwyrndrobwll' }],
  ['GLYPH_MISSING', 'name', { name: 'A\u{13000}' }],
  // Three to one by itself, and less through the group.
  ['LOW_CONTRAST', 'color', { color: '#949494' }],
  ['IMAGE_FAILED', 'photo', { photo: origin.url('/gone.png') }],
  ['IMAGE_FAILED', 'photo', { photo: origin.url('/text.png') }],
  ['IMAGE_FAILED', 'photo', { photo: origin.url('/broken.png') }],
  ['IMAGE_FAILED', 'photo', { photo: 'http://169.254.169.254/latest/meta-data' }],
  ['BAD_ADDRESS', 'photo', { photo: 'C:\\Pictures\\anna.png' }],
  ['TEXT_OVERFLOWS', 'badge', { badge: 'limited edition' }],
  ['FORMAT_FAILED', 'day', { day: 'soon' }],
  ['VALUE_OUT_OF_RANGE', 'bar', { bar: '-5' }],
  ['CODE_FAILED', 'code', { code: 'blue' }],
  ['TOO_LARGE', null, { photo: origin.url('/noise.png') }],
  ['DUPLICATE', null, { email: 'person0@example.com' }],
  // Each of these takes seconds of waiting.
  ['IMAGE_SLOW', 'photo', { photo: origin.url('/slow.png') }],
  ['IMAGE_FAILED', 'photo', { photo: origin.url('/silent.png') }],
];

const faults = allFaults.slice(0, extent(allFaults.length - 2, allFaults.length));
const rowCount = extent(250, 10_000);

function plantedList(): { csv: string; expected: Map<number, string[]> } {
  const expected = new Map<number, string[]>();
  const lines = [Object.keys(soundRow(0)).join(',')];
  const every = Math.floor(rowCount / 61);
  for (let index = 0; index < rowCount; index += 1) {
    const planted = index > 0 && index % every === 0 ? index / every - 1 : -1;
    const isPlanted = planted >= 0 && planted < 60;
    const fault = isPlanted ? faults[planted % faults.length] : undefined;
    if (isPlanted && planted % 17 === 16) {
      lines.push('too,few');
      expected.set(index + 1, ['BAD_ROW']);
      continue;
    }
    if (fault !== undefined) expected.set(index + 1, [`${fault[0]} ${fault[1] ?? ''}`.trim()]);
    lines.push(Object.values({ ...soundRow(index), ...fault?.[2] }).join(','));
  }
  return { csv: `${lines.join('\r\n')}\r\n`, expected };
}

t.test('60 planted faults are found with their rows, and nothing else', async (t: Test) => {
  const { csv, expected } = plantedList();
  const { id, ...campaign } = await prove('offer', csv);
  t.match(campaign, { state: 'finished', error: null, done: rowCount });
  const found = await rowsOf(service, id);
  const nameOf = ({ code, variable }: { code: string; variable: string | null }): string =>
    code === 'BAD_ROW' ? code : `${code} ${variable ?? ''}`.trim();
  const inOrder = found.toSorted((a, b) => a.row - b.row);
  t.same(new Map(inOrder.map(({ row, problems }) => [row, problems.map(nameOf)])), expected);
  t.equal(expected.size, 60);
  const planted = new Set([...expected.values()].flat());
  for (const [code, variable] of faults) t.ok(planted.has(`${code} ${variable ?? ''}`.trim()));
  const empty = [...expected.values()].filter(([code]) => code === 'EMPTY name').length;
  t.match(campaign.counts, { defaults: empty, problems: 60 - empty, fine: rowCount - 60 });
  const verdict = `${(rowCount - 60).toLocaleString('en-US')} fine, ${empty} fall back to a default, ${60 - empty} need you. First see to `;
  t.equal(String(campaign.counts['verdict']).slice(0, verdict.length), verdict);
  const needs = Array.from({ length: 60 }, (_, index) => index < 60 - empty);
  t.same(
    found.map((each) => each.needs_you),
    needs,
    'rows that need a person come first',
  );
  const one = await rowsOf(service, id, 'TOO_LARGE');
  t.ok(one.length > 0 && one.every(({ problems }) => problems[0]?.code === 'TOO_LARGE'));
  const fetched = origin.requests.toSorted();
  t.same(fetched, [...new Set(fetched)], 'each distinct image is fetched once');
  const sheet = await download(service, id, 'sheet.png');
  t.match(await sharp(sheet).metadata(), { format: 'png', width: 1300 });
});

t.test('a sheet has a row of each problem and of each script, however many there are', (t) => {
  const codes = ['UNMERGED', 'EMPTY', 'TEXT_SHRUNK', 'TEXT_TRUNCATED', 'TEXT_OVERFLOWS'] as const;
  const more = ['GLYPH_MISSING', 'LOW_CONTRAST', 'IMAGE_FAILED', 'TOO_LARGE', 'BAD_VALUE'] as const;
  const problems = Object.fromEntries(
    [...codes, ...more].map((code, index) => [code, [index, 20 + index, 40 + index]]),
  );
  const sixteen = Array.from({ length: 16 }, (_, index) => [`script ${index}`, 100 + index]);
  const scripts = Object.fromEntries(sixteen) as Record<string, number>;
  const picks = pickRows({ problems, scripts, longest: [], shortest: [] });
  t.equal(picks.length, 26, 'and no further examples');
  const reasons = picks.flatMap((pick) => pick.reasons);
  for (const kind of [...Object.keys(problems), ...Object.keys(scripts)])
    t.ok(reasons.includes(kind), kind);
  t.same(picks[0], { row: 0, reasons: ['UNMERGED'] }, 'problems stay first');
  const few = pickRows({ problems, scripts: { Latin: 100 }, longest: [], shortest: [] });
  t.equal(few.length, 24, 'with further examples of each problem');
  t.end();
});

t.test('a fault of the template is said once, and that of a row with its row', async (t) => {
  const { id, counts } = await prove('faulty', 'name,color\nAmanda,#303030\nWei,#eeeeee\n');
  const template = [{ code: 'GLYPH_MISSING' }, { code: 'LOW_CONTRAST' }];
  t.match(counts, { fine: 1, problems: 1, template });
  const problems = [{ code: 'LOW_CONTRAST', variable: 'color', message: /layer "title"/ }];
  t.match(await rowsOf(service, id), [{ row: 2, problems }]);
  const { counts: unnamed } = await prove('faulty', 'Stadt\nUlm\n');
  t.match(unnamed['verdict'], /^1 fine, none need you\. No column of the list is used/);
});

t.test('a proof counts the corrected values of each column, and their rows are fine', async (t) => {
  const rows = [
    'Anna,Ulm',
    'O&#39;Brien,Ulm',
    'J%C3%B3zsef,Bad &amp; Co',
    'Eve&eacute;,Ulm',
    'Jos%E9,Ulm',
  ];
  const { counts } = await prove('faulty', ['name,town', ...rows].join('\n'));
  const [column] = counts['corrected'] as { message: string }[];
  t.match(counts, { fine: 5, problems: 0, verdict: /^5 fine, none need you/ });
  t.match(counts['corrected'], [
    { column: 'name', variable: 'name', rows: 4, first_rows: [2, 3, 4] },
  ]);
  t.match(column?.message, /the column "name" .*; export them as plain text$/);
  const { counts: list } = await prove('cart', 'id,items\n1,"[{""title"":""A &amp; B""}]"\n');
  t.match(list['corrected'], [{ column: 'items', variable: 'items', rows: 1, first_rows: [1] }]);
});

t.test('rows without items fall back to those of the template', async (t) => {
  const { id, counts } = await prove('cart', 'id,items.0.title\r\n1,Mug\r\n2,\r\n3,\uE123\r\n');
  t.match(counts, { fine: 1, defaults: 1, problems: 1, EMPTY: 1, GLYPH_MISSING: 1 });
  t.match(await rowsOf(service, id), [
    { row: 3, needs_you: true, problems: [{ code: 'GLYPH_MISSING', variable: 'items' }] },
    { row: 2, needs_you: false, problems: [{ code: 'EMPTY', variable: 'items' }] },
  ]);
});

t.test('a row that fails in a job of several is proved alone, and says why', async (t) => {
  const failing = [1, 4, 8, 9];
  const rows = Array.from({ length: 12 }, (_, index) => {
    const row = index + 1;
    return `${row === 6 ? '\u{13000}' : `name ${row}`},${failing.includes(row) ? 200 : 0}`;
  });
  const { id, state, counts } = await prove('blurred', ['name,blur', ...rows].join('\r\n'));
  t.equal(state, 'finished');
  t.match(counts, { fine: 7, RENDER_FAILED: 4, GLYPH_MISSING: 1 });
  const found = await rowsOf(service, id);
  t.same(
    found.map(({ row, problems }) => [row, ...problems.map(({ code }) => code)]),
    [1, 4, 6, 8, 9].map((row) => [row, row === 6 ? 'GLYPH_MISSING' : 'RENDER_FAILED']),
  );
  t.match(found[0]?.problems[0]?.message, /takes too long to paint|blur/);
});
