import * as fc from 'fast-check';
import t from 'tap';
import { createBinder } from '#language/bind/binder.ts';
import { bindText } from '#language/bind/bindings.ts';
import { itemBinders, itemVariables } from '#language/bind/list-items.ts';
import type { ListVariable } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { noTables } from '../../src/render/table-values.ts';
import { repairVariables, resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';
import { aTemplate, aLayer, problemsOf } from '../fixtures/template-documents.ts';
import { anyCodePoint } from '../helpers/code-points.ts';

const list: ListVariable = {
  name: 'items',
  type: 'list',
  fields: [
    { name: 'title', type: 'text', value: 'Product' },
    { name: 'price', type: 'number', value: '0' },
    { name: 'photo', type: 'image', value: '' },
  ],
  value: [{ title: 'Shoes', price: '19.90' }],
};
const template = publishedTemplate({ variables: [list, textVariable('name')] });

/** What a layer that repeats would draw of each item of a link. */
function drawn(query: string, resolve = resolveVariables, published = template): string[] {
  const values = resolve(published, parseQuery(query), noTables);
  const binder = createBinder(published.document, values);
  const [variable] = published.document.variables;
  if (variable?.type !== 'list') return [];
  return itemBinders(variable, binder, 200).items.map(({ values: item, context }) =>
    bindText('{{item.title}} {{item.price}} {{item.photo}} {{name}}', item, context),
  );
}

function json(items: unknown): string {
  return `items=${encodeURIComponent(typeof items === 'string' ? items : JSON.stringify(items))}`;
}

t.test('a link gives a list as JSON, and numbers keep their digits', async (t) => {
  t.same(drawn(json('[{"title":"Hat","price":19.90},{"title":"Bag","price":"007"}]')), [
    'Hat 19.90  default name',
    'Bag 007  default name',
  ]);
  t.same(drawn(`${json([{ price: 5 }, { title: 'Bag', color: 'red' }])}&name=Zoe`), [
    'Product 5  Zoe',
    'Bag 0  Zoe',
  ]);
});

t.test('a link gives a list as parameters, an item of empty ones is none', async (t) => {
  const query =
    'items.0.title=Hat&items.0.price=5&items.2.title=Bag&items.1.title=&items.3.title=*|T4|*';
  t.same(drawn(query), ['Hat 5  default name', 'Bag 0  default name']);
  t.same(drawn('items.0.photo=https://a.example/b.png?w=1&h=2&items.0.title=Hat'), [
    'Hat 0 https://a.example/b.png?w=1&h=2 default name',
  ]);
  t.same(drawn(`${json([{ title: 'Hat', price: 1 }])}&items.0.price=2&items.0.price=3`), [
    'Hat 2  default name',
  ]);
});

t.test('an omitted or empty list is its default, or no items', async (t) => {
  const shoes = ['Shoes 19.90  default name'];
  const empties = ['items=', 'items=*|CART|*', 'items=[]', 'items.0.title=', 'items.0.x=1'];
  for (const query of ['', ...empties]) t.same(drawn(query), shoes, query);
  const empty = publishedTemplate({ variables: [{ ...list, whenEmpty: 'empty' }] });
  t.same(drawn('items=', resolveVariables, empty), []);
  t.equal(drawn('', resolveVariables, empty).length, 1);
});

t.test('a wrong list answers 400, and is repaired for readers', async (t) => {
  const refused: [query: string, problem: RegExp, repaired: number][] = [
    [json('{"title":"Hat"}'), /"items" is not a list: expected JSON such as/, 0],
    [json('[{'), /"items" is not a list/, 0],
    [json([7, { title: 'Hat' }]), /"items" has an item 0 that is no object/, 1],
    [json([{ title: ['Hat'] }]), /"items" has an item 0 whose "title" is no text, number or/, 0],
    [json([{ price: 'cheap' }]), /"items.0.price" is not a number in digits/, 1],
    ['items.3.price=x', /"items.3.price" is not a number in digits/, 1],
    ['items.200.title=x', /"items" has the item 200, and a list has at most 200, from 0 on/, 0],
    [
      json(Array.from({ length: 10 }, () => ({ title: 'x'.repeat(400) }))),
      /"items" has more than 2000 characters in its texts/,
      5,
    ],
    [json(Array.from({ length: 300 }, () => ({ title: 'x' }))), /has the item 299/, 200],
    [json([{ title: 'x'.repeat(2001) }]), /"items.0.title" is longer than 2000 characters/, 1],
  ];
  for (const [query, message, count] of refused) {
    t.throws(() => resolveVariables(template, parseQuery(query), noTables), {
      code: 'BAD_REQUEST',
      message,
    });
    t.equal(drawn(query, repairVariables).length, count, String(message));
  }
});

t.test('a field that is an object or an array draws nothing, and not its sample', async (t) => {
  for (const price of [{ amount: '19.90' }, ['19.90'], [], {}]) {
    const query = json([
      { title: 'A', price },
      { title: 'B', price: 7 },
    ]);
    t.throws(() => resolveVariables(template, parseQuery(query), noTables), {
      code: 'BAD_REQUEST',
    });
    t.same(drawn(query, repairVariables), ['A   default name', 'B 7  default name']);
    t.same(drawn(`${query}&items.0.price=5`, repairVariables)[0], 'A 5  default name');
  }
});

t.test('no query throws anything but a refusal, and none is repaired into an error', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: anyCodePoint }),
    fc.json(),
    fc
      .array(fc.dictionary(fc.constantFrom('title', 'price', 'x'), fc.jsonValue()))
      .map((value) => JSON.stringify(value)),
  );
  const name = fc.constantFrom('items', 'items.0.title', 'items.199.price', 'items.999.title');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
      const query = pairs
        .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
        .join('&');
      try {
        drawn(query);
      } catch (error) {
        t.match(error, { code: 'BAD_REQUEST' });
      }
      return drawn(query, repairVariables).length <= 200;
    }),
  );
});

