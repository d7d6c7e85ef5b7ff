import t from 'tap';
import type { ScalarVariable, Variable } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import type { ValueNotes } from '../../src/render/parse-value.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

function read(type: ScalarVariable['type'], query: string, layers: object[] = []): string {
  const variables = [{ name: 'v', type, value: 'sample' }];
  const template = publishedTemplate({ variables, layers: layers as never });
  return resolveVariables(template, parseQuery(query), noTables).get('v') ?? '';
}

t.test('a text that a program escaped once too often is read as it was meant', async (t) => {
  for (const [given, meant] of [
    ['O&#39;Brien', "O'Brien"],
    ['O&#x27;Brien', "O'Brien"],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['Ren&eacute;e M&uuml;ller', 'Renée Müller'],
    ['&amp;amp;', '&amp;'],
    ['="00123"', '00123'],
    ['J%C3%B3zsef', 'József'],
    ['Anna%20Maria', 'Anna Maria'],
    ['%E6%9D%B1%E4%BA%AC', '東京'],
    ['Jos%E9', 'José'],
    ['Jos%E9%20Garc%EDa', 'José García'],
    ['O%92Brien', 'O’Brien'],
    ['100%cacao', '100%cacao'],
    ['20 %de descuento', '20 %de descuento'],
    ['5\u00a0%CBD Öl', '5\u00a0%CBD Öl'],
    ['Jetzt %Deal', 'Jetzt %Deal'],
    ['%u0141ukasz%20Nowak', 'Łukasz Nowak'],
    ['Hi%20%uD83D%uDE00', 'Hi 😀'],
    ['%uDE00%uD83D', '%uDE00%uD83D'],
    ['1%2C299', '1,299'],
    ['2026-11-27%2018%3A30', '2026-11-27 18:30'],
    ['Zimmer%205%2C%20M%C3%BCnchen', 'Zimmer 5, München'],
    ['50%25%20off', '50% off'],
    ['50%20', '50%20'],
    ['50%20off', '50%20off'],
    ['50% off', '50% off'],
    ['100%25 cotton', '100%25 cotton'],
    ['%CC%E0%F8%E0', '%CC%E0%F8%E0'],
    ['AT&T; R&D', 'AT&T; R&D'],
    ['&#55296;&#1;', '&#55296;&#1;'],
    ['Two?dpl=abc', 'Two?dpl=abc'],
  ] as const) {
    t.equal(read('text', `v=${encodeURIComponent(given)}`), meant, given);
  }
  t.equal(read('text', 'v=Jos%E9'), 'José', 'bytes of Windows-1252 in a link');
  t.equal(read('number', `v=${encodeURIComponent('="19.90"')}`), '19.90');
});

t.test('entities are those of HTML', async (t) => {
  for (const [given, meant] of [
    ['O&#146;Brien', 'O’Brien'],
    ['3&#150;5', '3–5'],
    ['&#128;5 &#x80;5', '€5 €5'],
    ['&#129;', '&#129;'],
    ['علی&zwnj;رضا', 'علی\u200cرضا'],
    ['&rlm;A&lrm;', '\u200fA\u200e'],
    ['&Lstrok;uk&aacute;&scaron; Erdo&gbreve;an &Idot;&imath;', 'Łukáš Erdoğan İı'],
    ['I &hearts; NY &lpar;&num;1&rpar; &frac12;', 'I ♥ NY (#1) ½'],
    ['&NotEqualTilde;', '≂̸'],
    ['AT&T; R&D; &copy &nonsense;', 'AT&T; R&D; &copy &nonsense;'],
    ['&constructor;', '&constructor;'],
    ['one&#10;two', 'one\ntwo'],
    ['&#0;&#x7f;&#1114112;', '&#0;&#x7f;&#1114112;'],
  ] as const) {
    t.equal(read('text', `v=${encodeURIComponent(given)}`), meant, given);
  }
  t.equal(read('number', `v=${encodeURIComponent('&#128;5')}`), '5');
});

t.test('marks of direction count in texts alone', async (t) => {
  const marks = ['\u202a#\u202c', '\u2066#\u2069', '\u200e#', '#\u200f', '\u202b#\u202c'];
  for (const around of marks) {
    const within = (value: string): string => `v=${encodeURIComponent(around.replace('#', value))}`;
    t.equal(read('number', within('1,299.50')), '1299.50');
    t.equal(read('date', within('2026-11-27')), '2026-11-27');
    t.equal(read('color', within('ff8800')), '#ff8800');
    t.equal(read('boolean', within('true')), 'true');
    t.equal(read('image', within('https://example.com/a.png')), 'https://example.com/a.png');
    t.equal(read('text', within('Ann')), around.replace('#', 'Ann'));
  }
});

