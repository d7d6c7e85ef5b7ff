/** A proof names each planted fault with its row, and raises no false alarm. */
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Test } from 'tap';
import { pickRows } from '../../src/campaigns/proof/sheet.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { sends } from '../e2e/image-bytes.ts';
import { fillDataDirectory, textVariable } from '../e2e/published.ts';
import { startService } from '../e2e/service.ts';
import { extent } from '../helpers/extent.ts';
import { createCampaign, key, rowsOf, waitForRun } from './campaign-client.ts';

t.setTimeout(300_000); // The full length takes 52 s, and long on a busy machine.

const photo = await sharp({
  create: { width: 120, height: 120, channels: 3, background: '#2d6a4f' },
})
  .png()
  .toBuffer();
const noise = await sharp({
  create: {
    width: 700,
    height: 700,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .png()
  .toBuffer();
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

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('offer', {
    width: 700,
    height: 700,
    background: '#ffffff',
    variables: [
      textVariable('name', 'friend'),
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
      { id: 'photo', type: 'image', x: 0, y: 200, width: 700, height: 500, src: '{{photo}}' },
      {
        id: 'name',
        type: 'text',
        x: 10,
        y: 10,
        width: 300,
        height: 60,
        text: '{{name}}',
        fontSize: 40,
        overflow: 'ellipsis',
      },
      {
        // Its effect mixes the colour of the letters with the paper.
        id: 'group',
        type: 'group',
        x: 0,
        y: 80,
        width: 700,
        height: 60,
        opacity: 0.8,
        layers: [
          {
            id: 'city',
            type: 'text',
            x: 10,
            y: 0,
            width: 200,
            height: 50,
            text: '{{city}} {{price}}',
            fontSize: 36,
            minSize: 4,
            fill: '{{color}}',
          },
        ],
      },
      {
        id: 'note',
        type: 'text',
        x: 10,
        y: 150,
        width: 680,
        height: 40,
        text: '{{note}}',
        fontSize: 20,
      },
      {
        id: 'badge',
        type: 'text',
        x: 330,
        y: 10,
        width: 90,
        height: 30,
        text: '{{badge}}',
        fontSize: 24,
        overflow: 'clip',
      },
      {
        id: 'day',
        type: 'text',
        x: 440,
        y: 10,
        width: 250,
        height: 30,
        text: '{{day | date:long}}',
        fontSize: 20,
      },
      {
        id: 'bar',
        type: 'rect',
        x: 330,
        y: 50,
        width: '{{bar}}' as never,
        height: 10,
        fill: '#2d6a4f',
      },
      {
        id: 'code',
        type: 'barcode',
        kind: 'ean8',
        x: 440,
        y: 45,
        width: 240,
        height: 30,
        value: '{{code}}',
      },
    ],
  });
});
const service = await startService(t, { dataDirectory, origins: [origin], processCount: 2 });

interface Row {
  email: string;
  name: string;
  city: string;
  note: string;
  price: string;
  color: string;
  photo: string;
  badge: string;
  day: string;
  bar: string;
  code: string;
}

function soundRow(index: number): Row {
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

type Fault = [code: string, variable: string | null, change: Partial<Row>];

/** Each takes seconds of waiting. */
const slowFaults: Fault[] = [
  ['IMAGE_SLOW', 'photo', { photo: origin.url('/slow.png') }],
  ['IMAGE_FAILED', 'photo', { photo: origin.url('/silent.png') }],
];

/** Each fault changes a sound row, and is found as this code alone. */
const faults: Fault[] = [
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
  ['IMAGE_FAILED', 'photo', { photo: 'C:\\Pictures\\anna.png' }],
  ['TEXT_OVERFLOWS', 'badge', { badge: 'limited edition' }],
  ['FORMAT_FAILED', 'day', { day: 'soon' }],
  ['VALUE_OUT_OF_RANGE', 'bar', { bar: '-5' }],
  ['CODE_FAILED', 'code', { code: 'unknown' }],
  ['TOO_LARGE', null, { photo: origin.url('/noise.png') }],
  ['DUPLICATE', null, { email: 'person0@example.com' }],
  ...slowFaults.slice(0, extent(0, slowFaults.length)),
];

const rowCount = extent(250, 10_000);

function plantedList(): { csv: string; expected: Map<number, string[]> } {
  const expected = new Map<number, string[]>();
  const lines = [Object.keys(soundRow(0)).join(',')];
  const every = Math.floor(rowCount / 61);
  for (let index = 0; index < rowCount; index += 1) {
    const row = soundRow(index);
    const planted = index > 0 && index % every === 0 ? index / every - 1 : -1;
    const fault = planted >= 0 && planted < 60 ? faults[planted % faults.length] : undefined;
    if (planted >= 0 && planted < 60 && planted % 17 === 16) {
      lines.push('too,few');
      expected.set(index + 1, ['BAD_ROW']);
      continue;
    }
    if (fault !== undefined) expected.set(index + 1, [`${fault[0]} ${fault[1] ?? ''}`.trim()]);
    lines.push(Object.values({ ...row, ...fault?.[2] }).join(','));
  }
  return { csv: `${lines.join('\r\n')}\r\n`, expected };
}

t.test('60 planted faults are found with their rows, and nothing else', async (t: Test) => {
  const { csv, expected } = plantedList();
  const created = await createCampaign(service, 'offer', 'proof', csv);
  t.equal(created.status, 202, JSON.stringify(created.body));
  const { id } = created.body;
  const campaign = await waitForRun(service, id);
  t.equal(campaign.state, 'finished', campaign.error ?? '');
  t.equal(campaign.done, rowCount);
  const found = await rowsOf(service, id);
  const actual = new Map(
    found.map(({ row, problems }) => [
      row,
      problems.map(({ code, variable }) =>
        code === 'BAD_ROW' ? code : `${code} ${variable ?? ''}`.trim(),
      ),
    ]),
  );
  t.same(actual, expected);
  t.equal(expected.size, 60);
  const planted = new Set([...expected.values()].flat());
  for (const [code, variable] of faults) t.ok(planted.has(`${code} ${variable ?? ''}`.trim()));
  const empty = [...expected.values()].filter(([code]) => code === 'EMPTY name').length;
  t.match(campaign.counts, { defaults: empty, problems: 60 - empty, fine: rowCount - 60 });
  t.equal(
    campaign.counts.verdict,
    `${(rowCount - 60).toLocaleString('en-US')} fine, ${empty} fall back to a default, ${60 - empty} need you.`,
  );
  const one = await rowsOf(service, id, 'TOO_LARGE');
  t.ok(one.length > 0 && one.every(({ problems }) => problems[0]?.code === 'TOO_LARGE'));
  const fetched = origin.requests.toSorted();
  t.same(fetched, [...new Set(fetched)], 'each distinct image is fetched once');
  const sheet = await service.get(`/v1/campaigns/${id}/sheet.png`, { headers: key });
  t.equal(sheet.status, 200);
  t.match(await sharp(sheet.body).metadata(), { format: 'png', width: 1300 });
});

t.test('a sheet has a row of each problem and of each script, however many there are', (t) => {
  const codes = ['UNMERGED', 'EMPTY', 'TEXT_SHRUNK', 'TEXT_TRUNCATED', 'TEXT_OVERFLOWS'] as const;
  const more = ['GLYPH_MISSING', 'LOW_CONTRAST', 'IMAGE_FAILED', 'TOO_LARGE', 'BAD_VALUE'] as const;
  const problems = Object.fromEntries(
    [...codes, ...more].map((code, index) => [code, [index, 20 + index, 40 + index]]),
  );
  const scripts = Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`script ${index}`, 100 + index]),
  );
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
