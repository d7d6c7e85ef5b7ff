import * as fc from 'fast-check';
import t from 'tap';
import { bindText } from '#language/bind/bindings.ts';
import { compileBinding, formatsMax } from '#language/values/formatted-binding.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import type { FormatContext } from '#language/values/value-formats.ts';
import { aVariable, layerProblems } from '../../fixtures/template-documents.ts';
import { anyCodePoint } from '../../helpers/code-points.ts';

/** Monday, 23 November 2026, 09:00 UTC. */
const timeMs = Date.UTC(2026, 10, 23, 9);

function contextOf(lang: string): FormatContext {
  return { lang, documentLang: lang, timeMs, problems: [] };
}

/** What `{{v | formats}}` draws, spaces of any width as plain ones; a problem in place of a value that is not taken. */
function format(formats: string, value: string, lang = 'en'): string {
  const context = contextOf(lang);
  const text = bindText(`{{v | ${formats}}}`, new Map([['v', value]]), context);
  const [problem] = context.problems;
  return problem ?? text.replaceAll(/[\u00A0\u202F]/g, ' ');
}

t.test('each format does what its row of the table says', async (t) => {
  for (const [name, { sample, example }] of Object.entries(valueFormats)) {
    const [value, written] = example;
    t.equal(format(sample === '' ? name : `${name}:${sample}`, value), written, name);
  }
});

t.test('numbers are written by language and keep their digits', async (t) => {
  t.equal(format('number', '1299.50'), '1,299.50');
  t.equal(format('number', '1299.50', 'de'), '1.299,50');
  t.equal(format('number', '123456789012.345'), '123,456,789,012.345');
  t.equal(format('number:0', '2.5'), '3');
  t.equal(format('currency:EUR', '1299.5', 'de'), '1.299,50 €');
  t.equal(format('currency:EUR,0', '1299', 'fr'), '1 299 €');
  t.equal(format('percent', '0.255', 'fr'), '25,5 %');
  t.equal(format('percent:5', '4'), '80%');
  t.equal(
    format('number', '1/2'),
    '"v" is "1/2", but the format number takes a number; the value is drawn as it is',
  );
});

t.test(
  'the noise of binary numbers is not written, and neither is the rest of a division',
  async (t) => {
    const noise: Record<string, string> = {
      '24.950000000000003': '24.95',
      '113.42999999999999': '113.43',
      '-182.45000000000002': '-182.45',
      '1650.0000000000002': '1,650',
      '0.30000000000000004': '0.3',
      '33.333333333333336': '33.3333333333333',
      '123456789012345.67': '123,456,789,012,346',
    };
    for (const [value, text] of Object.entries(noise)) t.equal(format('number', value), text);
    const amounts: readonly (readonly [currency: string, value: string, text: string])[] = [
      ['EUR', '24.950000000000003', '€24.95'],
      ['JPY', '1650.0000000000002', '¥1,650'],
      ['EUR', '33.333333333333336', '€33.33'],
      ['JPY', '33.333333', '¥33'],
      ['HUF', '1299.5', 'HUF 1,299.50'],
      ['EUR', '1.599', '€1.599'],
      ['EUR', '0.2345', '€0.2345'],
      ['USD', '0.666666666666667', '$0.67'],
      ['USD', '0.0000125', '$0.000013'],
      ['KWD', '1.33333333', 'KWD 1.333'],
      ['EUR', '12.500000000', '€12.50'],
    ];
    for (const [currency, value, text] of amounts) {
      t.equal(format(`currency:${currency}`, value), text);
    }
  },
);

t.test('plurals follow the categories of the language', async (t) => {
  const polish = 'plural:one,# punkt,few,# punkty,many,# punktów,other,# punktu';
  const drawn = ['0', '1', '2', '5', '22', '1.5'].map((number) => format(polish, number, 'pl'));
  t.same(drawn, ['0 punktów', '1 punkt', '2 punkty', '5 punktów', '22 punkty', '1,5 punktu']);
  t.equal(format('plural:one,# item,other,# items', '1000'), '1,000 items');
  t.equal(format('plural:other,no number', '7'), 'no number');
});

t.test('dates are written in the clock that they have', async (t) => {
  t.equal(format('date:long', '2026-11-27T00:00Z'), 'November 27, 2026');
  t.equal(format('date:full', '2026-11-27', 'fr'), 'vendredi 27 novembre 2026');
  t.equal(format('date:short', '2026-11-27T23:30-08:00', 'de'), '27.11.26');
  t.equal(format('date:weekday-short,day,month', '2026-03-14', 'en-GB'), 'Sat 14 March');
  t.equal(format('time', '2026-11-27T18:30+01:00'), '6:30 PM');
  t.equal(format('time:24', '2026-11-27T06:05'), '06:05');
  t.match(format('time', '2026-11-27'), /takes a date with a time/);
});

