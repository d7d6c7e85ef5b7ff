import t from 'tap';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

/** A stack of 100 pixels with these layers, which have no position. */
function aStack(layers: Record<string, unknown>[], rest: Record<string, unknown> = {}): object {
  return aTemplate({
    variables: [aVariable('name', 'text', 'Amanda')],
    layers: [aLayer('stack', { id: 's', width: 100, ...rest, layers })],
  });
}

const child = { id: 'c', type: 'rect', width: 10, height: 10 };

t.test('a stack takes layers that hug, fill or have a size', (t) => {
  const text = {
    id: 't',
    type: 'text',
    width: 'hug',
    height: 'hug',
    text: '{{name}}',
    maxWidth: 50,
  };
  const inner = {
    id: 'i',
    type: 'stack',
    direction: 'row',
    wrap: true,
    width: 'fill',
    height: 'hug',
  };
  t.same(problemsOf(aStack([child, text, { ...inner, layers: [] }], { height: 'hug' })), []);
  t.end();
});

t.test('a box that its parent does not allow is refused with what to do', (t) => {
  const cases: [title: string, document: object, problem: string][] = [
    [
      'a position in a stack',
      aStack([{ ...child, x: 5 }]),
      'layers[0].layers[0].x is not a property of a layer in a stack, which positions it; remove it',
    ],
    [
      'a mask in a stack',
      aStack([child, { ...child, id: 'd', mask: 'c' }]),
      'layers[0].layers[1].mask is not a property of a layer in a stack; put the layer and its mask into a group',
    ],
    [
      'no position outside of a stack',
      aTemplate({ layers: [{ ...child, y: 5 }] }),
      'layers[0] needs "x", a number from -16384 to 16384; only a stack positions its layers',
    ],
    [
      'fill outside of a stack',
      aTemplate({ layers: [aLayer('rect', { width: 'fill' })] }),
      'layers[0].width is "fill", but only a layer of a stack fills it; use a number',
    ],
    [
      'a shape that hugs',
      aStack([{ ...child, height: 'hug' }]),
      'layers[0].layers[0].height is "hug", but only texts in lines and stacks hug; give the rect a number',
    ],
    [
      'a variable that says hug',
      aTemplate({
        variables: [aVariable('size', 'text', 'hug')],
        layers: [aLayer('text', { text: 'a', width: '{{size}}' })],
      }),
      'layers[0].width is "hug" with the default values of its variables, expected a number; write "hug" without a variable',
    ],
    [
      'a variable that says no number',
      aTemplate({
        variables: [aVariable('day', 'date', '2026-11-27')],
        layers: [aLayer('rect', { width: '{{day | range:0,100,0,400}}' })],
      }),
      'layers[0].width is no number, expected a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks) (with the default values of its variables)',
    ],
    [
      'a text along a path that hugs',
      aTemplate({ layers: [aLayer('text', { text: 'a', path: 'M0 0H50', width: 'hug' })] }),
      'layers[0].width is "hug", but only texts in lines and stacks hug; give the text along a path a number',
    ],
    [
      'a limit of a fixed size',
      aStack([{ ...child, maxWidth: 5 }]),
      'layers[0].layers[0].maxWidth limits a width that is "hug" or "fill", but it is a number; remove it',
    ],
    [
      'a column that wraps',
      aStack([child], { wrap: true }),
      'layers[0].wrap is true, but only a row wraps; set "direction": "row"',
    ],
    [
      'an unknown word',
      aStack([{ ...child, width: 'auto' }]),
      'layers[0].layers[0].width is "auto", expected a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks)',
    ],
  ];
  for (const [title, document, problem] of cases) t.same(problemsOf(document), [problem], title);
  t.end();
});

t.test('stacks nest as deep as groups', (t) => {
  const nested = (depth: number): Record<string, unknown> => ({
    id: `s${depth}`,
    type: 'stack',
    width: 'hug',
    height: 'hug',
    layers: depth === 0 ? [] : [nested(depth - 1)],
  });
  t.same(problemsOf(aStack([nested(6)])), []);
  t.match(problemsOf(aStack([nested(7)])), [/groups and stacks are nested deeper than 8/]);
  t.end();
});

