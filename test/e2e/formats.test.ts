import t from 'tap';
import { demoKey, shareService } from './service.ts';

const frame = { x: 0, y: 0, width: 300, height: 40 };
const template = {
  format: 1,
  name: 'Formats',
  width: 300,
  height: 200,
  lang: 'en',
  variables: [
    { name: 'price', type: 'text', value: '1299.5' },
    { name: 'end', type: 'date', value: '2026-11-27T00:00Z' },
    {
      name: 'items',
      type: 'list',
      fields: [{ name: 'title', type: 'text', value: '' }],
      value: [],
    },
  ],
  layers: [
    { id: 'price', type: 'text', ...frame, text: '{{price | currency:EUR}}' },
    { id: 'end', type: 'text', ...frame, text: '{{end | date:long}}' },
    {
      id: 'cart',
      type: 'rect',
      ...frame,
      fill: '#000000',
      visibleWhen: { variable: 'items', set: true },
    },
  ],
};

interface Report {
  layers: { id: string; text?: { text: string }; warnings: { code: string; detail: string }[] }[];
}

t.test('a preview formats values, reads lists and chooses a language', async (t) => {
  const { base } = await shareService();
  const preview = async (body: Record<string, unknown>): Promise<Response> =>
    fetch(`${base}/v1/preview`, {
      method: 'POST',
      headers: {
        'X-API-Key': demoKey,
        'Content-Type': 'application/json',
        Accept: 'application/json',
      },
      body: JSON.stringify({ template, ...body }),
    });
  const report = async (body: Record<string, unknown>): Promise<Report> =>
    (await (await preview(body)).json()) as Report;

  const plain = await report({});
  t.same(
    plain.layers.map(({ id, text }) => [id, text?.text]),
    [
      ['price', '€1,299.50'],
      ['end', 'November 27, 2026'],
    ],
  );
  const german = await report({
    lang: 'de',
    values: { items: [{ title: 'Hut' }], end: 1795804200 },
  });
  t.same(
    german.layers.map(({ id, text }) => [id, text?.text.replaceAll('\u00A0', ' ')]),
    [
      ['price', '1.299,50 €'],
      ['end', '27. November 2026'],
      ['cart', undefined],
    ],
  );
  const wrong = await report({ values: { price: 'free' } });
  t.match(wrong.layers[0], {
    text: { text: 'free' },
    warnings: [
      { code: 'FORMAT_FAILED', detail: /"price" is "free", but the format currency takes/ },
    ],
  });
  const refused = await preview({ values: { items: 'shoes' } });
  t.equal(refused.status, 400);
  t.match(await refused.text(), /is not a list: expected JSON such as/);
  const untyped = await preview({ values: { items: 7 } });
  t.match(await untyped.text(), /is a number, expected an array of objects/);
});

t.test('a link gives the items that a stack repeats', async (t) => {
  const { base } = await shareService();
  const headers = { 'X-API-Key': demoKey, 'Content-Type': 'application/json' };
  const title = { id: 'title', type: 'text', width: 'fill', height: 'hug', text: '{{item.title}}' };
  const rest = { ...title, id: 'rest', text: 'and {{item.more}} more' };
  const cart = {
    ...template,
    layers: [
      {
        id: 'cart',
        type: 'stack',
        ...frame,
        height: 'hug',
        repeat: { list: 'items', max: 2, more: 'rest' },
        layers: [title, rest],
      },
    ],
  };
  const values = { items: ['Tea', 'Cup', 'Jug'].map((word) => ({ title: word })) };
  const preview = await fetch(`${base}/v1/preview`, {
    method: 'POST',
    headers: { ...headers, Accept: 'application/json' },
    body: JSON.stringify({ template: cart, values }),
  });
  const { layers } = (await preview.json()) as Report;
  t.same(
    layers.map(({ id, text }) => [id, text?.text]),
    [
      ['cart', undefined],
      ['title:1', 'Tea'],
      ['title:2', 'Cup'],
      ['rest', 'and 1 more'],
    ],
  );
  const uid = 'cart-of-items';
  const saved = await fetch(`${base}/v1/templates?uid=${uid}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(cart),
  });
  t.ok(saved.ok, await saved.text());
  const published = await fetch(`${base}/v1/templates/${uid}/publish`, { method: 'POST', headers });
  t.ok(published.ok, await published.text());
  const render = async (query: string): Promise<Buffer> => {
    const response = await fetch(`${base}/v1/render/${uid}.png?${query}`);
    t.equal(response.status, 200, query);
    return Buffer.from(await response.arrayBuffer());
  };
  const byJson = await render(`items=${encodeURIComponent(JSON.stringify(values.items))}`);
  const byField = await render('items.0.title=Tea&items.1.title=Cup&items.2.title=Jug');
  t.ok(byJson.equals(byField), 'both forms give one image');
  t.notOk(byJson.equals(await render('items.0.title=Tea&items.1.title=Cup')), 'two items alone');
});
