/** The links that `POST /v1/render/{uid}` makes: plain, signed and short. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createSigningKeyStore } from '../../src/store/organizations/signing-key-store.ts';
import { emailServices } from '../../src/pages/email-services.ts';
import { selfSignedSnippet } from '../../src/pages/snippets.ts';
import { runLiquid } from '../helpers/liquid.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError, request } from './request.ts';
import { demoKey, startService } from './service.ts';

const samples = readdirSync('data/templates')
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
let signingKey = '';
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ db, publish }) => {
  publish('plain', { variables, layers });
  publish('versions', { variables, layers, background: '#ff0000' });
  publish('versions', { variables, layers, background: '#00ff00' });
  publish('closed', { variables, layers, linkAuth: 'key' });
  publish('signed', { variables, layers, linkAuth: 'signed' });
  publish('described', {
    variables: [...variables, { name: 'price', type: 'number', value: '5' }],
    layers,
    alt: 'Hello {{name}}, only {{price | currency:EUR}}',
  });
  publish('ordered', { layers: [textLayer('Below', { id: 'below', y: 45 }), textLayer('Above')] });
  const fields = Array.from({ length: 6 }, (_, index) => textVariable(`t${index}`, ''));
  publish('listed', {
    variables: [{ name: 'items', type: 'list', fields, value: [] }],
    layers: [],
  });
  publish('unkeyed', { variables, layers, linkAuth: 'signed' });
  const signingKeys = createSigningKeyStore(db, Date.now);
  signingKey = signingKeys.createSigningKey(testOrganization.uid, 'signed')?.key ?? '';
});
const service = await startService(t, { dataDirectory });

interface RenderedLink {
  url: string;
  short: boolean;
  expires: number | null;
}

/** Sends a body with a key, by default that of the test's organization. */
async function post(
  target: string,
  body: object,
  { key = testOrganization.key }: { key?: string } = {},
): Promise<Answer> {
  const headers = { 'X-API-Key': key };
  return service.render(target, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The answer of a link request, which must succeed. */
async function linkOf(target: string, body: object): Promise<RenderedLink> {
  const answer = await post(target, { ...body, response: 'url' });
  t.equal(answer.status, 200, answer.text);
  return answer.json() as RenderedLink;
}

/** Fetches a link of the service. */
const fetchLink = (url: string): Promise<Answer> => service.get(url.slice(service.base.length));

t.test('a link without a key gives the same bytes, and says what they are', async (t) => {
  const values = { name: "D'Ann & 50% <b> é 😀 (x)*!" };
  for (const body of [{ values }, { values, format: 'jpg', scale: 2, quality: 40, lang: 'de' }]) {
    const { url, ...facts } = await linkOf('plain', body);
    t.equal(url.startsWith(`${service.base}/v1/render/plain`), true);
    t.notMatch(url, /[!'()*"<> ]/);
    const linked = await fetchLink(url);
    t.ok(linked.body.equals((await post('plain', body)).body), url);
    t.match(facts, { short: false, expires: null, bytes: linked.body.length, warnings: [] });
  }
  const { url } = await linkOf('versions.webp', { version: 1 });
  t.equal(url, `${service.base}/v1/render/versions.webp?_version=1`);
  t.equal((await linkOf('plain', {})).url, `${service.base}/v1/render/plain`);
});

t.test('every sample has a link of equal bytes', async (t) => {
  for (const uid of samples) {
    const body = { values: { name: 'Ünal & Søn' }, response: 'url' };
    const { url } = (await post(uid, body, { key: demoKey })).json() as RenderedLink;
    const isEqual = async (): Promise<boolean> => {
      const posted = await post(uid, { ...body, response: 'image' }, { key: demoKey });
      return (await fetchLink(url)).body.equals(posted.body);
    };
    // A countdown may go on between the two requests, but not twice in a row.
    t.ok((await isEqual()) || (await isEqual()), url);
  }
});

t.test('the link of a template that asks for signatures is signed, and ends in time', async (t) => {
  const refused = await post('unkeyed', { response: 'url' });
  t.match(checkError(t, refused, 409, 'CONFLICT'), /no signing key: create one with POST/);
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const link = await linkOf('signed', { values: { name: 'Ann' }, expires, format: 'png' });
  t.equal(link.expires, expires);
  t.match(
    link.url,
    new RegExp(`/signed\\.png\\?name=Ann&_expires=${expires}&_signature=[0-9a-f]{64}$`),
  );
  const linked = await fetchLink(link.url);
  t.equal(linked.status, 200);
  t.match(linked.headers['cache-control'], /max-age=(300|\d\d?)/);
  const changed = await fetchLink(link.url.replace('Ann', 'Eve'));
  checkError(t, changed, 401, 'UNAUTHORIZED');
  t.equal((await linkOf('signed', {})).expires, null);
});

t.test('a short link holds no value, ends in time, and can be deleted', async (t) => {
  const values = { name: 'Secret Name' };
  const now = Math.floor(Date.now() / 1000);
  const body = { values, short: true, format: 'jpg', scale: 2 };
  const { url, short, expires } = await linkOf('signed', { ...body, expires: now + 60 });
  t.match({ url, short, expires }, { url: /\/r\/\w{20}\.jpg$/, short: true, expires: now + 60 });
  const linked = await fetchLink(url);
  t.ok(linked.body.equals((await post('signed', body)).body));
  t.match(linked.headers['cache-control'], /^public, max-age=[1-6]?\d$/, 'kept until its end');
  const etag = String(linked.headers['etag']);
  const again = await service.get(url.slice(service.base.length), {
    headers: { 'If-None-Match': etag },
  });
  t.equal(again.status, 304);
  const head = await service.get(url.slice(service.base.length), { method: 'HEAD' });
  t.equal(head.headers['content-length'], String(linked.body.length));
  const asWebp = await fetchLink(url.replace('.jpg', '.webp'));
  t.equal(asWebp.headers['content-type'], 'image/webp');

  const yearly = await linkOf('plain', { values, short: true });
  t.ok(Math.abs((yearly.expires ?? 0) - now - 365 * 86_400) < 60);
  const token = /\w{20}/.exec(yearly.url)?.[0] ?? '';
  const remove = (key: string): Promise<Answer> =>
    service.get(`/v1/short-links/${token}`, { method: 'DELETE', headers: { 'X-API-Key': key } });
  t.equal((await fetchLink(yearly.url)).status, 200);
  t.equal((await remove(demoKey)).status, 404, 'not by another organization');
  t.equal((await remove(testOrganization.key)).status, 204);
  checkError(t, await fetchLink(yearly.url), 404, 'NOT_FOUND');
  t.equal((await remove(testOrganization.key)).status, 404);
  checkError(t, await fetchLink(`${service.base}/r/${'0'.repeat(20)}`), 404, 'NOT_FOUND');
  checkError(t, await fetchLink(`${service.base}/r/..%2F..%2Fx`), 404, 'NOT_FOUND');

  const closed = await linkOf('closed', { short: true });
  checkError(t, await fetchLink(closed.url), 401, 'UNAUTHORIZED');
  t.notMatch(service.process.stdout, /Secret|\/r\//, 'neither values nor tokens are logged');
});

t.test('a link that is too long to be kept whole is short', async (t) => {
  const texts = (count: number): object => ({ values: { name: 'x'.repeat(count) } });
  const nameLength = 2000 - `${service.base}/v1/render/plain?name=`.length;
  t.match(await linkOf('plain', texts(nameLength)), { short: false });
  const long = await linkOf('plain', { values: { name: 'é'.repeat(1900) } });
  t.equal(long.short, true);
  t.match(await fetchLink(long.url), { status: 200 });
  t.match(await linkOf('plain', texts(nameLength + 2)), { short: true });
});

t.test('a short link holds what its template reads, and has a size', async (t) => {
  const items = [{ t0: 'a', unknown: 'x'.repeat(500_000) }];
  for (const values of [{ items }, { items: JSON.stringify(items) }]) {
    const { url } = await linkOf('listed', { values, short: true });
    const db = openDatabase(join(dataDirectory, 'platen.db'));
    const find = db.prepare<[string], string>('SELECT link_json FROM short_links WHERE token = ?');
    t.equal(find.pluck().get(url.slice(-20)), '{"parameters":[["items","[{\\"t0\\":\\"a\\"}]"]]}');
    db.close();
    t.equal((await fetchLink(url)).status, 200);
    t.equal((await fetchLink(url)).status, 200);
  }
  const parts = Array.from({ length: 1001 }, (_, index) => [
    `items.${Math.floor(index / 6)}.t${index % 6}`,
    'x',
  ]);
  const body = { values: Object.fromEntries(parts) as object, response: 'url' };
  const refused = await post('listed', body);
  t.match(checkError(t, refused, 400, 'BAD_REQUEST'), /a short link has at most 1000 values/);
});

t.test('an end is refused where there is none, or where it is over', async (t) => {
  for (const [target, body, message] of [
    ['plain', { expires: 9_999_999_999 }, /expires is for signed and short links/],
    ['plain', { expires: 1000, short: true }, /expires is 1000, which is over/],
    ['plain', { expires: 1_900_000_000_000 }, /expires is 1900000000000/],
  ] as const) {
    const answer = await post(target, { ...body, response: 'url' });
    t.match(checkError(t, answer, 400, 'BAD_REQUEST'), message);
  }
});

t.test('a request that is sent again has the first answer, also after a restart', async (t) => {
  const folder = join(t.testdir(), 'data');
  const send = async ({ port }: { port: number }, path: string, body: object): Promise<Answer> =>
    request(port, path, {
      method: 'POST',
      headers: { 'X-API-Key': demoKey, 'Idempotency-Key': '"6f1c"' },
      body: JSON.stringify(body),
    });
  const before = await startService(t, { dataDirectory: folder });
  const body = { values: { name: 'Ann' }, response: 'url', short: true };
  const first = await send(before, '/v1/render/hello', body);
  t.match(first.text, /\/r\/\w{20}/);
  t.equal((await send(before, '/v1/render/hello', body)).text, first.text);
  before.process.kill('SIGKILL');
  await before.process.ended;
  const after = await startService(t, { dataDirectory: folder });
  t.equal((await send(after, '/v1/render/hello', body)).text, first.text);
  const other = await send(after, '/v1/render/hello', { ...body, scale: 2 });
  t.match(checkError(t, other, 422, 'IDEMPOTENCY_KEY_REUSED'), /was used for another request/);
  const { url } = first.json() as RenderedLink;
  t.equal((await after.get(url.slice(before.base.length))).status, 200);
});

t.test(
  'a link comes with what its image says: the alt of the template, or its texts',
  async (t) => {
    const altOf = async (target: string, body: object): Promise<unknown> => {
      const answer = await post(target, { ...body, response: 'url' });
      return (answer.json() as { alt: unknown }).alt;
    };
    const values = { name: 'Zoë & <Max>', price: '7.5' };
    t.equal(await altOf('described', { values }), 'Hello Zoë & <Max>, only €7.50');
    t.equal(await altOf('described', { lang: 'de' }), 'Hello friend, only 5,00 €');
    t.equal(
      await altOf('described', { values: { name: '{{first}}' } }),
      'Hello friend, only €5.00',
    );
    t.equal(await altOf('plain', { values: { name: 'Ana' } }), 'Ana');
    t.equal(await altOf('ordered', {}), 'Above, Below');
    const base64 = await post('described', { values, response: 'base64' });
    t.match(base64.json(), { alt: 'Hello Zoë & <Max>, only €7.50' });
  },
);

t.test('a link that Braze signs by the recipe is drawn, and no other', async (t) => {
  const braze = emailServices.find(({ signer }) => signer !== undefined);
  if (braze?.signer === undefined) throw new Error('no email service signs');
  const tool = { ...braze, signer: braze.signer };
  const size = { width: 240, height: 40, scaleMax: 3 };
  const template = { name: 'Signed', file: 'signed.png', texts: [], ...size };
  const values = [{ name: 'name', value: '', isPersonal: true }];
  const recipe = selfSignedSnippet(service.base, template, values, tool, { name: 'you' });
  const sourceOf = (html: string): string =>
    (/src="[^"]*(\/v1\/[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const plain = await request(service.port, '/v1/render/plain?_scale=2&name=Ana%20%26%20%22Bo%22');
  const source = sourceOf(runLiquid(recipe, { first_name: 'Ana & "Bo"' }, signingKey));
  const signed = await request(service.port, source);
  t.equal(signed.status, 200);
  t.ok(signed.body.equals(plain.body), 'with the value of the contact');
  checkError(t, await request(service.port, source.replace('Ana', 'Eve')), 401, 'UNAUTHORIZED');
  checkError(
    t,
    await request(service.port, sourceOf(runLiquid(recipe, {}, 'wrong'))),
    401,
    'UNAUTHORIZED',
  );
});
