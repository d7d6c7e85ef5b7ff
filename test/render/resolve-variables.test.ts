import t from 'tap';
import { expectedNumber } from '#language/check/variable-problems.ts';
import { parseNumberText } from '#language/values/scalar-text.ts';
import type { ScalarVariable, Variable } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import type { ValueNotes } from '../../src/render/parse-value.ts';
import { noTables } from '../../src/render/table-values.ts';
import { repairVariables, resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

/** The values of a query, as an object. */
function valuesOf(variables: Variable[], query: string): Record<string, string> {
  const values = resolveVariables(publishedTemplate({ variables }), parseQuery(query), noTables);
  return Object.fromEntries(values);
}

const name = textVariable('name');
const photo: Variable = { name: 'photo', type: 'image', value: 'asset:default' };

t.test('a value is taken from the query, everything else from the defaults', async (t) => {
  const variables = [name, textVariable('offer')];
  t.same(valuesOf(variables, ''), { name: 'default name', offer: 'default offer' });
  t.same(valuesOf(variables, 'name=Amanda&utm_source=x&_kx=1'), {
    name: 'Amanda',
    offer: 'default offer',
  });
  t.equal(valuesOf([name], 'name=A&name=B').name, 'A', 'the first of equal names counts');
  t.equal(valuesOf([name], 'name=&name=B').name, 'default name', 'also when it is empty');
  t.equal(valuesOf([name], 'NAME=A').name, 'default name', 'names are exact');
});

t.test('empty, white and unmerged values count as not given', async (t) => {
  const white = ['', '+', '%20%09', '%E2%80%8B', '%E3%85%A4+%C2%AD'];
  for (const value of [...white, '*|FNAME|*', '%FIRSTNAME%', '{{+first_name+}}', '%%DATE%%']) {
    t.equal(valuesOf([name], `name=${value}`).name, 'default name', JSON.stringify(value));
    const empty = textVariable('name', { whenEmpty: 'empty' });
    t.equal(valuesOf([empty], `name=${value}`).name, '', `${value} with whenEmpty`);
    t.equal(valuesOf([photo], `photo=${value}`).photo, 'asset:default');
  }
  t.equal(valuesOf([textVariable('name', { whenEmpty: 'empty' })], '').name, 'default name');
});

t.test('a link counts as unmerged for its tags, not for empty words', async (t) => {
  const template = publishedTemplate({ variables: [name], emptyWords: ['null'] });
  const notesOf = (value: string): ValueNotes => {
    const notes: ValueNotes = {};
    const values = resolveVariables(template, parseQuery(`name=${value}`), noTables, notes);
    t.equal(values.get('name'), 'default name', value);
    return notes;
  };
  t.same(notesOf('*|FNAME|*'), { isUnmerged: true });
  for (const value of ['', '+', 'null', '+NULL+', '%E2%80%8B']) t.same(notesOf(value), {}, value);
});

t.test('a text keeps its words, with line feeds and without control characters', async (t) => {
  t.equal(valuesOf([name], 'name=a%0D%0Ab%0Dc%0Ad').name, 'a\nb\nc\nd');
  for (const end of ['\u000B', '\u000C', '\u0085', '\u2028', '\u2029']) {
    const query = `name=a${encodeURIComponent(end)}b`;
    t.equal(valuesOf([name], query).name, 'a\nb', query);
  }
  t.equal(valuesOf([name], 'name=%20a%00b%1Fc%7F%09d%20').name, ' abc\td ');
  t.equal(valuesOf([name], 'name=50%25+off').name, '50% off');
});

t.test('a text over its limit is an error that names the variable', async (t) => {
  const refuse = (variable: Variable, value: string): void => {
    t.throws(() => valuesOf([variable], `name=${encodeURIComponent(value)}`), {
      code: 'BAD_REQUEST',
      message: /"name"/,
    });
  };
  refuse(name, 'x'.repeat(2001));
  refuse(name, '🎉'.repeat(2001));
  for (const end of ['\n', '\r', '\r\n', '\u000B', '\u000C', '\u0085', '\u2028', '\u2029']) {
    refuse(name, 'a' + end.repeat(101));
  }
  refuse(textVariable('name', { maxLength: 3 }), '🎉🎉🎉🎉');
  t.equal(valuesOf([name], `name=${'x'.repeat(2000)}`).name?.length, 2000);
  t.equal(valuesOf([name], `name=${encodeURIComponent('🎉'.repeat(2000))}`).name?.length, 4000);
  t.equal(valuesOf([name], `name=a${'%0A'.repeat(100)}`).name?.length, 101);
});

t.test('limits count composed characters, and a cut text is composed', async (t) => {
  const korean = '김민준님'.normalize('NFD');
  const short = textVariable('name', { maxLength: 5 });
  t.equal(valuesOf([short], `name=${encodeURIComponent(korean)}`).name, korean, 'as given');
  const template = publishedTemplate({
    variables: [{ ...short, maxLength: 3 }, textVariable('b')],
  });
  const repaired = (query: string) => repairVariables(template, parseQuery(query), noTables);
  t.equal(repaired(`name=${encodeURIComponent(korean)}`).get('name'), '김민준');
  const long = encodeURIComponent('각'.normalize('NFD').repeat(2000));
  t.equal(repaired(`b=${long}`).get('b')?.normalize('NFC').length, 2000);
  const query = parseQuery(['a', 'b', 'c', 'd'].map((each) => `${each}=${long}`).join('&'));
  const all = publishedTemplate({
    variables: ['a', 'b', 'c', 'd'].map((each) => textVariable(each)),
  });
  t.ok(resolveVariables(all, query, noTables), '8,000 characters together');
});

t.test('the texts of a link are limited together, and the longest is named', async (t) => {
  const variables = ['a', 'b', 'c', 'd', 'e'].map((one) => textVariable(one));
  const link = (length: number): string =>
    variables.map((variable) => `${variable.name}=${'x'.repeat(length)}`).join('&');
  t.equal(valuesOf(variables, link(1600)).e?.length, 1600, '8,000 characters');
  t.throws(() => valuesOf(variables, `${link(1600)}1&c=`.replace('c=', 'c=xx')), {
    code: 'BAD_REQUEST',
    message: /"c" is the longest of texts that have 8003 characters together, the limit is 8000/,
  });
  const emoji = variables.map(({ name: one }) => `${one}=${encodeURIComponent('🎉'.repeat(1600))}`);
  t.equal(Object.keys(valuesOf(variables, emoji.join('&'))).length, 5, 'code points are counted');
  const long = variables.map((variable) => ({ ...variable, value: 'x'.repeat(2000) }));
  t.equal(valuesOf(long, '').a?.length, 2000, 'defaults do not count');
});

t.test('a number is taken as given, in every way to write a decimal', async (t) => {
  const amount: Variable = { name: 'v', type: 'number', value: '1' };
  for (const text of ['.5', '5.', '+5', '+.5', '-.5', '-5.', '007', '19.90', '999999999999999']) {
    t.equal(valuesOf([amount], `v=${encodeURIComponent(text)}`).v, text);
    t.equal(expectedNumber(text, {}), undefined, `${text} as a default`);
    t.equal(parseNumberText(text), Number(text));
  }
});

t.test('the refusal of a number states the rule that it breaks', async (t) => {
  const none = ['x', '.', '+', '0x10', '15%', '1 2', '1e400', '--1', '1.2.3', 'Infinity'];
  const long = ['1234567890123456', '-1234567890123456', '999999999999999.5'];
  const problems: [bounds: Partial<ScalarVariable>, texts: string[], problem: string][] = [
    [{ min: 1, max: 5 }, ['99'], 'is not a number from 1 to 5'],
    [{ min: 100 }, ['99'], 'is not a number of at least 100'],
    [{ max: 5 }, ['99'], 'is not a number of at most 5'],
    [{}, none, 'is not a number in digits, with an optional sign and decimal point'],
    [
      {},
      [...long, '0000000000000007'],
      'is not a number of at most 15 digits before and 15 after its decimal point, from -999999999999999 to 999999999999999; a variable of type text takes longer ones',
    ],
  ];
  for (const [bounds, texts, problem] of problems) {
    const amount: Variable = { name: 'v', type: 'number', value: '1', ...bounds };
    const message = `Invalid variable value: "v" ${problem}.`;
    for (const text of texts) {
      const query = `v=${encodeURIComponent(text)}`;
      t.throws(() => valuesOf([amount], query), { code: 'BAD_REQUEST', message }, text);
    }
  }
});

t.test('an un-encoded nested URL is whole, up to what the link itself means', async (t) => {
  const nested: [query: string, value: string][] = [
    ['photo=https://example.com/a.png', 'https://example.com/a.png'],
    ['photo=https%3A%2F%2Fexample.com%2Fa%20b.png%3Fw%3D1&h=2', 'https://example.com/a b.png?w=1'],
    ['photo=https://example.com/a.png?w=1&h=2', 'https://example.com/a.png?w=1&h=2'],
    [
      'photo=https://example.com/o/a%2Fb.png?alt=media&t=x%3D',
      'https://example.com/o/a%2Fb.png?alt=media&t=x%3D',
    ],
    ['photo=https://example.com/a.png?w=1&h=2&name=A&x=3', 'https://example.com/a.png?w=1&h=2'],
    ['photo=https://example.com/a.png?w=1&utm_source=mail&h=2', 'https://example.com/a.png?w=1'],
    ...['fbclid', 'gclid', 'mc_eid', 'msclkid', 'yclid'].map((id): [string, string] => [
      `photo=https://example.com/a.png?w=1&${id}=abc&h=2`,
      'https://example.com/a.png?w=1',
    ]),
    ['photo=https://example.com/a.png?w=1&clid=2', 'https://example.com/a.png?w=1&clid=2'],
    ['photo=https://example.com/a.png?w=1&_scale=2', 'https://example.com/a.png?w=1'],
    ['photo=https://example.com/a.png?w=1&amp;h=2', 'https://example.com/a.png?w=1&h=2'],
    ['photo=https://example.com/a.png&w=1', 'https://example.com/a.png'],
  ];
  for (const [query, value] of nested) {
    t.equal(valuesOf([name, photo], query).photo, value, query);
  }
  const { name: greeted } = valuesOf([name, photo], nested[4]?.[0] ?? '');
  t.equal(greeted, 'A', 'a variable behind it keeps its own value');
});

t.test('values stay as they are written, and what is none of its type is refused', async (t) => {
  const color: Variable = { name: 'v', type: 'color', value: '#000000' };
  const number: Variable = { name: 'v', type: 'number', value: '1', min: -5, max: 10 };
  const flag: Variable = { name: 'v', type: 'boolean', value: 'true' };
  const day: Variable = { name: 'v', type: 'date', value: '2030-11-27' };
  const right: [Variable, string, string][] = [
    [color, 'FF8800', '#ff8800'],
    [color, '%23f80', '#f80'],
    [number, ' 2.50 ', '2.50'],
    [flag, 'YES', 'YES'],
    [flag, '0', '0'],
    [day, '11/27/2026', '11/27/2026'],
  ];
  for (const [variable, given, value] of right) {
    t.equal(valuesOf([variable], `v=${given}`).v, value, given);
  }
  const wrong: [Variable, string][] = [
    [color, 'red'],
    [color, 'ff88'.repeat(3)],
    [number, 'NaN'],
    [flag, 'maybe'],
    [day, 'tomorrow'],
  ];
  for (const [variable, given] of wrong) {
    t.throws(
      () => valuesOf([variable], `v=${given}`),
      { code: 'BAD_REQUEST', message: /"v"/ },
      given,
    );
  }
});

t.test(
  'repaired values are those within the limits; what cannot be read is empty, never the sample',
  async (t) => {
    const repaired = (variables: Variable[], query: string): Record<string, string> =>
      Object.fromEntries(
        repairVariables(publishedTemplate({ variables }), parseQuery(query), noTables),
      );
    const short = textVariable('short', { maxLength: 3 });
    t.equal(repaired([short], 'short=abcd').short, 'abc');
    t.equal(repaired([short], 'short=abc').short, 'abc');
    const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
    t.equal(repaired([short], `short=a${encodeURIComponent(family)}`).short, 'a', 'no half emoji');
    t.equal(
      repaired([short], 'short=a\u0301\u0302\u0303\u0304').short,
      '\u00e1\u0302\u0303',
      'but something',
    );
    t.equal(repaired([name], `name=${'%0A'.repeat(101)}x`).name, 'default name', 'white space');
    t.equal(repaired([name], `name=x${'%0A'.repeat(101)}x`).name, `x${'\n'.repeat(100)}`);
    const others: Variable[] = [
      { name: 'color', type: 'color', value: '#123456', whenEmpty: 'empty' },
      { name: 'points', type: 'number', value: '7', max: 10 },
      { name: 'member', type: 'boolean', value: 'true' },
    ];
    t.same(repaired(others, 'color=red&points=11&member=perhaps'), {
      color: '',
      points: '',
      member: '',
    });
    t.same(repaired(others, 'color=f80&points=9&member=no'), {
      color: '#f80',
      points: '9',
      member: 'no',
    });
  },
);

t.test('texts that are too long together are repaired to equal lengths', async (t) => {
  const variables = ['a', 'b', 'c', 'd', 'e'].map((each) => textVariable(each));
  const query = variables.map(
    (each, index) => `${each.name}=${'x'.repeat(index === 0 ? 400 : 2000)}`,
  );
  const values = repairVariables(
    publishedTemplate({ variables }),
    parseQuery(query.join('&')),
    noTables,
  );
  const lengths = Array.from(values.values(), ({ length }) => length);
  t.same(lengths, [400, 1900, 1900, 1900, 1900]);
});

t.test('a name is found in any normal form, and values stay as given', async (t) => {
  const size = 'größe 김';
  const decomposed = encodeURIComponent(size.normalize('NFD'));
  t.equal(valuesOf([textVariable(size)], `${decomposed}=L`)[size], 'L');
  const old = size.normalize('NFD');
  t.equal(valuesOf([textVariable(old)], `${encodeURIComponent(size)}=L`)[old], 'L');
  const both = valuesOf([textVariable(size), textVariable(old)], `${decomposed}=L`);
  t.same(
    [both[size], both[old]],
    [`default ${size}`, 'L'],
    'the name as it is written comes first',
  );
  const jose = 'José'.normalize('NFD');
  t.equal(valuesOf([name], `name=${encodeURIComponent(jose)}`).name, jose, 'a code has its value');
  const list: Variable = {
    name: 'items',
    type: 'list',
    fields: [{ name: 'größe', type: 'text', value: 'M' }],
    value: [],
  };
  const item = JSON.stringify([{ größe: 'XL' }]).normalize('NFD');
  t.equal(valuesOf([list], `items=${encodeURIComponent(item)}`).items, '[["XL"]]', 'of a field');
  const part = 'items.0.größe'.normalize('NFD');
  t.equal(valuesOf([list], `${encodeURIComponent(part)}=S`).items, '[["S"]]', 'and of one item');
  for (const { list: form, given } of [
    { list: 'artículos', given: 'artículos'.normalize('NFD') },
    { list: 'artículos'.normalize('NFD'), given: 'artículos' },
  ]) {
    const items = { ...list, name: form, fields: [{ ...list.fields[0], name: `título${form}` }] };
    const field = `título${given}`;
    const link = `${encodeURIComponent(`${given}.0.${field}`)}=Bob`;
    t.equal(valuesOf([items as Variable], link)[form], '[["Bob"]]', 'of a list');
  }
});
