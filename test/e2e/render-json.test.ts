/** `POST /v1/render/{uid}` beside the equal link: bytes, cache, limits, errors and images in place of errors. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { Template } from '#language/schema/template.ts';
import { renderFormats } from '#wire/render-job.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError } from './request.ts';
import { demoKey, startService } from './service.ts';

const samples = readdirSync('data/templates')
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const price = { name: 'price', type: 'number' as const, value: '1' };
const items = {
  name: 'items',
  type: 'list' as const,
  fields: [
    { name: 'title', type: 'text' as const, value: '' },
    { name: 'price', type: 'number' as const, value: '0' },
  ],
  value: [],
};
const cart: Template['layers'] = [
  {
    id: 'rows',
    type: 'stack',
    x: 0,
    y: 0,
    width: 240,
    height: 'hug',
    repeat: { list: 'items' },
    layers: [
      {
        id: 'row',
        type: 'text',
        width: 'fill',
        height: 'hug',
        text: '{{item.title}} {{item.price}}',
      },
    ],
  },
];
const keys = { reader: '' };
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { publish, saveDraft, organizations } = shelf;
  publish('plain', { variables, layers });
  publish('versions', { variables, layers, background: '#ff0000' });
  publish('versions', { variables, layers, background: '#00ff00' });
  publish('basket', { variables: [price, items], layers: [textLayer('{{price}}'), ...cart] });
  publish('limits', { variables, layers, linkOptions: [] });
  publish('named', { variables: [textVariable('_scale', '1')], layers: [textLayer('{{_scale}}')] });
  publish('covered', { variables, layers, onError: 'image' });
  publish('closed', { variables, layers, linkAuth: 'key' });
  publish('signed', { variables, layers, linkAuth: 'signed' });
  saveDraft('draft', { variables, layers });
  const { uid } = testOrganization;
  keys.reader = organizations.createKey(uid, { name: 'r', scopes: ['read', 'write'] });
});
const service = await startService(t, { dataDirectory });

interface PostOptions {
  key?: string;
  headers?: Record<string, string>;
}

/** Sends a body, as JSON unless it is a text, with the key of the test's organization. */
async function post(target: string, body: unknown, options: PostOptions = {}): Promise<Answer> {
  const { key = testOrganization.key, headers = {} } = options;
  return service.render(target, {
    method: 'POST',
    headers: { 'X-API-Key': key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Checks that a POST and the link of `query` are the same image, each from the cache of the other. */
async function checkEqual(t: Test, posted: Answer, link: string): Promise<void> {
  t.equal(posted.status, 200, posted.status === 200 ? link : `${link}: ${posted.text}`);
  const linked = await service.render(link, { headers: { 'X-API-Key': testOrganization.key } });
  t.ok(posted.body.equals(linked.body), link);
  for (const name of ['etag', 'content-type', 'content-disposition', 'x-render-warnings']) {
    t.equal(posted.headers[name], linked.headers[name], `${link}: ${name}`);
  }
  t.equal(posted.headers['cache-control'], 'no-store');
  if (linked.headers['etag'] !== undefined) {
    t.match(linked.headers['server-timing'], /^cache;desc=hit/, `${link} is kept`);
  }
}

t.test('the bytes are those of the link, for every sample in every format', async (t) => {
  for (const uid of samples) {
    const { variables: known } = JSON.parse(
      readFileSync(`data/templates/${uid}.json`, 'utf8'),
    ) as Template;
    const text = known.find(({ type }) => type === 'text');
    const values = text === undefined ? {} : { [text.name]: "D'Ann & 50% <b>" };
    // A countdown that is over shows the same at both requests.
    for (const { name, type } of known) {
      if (type === 'date') Object.assign(values, { [name]: '2020-01-01' });
    }
    const query = new URLSearchParams(values).toString();
    for (const format of renderFormats) {
      const posted = await post(uid, { values, format }, { key: demoKey });
      await checkEqual(t, posted, `${uid}?${query}&_format=${format}`);
    }
  }
});

t.test('options, versions and the extension are those of the link', async (t) => {
  const values = { name: 'Anna' };
  await checkEqual(t, await post('plain', { values, scale: 2 }), 'plain?name=Anna&_scale=2');
  const quality = { format: 'jpg', quality: 30 };
  await checkEqual(t, await post('plain', quality), 'plain?_format=jpg&_quality=30');
  await checkEqual(t, await post('plain.webp', { format: 'png' }), 'plain.webp?_format=png');
  await checkEqual(t, await post('plain', { lang: 'de' }), 'plain?_lang=de');
  await checkEqual(t, await post('versions', { version: 1 }), 'versions?_version=1');
  await checkEqual(t, await post('versions', {}), 'versions');
  await checkEqual(t, await post('plain', ''), 'plain');
  await checkEqual(t, await post('closed', { values }), 'closed?name=Anna');
});

t.test('values have the types of JSON, and numbers keep their digits', async (t) => {
  const list = '[{"title":"Tea & Cup","price":19.90},{"title":"Jug","price":12345678901234.10}]';
  const posted = await post('basket', `{"values":{"price":7.50,"items":${list}}}`);
  await checkEqual(t, posted, `basket?price=7.50&items=${encodeURIComponent(list)}`);
  const fields = await post('basket', '{"values":{"items.0.title":"Jug","items.0.price":7.50}}');
  await checkEqual(t, fields, 'basket?items.0.title=Jug&items.0.price=7.50');
  await checkEqual(t, await post('plain', { values: { name: 12 } }), 'plain?name=12');
  await checkEqual(t, await post('plain', { values: { name: true } }), 'plain?name=true');
  await checkEqual(t, await post('plain', { values: { name: null, utm: [[1]] } }), 'plain');
  await checkEqual(t, await post('plain', { values: { name: '{{ first }}' } }), 'plain');
  await checkEqual(t, await post('plain', { values: { name: '\uD800' } }), 'plain?name=%EF%BF%BD');
  const prototype = '{"values":{"__proto__":{"name":"x"},"constructor":"y"}}';
  await checkEqual(t, await post('plain', prototype), 'plain');
});

t.test('Base64 comes with what the image is', async (t) => {
  const answer = await post('plain', {
    values: { name: 'Anna', nmae: 'x' },
    scale: 2,
    response: 'base64',
  });
  t.equal(answer.headers['content-type'], 'application/json');
  t.equal(answer.headers['cache-control'], 'no-store');
  const { base64, ...facts } = answer.json() as { base64: string };
  const link = await service.render('plain?name=Anna&_scale=2');
  t.equal(base64, link.body.toString('base64'));
  t.same(facts, {
    type: 'image/png',
    width: 480,
    height: 80,
    bytes: link.body.length,
    warnings: [],
    ignored: ['nmae'],
    alt: 'Anna',
  });
  const large = await post(
    'welcome-banner',
    { format: 'png', response: 'base64' },
    { key: demoKey },
  );
  const { body: image } = await post('welcome-banner', { format: 'png' }, { key: demoKey });
  t.ok(image.length > 100_000, 'it is sent in several parts');
  const sent = Buffer.from((large.json() as { base64: string }).base64, 'base64');
  t.ok(sent.equals(image));
});

t.test('a wrong body is refused in words, at the property', async (t) => {
  const cases: [body: unknown, message: RegExp][] = [
    [{ vales: {} }, /vales is not a property of this object; did you mean "values"\?/],
    [{ size: 'story' }, /_size must be left out: this template has no sizes/],
    [{ response: 'file' }, /response .*image/],
    [{ scale: 4 }, /scale is 4/],
    [{ format: 'bmp' }, /format is "bmp"/],
    [{ values: [] }, /values /],
    [{ values: { name: ['x'] } }, /values.name is an array, expected a string/],
    [{ values: { name: { a: 1 } } }, /values.name is an object/],
    ['{"values":', /line 1, column/],
    [{ values: { name: 'x'.repeat(2001) } }, /"name" is longer than 2000 characters/],
    [{ version: 99 }, /no published version 99/],
    [{ values: { list: Array.from({ length: 10_001 }, () => 1) } }, /more than 10000 values/],
    [
      `{"values":{"name":1,"x":${'['.repeat(9000)}${']'.repeat(9000)}}}`,
      /nested deeper than 500 levels/,
    ],
  ];
  for (const [body, message] of cases) {
    const answer = await post('plain', body);
    const code = answer.status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST';
    t.match(checkError(t, answer, code === 'NOT_FOUND' ? 404 : 400, code), message);
  }
  const untyped = await post('basket', { values: { items: 7 } });
  t.match(
    checkError(t, untyped, 400, 'BAD_REQUEST'),
    /values.items is a number, expected an array/,
  );
  const long = await post('basket', {
    values: { items: Array.from({ length: 201 }, () => ({ title: 'x' })) },
  });
  t.match(checkError(t, long, 400, 'BAD_REQUEST'), /"items" has the item 200/);
  const details = (await post('plain', { a: 1, b: 2 })).json() as { error: { details: unknown[] } };
  t.equal(details.error.details.length, 2);
  checkError(t, await post('plain', 'x'.repeat(1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE');
  const most = { values: { name: 'Anna', unused: 'x'.repeat(1024 * 1024 - 50) } };
  await checkEqual(t, await post('plain', most), 'plain?name=Anna');
});

t.test('the rules of the template hold as for its links', async (t) => {
  const scaled = await post('limits', { scale: 2 });
  t.match(checkError(t, scaled, 400, 'BAD_REQUEST'), /_scale is not allowed/);
  const named = await post('named', { scale: 2 });
  t.match(checkError(t, named, 400, 'BAD_REQUEST'), /scale cannot be chosen.*variable "_scale"/);
  await checkEqual(t, await post('named', { values: { _scale: 3 } }), 'named?_scale=3');
});

t.test('a key of the organization with the scope render is needed, and enough', async (t) => {
  t.equal((await post('plain', {}, { key: '' })).status, 401);
  t.equal((await post('plain', {}, { key: 'wrong' })).status, 401);
  const refused = await post('plain', {}, { key: keys.reader });
  t.match(checkError(t, refused, 403, 'FORBIDDEN'), /lacks the scope "render"/);
  t.equal((await post('signed', {})).status, 200, 'the key stands for a signature');
  for (const uid of ['welcome-banner', 'none', 'draft', 'plain.bmp']) {
    checkError(t, await post(uid, {}), 404, 'NOT_FOUND');
  }
  const foreign = await post('plain', '{', { key: demoKey });
  t.match(checkError(t, foreign, 404, 'NOT_FOUND'), /"plain" is not published here/);
});

t.test('an image replaces an error where it would under the link, and never in JSON', async (t) => {
  const values = { name: 'x'.repeat(3000) };
  const covered = await post('covered', { values });
  t.match(covered, { status: 200, headers: { 'x-render-error': 'BAD_REQUEST' } });
  const linked = await service.render(`covered?name=${values.name}`);
  t.ok(covered.body.equals(linked.body));
  checkError(t, await post('covered', { values, response: 'base64' }), 400, 'BAD_REQUEST');
  checkError(t, await post('covered', { vales: {} }), 400, 'BAD_REQUEST');
  const reader = { headers: { 'Sec-Fetch-Dest': 'image' } };
  t.equal((await post('plain', { values }, reader)).status, 200);
  checkError(t, await post('plain', { values }), 400, 'BAD_REQUEST');
});

t.test('requests count and are logged as those of links', async (t) => {
  const before = await service.metric('platen_renders_total{cache="hit"}');
  await post('plain', { values: { name: 'Counted' } });
  await post('plain', { values: { name: 'Counted' } });
  const after = await service.metric('platen_renders_total{cache="hit"}');
  t.equal(after - before, 1);
  t.match(service.process.stdout, /"route":"render","template":"plain"/);
  t.notMatch(service.process.stdout, /Counted/);
});
