import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import {
  checkDifferent,
  checkSame,
  image,
  pixelAt,
  plainImage,
  rowsOf,
  sends,
} from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { startService } from './service.ts';

const [red, green, blue] = [
  await plainImage('#ff0000'),
  await plainImage('#00ff00'),
  await plainImage('#0000ff'),
];
const origin = await startOrigin({
  '/logo.png': sends(red),
  '/my logo.png': sends(red),
  '/my%20logo.png': sends(red),
  '/folder%2Flogo.png': sends(blue),
  '/100%25.png': sends(blue),
  '/pick': (incoming, response) => {
    const isWhole = incoming.url === '/pick?color=blue&size=2';
    sends(isWhole ? blue : red)(incoming, response);
  },
});
t.teardown(() => origin.close());
const logo = origin.url('/logo.png');

/** A query as it is sent, and the text that it means; undefined: the default. */
const readings: [query: string, meaning: string | undefined][] = [
  ['v=Mary+Ann', 'Mary Ann'],
  ['v=Mary%20Ann', 'Mary Ann'],
  ['v=1%2B1', '1+1'],
  ['v=50%+off', '50% off'],
  ['v=50%%20off', '50% off'],
  ['v=100%', '100%'],
  ['v=%ZZ', '%ZZ'],
  ['v=%4', '%4'],
  ['v=%FF', '%FF'],
  ['v=caf%E9', 'caf%E9'],
  ['v=%C3%A9t%C3%A9', 'été'],
  ['v=%C3%A9%C3', 'é%C3'],
  // Not encoded at all: the two bytes of ë as they are.
  ['v=Zo\u00c3\u00ab', 'Zoë'],
  ['v=%ED%A0%80', '%ED%A0%80'],
  ['v=Hi+%FIRSTNAME%', 'Hi %FIRSTNAME%'],
  ['v=x%26v%3Dy', 'x&v=y'],
  ['v=a=b=c', 'a=b=c'],
  ['v=a;b', 'a;b'],
  ['v=%3Cb%3E', '<b>'],
  ['v=first&v=second', 'first'],
  ['%76=encoded+name', 'encoded name'],
  ['&&v=x&', 'x'],
  ['utm_source=mail&amp;v=repaired', 'repaired'],
  ['v=repaired&amp;utm_source=mail', 'repaired'],
  ['amp;v=first&v=second', 'first'],
  ['v=&v=x', undefined],
  ['v', undefined],
  ['V=x', undefined],
  ['', undefined],
];

/** Names that a designer may choose; each is drawn in a row of its own. */
const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '_format',
  '_scale',
  '_quality',
  '_version',
  '_expires',
  '_signature',
  'text_headline',
  'image_logo',
  'first name',
  'Größe',
  'straße 1.b',
  'items[0]',
  'a&b',
  'a=b',
  'a+b',
  '50%',
  '%41',
  '#1',
  '?',
  '"quoted"',
  '名前',
  '🎉',
  'n'.repeat(128),
];
const rowHeight = 16;

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const variables = [textVariable('v', 'the default')];
  publish('echo', { variables, layers: [textLayer('{{v}}')] });
  for (const [index, [, meaning]] of readings.entries()) {
    const value = meaning ?? 'the default';
    publish(`means-${index}`, {
      variables: [textVariable('v', value)],
      layers: [textLayer('{{v}}')],
    });
  }
  publish('odd', {
    height: rowHeight * oddNames.length,
    variables: oddNames.map((name) => textVariable(name, 'default')),
    layers: oddNames.map((name, index) =>
      textLayer(`{{${name}}}`, {
        id: `row${index}`,
        y: index * rowHeight,
        height: rowHeight,
        fontSize: 10,
      }),
    ),
  });
  for (const type of ['number', 'boolean'] as const) {
    const value = type === 'number' ? '1' : 'true';
    publish(type, { variables: [{ name: 'v', type, value }], layers: [textLayer('{{v}}')] });
  }
  const banner = (headline: string, bytes: Buffer) => ({
    variables: [
      textVariable('text_headline', headline),
      { name: 'image_logo', type: 'image' as const, value: saveAsset(bytes) },
    ],
    layers: [textLayer('{{text_headline}}', { width: 200 }), imageLayer('{{image_logo}}')],
  });
  publish('mail', banner('Headline', green));
  publish('mail-welcome', banner('Welcome', red));
});
const service = await startService(t, { dataDirectory, origins: [origin] });

t.test('a query is read as email services send it', async (t) => {
  const byDefault = await service.render('echo');
  for (const [index, [query, meaning]] of readings.entries()) {
    const [actual, expected] = await Promise.all([
      service.render(`echo?${query}`),
      service.render(`means-${index}`),
    ]);
    await checkSame(t, actual, expected, `${query} draws ${meaning ?? 'the default'}`);
    if (meaning === undefined) t.equal(actual.headers.etag, byDefault.headers.etag);
    else await checkDifferent(t, actual, byDefault, `${query} is not the default`);
  }
});