const list = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: '' }],
  value: [{ title: 'Tea' }],
};

/** A stack that repeats a text which binds `words`. */
function aRepeat(words: string, rest: Record<string, unknown> = {}): object {
  const text = { id: 't', type: 'text', width: 'hug', height: 'hug', text: words };
  const repeat = { list: 'items', ...rest };
  return aTemplate({
    variables: [list, aVariable('name', 'text', 'Amanda')],
    layers: [aLayer('stack', { id: 's', repeat, layers: [text] })],
  });
}

t.test('layers of a stack that repeats bind the fields of an item and the variables', (t) => {
  t.same(problemsOf(aRepeat('{{item.number}} {{item.title | upper}} for {{name}}')), []);
  t.match(problemsOf(aRepeat('{{item.tilte}}')), [/binds \{\{item\.tilte\}\}/]);
  t.match(problemsOf(aRepeat('{{items}}')), [
    /which is a list; bind its fields, such as \{\{item\.title\}\}/,
  ]);
  t.end();
});

t.test('a repeat that cannot be drawn is refused with what to do', (t) => {
  const inner = {
    id: 'i',
    type: 'stack',
    width: 'hug',
    height: 'hug',
    repeat: { list: 'items' },
    layers: [],
  };
  const nested = aTemplate({
    variables: [list],
    layers: [aLayer('stack', { id: 's', repeat: { list: 'items' }, layers: [inner] })],
  });
  const many = { id: 'm', type: 'rect', width: 5, height: 5 };
  const large = aTemplate({
    variables: [list],
    layers: [
      aLayer('stack', {
        id: 's',
        repeat: { list: 'items', max: 200 },
        layers: [many, { ...many, id: 'n' }, { ...many, id: 'o' }],
      }),
    ],
  });
  const cases: [document: object, problem: string][] = [
    [
      aRepeat('a', { list: 'item' }),
      'layers[0].repeat.list is "item", expected a list variable of the template; did you mean "items"?',
    ],
    [
      aRepeat('a', { list: 'name' }),
      'layers[0].repeat.list is "name", expected a list variable of the template',
    ],
    [
      aRepeat('a', { more: 'x' }),
      'layers[0].repeat.more is "x", expected the id of a layer of this stack',
    ],
    [
      nested,
      'layers[0].layers[0].repeat repeats inside "s", which repeats, too; an item has no lists',
    ],
    [large, 'layers has 601 layers with those in groups and the items of lists, the limit is 500'],
  ];
  for (const [document, problem] of cases) t.same(problemsOf(document), [problem], problem);
  t.end();
});

t.test('the layers of all items together have a size, and a number of bindings', (t) => {
  const long = 'x'.repeat(2000);
  const visibleWhen = { variable: 'name', oneOf: Array.from({ length: 50 }, () => long) };
  const aBox = (max: number, rest: object): object =>
    aTemplate({
      variables: [list, aVariable('name', 'text', 'Amanda')],
      layers: [
        aLayer('stack', {
          id: 's',
          repeat: { list: 'items', max },
          layers: [{ id: 'b', type: 'rect', width: 5, height: 5, ...rest }],
        }),
      ],
    });
  t.same(problemsOf(aBox(10, { visibleWhen })), []);
  t.match(problemsOf(aBox(11, { visibleWhen })), [
    /^layers have 11\d{5} characters of conditions in the items of lists, the limit is 1048576: /,
  ]);
  const image = { type: 'image', src: `data:image/png;base64,${'A'.repeat(80_000)}` };
  t.same(problemsOf(aBox(52, image)), []);
  t.match(problemsOf(aBox(53, image)), [
    /^layers have 42\d{5} characters of JSON in the items of lists, the limit is 4194304: /,
  ]);
  const bound = { variable: 'name', oneOf: Array.from({ length: 25 }, () => '{{name}}') };
  t.same(problemsOf(aBox(200, { visibleWhen: bound })), []);
  t.same(
    problemsOf(aBox(200, { visibleWhen: [bound, { variable: 'name', equals: '{{name}}' }] })),
    ['layers bind variables 5200 times with the items of lists, the limit is 5000'],
  );
  t.end();
});
