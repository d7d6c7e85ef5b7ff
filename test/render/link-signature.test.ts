/** Signatures of links over names and values, and what programs between a sender and a reader do to a link. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { signRenderUrl } from '../../src/client/links.ts';
import { textVariable } from '../fixtures/published.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';

interface Vector {
  title: string;
  uid: string;
  key: string;
  values: Record<string, string>;
  signature: string;
}

const readText = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const vectors = JSON.parse(readText('docs/signature-vectors.json')) as Vector[];

const pool = await sharePool();
const box = { x: 0, y: 0, width: 200, height: 40 };
const variables = [
  textVariable('name'),
  textVariable('offer'),
  textVariable('größe'),
  { name: 'photo', type: 'image' as const, value: '' },
  {
    name: 'items',
    type: 'list' as const,
    fields: [{ name: 'title', type: 'text' as const, value: '' }],
    value: [],
  },
];

/** Publishes a signed template, and gives it a key. */
function publishSigned({ publish, stores }: TestService): string {
  const layers = [
    { id: 'a', type: 'text' as const, ...box, text: '{{name}} {{offer}}' },
    { id: 'b', type: 'image' as const, ...box, src: '{{photo}}' },
  ];
  publish('card', { linkAuth: 'signed', variables, layers, onImageError: 'default' });
  return stores.organizations.createSigningKey('org_a', 'card')?.key ?? '';
}

type Change = (link: string) => string;
const append =
  (text: string): Change =>
  (link) =>
    link + text;
/** Moves the parameters of a link. */
const order =
  (sort: (segments: string[]) => string[]): Change =>
  (link) => {
    const [path = '', query = ''] = link.split('?');
    return `${path}?${sort(query.split('&')).join('&')}`;
  };

/** The link before the changes: `card?name=Ana%20%26%20Lee%20%281%29&offer=%C3%BC`. */
const values = { name: 'Ana & Lee (1)', offer: 'ü' };

/** The rows of the table in docs/api.md: what a program does, and the changes that it makes. */
const answered: Record<string, Change[]> = {
  'writes a space as `+` or `%20`': [(link) => link.replaceAll('%20', '+')],
  'encodes more or fewer characters': [
    (link) => link.replaceAll('%28', '(').replaceAll('%29', ')'),
    (link) => link.replace('Ana', '%41n%61').replace('name=', '%6eame='),
    (link) => link.replace('_signature=v2.', '%5Fsignature=v2%2E'),
  ],
  'writes the digits of escapes in small letters': [
    (link) => link.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ],
  'moves parameters': [
    order((segments) => segments.toReversed()),
    order((segments) => segments.toSorted()),
  ],
  'writes `&` as `&amp;`, once or more': [
    (link) => link.replaceAll('&', '&amp;'),
    (link) => link.replaceAll('&', '&amp;amp;'),
  ],
  'adds an empty parameter': [
    append('&'),
    (link) => link.replace('?', '?&'),
    (link) => link.replace('&', '&&'),
    append('&=x'),
  ],
  'appends `utm_…`, a click id or another name that the template does not read': [
    append('&utm_source=mail&utm_medium=email'),
    append('&fbclid=x'),
    append('&dpl=abc'),
    append('&utm_source=a&utm_source=b'),
    append('&_hsenc=p2&_hsmi=3'),
    append('&_kx=a&_gl=1*a&_ga=2&__s=b&_t=1&_=4'),
    (link) => link.replace('?', '?_kx=a&'),
    (link) => link.replace('?', '?utm_source=mail&'),
    order((segments) => [...segments, 'utm_source=mail', 'dpl=abc'].toSorted()),
  ],
  'appends with a second `?`': [append('?dpl=abc'), append('?utm_source=mail&utm_medium=email')],
  'adds an extension to the path': [(link) => link.replace('card?', 'card.png?')],
};
const refused: Record<string, Change[]> = {
  'changes, adds or removes a value or a name that the template reads': [
    (link) => link.replace('Ana', 'Bob'),
    (link) => link.replace('name=', 'Name='),
    (link) => link.replace(/&offer=[^&]*/, ''),
    append('&photo=https%3A%2F%2Fexample.com%2Fa.png'),
    append(`&${encodeURIComponent('größe'.normalize('NFD'))}=XL`),
    append('&items=%5B%5D'),
    append('&items.0.title=Shoes'),
  ],
  'appends an option, such as `_format`': [
    'format=jpg',
    'scale=1',
    'quality=90',
    'lang=de',
    'size=tall',
    'frames=2',
    'animated=1',
    'version=1',
    'expires=9999999999',
  ].map((option) => append(`&_${option}`)),
  'repeats a name that the template reads': [
    append('&name=Bob'),
    (link) => link.replace('?', '?name=Bob&'),
    append('&name=Ana%20%26%20Lee%20(1)'),
  ],
  'encodes twice, or decodes `%26`, `%2B` or `%25`': [
    (link) => link.replaceAll('%', '%25'),
    (link) => link.replace('%26', '&'),
  ],
  'trims, normalises or changes the case of a value': [
    (link) => link.replace('Ana', 'ana'),
    (link) => link.replace('%C3%BC', 'u%CC%88'),
    (link) => link.replace('Ana', '%20Ana'),
  ],
  'changes the signature': [
    (link) => link.replace('v2.', ''),
    (link) => link.replace('v2.', 'v3.'),
    (link) => link.slice(0, -1),
    append('0'),
    (link) => link.replace(/[0-9a-f]{64}$/, (digits) => digits.toUpperCase()),
    (link) => link.replace(/&_signature=.*/, ''),
  ],
};