t.test('an address is read as shops and sheets write it', async (t) => {
  const address = 'https://cdn.example.com/a%20b.png?w=1&h=2';
  for (const given of [
    address.slice('https:'.length),
    ` ${address} `,
    `"${address}"`,
    `\u200B${address}\uFEFF`,
    `“${address}”`,
    ` „\u200B${address}“`,
    `‘${address}’`,
    `«\u00A0${address}\u00A0»`,
    `<${address}>`,
    address.replace('&', '&amp;'),
    encodeURIComponent(address),
  ]) {
    t.equal(read('image', `v=${encodeURIComponent(given)}`), address, given);
  }
  t.equal(read('image', 'v=//cdn.example.com/a.png'), 'https://cdn.example.com/a.png');
});

t.test('a value that a code encodes stays as it is', async (t) => {
  const box = { id: 'q', x: 0, y: 0, width: 90, height: 90 };
  const qr = { ...box, type: 'qr', value: 'https://example.com/?n={{v}}' };
  const given = `a&amp;b%C3%B3 ${'é'.normalize('NFD')}`;
  const query = `v=${encodeURIComponent(given)}`;
  t.equal(read('text', query, [qr]), given, 'neither corrected nor composed');
  const inSize = { ...qr, value: 'x', bySize: { story: { value: '{{v | upper}}' } } };
  t.equal(read('text', query, [{ ...box, type: 'group', layers: [inSize] }]), given, 'in a size');
  const text = { ...box, type: 'text', text: '{{v}}', fontSize: 20 };
  t.equal(read('text', query, [text]), `a&bó ${'é'.normalize('NFD')}`);
  const hidden = { ...qr, value: 'x', visibleWhen: '{{v}} = a' };
  t.not(read('text', query, [hidden]), given, 'a condition of a code encodes nothing');
});

t.test(
  'a field of a list that a code encodes stays as it is, and its other fields do not',
  async (t) => {
    const fields = ['code', 'title'].map((name) => ({ name, type: 'text' as const, value: '' }));
    const list: Variable = { name: 'items', type: 'list', fields, value: [] };
    const box = { x: 0, y: 0, width: 90, height: 90 };
    const code = { ...box, id: 'b', type: 'barcode', kind: 'datamatrix', value: '{{item.code}}' };
    const layers = [{ ...box, id: 's', type: 'stack', repeat: { list: 'items' }, layers: [code] }];
    const template = publishedTemplate({ variables: [list], layers: layers as never });
    const given = `&amp;%C3%B3${'é'.normalize('NFD')}`;
    const item = JSON.stringify([{ code: given, title: '&amp;' }]);
    for (const query of [
      `items=${encodeURIComponent(item)}`,
      `items.0.code=${encodeURIComponent(given)}&items.0.title=%26amp%3B`,
    ]) {
      const values = resolveVariables(template, parseQuery(query), noTables);
      t.same(JSON.parse(values.get('items') ?? ''), [[given, '&']], query);
    }
  },
);

t.test('a link counts as corrected for each value that is read in another way', async (t) => {
  const photo: Variable = { name: 'photo', type: 'image', value: '' };
  const list: Variable = {
    name: 'items',
    type: 'list',
    fields: [{ name: 'title', type: 'text', value: '' }],
    value: [],
  };
  const template = publishedTemplate({ variables: [textVariable('name'), photo, list] });
  const notesOf = (query: string): string[] => {
    const notes: ValueNotes = {};
    resolveVariables(template, parseQuery(query), noTables, notes);
    return [...(notes.corrected ?? [])];
  };
  for (const value of [
    'O%26%2339%3BBrien',
    '="00123"',
    'J%25C3%25B3zsef',
    'Jos%E9',
    '%25u0141uk',
  ]) {
    t.same(notesOf(`name=${value}`), ['name'], value);
  }
  for (const value of [
    '//cdn.example.com/a.png',
    '+https://example.com/a.png',
    '"https://a.example"',
  ]) {
    t.same(notesOf(`photo=${encodeURI(value)}`), ['photo'], value);
  }
  t.same(notesOf('items.0.title=A%26amp%3BB'), ['items.0.title']);
  t.same(notesOf(`items=${encodeURIComponent('[{"title":"&euro;5"}]')}`), ['items.0.title']);
  const plain = [
    'name=Anna',
    'name=A%26B',
    'name=50%25+off',
    'photo=https://example.com/a.png',
    '',
  ];
  for (const query of plain) t.same(notesOf(query), [], query);
});

t.test('a value with two readings is refused with both, and with what to do', async (t) => {
  for (const [type, query, problem] of [
    ['date', 'v=3/4/2027', /has two readings, with the day or the month first; set the lang/],
    ['date', 'v=3/4/27', /is not a date such as/],
    ['number', 'v=1,234', /has two readings, with thousands or with decimals; set the lang/],
  ] as const) {
    t.throws(() => read(type, query), { code: 'BAD_REQUEST', message: problem }, query);
  }
});

t.test('a long value costs linear time', async (t) => {
  for (const part of ['%', '%CF', '%C3', '&', '&#', '="', '%u', '<', '%41']) {
    const given = `${part.repeat(500)}%`;
    t.type(read('text', `v=${encodeURIComponent(given)}`), 'string', part);
  }
});
