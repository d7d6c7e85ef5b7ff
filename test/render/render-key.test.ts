import * as fc from 'fast-check';
import t from 'tap';
import type { Variable, Template } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { renderETag, renderKey, RenderOrder } from '../../src/render/order.ts';
import { resolveOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

const names = ['name', 'offer', '__proto__'];
const template = publishedTemplate({ variables: names.map((name) => textVariable(name)) });
const options = { format: 'jpeg', quality: 85, scale: 1 } as const;

function orderOf(of: PublishedTemplate, query: string): RenderOrder {
  return new RenderOrder(of, options, resolveVariables(of, parseQuery(query), noTables));
}

/** The key of a query. */
function keyOf(query: string): string {
  return orderOf(template, query).key;
}

/** Values that are drawn as they are. */
const value = fc
  .string({ unit: 'grapheme-ascii', maxLength: 20 })
  .filter(
    (text) =>
      /^[A-Za-z0-9",\\[\] ]*[A-Za-z][A-Za-z0-9",\\[\] ]*$/.test(text) && !text.includes('[['),
  );
const values = fc.tuple(value, value, value);

function queryOf(given: readonly string[], order = [0, 1, 2]): string {
  return order
    .map((index) => `${names[index]}=${encodeURIComponent(given[index] ?? '')}`)
    .join('&');
}

t.test('the order of parameters and unknown names have no part in the key', async (t) => {
  const orders = [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ];
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(values, fc.constantFrom(...orders), (given, order) => {
        const key = keyOf(queryOf(given));
        return (
          keyOf(queryOf(given, order)) === key &&
          keyOf(`utm_source=x&${queryOf(given)}&_kx=1`) === key
        );
      }),
    ),
  );
});

t.test('values that differ have other keys, also where they are alike put together', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(values, values, (one, other) => {
        const isSame = one.every((each, index) => each === other[index]);
        return (keyOf(queryOf(one)) === keyOf(queryOf(other))) === isSame;
      }),
    ),
  );
  t.not(keyOf('name=a&offer=b'), keyOf('name=b&offer=a'));
});

t.test('a value equal to its default, an empty one and an omitted one have one key', async (t) => {
  const key = keyOf('');
  t.match(key, /^[0-9a-f]{64}$/);
  t.equal(keyOf('name=default+name'), key);
  t.equal(keyOf('name='), key);
  t.equal(keyOf('name=*|FNAME|*'), key);
});

t.test('format, quality, scale, document and organization are part of the key', async (t) => {
  const resolved = resolveVariables(template, parseQuery(''), noTables);
  const keys = [
    renderKey(template, options, resolved),
    renderKey(template, { ...options, format: 'webp' }, resolved),
    renderKey(template, { ...options, quality: 84 }, resolved),
    renderKey(template, { ...options, scale: 2 }, resolved),
    renderKey({ ...template, templateKey: 'other' }, options, resolved),
  ];
  t.equal(new Set(keys).size, keys.length);
});

t.test('a tag is short, quoted, and follows the remote images’ bytes', async (t) => {
  t.match(renderETag('key', []), /^W\/"[A-Za-z0-9_-]{22}"$/);
  const tags = [renderETag('key', []), renderETag('key', ['a']), renderETag('key', ['b'])];
  t.equal(new Set([...tags, renderETag('key', ['a', 'b'])]).size, 4);
});

t.test('a render has a tag before it is drawn unless it draws a remote image', async (t) => {
  const photo: Variable = { name: 'photo', type: 'image', value: 'asset:x' };
  const layer = {
    id: 'p',
    type: 'image',
    x: 0,
    y: 0,
    width: 9,
    height: 9,
    src: '{{photo}}',
  } as const;
  const withPhoto = publishedTemplate({ variables: [photo], layers: [layer] });
  const tagOf = (query: string): string | undefined => orderOf(withPhoto, query).pureETag;
  const pure = (query: string): string => renderETag(orderOf(withPhoto, query).key, []);
  t.equal(tagOf(''), pure(''));
  const embedded = 'photo=data:image/png;base64,xx';
  t.equal(tagOf(embedded), pure(embedded));
  t.equal(tagOf('photo=https://example.com/a.png'), undefined);
  const plain = orderOf(template, '');
  t.equal(plain.pureETag, renderETag(plain.key, []));
});

const frame = { id: 'text', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const end = { name: 'end', type: 'date', value: '2030-11-27' } as const;
const path = { uid: 'test', format: undefined };

function withText(text: string): Partial<Template> {
  return { lang: 'en', variables: [end], layers: [{ ...frame, text }] };
}

t.test('a link chooses the language of formats, where its template allows it', async (t) => {
  const document = withText('{{end | date:long}}');
  const langOf = (query: string, changes: object = {}) =>
    resolveOptions(path, parseQuery(query), publishedTemplate(document, changes)).lang;
  const given = ['', '_lang=DE', '_lang=en'].map((query) => langOf(query));
  t.same(given, [undefined, 'de', undefined]);
  for (const wrong of ['d', 'de_', 'x'.repeat(40), 'english language']) {
    t.throws(() => langOf(`_lang=${wrong}`), {
      code: 'BAD_REQUEST',
      message: 'The option _lang must be a language tag (BCP 47) such as de or pt-BR.',
    });
  }
  const closed = { linkOptions: ['scale'] };
  t.equal(langOf('_lang=en', closed), undefined, 'the language of the document');
  t.throws(() => langOf('_lang=de', closed), { message: /The option _lang is not allowed/ });
});

t.test('the key has what the time says, and its language', async (t) => {
  const keyAt = (text: string, link: string, changes: { timeMs?: number } = {}): string => {
    const timed = publishedTemplate(withText(text));
    const query = parseQuery(link);
    const given = { ...resolveOptions(path, query, timed), ...changes };
    return new RenderOrder(timed, given, resolveVariables(timed, query, noTables)).key;
  };
  const text = '{{end | relative}}';
  const [today, tomorrow] = [Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 24)];
  const [soon, late] = ['end=2026-11-27', 'end=2030-06-01'];
  t.equal(keyAt(text, soon, { timeMs: today }), keyAt(text, soon, { timeMs: today }));
  t.not(keyAt(text, soon, { timeMs: today }), keyAt(text, soon, { timeMs: tomorrow }), '3 days');
  t.equal(keyAt(text, late, { timeMs: today }), keyAt(text, late, { timeMs: tomorrow }), '4 years');
  t.not(keyAt('{{end}}', '_lang=de'), keyAt('{{end}}', ''));
  t.equal(keyAt('{{end}}', '_lang=de'), keyAt('{{end}}', '_lang=de'));
});