t.test('a distance is in days, and finer where asked', async (t) => {
  t.equal(format('relative', '2026-11-23T23:00'), 'today');
  t.equal(format('relative', '2026-11-24', 'de'), 'morgen');
  t.equal(format('relative', '2026-11-18'), '5 days ago');
  t.equal(format('relative', '2027-06-01'), 'in 7 months');
  t.equal(format('relative', '2028-01-01'), 'in 1 year');
  t.equal(format('relative', '2030-11-01'), 'in 4 years');
  t.equal(format('relative:hour', '2026-11-23T18:30+01:00'), 'in 8 hours');
  t.equal(format('relative:hour', '2026-11-24'), 'tomorrow');
  t.equal(format('relative:minute', '2026-11-23T08:15'), '45 minutes ago');
  t.equal(compileBinding('v | relative').clock, 'day');
  t.equal(compileBinding('v | relative:minute | upper').clock, 'minute');
  t.equal(compileBinding('v | relative:hour').clock, 'minute');
  t.equal(compileBinding('v | date').clock, undefined);
});

t.test('a distance is that of the zone, also for a value that was written before', async (t) => {
  const values = new Map([['v', '2026-11-24T02:00Z']]);
  const inZone = (zone: string): string =>
    bindText('{{v | relative}}', values, { ...contextOf('en'), zone });
  t.same(['UTC', 'America/New_York'].map(inZone), ['tomorrow', 'today']);
});

t.test('names get the case that people write', async (t) => {
  const names: Record<string, string> = {
    'JEAN-PIERRE': 'Jean-Pierre',
    'jean-pierre': 'Jean-Pierre',
    "O'NEILL": "O'Neill",
    'D’ANGELO': 'D’Angelo',
    'VAN DER BERG': 'van der Berg',
    'jan van der berg': 'Jan van der Berg',
    MacDonald: 'MacDonald',
    MCDONALD: 'McDonald',
    'Jean DUPONT': 'Jean Dupont',
    'JP Morgan': 'JP Morgan',
    'LOUIS XIV': 'Louis XIV',
    'J.R.R. TOLKIEN': 'J.R.R. Tolkien',
    "Amanda's": "Amanda's",
    'MARIA DE LOS SANTOS': 'Maria de los Santos',
    李小龙: '李小龙',
  };
  for (const [given, name] of Object.entries(names)) t.equal(format('name', given), name);
  t.equal(format('name', 'IŞIK', 'tr'), 'Işık');
  t.equal(format('title', 'ijsland in mei', 'nl'), 'IJsland In Mei');
  t.equal(format('upper', 'straße', 'de'), 'STRASSE');
  t.equal(format('initials', 'jean-pierre dupont'), 'JD');
  t.equal(format('truncate:2', '👩‍👩‍👧👩‍👩‍👧x'), '👩‍👩‍👧👩‍👩‍👧…');
});

t.test('a name has the capitals of its script and language', async (t) => {
  const cases: readonly (readonly [
    format: string,
    lang: string,
    given: string,
    written: string,
  ])[] = [
    ['name', 'ka', 'გიორგი ბერიძე', 'გიორგი ბერიძე'],
    ['title', 'ka', 'გიორგი ბერიძე', 'გიორგი ბერიძე'],
    ['name', 'en', 'ᲒᲘᲝᲠᲒᲘ', 'გიორგი'],
    ['initials', 'ka', 'გიორგი ბერიძე', 'გბ'],
    ['name', 'de', 'İBRAHİM', 'İbrahim'],
    ['title', 'en', 'İBRAHİM İZMİR', 'İbrahim İzmir'],
    ['name', 'tr', 'İBRAHİM IŞIK', 'İbrahim Işık'],
    ['name', 'hr', 'ǆemal ǉubić', 'ǅemal ǈubić'],
    ['title', 'hr', 'ǅUNGLA', 'ǅungla'],
    ['title', 'en', 'ﬁona', 'Fiona'],
    ['name', 'it', 'DELL’ACQUA', 'Dell’Acqua'],
    ['name', 'it', "dall'oglio", "Dall'Oglio"],
    ['name', 'en', "AMANDA'S", "Amanda's"],
    ['initials', 'ar', 'محمد علي', 'م\u200cع'],
    ['initials', 'en', 'Dr. Jane Doe', 'JD'],
    ['initials', 'de', 'Herr Prof. Dr. Max Muster', 'MM'],
    ['initials', 'en', 'John Smith Jr.', 'JS'],
    ['initials', 'en', 'Don Pan', 'DP'],
    ['initials', 'en', 'Dr.', 'D'],
  ];
  for (const [formats, lang, given, written] of cases) {
    t.equal(format(formats, given, lang), written, `${given} | ${formats} in ${lang}`);
  }
});

t.test('formats are applied in turn, and an empty value stays empty', async (t) => {
  t.equal(format('lower | title | truncate:3', 'SUMMER'), 'Sum…');
  t.equal(format('default:friend | upper', ''), 'FRIEND');
  t.equal(format('default:friend', 'Amanda'), 'Amanda');
  t.equal(format('currency:EUR', ''), '');
  t.equal(format('currency:EUR | default:free', ''), 'free');
});