t.test('a number and a boolean are drawn as the link writes them', async (t) => {
  const values = { number: ['19.90', '1299.00', '007', '-5'], boolean: ['true', 'No'] };
  for (const [uid, texts] of Object.entries(values)) {
    for (const text of texts) {
      const [actual, expected] = await Promise.all([
        service.render(`${uid}?v=${text}`),
        service.render(`echo?v=${text}`),
      ]);
      t.equal(actual.status, 200, `${uid} ${text}`);
      await checkSame(t, actual, expected, `${uid} ${text}`);
    }
  }
});

t.test('a value replaces the text and the image that its variable stands for', async (t) => {
  const expected = await service.render('mail-welcome');
  const queries = [
    `text_headline=Welcome&image_logo=${logo}`,
    `image_logo=${logo}&text_headline=Welcome`,
    `text_headline=Welcome&image_logo=${encodeURIComponent(logo)}`,
    `text_headline=Welcome&amp;image_logo=${logo}&utm_source=mail`,
    `utm_source=mail&text_headline=Welcome&image_logo=+${logo}+`,
    `text_headline=Welcome&image_logo=${origin.url('/my%20logo.png')}`,
    `text_headline=Welcome&image_logo=${encodeURIComponent(origin.url('/my%20logo.png'))}`,
  ];
  for (const query of queries) {
    await checkSame(t, await service.render(`mail?${query}`), expected, query);
  }
  const before = await image(t, await service.render('mail'));
  const after = await image(t, await service.render(`mail?image_logo=${logo}`));
  t.same(pixelAt(before, 220, 20), [0, 255, 0], 'the default is green');
  t.same(pixelAt(after, 220, 20), [255, 0, 0], 'the image of the link is red');
  t.ok(isSameLeft(before, after), 'the text beside it is untouched');
});

t.test(
  'an un-encoded address with a query of its own is taken whole as the last value',
  async (t) => {
    const address = origin.url('/pick?color=blue&size=2');
    for (const query of [
      `text_headline=Hi&image_logo=${address}`,
      `image_logo=${encodeURIComponent(address)}&text_headline=Hi`,
    ]) {
      const drawn = await image(t, await service.render(`mail?${query}`));
      t.same(pixelAt(drawn, 220, 20), [0, 0, 255], query);
    }
    t.ok(origin.requests.includes('GET /pick?color=blue&size=2'));
  },
);

t.test('an un-encoded address keeps the escapes that are its own', async (t) => {
  for (const path of ['/folder%2Flogo.png', '/100%25.png']) {
    const answer = await service.render(`mail?text_headline=Hi&image_logo=${origin.url(path)}`);
    t.equal(answer.status, 200, path);
    t.ok(origin.requests.includes(`GET ${path}`), `the origin is asked for ${path}`);
  }
});

t.test('any name that a designer chooses is a name like any other', async (t) => {
  const byDefault = await image(t, await service.render('odd'));
  for (const [index, name] of oddNames.entries()) {
    const answer = await service.render(`odd?${encodeURIComponent(name)}=given`);
    const drawn = await image(t, answer);
    t.equal(drawn.width, byDefault.width, 'a variable wins over the option of its name');
    t.equal(answer.headers['content-type'], 'image/png');
    const changed = oddNames.filter((_, row) => {
      const [a, b] = [drawn, byDefault].map((each) => rowsOf(each, row * rowHeight, rowHeight));
      return a?.equals(b ?? Buffer.alloc(0)) !== true;
    });
    t.same(changed, [name], `only the row of ${name} (${index}) changes`);
  }
});

t.test('names that the template does not have change nothing and are not in the key', async (t) => {
  const first = await service.render('echo?v=Nora');
  t.match(first.headers['server-timing'], /miss/);
  const noise = [
    'utm_source=a',
    '_kx=b',
    '__proto__=c',
    'constructor=d',
    'toString',
    '%FF=%',
    'v2=x',
  ];
  for (const each of noise) {
    for (const query of [`v=Nora&${each}`, `${each}&v=Nora`]) {
      const { headers, body } = await service.render(`echo?${query}`);
      t.equal(headers.etag, first.headers.etag, query);
      t.match(headers['server-timing'], /hit/, 'it comes from the cache');
      t.ok(body.equals(first.body));
    }
  }
});

function isSameLeft(a: { data: Buffer; width: number; height: number }, b: typeof a): boolean {
  for (let y = 0; y < a.height; y += 1) {
    const [start, end] = [y * a.width * 4, (y * a.width + 200) * 4];
    if (!a.data.subarray(start, end).equals(b.data.subarray(start, end))) return false;
  }
  return true;
}
