/** The links that `POST /v1/render/{uid}` makes: plain, signed and short. */
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database/database.ts';
import { createSigningKeyStore } from '../../src/store/organizations/signing-key-store.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { checkError } from './request.ts';
import { demoKey, startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ db, publish }) => {
  publish('plain', { variables, layers });
  publish('closed', { variables, layers, linkAuth: 'key' });
  publish('signed', { variables, layers, linkAuth: 'signed' });
  publish('unkeyed', { variables, layers, linkAuth: 'signed' });
  const price = { name: 'price', type: 'number' as const, value: '5' };
  const alt = 'Hello {{name}}, only {{price | currency:EUR}}';
  publish('described', { variables: [...variables, price], layers, alt });
  publish('ordered', { layers: [textLayer('Below', { id: 'below', y: 45 }), textLayer('Above')] });
  const fields = Array.from({ length: 6 }, (_, index) => textVariable(`t${index}`, ''));
  publish('listed', { variables: [{ name: 'items', type: 'list', fields, value: [] }] });
  createSigningKeyStore(db, Date.now).createSigningKey(testOrganization.uid, 'signed');
});
const service = await startService(t, { dataDirectory });

interface RenderedLink {
  url: string;
  short: boolean;
  expires: number | null;
  alt: string;
}

/** Sends a body with the key of the test's organization. */
function post(target: string, body: object, headers = {}): Promise<Answer> {
  return service.render(target, {
    method: 'POST',
    headers: { 'X-API-Key': testOrganization.key, ...headers },
    body: JSON.stringify(body),
  });
}

/** The answer of a link request, which must succeed. */
async function linkOf(target: string, body: object): Promise<RenderedLink> {
  const answer = await post(target, { ...body, response: 'url' });
  t.equal(answer.status, 200, answer.text);
  return answer.json() as RenderedLink;
}

/** Fetches a link of the service. */
const fetchLink = (url: string, options = {}): Promise<Answer> =>
  service.get(url.slice(service.base.length), options);

