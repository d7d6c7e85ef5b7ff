/** `POST /v1/render/{uid}` beside the equal link: bytes, cache, limits, errors and images in place of errors. */
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import type { Template } from '#language/schema/template.ts';
import { renderFormats } from '#wire/render-job.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError } from './request.ts';
import { demoKey, startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const items = {
  name: 'items',
  type: 'list' as const,
  fields: [textVariable('title', ''), { name: 'price', type: 'number' as const, value: '0' }],
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
let reader = '';
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { publish, saveDraft, organizations } = shelf;
  const price = { name: 'price', type: 'number' as const, value: '5' };
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
  reader = organizations.createKey(uid, { name: 'r', scopes: ['read', 'write'] });
});
const service = await startService(t, { dataDirectory });

/** Sends a body, as JSON unless it is a text, with the key of the test's organization. */
function post(target: string, body: unknown, headers = {}): Promise<Answer> {
  return service.render(target, {
    method: 'POST',
    headers: { 'X-API-Key': testOrganization.key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Checks that a body is refused, in these words. */
async function refuses(t: Test, target: string, body: unknown, message: RegExp): Promise<void> {
  t.match(checkError(t, await post(target, body), 400, 'BAD_REQUEST'), message);
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

t.test('options, versions and values of JSON are those of the link', async (t) => {
  const values = { name: 'Anna' };
  const list = '[{"title":"Tea & Cup","price":19.90},{"title":"Jug","price":12345678901234.10}]';
  const cases: [target: string, body: unknown, link: string][] = [
    ...renderFormats.map((format): [string, unknown, string] => [
      'plain',
      { values, format },
      `plain?name=Anna&_format=${format}`,
    ]),
    ['plain', { values, scale: 2 }, 'plain?name=Anna&_scale=2'],
    ['plain', { format: 'jpg', quality: 30 }, 'plain?_format=jpg&_quality=30'],
    ['plain.webp', { format: 'png' }, 'plain.webp?_format=png'],
    ['plain', { lang: 'de' }, 'plain?_lang=de'],
    ['versions', { version: 1 }, 'versions?_version=1'],
    ['versions', {}, 'versions'],
    ['plain', '', 'plain'],
    ['closed', { values }, 'closed?name=Anna'],
    // Numbers keep their digits.
    [
      'basket',
      `{"values":{"price":7.50,"items":${list}}}`,
      `basket?price=7.50&items=${encodeURIComponent(list)}`,
    ],
    [
      'basket',
      '{"values":{"items.0.title":"Jug","items.0.price":7.50}}',
      'basket?items.0.title=Jug&items.0.price=7.50',
    ],
    ['plain', { values: { name: 12 } }, 'plain?name=12'],
    ['plain', { values: { name: true } }, 'plain?name=true'],
    ['plain', { values: { name: null, utm: [[1]] } }, 'plain'],
    ['plain', { values: { name: '{{ first }}' } }, 'plain'],
    ['plain', { values: { name: '\uD800' } }, 'plain?name=%EF%BF%BD'],
    ['plain', '{"values":{"__proto__":{"name":"x"},"constructor":"y"}}', 'plain'],
    ['plain', { values: { ...values, x: 'x'.repeat(1024 * 1024 - 50) } }, 'plain?name=Anna'],
    ['named', { values: { _scale: 3 } }, 'named?_scale=3'],
  ];
  for (const [target, body, link] of cases) await checkEqual(t, await post(target, body), link);
});

t.test('Base64 comes with what the image is', async (t) => {
  const body = { values: { name: 'Anna', nmae: 'x' }, scale: 2, response: 'base64' };
  const answer = await post('plain', body);
  t.equal(answer.headers['content-type'], 'application/json');
  t.equal(answer.headers['cache-control'], 'no-store');
  const { base64, ...facts } = answer.json() as { base64: string };
  const link = await service.render('plain?name=Anna&_scale=2');
  t.equal(base64, link.body.toString('base64'));
  const size = { width: 480, height: 80, bytes: link.body.length };
  const expected = { type: 'image/png', ...size, warnings: [], ignored: ['nmae'], alt: 'Anna' };
  t.same(facts, expected);
  const large = { format: 'png', response: 'base64' };
  const sent = (
    await post('welcome-banner', large, { 'X-API-Key': demoKey })
  ).json() as typeof body & {
    base64: string;
  };
  const image = await service.render('welcome-banner.png');
  t.ok(image.body.length > 100_000, 'it is sent in several parts');
  t.ok(Buffer.from(sent.base64, 'base64').equals(image.body));
});

t.test('a wrong body is refused in words, at the property', async (t) => {
  const nested = `${'['.repeat(9000)}${']'.repeat(9000)}`;
  const many = Array.from({ length: 201 }, () => ({ title: 'x' }));
  const cases: [target: string, body: unknown, message: RegExp][] = [
    ['plain', { vales: {} }, /vales is not a property of this object; did you mean "values"\?/],
    ['plain', { size: 'story' }, /_size must be left out: this template has no sizes/],
    ['plain', { response: 'file' }, /response .*image/],
    ['plain', { scale: 4 }, /scale is 4/],
    ['plain', { format: 'bmp' }, /format is "bmp"/],
    ['plain', { values: [] }, /values /],
    ['plain', { values: { name: ['x'] } }, /values.name is an array, expected a string/],
    ['plain', '{"values":', /line 1, column/],
    ['plain', { values: { name: 'x'.repeat(2001) } }, /"name" is longer than 2000 characters/],
    ['plain', { values: { list: Array(10_001).fill(1) } }, /more than 10000 values/],
    ['plain', `{"values":{"name":1,"x":${nested}}}`, /nested deeper than 500 levels/],
    ['basket', { values: { items: 7 } }, /values.items is a number, expected an array/],
    ['basket', { values: { items: many } }, /"items" has the item 200/],
    ['limits', { scale: 2 }, /_scale is not allowed/],
    ['named', { scale: 2 }, /scale cannot be chosen.*variable "_scale"/],
  ];
  for (const [target, body, message] of cases) await refuses(t, target, body, message);
  const two = (await post('plain', { a: 1, b: 2 })).json() as { error: { details: unknown[] } };
  t.equal(two.error.details.length, 2);
  const unknown = await post('plain', { version: 99 });
  t.match(checkError(t, unknown, 404, 'NOT_FOUND'), /no published version 99/);
  checkError(t, await post('plain', 'x'.repeat(1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE');
});

t.test('a key of the organization with the scope render is needed, and enough', async (t) => {
  for (const key of ['', 'wrong']) {
    t.equal((await post('plain', {}, { 'X-API-Key': key })).status, 401);
  }
  const refused = await post('plain', {}, { 'X-API-Key': reader });
  t.match(checkError(t, refused, 403, 'FORBIDDEN'), /lacks the scope "render"/);
  t.equal((await post('signed', {})).status, 200, 'the key stands for a signature');
  for (const uid of ['welcome-banner', 'none', 'draft', 'plain.bmp']) {
    checkError(t, await post(uid, {}), 404, 'NOT_FOUND');
  }
  const foreign = await post('plain', '{', { 'X-API-Key': demoKey });
  t.match(checkError(t, foreign, 404, 'NOT_FOUND'), /"plain" is not published here/);
});

t.test('an image replaces an error where it would under the link, and never in JSON', async (t) => {
  const values = { name: 'x'.repeat(3000) };
  const covered = await post('covered', { values });
  t.match(covered, { status: 200, headers: { 'x-render-error': 'BAD_REQUEST' } });
  t.ok(covered.body.equals((await service.render(`covered?name=${values.name}`)).body));
  await refuses(t, 'covered', { values, response: 'base64' }, /longer/);
  await refuses(t, 'covered', { vales: {} }, /vales/);
  const asImage = { 'Sec-Fetch-Dest': 'image' };
  t.equal((await post('plain', { values }, asImage)).status, 200);
});

t.test('requests count and are logged as those of links', async (t) => {
  const hits = (): Promise<number> => service.metric('platen_renders_total{cache="hit"}');
  const before = await hits();
  for (const name of ['Counted', 'Counted']) await post('plain', { values: { name } });
  t.equal((await hits()) - before, 1);
  t.match(service.process.stdout, /"route":"render","template":"plain"/);
  t.notMatch(service.process.stdout, /Counted/);
});
