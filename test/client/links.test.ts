import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { renderUrl, signedRenderUrl, signRenderUrl } from '../../src/client/platen-client.ts';

/** Shared with the programs of docs/guides/signed-links.md. */
interface SignatureVector {
  title: string;
  uid: string;
  key: string;
  values: Record<string, string>;
  signature: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../docs/signature-vectors.json', import.meta.url), 'utf8'),
) as SignatureVector[];

t.test('a link has the values, the options and the extension that it is given', async (t) => {
  t.equal(renderUrl('hello'), '/v1/render/hello');
  t.equal(renderUrl('hello', {}, { format: 'webp' }), '/v1/render/hello.webp');
  const url = renderUrl(
    'hello',
    { name: 'Ana & Co', size: 3, on: true, gone: undefined, empty: null },
    { baseUrl: 'https://example.com/images/', format: 'png', scale: 2, quality: 80, version: 4 },
  );
  t.equal(
    url,
    'https://example.com/images/v1/render/hello.png?name=Ana%20%26%20Co&size=3&on=true&_scale=2&_quality=80&_version=4',
  );
  t.equal(
    renderUrl('quote', {}, { size: 'story', lang: 'de-AT' }),
    '/v1/render/quote?_size=story&_lang=de-AT',
  );
  const photo = new URL('https://example.com/a.png?x=1&y=2');
  t.equal(new URL(renderUrl('a', { photo }), 'http://x').searchParams.get('photo'), photo.href);
  t.throws(() => renderUrl('../keys'), { name: 'TypeError', message: /no uid/ });
});

t.test(
  'links have the signatures of the vectors, in every spelling that has one reading',
  async (t) => {
    t.equal(vectors.length, 40);
    for (const { title, uid, key, values, signature } of vectors) {
      const url = await signedRenderUrl(uid, values, { signingKey: key });
      t.equal(new URL(url, 'https://x').searchParams.get('_signature'), signature, title);
      // As forms spell it, with pluses; and with the signature that it has already, wherever that stands.
      const form = new URLSearchParams({ _signature: 'old', ...values });
      const again = await signRenderUrl(
        `https://x/base/v1/render/${uid}.png?${form.toString()}`,
        key,
      );
      t.same(new URL(again).searchParams.getAll('_signature'), [signature], `${title}, again`);
    }
    await t.rejects(signRenderUrl('https://x/v1/templates', 'k'), { name: 'TypeError' });
  },
);

t.test('a link with more than one reading is signed as it is sent', async (t) => {
  for (const query of [
    'name=50%',
    'name=%FF',
    'photo=https://x/a.png?w=1&h=2',
    'photo=http://x/a%20b',
  ]) {
    const url = await signRenderUrl(`/v1/render/hello?${query}`, 'k');
    const signature = createHmac('sha256', 'k').update(`/v1/render/hello?${query}`).digest('hex');
    t.equal(url, `/v1/render/hello?${query}&_signature=${signature}`);
  }
  const first = await signRenderUrl('/v1/render/hello?name=A&amp;name=B&', 'k');
  t.equal(first, await signRenderUrl('/v1/render/hello?name=A', 'k'), 'of equal names the first');
});

t.test('a signed link covers its values, options and end, and not its format', async (t) => {
  const options = { signingKey: 'key', baseUrl: 'https://x', expires: new Date(2_000_000_500) };
  const url = await signedRenderUrl('hello', { name: 'Ana' }, { ...options, scale: 2 });
  t.match(
    url,
    /^https:\/\/x\/v1\/render\/hello\?name=Ana&_expires=2000000&_scale=2&_signature=v2\.[0-9a-f]{64}$/,
  );
  const png = await signedRenderUrl(
    'hello',
    { name: 'Ana' },
    { ...options, scale: 2, format: 'png' },
  );
  t.equal(png, url.replace('/hello?', '/hello.png?'));
  t.not(await signedRenderUrl('hello', { name: 'Bob' }, { ...options, scale: 2 }), url);
  t.not(
    await signedRenderUrl('hello', { name: 'Ana' }, { ...options, scale: 2, signingKey: 'b' }),
    url,
  );
});

t.test('characters that URL parsers encode are encoded before the signature', async (t) => {
  const values = { name: "O'Brien (!*) “x” <b>" };
  const url = await signedRenderUrl('hello', values, { signingKey: 'k', baseUrl: 'https://x' });
  t.equal(new URL(url).href, url);
  t.equal(new URL(url).searchParams.get('name'), values.name);
  t.match(url, /name=O%27Brien%20%28%21%2A%29/);
  const raw = `https://x/v1/render/hello?name=O'Brien "Zoë" <b> {1}|%41`;
  const signed = await signRenderUrl(raw, 'k');
  t.equal(new URL(signed).href, signed);
  t.equal(signed, await signRenderUrl(new URL(raw), 'k'));
});

t.test('an end that is no time is refused', async (t) => {
  for (const expires of [Date.now(), Number.NaN, new Date('soon'), -1, Number.POSITIVE_INFINITY]) {
    await t.rejects(
      signedRenderUrl('hello', {}, { signingKey: 'k', expires }),
      { name: 'TypeError', message: /seconds since 1970 \(not milliseconds\)/ },
      String(expires),
    );
  }
});