t.test('a link gives the same bytes, says what they are, and is signed if need be', async (t) => {
  const values = { name: "D'Ann & 50% <b> é 😀 (x)*!" };
  for (const body of [{ values }, { values, format: 'jpg', scale: 2, quality: 40, lang: 'de' }]) {
    const { url, ...facts } = await linkOf('plain', body);
    t.ok(url.startsWith(`${service.base}/v1/render/plain`));
    t.notMatch(url, /[!'()*"<> ]/);
    const { body: bytes } = await fetchLink(url);
    t.ok(bytes.equals((await post('plain', body)).body), url);
    t.match(facts, { short: false, expires: null, bytes: bytes.length, warnings: [] });
  }
  t.match(await linkOf('plain.webp', { version: 1 }), { url: /plain\.webp\?_version=1$/ });
  const refused = await post('unkeyed', { response: 'url' });
  t.match(checkError(t, refused, 409, 'CONFLICT'), /no signing key: create one with POST/);
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const link = await linkOf('signed', { values: { name: 'Ann' }, expires, format: 'png' });
  const query = `name=Ann&_expires=${expires}&_signature=v2\\.[0-9a-f]{64}`;
  t.match(link, { expires, url: new RegExp(`/signed\\.png\\?${query}$`) });
  t.match((await fetchLink(link.url)).headers['cache-control'], /max-age=(300|\d\d?)/);
  checkError(t, await fetchLink(link.url.replace('Ann', 'Eve')), 401, 'UNAUTHORIZED');
  t.equal((await linkOf('signed', {})).expires, null);
});

t.test('an end is refused where there is none, or where it is over', async (t) => {
  for (const [body, message] of [
    [{ expires: 9_999_999_999 }, /expires is for signed and short links/],
    [{ expires: 1000, short: true }, /expires is 1000, which is over/],
    [{ expires: 1_900_000_000_000 }, /expires is 1900000000000/],
  ] as const) {
    const answer = await post('plain', { ...body, response: 'url' });
    t.match(checkError(t, answer, 400, 'BAD_REQUEST'), message);
  }
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
  const condition = { 'If-None-Match': String(linked.headers.etag) };
  t.equal((await fetchLink(url, { headers: condition })).status, 304);
  const { headers } = await fetchLink(url, { method: 'HEAD' });
  t.equal(headers['content-length'], String(linked.body.length));
  const asWebp = await fetchLink(url.replace('.jpg', '.webp'));
  t.equal(asWebp.headers['content-type'], 'image/webp');

  const yearly = await linkOf('plain', { values, short: true });
  t.ok(Math.abs((yearly.expires ?? 0) - now - 365 * 86_400) < 60);
  const token = /\w{20}/.exec(yearly.url)?.[0] ?? '';
  const remove = async (key: string): Promise<number> => {
    const order = { method: 'DELETE', headers: { 'X-API-Key': key } };
    return (await service.get(`/v1/short-links/${token}`, order)).status;
  };
  t.equal((await fetchLink(yearly.url)).status, 200);
  t.equal(await remove(demoKey), 404, 'not by another organization');
  t.equal(await remove(testOrganization.key), 204);
  t.equal(await remove(testOrganization.key), 404);
  for (const gone of [yearly.url, `${service.base}/r/${'0'.repeat(20)}`, `${service.base}/r/..%2F`])
    checkError(t, await fetchLink(gone), 404, 'NOT_FOUND');
  const closed = await linkOf('closed', { short: true });
  checkError(t, await fetchLink(closed.url), 401, 'UNAUTHORIZED');
  t.notMatch(service.process.stdout, /Secret|\/r\//, 'neither values nor tokens are logged');
});

t.test('a link that is too long to be kept whole is short', async (t) => {
  const texts = (count: number): object => ({ values: { name: 'x'.repeat(count) } });
  const nameLength = 2000 - `${service.base}/v1/render/plain?name=`.length;
  t.match(await linkOf('plain', texts(nameLength)), { short: false });
  t.match(await linkOf('plain', texts(nameLength + 2)), { short: true });
  const long = await linkOf('plain', { values: { name: 'é'.repeat(1900) } });
  t.equal(long.short, true);
  t.equal((await fetchLink(long.url)).status, 200);
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
  }
  const parts = Array.from({ length: 1001 }, (_, index) => [
    `items.${Math.floor(index / 6)}.t${index % 6}`,
    'x',
  ]);
  const body = { values: Object.fromEntries(parts) as object, response: 'url' };
  const refused = checkError(t, await post('listed', body), 400, 'BAD_REQUEST');
  t.match(refused, /a short link has at most 1000 values/);
});

t.test('a request that is sent again has the first link', async (t) => {
  const body = { values: { name: 'Ann' }, response: 'url', short: true };
  const key = { 'Idempotency-Key': '"6f1c"' };
  const first = await post('plain', body, key);
  t.match(first.text, /\/r\/\w{20}/);
  t.equal((await post('plain', body, key)).text, first.text);
  const other = await post('plain', { ...body, scale: 2 }, key);
  t.match(checkError(t, other, 422, 'IDEMPOTENCY_KEY_REUSED'), /was used for another request/);
});

t.test('a link comes with what its image says: its alt, or its texts', async (t) => {
  const values = { name: 'Zoë & <Max>', price: '7.5' };
  for (const [target, body, alt] of [
    ['described', { values }, 'Hello Zoë & <Max>, only €7.50'],
    ['described', { lang: 'de' }, 'Hello friend, only 5,00 €'],
    ['described', { values: { name: '{{first}}' } }, 'Hello friend, only €5.00'],
    ['plain', { values: { name: 'Ana' } }, 'Ana'],
    ['ordered', {}, 'Above, Below'],
  ] as const) {
    t.equal((await linkOf(target, body)).alt, alt);
  }
});