t.test('a range maps numbers and colours, and ends at its ends', async (t) => {
  t.equal(format('range:0,100,0,400', '25'), '100');
  t.equal(format('range:0,100,0,400', '-5'), '0');
  t.equal(format('range:0,100,0,400', '500'), '400');
  t.equal(format('range:100,0,-90,90', '25'), '45');
  t.equal(format('range:0,3,0,100,0', '1'), '33');
  t.equal(format('range:0,100,#f00,#00ff00', '50'), '#808000');
  t.equal(format('range:0,1,#0000,#ffff', '0.5'), '#80808080');
  const number = fc.integer({ min: -999, max: 999 });
  fc.assert(
    fc.property(number, number, number, number, number, (low, high, start, end, value) => {
      if (low === high) return;
      const mapped = Number(format(`range:${low},${high},${start},${end}`, `${value}`));
      t.ok(mapped >= Math.min(start, end) && mapped <= Math.max(start, end));
    }),
  );
});

const variables = [aVariable('price', 'number', '5'), aVariable('name', 'text', 'Amanda')];

const textProblems = (text: string): string[] => layerProblems('text', { text }, variables);

t.test('an unknown format is refused on saving, with the nearest name', async (t) => {
  const known = Object.keys(valueFormats).join(', ');
  const refused: Record<string, string> = {
    '{{price | curency:EUR}}': `with the format "curency", expected one of ${known}; did you mean "currency"?`,
    '{{name | uppercase}}': `with the format "uppercase", expected one of ${known}; did you mean "upper"?`,
    '{{name | xyzzy}}': `with the format "xyzzy", expected one of ${known}`,
    '{{price | currency:EURO}}':
      'with the argument "EURO" of currency, expected a currency of ISO 4217, and perhaps a number of decimals: EUR or EUR,0; did you mean "EUR"?',
    '{{name | upper:2}}': 'with the argument "2" of upper, expected none: it takes no argument',
  };
  for (const [text, problem] of Object.entries(refused)) {
    const [, name = ''] = /\{\{(\w+)/.exec(text) ?? [];
    t.same(textProblems(text), [`layers[0].text binds {{${name}}} ${problem}`]);
  }
  for (const argument of ['one,# item', 'some,#', 'one,#,other', 'one,a,one,b,other,c', '']) {
    t.match(textProblems(`{{price | plural:${argument}}}`), [/expected pairs of a category/]);
  }
  for (const argument of ['0,0,1,2', '0,1,2', '0,1,#fff,3', '0,1,2,3,9', 'a,b,c,d']) {
    t.match(textProblems(`{{price | range:${argument}}}`), [/expected two different numbers/]);
  }
  const many = Array.from({ length: formatsMax + 1 }, () => 'upper').join(' | ');
  t.match(textProblems(`{{name | ${many}}}`), [/with 6 formats, at most 5 are allowed/]);
  t.same(textProblems('{{nmae | upper}}'), [
    'layers[0].text binds {{nmae}}, but the template has no variable of that name; did you mean {{name}}?',
  ]);
});

t.test('a variable whose name looks like a binding with formats keeps its meaning', async (t) => {
  const odd = [aVariable('a | upper', 'text', 'as it is')];
  t.same(layerProblems('text', { text: '{{a | upper}}' }, odd), []);
  const values = new Map([['a | upper', 'as it is']]);
  t.equal(bindText('{{a | upper}}', values, contextOf('en')), 'as it is');
});

/** Formats that are right, and values of any kind. */
const aFormat = fc.constantFrom(
  ...Object.entries(valueFormats).map(([name, { sample }]) =>
    sample === '' ? name : `${name}:${sample}`,
  ),
  ...'range:0,1,#fff,#000 relative:minute date:full percent'.split(' '),
);
const anyFormats = fc
  .array(aFormat, { minLength: 1, maxLength: formatsMax })
  .map((formats) => formats.join(' | '));
const languages = fc.constantFrom(...'en de ar th tr hi zh-Hant x-nobody xx-yyyyyyyyy'.split(' '));
const anyValues = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 300 }),
  fc.double().map(String),
  fc.integer().map(String),
  fc.date().map(String),
  fc.constantFrom(...'2026-11-27 19.90 -0 999999999999999.999999999999999 ß ŉ \ud800'.split(' ')),
);

t.test('no value and no language makes a format throw or write without bounds', async () => {
  fc.assert(
    fc.property(anyFormats, anyValues, languages, (formats, value, lang) => {
      const context = contextOf(lang);
      const written = bindText(`{{v | ${formats}}}`, new Map([['v', value]]), context);
      const hasFailed = context.problems.length > 0;
      return hasFailed ? written === value : Array.from(written).length <= 2000;
    }),
  );
});

t.test('any text between brackets is read without an error', async () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 700 }), (source) => {
      const text = `{{v | ${source}}}`;
      return typeof bindText(text, new Map([['v', 'x']]), contextOf('en')) === 'string';
    }),
  );
});

t.test('a number, a date and a boolean stand alone in a text as they were given', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.+-')) });
  const given = fc.oneof(digits, fc.constantFrom('19.90', '007', '2026-11-27', 'Yes'));
  const drawn = (value: string): string =>
    bindText('{{v}}', new Map([['v', value]]), contextOf('en'));
  fc.assert(fc.property(given, (value) => drawn(value) === value));
});
