/** How the columns of a list decide what a number or a date with two readings means. */
import t from 'tap';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { importList } from '../../../src/mailings/campaigns/list/import-list.ts';
import { checkCells, mappedColumns } from '../../../src/mailings/campaigns/list/row-values.ts';
import { publishedTemplate } from '../../fixtures/published.ts';
import { listFile } from '../lists/list-files.ts';
import { xlsx } from '../lists/xlsx-file.ts';

const space = { bytesMax: 1e9, refusal: 'full' };

const price = { name: 'price', type: 'number', value: '7' } as const;
const day = { name: 'price', type: 'date', value: '2020-01-01' } as const;
const textPrice = { name: 'price', type: 'text', value: '7' } as const;

/** What each row of a list draws as its price or day, and the codes of the proof. */
async function pricesOf(
  t: Test,
  content: string | Uint8Array,
  lang?: string,
  variable: typeof price | typeof day | typeof textPrice = price,
): Promise<[price: string | undefined, ...codes: string[]][]> {
  const { facts, firstRows } = await importList(t.testdir(), {
    id: 'list',
    path: listFile(content),
    options: {},
    space,
  });
  const box = { x: 0, y: 0, width: 100, height: 50 };
  const layers: Layer[] = [{ id: 'a', type: 'text', ...box, text: '{{price | currency:EUR}}' }];
  const template = publishedTemplate({ variables: [variable], layers, ...(lang && { lang }) });
  const columns = mappedColumns(facts, { price: 'price' }, template);
  return firstRows.map((cells) => {
    const { values, problems } = checkCells(template, columns, cells, { findRow: () => undefined });
    return [values.get('price'), ...problems.map(({ code }) => code)];
  });
}

const csv = (...prices: string[]): string =>
  ['name;price', ...prices.map((each) => `Ann;"${each}"`)].join('\n');

t.test('numbers with one reading decide for the others of their column', async (t) => {
  for (const lang of [undefined, 'en', 'de']) {
    t.same(await pricesOf(t, csv('19,90', '1.234', '2.345.678,5'), lang), [
      ['19.90'],
      ['1234'],
      ['2345678.5'],
    ]);
    t.same(await pricesOf(t, csv('1,234', '19.90', '1.459'), lang), [
      ['1234'],
      ['19.90'],
      ['1.459'],
    ]);
  }
});

t.test('without such a number the template decides', async (t) => {
  t.same(await pricesOf(t, csv('1.234'), 'de'), [['1234']]);
  t.same(await pricesOf(t, csv('1.234'), 'en'), [['1.234']]);
  t.same(await pricesOf(t, csv('1,234')), [['', 'BAD_VALUE']]);
});

t.test('a column that mixes both is named at the rows that have two readings', async (t) => {
  const rows = await pricesOf(t, csv('19,90', '1.234', '5.5', '7'), 'de');
  t.same(
    rows.map(([, ...codes]) => codes),
    [[], ['BAD_VALUE'], [], []],
  );
});

t.test(
  'a text that a format writes as an amount is decided and named in the same way',
  async (t) => {
    const read = async (...prices: string[]): Promise<unknown> =>
      pricesOf(t, csv(...prices), 'en', textPrice);
    t.same(await read('1.234', '19,90', 'free'), [['1234'], ['19,90'], ['free']]);
    t.same(await read('1.234', '19,90', '19.90'), [['1.234', 'BAD_VALUE'], ['19,90'], ['19.90']]);
  },
);

t.test('dates with one reading decide for the others of their column', async (t) => {
  const datesOf = (lang: string | undefined, ...dates: string[]) =>
    pricesOf(t, csv(...dates), lang, day);
  for (const lang of [undefined, 'en-US', 'ja']) {
    t.same(await datesOf(lang, '25/12/2026', '3/4/2027 6:30 PM', '٣/٤/٢٠٢٧'), [
      ['25/12/2026'],
      ['2027-04-03 6:30 PM'],
      ['2027-04-03'],
    ]);
  }
  t.same(await datesOf('de', '12-25-2026', '03-04-2027'), [['12-25-2026'], ['2027-03-04']]);
  t.same(await datesOf('en-GB', '25/12/2026', '3/4/2027'), [['25/12/2026'], ['3/4/2027']]);
  t.same(await datesOf('en-GB', '3/4/2027'), [['3/4/2027']], 'the template decides alone');
  t.same(await datesOf(undefined, '3/4/2027', '4/4/2027'), [['', 'BAD_VALUE'], ['4/4/2027']]);
  const mixed = await datesOf('en-GB', '25/12/2026', '12/25/2026', '3/4/2027', '2027-04-03');
  t.same(
    mixed.map(([, ...codes]) => codes),
    [[], [], ['BAD_VALUE'], []],
  );
});

t.test('an amount in another currency than that of the template is named', async (t) => {
  t.same(await pricesOf(t, csv('€19,90', '€1.234', '$1.234', '-€1.234', '$5')), [
    ['19.90'],
    ['1234'],
    ['', 'BAD_VALUE'],
    ['-1234'],
    ['', 'BAD_VALUE'],
  ]);
});

t.test('numbers of programs have a point before decimals', async (t) => {
  const lines = '{"name":"Ann","price":1.234}\n{"name":"Bo","price":7}\n';
  t.same(await pricesOf(t, lines, 'de'), [['1.234'], ['7']]);
  const cell = (reference: string, text: string): string =>
    `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const header = `<row r="1">${cell('A1', 'name')}${cell('B1', 'price')}</row>`;
  const numbers = `<row r="2">${cell('A2', 'Ann')}<c r="B2"><v>1.234</v></c></row>`;
  t.same(await pricesOf(t, xlsx({ rows: header + numbers }), 'de'), [['1.234']]);
  const texts = `<row r="2">${cell('A2', 'Ann')}${cell('B2', '1.234')}</row>`;
  t.same(await pricesOf(t, xlsx({ rows: header + texts }), 'de'), [['1234']], 'a text');
});

t.test('the columns of one field of a list decide together', async (t) => {
  const items = {
    name: 'items',
    type: 'list',
    fields: [
      { name: 'price', type: 'number', value: '7' },
      { name: 'day', type: 'date', value: '2020-01-01' },
    ],
    value: [{ price: '1' }],
  } as const;
  const head = 'a;b;c;d';
  const itemsOf = async (...rows: string[]): Promise<[items: unknown, ...codes: string[]][]> => {
    const { facts, firstRows } = await importList(t.testdir(), {
      id: 'list',
      path: listFile([head, ...rows].join('\n')),
      options: {},
      space,
    });
    const template = publishedTemplate({ variables: [items] as never });
    const mapping = {
      a: 'items.0.price',
      b: 'items.1.price',
      c: 'items.0.day',
      d: 'items.1.day',
    };
    const columns = mappedColumns(facts, mapping, template);
    return firstRows.map((cells) => {
      const { values, problems } = checkCells(template, columns, cells, {
        findRow: () => undefined,
      });
      return [JSON.parse(values.get('items') ?? ''), ...problems.map(({ code }) => code)];
    });
  };
  t.same(await itemsOf('1.234;19,90;03/04/2027;25/12/2027'), [
    [
      [
        ['1234', '2027-04-03'],
        ['19.90', '25/12/2027'],
      ],
    ],
  ]);
  const [, mixed] = await itemsOf('19.90;19,90;;', '1.234;1.234;;');
  t.same(mixed?.slice(1, 3), ['BAD_VALUE', 'BAD_VALUE']);
});
