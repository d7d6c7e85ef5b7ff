import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ScalarVariable } from '#language/schema/template.ts';
import { dateNames } from '#language/values/date-names.ts';
import { parseDateText } from '#language/values/date-value.ts';
import { readColor } from '#language/values/read-color.ts';
import { hasTwoReadings, provenDecimal, readNumber } from '#language/values/read-number.ts';
import { parseBooleanText } from '#language/values/scalar-text.ts';
import { parseQuery } from '../../../src/http/query.ts';
import { toQuery } from '../../../src/render/json-values.ts';
import { noTables } from '../../../src/render/table-values.ts';
import { repairVariables, resolveVariables } from '../../../src/render/values.ts';
import { publishedTemplate } from '../../fixtures/published.ts';

/** Reads a value of a link to a template with a language, in the form of the page. */
function readInLink(type: ScalarVariable['type'], text: string, lang?: string): string {
  const variables = [{ name: 'v', type, value: '' }];
  const template = publishedTemplate({ variables, ...(lang === undefined ? {} : { lang }) });
  const query = parseQuery(`v=${encodeURIComponent(text)}`);
  const value = resolveVariables(template, query, noTables).get('v') ?? '';
  if (type === 'boolean') return String(parseBooleanText(value));
  if (type !== 'date') return value;
  const date = parseDateText(value, lang);
  const written = new Date(date?.wallMs ?? Number.NaN).toISOString();
  return written.slice(0, date?.hasTime === true ? 16 : 10);
}

t.test('every written form of the page is read as the page says', async (t) => {
  const page = readFileSync('docs/value-formats.md', 'utf8');
  const languages = new Set<string>();
  let count = 0;
  for (const [, lang = '', type = '', value, forms = ''] of page.matchAll(
    /^\| ([\w-]+) \| (number|date|boolean|color) \| `([^`]+)` \| (.+) \|$/gm,
  )) {
    languages.add(lang);
    for (const [, form = ''] of forms.matchAll(/`([^`]+)`/g)) {
      count += 1;
      t.equal(readInLink(type as 'number', form, lang), value, `${form} in ${lang}`);
    }
  }
  t.ok(count >= 300, `${count} forms`);
  t.ok(languages.size >= 20, `${languages.size} languages`);
});

t.test('a language reads the dates that Intl writes in it', async (t) => {
  for (const lang of Object.keys(dateNames)) {
    for (let month = 0; month < 12; month += 1) {
      const options = { month: 'long', day: 'numeric', year: 'numeric' } as const;
      const calendar = { calendar: 'gregory', timeZone: 'UTC' } as const;
      const wallMs = Date.UTC(2026, month, 27);
      const written = new Intl.DateTimeFormat(lang, { ...options, ...calendar }).format(wallMs);
      const read = parseDateText(written, lang)?.wallMs;
      t.equal(read, wallMs, `${written} in ${lang}`);
    }
  }
});

t.test('what has no or two readings is no value', async (t) => {
  for (const text of ['15%', '½', '10²', '1.2.3', '1,23,4', '--1', 'MAX 5', '1 2', '']) {
    t.equal(readNumber(text), undefined, text);
  }
  // The sign stands for the cents in Japan, India and Germany, and for a negative amount in exports of SAP.
  for (const text of ['¥1,500-', '₹500-', 'Rs 500-', 'EUR 5-', '1500- €', '1500–']) {
    t.equal(readNumber(text), undefined, text);
  }
  for (const text of ['USD 5 EUR', '500K', '5 L', 'E5', '5–10', '۱/۲']) {
    t.equal(readNumber(text), undefined, text);
  }
  t.equal(readNumber('1,234'), undefined, 'two readings');
  t.ok(hasTwoReadings('€ 1,234'));
  t.equal(readNumber('1.234'), '1.234', 'as programs write it');
  for (const text of ['$.50', '€ .50', 'USD .50']) t.equal(readNumber(text), '.50', text);
  t.equal(readNumber('Rs.50'), '50');
  for (const text of [
    '27 listopad 2026',
    '۱۴۰۵/۰۹/۰۶',
    '27 foo 2026',
    '25:00',
    '2026-11-27T24:01',
  ]) {
    t.equal(parseDateText(text), undefined, text);
  }
  // With 0x, Android writes the alpha first and others last.
  for (const text of ['red', 'rgb(1,2)', 'ff880', '0xFFFF8800', '0xff8800cc']) {
    t.equal(readColor(text), undefined, text);
  }
  t.throws(() => readInLink('number', '1,234'), { message: /two readings/ });
});

t.test('a number proves the sign before its decimals, or none', async (t) => {
  for (const text of ['19,90', '1.234,5', '1.234.567', '1 234,5'])
    t.equal(provenDecimal(text), ',');
  for (const text of ['19.90', '1,234.5', '1,234,567', '12,34,567'])
    t.equal(provenDecimal(text), '.');
  for (const text of ['1,234', '1.234', '7', '1 234', 'x']) t.equal(provenDecimal(text), undefined);
});

t.test('a number of JSON has decimals in every language, in lists too', async (t) => {
  const variables = [
    { name: 'v', type: 'number' as const, value: '1' },
    {
      name: 'items',
      type: 'list' as const,
      fields: [
        { name: 'price', type: 'number' as const, value: '1' },
        { name: 'title', type: 'text' as const, value: 'x' },
      ],
      value: [],
    },
  ];
  const template = publishedTemplate({ variables, lang: 'de' });
  const exact = { v: '1.234', items: [{ price: '1.234', title: '1.234' }] };
  const { query } = toQuery(
    { v: 1.234, items: [{ price: 1.234, title: 1.234 }] },
    template,
    () => exact,
  );
  const values = resolveVariables(template, query, noTables);
  t.equal(values.get('v'), '1.234');
  t.equal(values.get('items'), '[["1.234","1.234"]]');
  const link = parseQuery(
    `items=${encodeURIComponent('[{"price":1.234,"title":"1.234"}]')}&v=1.234`,
  );
  const linked = resolveVariables(template, link, noTables);
  t.equal(linked.get('items'), '[["1.234","1.234"]]');
  t.equal(linked.get('v'), '1234', 'a text is read in the language');
});

t.test('a value that cannot be read draws nothing to readers, never the sample', async (t) => {
  const sample: [ScalarVariable['type'], string][] = [
    ['number', '49.00'],
    ['date', '2026-01-01'],
    ['color', '#123456'],
    ['boolean', 'true'],
  ];
  for (const [type, value] of sample) {
    const template = publishedTemplate({ variables: [{ name: 'v', type, value }] });
    t.equal(repairVariables(template, parseQuery('v=nonsense'), noTables).get('v'), '', type);
    t.equal(repairVariables(template, parseQuery('v='), noTables).get('v'), value, 'empty');
  }
});

t.test('an unreadable text costs linear time', async (t) => {
  for (const text of [
    '1,'.repeat(50_000),
    '1 '.repeat(50_000),
    'x'.repeat(100_000),
    '('.repeat(90),
  ]) {
    t.equal(readNumber(text), undefined);
    t.equal(parseDateText(text), undefined);
    t.equal(readColor(text), undefined);
  }
});
