import t from 'tap';
import type { ScalarVariable } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';

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
    ['%u0141ukasz', 'Łukasz'],
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
  t.equal(read('text', `v=${encodeURIComponent('a&amp;b%C3%B3')}`, [qr]), 'a&amp;b%C3%B3');
  const text = { ...box, type: 'text', text: '{{v}}', fontSize: 20 };
  t.equal(read('text', `v=${encodeURIComponent('a&amp;b')}`, [text]), 'a&b');
});

t.test('a long value costs linear time', async (t) => {
  for (const part of ['%', '%CF', '%C3', '&', '&#', '="', '%u', '<', '%41']) {
    const given = `${part.repeat(500)}%`;
    t.type(read('text', `v=${encodeURIComponent(given)}`), 'string', part);
  }
});