t.test('what programs do to a signed link is answered as the table says', async (t) => {
  const service = await serveRenders(t, { pool });
  const key = publishSigned(service);
  const signed = await signRenderUrl(
    `/v1/render/card?${new URLSearchParams(values).toString()}`,
    key,
  );
  const link = signed.replace('/v1/render/', '');
  const image = async (changed: string): Promise<string> => {
    const answer = await service.get(changed);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.status === 200 ? bytes.toString('base64') : String(answer.status);
  };
  const expected = await image(link);
  t.ok(expected.length > 100);
  for (const [title, changes] of Object.entries(answered))
    for (const change of changes) {
      t.not(change(link), link, title);
      t.equal(await image(change(link)), expected, `${title}: ${change(link)}`);
    }
  for (const [title, changes] of Object.entries(refused))
    for (const change of changes)
      t.equal(await image(change(link)), '401', `${title}: ${change(link)}`);
  const [, table = ''] =
    /\| what a program does .*?\n\|[-| ]+\n(.*?)\n\n/s.exec(readText('docs/api.md')) ?? [];
  const rows = [...table.matchAll(/^\| (.*?) +\| (\d+) +\|/gm)].map(([, row, status]) => [
    row,
    status,
  ]);
  t.same(rows, [
    ...Object.keys(answered).map((row) => [row, '200']),
    ...Object.keys(refused).map((row) => [row, '401']),
  ]);
});

t.test(
  'the links of the vectors are answered, and with one option more they are not',
  async (t) => {
    const service = await serveRenders(t, { pool });
    const give = service.stores.db.prepare<[string, string]>(
      `INSERT INTO signing_keys (template_id, secret, created_at)
     SELECT id, ?, created_at FROM templates WHERE uid = ?`,
    );
    for (const uid of new Set(vectors.map((vector) => vector.uid))) {
      service.publish(uid, { linkAuth: 'signed', onError: 'json' });
      give.run(vectors.find((vector) => vector.uid === uid)?.key ?? '', uid);
    }
    // A vector names version 3.
    for (const { uid } of [...vectors, ...vectors].slice(0, 4)) service.publish(uid, {});
    for (const { title, uid, values: given, signature } of vectors) {
      const query = new URLSearchParams({ ...given, _signature: signature });
      const answer = await service.get(`${uid}?${query.toString()}`);
      t.equal(answer.status, 200, `${title} ${await answer.text()}`);
      query.append('_frames', '2');
      t.equal((await service.get(`${uid}?${query.toString()}`)).status, 401, title);
    }
  },
);

t.test('an address that a program decodes stays one value without appended names', async (t) => {
  const service = await serveRenders(t, { pool });
  const key = publishSigned(service);
  const photo = 'https://cdn.example.com/a.png?w=600';
  const query = `photo=${encodeURIComponent(photo)}`;
  const link = (await signRenderUrl(`/v1/render/card?${query}`, key)).replace('/v1/render/', '');
  // The image cannot be fetched; the reason names its address.
  const answerOf = async (changed: string): Promise<[number, string | null]> => {
    const answer = await service.get(changed);
    return [answer.status, answer.headers.get('x-render-warnings')];
  };
  const decoded = link.replace(query, `photo=${photo}`);
  const expected = await answerOf(link);
  t.equal(expected[0], 200);
  t.same(await answerOf(decoded), expected);
  t.same(await answerOf(decoded.replace('w=600', 'w=600&dpl=abc')), expected);
  t.same(await answerOf(decoded.replace('w=600', 'w=601')), [401, null]);
});

t.test('a signed name that the template no longer reads stays signed', async (t) => {
  const service = await serveRenders(t, { pool });
  const key = publishSigned(service);
  const signed = await signRenderUrl('/v1/render/card?name=A&old=1&old.2=x', key);
  const link = signed.replace('/v1/render/', '');
  t.equal((await service.get(link)).status, 200);
  t.equal((await service.get(`${link}&dpl=abc`)).status, 200, 'what comes after the signature');
  t.equal((await service.get(link.replace('old=1', 'old=2'))).status, 401);
  t.equal((await service.get(link.replace('&old=1', ''))).status, 401);
});
