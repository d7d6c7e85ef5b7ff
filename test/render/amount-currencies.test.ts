/** An amount in another currency than the one in which the document writes it. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { bindText } from '#language/bind/bindings.ts';
import { parseQuery } from '../../src/http/query.ts';
import { noTables } from '../../src/render/table-values.ts';
import { repairVariables, resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';

const box = { x: 0, y: 0, width: 100, height: 50 };

function templateOf(text: string): ReturnType<typeof publishedTemplate> {
  const layers: Layer[] = [{ id: 'a', type: 'text', ...box, text }];
  return publishedTemplate({ variables: [{ name: 'v', type: 'number', value: '1' }], layers });
}

const queryOf = (text: string): ReturnType<typeof parseQuery> =>
  parseQuery(`v=${encodeURIComponent(text)}`);

t.test(
  'an amount in another currency is refused, with both currencies in the sentence',
  async (t) => {
    const template = templateOf('{{v | currency:EUR}}');
    for (const text of ['$49.00', '1500円', '49 USD', '£49', 'kr 49', 'R$ 49,00']) {
      t.throws(() => resolveVariables(template, queryOf(text), noTables), {
        message: /^Invalid variable value: "v" is an amount in [A-Z]{3}.*, but .* in EUR; send/,
      });
      t.equal(repairVariables(template, queryOf(text), noTables).get('v'), '', text);
    }
    for (const text of ['€49', '49 EUR', '49', '49,00 €']) {
      t.match(resolveVariables(template, queryOf(text), noTables).get('v'), /^49/, text);
    }
  },
);

t.test('a sign with several meanings fits each of them', async (t) => {
  const fitting =
    'USD $49,CAD $49,MXN $49,CLP $49,JPY ¥49,CNY ￥49,SEK kr 49,ISK 49 kr,GBP £49,LBP £49,BRL R$49';
  for (const pair of fitting.split(',')) {
    const [currency = '', ...words] = pair.split(' ');
    const template = templateOf(`{{v | currency:${currency}}}`);
    t.equal(resolveVariables(template, queryOf(words.join(' ')), noTables).get('v'), '49', pair);
  }
});

t.test('a field of a list has the currency of the layers that repeat', async (t) => {
  const variables = [
    {
      name: 'items',
      type: 'list' as const,
      fields: [{ name: 'price', type: 'number' as const, value: '1' }],
      value: [],
    },
  ];
  const layers: Layer[] = [
    {
      id: 's',
      type: 'stack',
      ...box,
      repeat: { list: 'items' },
      layers: [{ id: 'a', type: 'text', ...box, text: '{{item.price | currency:EUR}}' }],
    },
  ] as Layer[];
  const template = publishedTemplate({ variables, layers });
  const query = parseQuery(`items.0.price=${encodeURIComponent('$5')}`);
  t.throws(() => resolveVariables(template, query, noTables), {
    message: /"items\.0\.price" is an amount in USD/,
  });
});

t.test(
  'a document without a format, or with two currencies, takes an amount in each',
  async (t) => {
    for (const text of ['{{v}}', '{{v | number}}', '{{v | currency:EUR}} {{v | currency:GBP}}']) {
      t.equal(resolveVariables(templateOf(text), queryOf('$49'), noTables).get('v'), '49', text);
    }
  },
);

t.test('a text in another currency is drawn as it is, with a warning', async (t) => {
  const context = { lang: 'en', documentLang: 'en', timeMs: 0, problems: [] };
  t.equal(bindText('{{v | currency:EUR}}', new Map([['v', '$49.00']]), context), '$49.00');
  t.match(context.problems, [/"\$49\.00", but the format currency takes/]);
});
