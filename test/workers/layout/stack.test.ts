/** What a stack does beyond a flexbox: empty layers, directions, texts that follow their overflow rules, and bound sizes. */
import t from 'tap';
import type { DisplayItem } from '../../../workers/display-list.ts';
import { aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { validTemplate } from '../../helpers/render.ts';

const { bindScene } = await import('../../../workers/bind-scene.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');

type Json = Record<string, unknown>;

const rect = (id: string, width: unknown, height: unknown, rest: Json = {}): Json => ({
  id,
  type: 'rect',
  width,
  height,
  ...rest,
});
const text = (id: string, words: string, rest: Json = {}): Json => ({
  id,
  type: 'text',
  width: 'hug',
  height: 'hug',
  text: words,
  fontFamily: 'Inter',
  fontSize: 20,
  ...rest,
});
const stack = (id: string, layers: Json[], rest: Json = {}): Json => ({
  id,
  type: 'stack',
  width: 'hug',
  height: 'hug',
  ...rest,
  layers,
});

function defaultOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Boxes of the drawn layers as `[x, y, width, height]` in whole pixels, and the warnings of their layout. */
function layoutOf(
  layers: Json[],
  values: Record<string, string> = {},
  rest: Json = {},
): { boxes: Record<string, number[]>; warnings: string[] } {
  const names = ['name', 'line'].map((name) => ({
    ...aVariable(name, 'text', 'Amanda'),
    whenEmpty: 'empty',
  }));
  const variables = [...names, aVariable('size', 'number', '40')];
  const template = validTemplate(
    aTemplate({ width: 500, height: 500, variables, layers, ...rest }),
  );
  const given = new Map(
    template.variables.map(({ name, value }) => [name, values[name] ?? defaultOf(value)] as const),
  );
  const { displayList, warnings } = layoutScene(bindScene(template, given), new Map());
  const boxes: Record<string, number[]> = {};
  const collect = (items: readonly DisplayItem[]): void => {
    for (const { layer, box, content } of items) {
      boxes[layer] = [box.x, box.y, box.width, box.height].map(Math.round);
      if (content.kind === 'group') collect(content.items);
    }
  };
  collect(displayList.items);
  return { boxes, warnings: warnings.map(({ code }) => code) };
}

t.test('a layer without a value takes neither space nor a gap', (t) => {
  const column = (middle: Json): Json[] => [
    { ...stack('s', [rect('a', 10, 10), middle, rect('b', 10, 10)], { gap: 7 }), x: 0, y: 0 },
  ];
  const empties: [title: string, layer: Json][] = [
    ['a text', text('m', '{{line}}')],
    ['spans', { ...text('m', ''), text: undefined, spans: [{ text: '{{line}}' }, { text: ' ' }] }],
    ['a code', { id: 'm', type: 'qr', width: 30, height: 30, value: '{{line}}' }],
    ['a stack of empty texts', stack('m', [text('inner', '{{line}}')], { padding: 9 })],
    [
      'a group of empty texts',
      {
        id: 'm',
        type: 'group',
        width: 30,
        height: 30,
        layers: [{ ...text('inner', '{{line}}'), x: 0, y: 0, width: 30, height: 30 }],
      },
    ],
    ['a hidden layer', rect('m', 30, 30, { visible: false })],
    [
      'a layer whose condition does not hold',
      rect('m', 30, 30, { visibleWhen: { variable: 'line', set: true } }),
    ],
  ];
  for (const [title, layer] of empties) {
    const { boxes } = layoutOf(column(layer), { line: '' });
    t.same(boxes['b'], [0, 17, 10, 10], title);
    t.same(boxes['s'], [0, 0, 10, 27], title);
  }
  t.end();
});

t.test('rows and columns mirror in a language from right to left', (t) => {
  const layers = [
    {
      ...stack('r', [rect('a', 10, 10), rect('b', 20, 10)], { width: 100, direction: 'row' }),
      x: 5,
      y: 0,
    },
    { ...stack('c', [rect('d', 30, 10)], { width: 100, padding: [0, 1, 0, 2] }), x: 5, y: 50 },
  ];
  const { boxes } = layoutOf(layers, {}, { lang: 'ar-EG' });
  t.same(boxes['a'], [95, 0, 10, 10]);
  t.same(boxes['b'], [75, 0, 20, 10]);
  t.same(boxes['d'], [74, 50, 30, 10], 'the padding stays on its side');
  t.end();
});

t.test('a longer value moves what follows, and nothing else', (t) => {
  const layers = [
    {
      ...stack('s', [text('t', '{{name}}', { width: 'fill' }), rect('r', 'fill', 4)], {
        width: 150,
        gap: 6,
      }),
      x: 20,
      y: 30,
    },
    rect('other', 10, 10, { x: 0, y: 300 }),
  ];
  const short = layoutOf(layers, { name: 'Ida' }).boxes;
  const long = layoutOf(layers, { name: 'Ida Maria and all of her friends' }).boxes;
  t.same(short['t'], [20, 30, 150, 24]);
  t.same(short['r'], [20, 60, 150, 4]);
  t.same(long['t'], [20, 30, 150, 72], 'three lines');
  t.same(long['r'], [20, 108, 150, 4]);
  t.same(long['other'], short['other']);
  t.end();
});

t.test('texts of a stack that is too low follow their overflow rules', (t) => {
  const card = (overflow: string): Json[] => [
    {
      ...stack('s', [text('t', '{{name}}', { width: 'fill', overflow }), rect('r', 'fill', 10)], {
        width: 150,
        maxHeight: 60,
      }),
      x: 0,
      y: 0,
    },
  ];
  const name = 'Ida Maria and all of her friends';
  const shrunk = layoutOf(card('shrink'), { name });
  t.same(shrunk.boxes['s'], [0, 0, 150, 60]);
  t.same(shrunk.boxes['t'], [0, 0, 150, 50]);
  t.same(shrunk.warnings, [], 'smaller letters hold the whole text');
  const cut = layoutOf(card('ellipsis'), { name });
  t.same(cut.boxes['t'], [0, 0, 150, 50]);
  t.same(cut.warnings, ['TEXT_TRUNCATED']);
  const open = layoutOf(card('visible'), { name });
  t.same(open.boxes['t'], [0, 0, 150, 72], 'a visible text leaves the stack');
  t.same(open.warnings, []);
  t.end();
});

t.test('texts shrink together by the factor that the most crowded one needs', (t) => {
  const columns = (shrink: string): Json[] => [
    {
      ...stack(
        's',
        ['Ida', '{{name}}'].map((words, index) =>
          stack(`c${index}`, [text(`t${index}`, words, { width: 'fill', minSize: 5 })], {
            width: 'fill',
          }),
        ),
        { width: 200, direction: 'row', shrink },
      ),
      x: 0,
      y: 0,
    },
  ];
  const name = 'Maximilian-Alexander';
  const each = layoutOf(columns('each'), { name }).boxes;
  const together = layoutOf(columns('together'), { name: 'Wolfeschlegelstein' }).boxes;
  t.same(each['t0'], [0, 0, 100, 24], 'a text that fits keeps its size');
  t.same(together['t0']?.[3], together['t1']?.[3], 'lines of both have one height');
  t.ok((together['t0']?.[3] ?? 0) < 20, `${together['t0']?.[3]} of 24 pixels`);
  t.end();
});

t.test('a bound size is a number: a word from a link yields to the default', (t) => {
  const layers = [
    { ...stack('s', [rect('a', '{{size}}', 10), rect('b', '{{line}}', 10)]), x: 0, y: 0 },
  ];
  const variables = [aVariable('size', 'number', '40'), aVariable('line', 'text', '30')];
  t.throws(() => layoutOf(layers, {}, { variables }), /width is "30"/, 'a text is no size');
  const numbers = [{ ...stack('s', [rect('a', '{{size}}', 10)]), x: 0, y: 0 }];
  t.same(layoutOf(numbers, { size: '55' }).boxes['a'], [0, 0, 55, 10]);
  const hug = layoutOf(numbers, { size: 'hug' });
  t.same(hug.boxes['a'], [0, 0, 40, 10]);
  t.same(hug.warnings, ['VALUE_OUT_OF_RANGE']);
  t.end();
});

t.test('a text that hugs outside of a stack keeps the edge that it is aligned to', (t) => {
  const at = (id: string, rest: Json): Json => ({ ...text(id, '{{name}}', rest), x: 200, y: 100 });
  const layers = [
    at('left', {}),
    at('middle', { align: 'center', verticalAlign: 'middle' }),
    at('right', { align: 'right', verticalAlign: 'bottom' }),
  ];
  for (const name of ['Ida', 'Maximilian']) {
    const { left = [], middle = [], right = [] } = layoutOf(layers, { name }).boxes;
    const [, , width = 0, height = 0] = left;
    t.same(left.slice(0, 2), [200, 100], name);
    t.same(middle.slice(0, 2), [Math.round(200 - width / 2), 100 - height / 2], name);
    t.ok(Math.abs((right[0] ?? 0) + width - 200) <= 1, name);
    t.equal((right[1] ?? 0) + height, 100, name);
  }
  t.end();
});

t.test('a stack in a stack is measured once for each question', (t) => {
  const nested = (depth: number): Json =>
    stack(
      `s${depth}`,
      depth === 0
        ? [text('t', '{{name}}')]
        : [nested(depth - 1), rect(`r${depth}`, 'fill', 'fill')],
      { direction: depth % 2 === 0 ? 'row' : 'column', align: 'stretch', shrink: 'together' },
    );
  // Without it, each level would measure its layers several times: 4 ** 7 times at this depth.
  const { boxes } = layoutOf([{ ...nested(7), x: 0, y: 0, width: 100, height: 60 }], {
    name: 'Maximilian Alexander',
  });
  t.same(boxes['s7'], [0, 0, 100, 60]);
  t.end();
});
