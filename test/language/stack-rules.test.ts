import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  problemsOf,
} from '../fixtures/template-documents.ts';

/** A stack of 100 pixels with these layers, which have no position. */
function aStack(layers: Record<string, unknown>[], rest: Record<string, unknown> = {}): object {
  return aTemplate({
    variables: [aVariable('name', 'text', 'Amanda')],
    layers: [aLayer('stack', { id: 's', width: 100, ...rest, layers })],
  });
}

const child = { id: 'c', type: 'rect', width: 10, height: 10 };

t.test('a stack takes layers that hug, fill or have a size', async (t) => {
  const hug = { width: 'hug', height: 'hug' };
  const text = { id: 't', type: 'text', ...hug, text: '{{name}}', maxWidth: 50 };
  const inner = { id: 'i', type: 'stack', direction: 'row', wrap: true, ...hug, width: 'fill' };
  t.same(problemsOf(aStack([child, text, { ...inner, layers: [] }], { height: 'hug' })), []);
});

t.test('a box that its parent does not allow is refused with what to do', async (t) => {
  const number =
    'a number of design pixels from 0 to 16384, hug (texts, stacks) or fill (in stacks)';
  const layered = (type: string, properties: Record<string, unknown>): object =>
    aTemplate({
      variables: [aVariable('v', 'text', 'hug'), aVariable('day', 'date', '2026-11-27')],
      layers: [aLayer(type, properties)],
    });
  const inStack = (properties: object): object => aStack([{ ...child, ...properties }]);
  const cases: [document: object, problem: string][] = [
    [
      inStack({ x: 5 }),
      'layers[0].layers[0].x is not a property of a layer in a stack, which positions it; remove it',
    ],
    [
      aStack([child, { ...child, id: 'd', mask: 'c' }]),
      'layers[0].layers[1].mask is not a property of a layer in a stack; put the layer and its mask into a group',
    ],
    [
      aTemplate({ layers: [{ ...child, y: 5 }] }),
      'layers[0] needs "x", a number from -16384 to 16384; only a stack positions its layers',
    ],
    [
      layered('rect', { width: 'fill' }),
      'layers[0].width is "fill", but only a layer of a stack fills it; use a number',
    ],
    [
      inStack({ height: 'hug' }),
      'layers[0].layers[0].height is "hug", but only texts in lines and stacks hug; give the rect a number',
    ],
    [
      layered('text', { text: 'a', width: '{{v}}' }),
      'layers[0].width is "hug" with the default values of its variables, expected a number; write "hug" without a variable',
    ],
    [
      layered('rect', { width: '{{day | range:0,100,0,400}}' }),
      `layers[0].width is no number, expected ${number} (with the default values of its variables)`,
    ],
    [
      layered('text', { text: 'a', path: 'M0 0H50', width: 'hug' }),
      'layers[0].width is "hug", but only texts in lines and stacks hug; give the text along a path a number',
    ],
    [
      inStack({ maxWidth: 5 }),
      'layers[0].layers[0].maxWidth limits a width that is "hug" or "fill", but it is a number; remove it',
    ],
    [
      aStack([child], { wrap: true }),
      'layers[0].wrap is true, but only a row wraps; set "direction": "row"',
    ],
    [inStack({ width: 'auto' }), `layers[0].layers[0].width is "auto", expected ${number}`],
  ];
  for (const [document, problem] of cases) t.same(problemsOf(document), [problem]);
});

t.test('stacks nest as deep as groups', async (t) => {
  const nested = (depth: number): Record<string, unknown> => ({
    id: `s${depth}`,
    type: 'stack',
    width: 'hug',
    height: 'hug',
    layers: depth === 0 ? [] : [nested(depth - 1)],
  });
  t.same(problemsOf(aStack([nested(6)])), []);
  t.match(problemsOf(aStack([nested(7)])), [/groups and stacks are nested deeper than 8/]);
});

const list = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: '' }],
  value: [{ title: 'Tea' }],
};

/** The problems of a stack that repeats these layers. */
function repeatProblems(layers: unknown[], repeat: object = {}): string[] {
  const properties = { id: 's', repeat: { list: 'items', ...repeat }, layers };
  return layerProblems('stack', properties, [list, aVariable('name', 'text', 'Amanda')]);
}

t.test('layers of a stack that repeats bind the fields of an item and the variables', async (t) => {
  const text = { ...child, type: 'text', text: '{{item.number}} {{item.title | upper}} {{name}}' };
  t.same(repeatProblems([text]), []);
});

t.test('a repeat that cannot be drawn is refused with what to do', async (t) => {
  const inner = { ...child, type: 'stack', repeat: { list: 'items' }, layers: [] };
  const many = ['m', 'n', 'o'].map((id) => ({ ...child, id }));
  const cases: [layers: unknown[], repeat: object, problem: string][] = [
    [
      [child],
      { list: 'item' },
      'layers[0].repeat.list is "item", expected a list variable of the template; did you mean "items"?',
    ],
    [
      [child],
      { list: 'name' },
      'layers[0].repeat.list is "name", expected a list variable of the template',
    ],
    [
      [child],
      { more: 'x' },
      'layers[0].repeat.more is "x", expected the id of a layer of this stack',
    ],
    [
      [inner],
      {},
      'layers[0].layers[0].repeat repeats inside "s", which repeats, too; an item has no lists',
    ],
    [
      many,
      { max: 200 },
      'layers has 601 layers with those in groups and the items of lists, the limit is 500',
    ],
  ];
  for (const [layers, repeat, problem] of cases) t.same(repeatProblems(layers, repeat), [problem]);
});

t.test('the layers of all items together have a size, and a number of bindings', async (t) => {
  const problems = (max: number, properties: object): string[] =>
    repeatProblems([{ ...child, ...properties }], { max });
  const visibleWhen = { variable: 'name', oneOf: Array(50).fill('x'.repeat(2000)) };
  t.same(problems(10, { visibleWhen }), []);
  t.match(problems(11, { visibleWhen }), [
    /^layers have 11\d{5} characters of conditions in the items of lists, the limit is 1048576: /,
  ]);
  const image = { type: 'image', src: `data:image/png;base64,${'A'.repeat(80_000)}` };
  t.same(problems(52, image), []);
  t.match(problems(53, image), [
    /^layers have 42\d{5} characters of JSON in the items of lists, the limit is 4194304: /,
  ]);
  const bound = { variable: 'name', oneOf: Array(25).fill('{{name}}') };
  t.same(problems(200, { visibleWhen: bound }), []);
  const more = [bound, { variable: 'name', equals: '{{name}}' }];
  t.same(problems(200, { visibleWhen: more }), [
    'layers bind variables 5200 times with the items of lists, the limit is 5000',
  ]);
});