t.test('a layer binds an item by its own types and defaults', async (t) => {
  t.same(itemVariables(list)[3], { name: 'item.price', type: 'number', value: '0' });
  const binder = createBinder(
    template.document,
    resolveVariables(template, parseQuery('items.0.price=5'), noTables),
  );
  const [item] = itemBinders(list, binder, 1).items;
  t.equal(item?.types.get('item.price'), 'number');
  t.equal(item?.defaults.get('item.title'), 'Product');
  t.equal(item?.types.get('name'), 'text');
});

t.test('a list that is wrong is refused when the template is saved', async (t) => {
  const text = (bound: string) => [aLayer('text', { text: bound })];
  const line = { id: 'line', type: 'text', width: 'hug', height: 'hug', text: '{{item.titel}}' };
  const repeat = { list: 'items' };
  const without = [{ name: 'items', type: 'list', value: [] }];
  const refused: [variables: unknown[], layers: unknown[], problem: RegExp][] = [
    [without, text('{{items}} {{item.title}}'), /\[0\]\.fields is missing, expected the fields of/],
    [without, [aLayer('stack', { repeat, layers: [] })], /variables\[0\]\.fields is missing/],
    [[{ ...list, value: 'Shoes' }], [], /variables\[0\]\.value is "Shoes", expected an array/],
    [
      [{ ...list, value: [{ titel: 'Shoes' }] }],
      [],
      /value\[0\]\.titel is no field of the list; it has title/,
    ],
    [[{ ...list, value: [{ price: 'x' }] }], [], /value\[0\]\.price is "x", expected a number/],
    [[{ ...list, maxLength: 5 }], [], /maxLength is for variables of type text/],
    [[{ ...list, fields: [{ name: 'a.b', type: 'text', value: '' }] }], [], /fields\[0\]\.name/],
    [[{ ...textVariable('a'), fields: list.fields }], [], /fields is for variables of type list/],
    [[{ ...textVariable('a'), value: [] }], [], /\[0\]\.value is an array of 0, expected a text/],
    [[list], text('{{items}}'), /which is a list; bind its fields, such as {{item.title}}/],
    [[list], text('{{item.title}}'), /which only the layers of a stack that repeats a list have/],
    [
      [list],
      [aLayer('stack', { repeat, layers: [line] })],
      /{{item.titel}}, but the items of the list have .* did you mean {{item.title}}\?/,
    ],
  ];
  t.same(problemsOf(aTemplate({ variables: [list] })), []);
  for (const [variables, layers, problem] of refused) {
    t.match(problemsOf(aTemplate({ variables, layers })), [problem]);
  }
});
