/** What a stack does beyond a flexbox: empty layers, directions, texts that follow their overflow rules, and bound sizes. */
import t from 'tap';
import { walkItems } from '../../../workers/display-list.ts';
import { aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { validTemplate, valuesOf } from '../../helpers/render.ts';

const { bindScene } = await import('../../../workers/bind-scene.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');

type Json = Record<string, unknown>;

const hug = { width: 'hug', height: 'hug' };
const rect = (id: string, width: unknown, height: unknown, rest: Json = {}): Json => {
  return { id, type: 'rect', width, height, ...rest };
};
const text = (id: string, words: string, rest: Json = {}): Json => {
  return { id, type: 'text', ...hug, text: words, fontFamily: 'Inter', fontSize: 20, ...rest };
};
const stack = (id: string, layers: Json[], rest: Json = {}): Json => {
  return { id, type: 'stack', ...hug, ...rest, layers };
};

/** Boxes of what a stack at 0, 0 draws as `[x, y, width, height]` in whole pixels, and the warnings of its layout. */
function layoutOf(
  drawn: Json,
  values: Record<string, string> = {},
  rest: Json = {},
): { boxes: Record<string, number[]>; warnings: string[] } {
  const names = ['name', 'line'].map((name) =>
    aVariable(name, 'text', 'Amanda', { whenEmpty: 'empty' }),
  );
  const variables = [...names, aVariable('size', 'number', '40')];
  const layers = [{ ...drawn, x: 0, y: 0 }];
  const document = aTemplate({ width: 500, height: 500, variables, layers, ...rest });
  const template = validTemplate(document);
  const scene = bindScene(template, valuesOf(template, values));
  const { displayList, warnings } = layoutScene(scene, new Map());
  const boxes = Array.from(walkItems(displayList.items), ({ layer, box }) => [
    layer,
    [box.x, box.y, box.width, box.height].map(Math.round),
  ]);
  return {
    boxes: Object.fromEntries(boxes) as Record<string, number[]>,
    warnings: warnings.map(({ code }) => code),
  };
}

t.test('a layer without a value takes neither space nor a gap', async (t) => {
  const side = { width: 30, height: 30 };
  const inner = { ...text('inner', '{{line}}'), x: 0, y: 0, ...side };
  const isSet = { variable: 'line', set: true };
  const empties: Record<string, Json> = {
    'a text': text('m', '{{line}}'),
    spans: text('m', '', { text: undefined, spans: [{ text: '{{line}}' }, { text: ' ' }] }),
    'a code': { id: 'm', type: 'qr', ...side, value: '{{line}}' },
    'a stack of empty texts': stack('m', [text('inner', '{{line}}')], { padding: 9 }),
    'a group of empty texts': { id: 'm', type: 'group', ...side, layers: [inner] },
    'a hidden layer': rect('m', 30, 30, { visible: false }),
    'a layer whose condition does not hold': rect('m', 30, 30, { visibleWhen: isSet }),
  };
  for (const [title, layer] of Object.entries(empties)) {
    const layers = [rect('a', 10, 10), layer, rect('b', 10, 10)];
    const { boxes } = layoutOf(stack('s', layers, { gap: 7 }), { line: '' });
    t.same(boxes['b'], [0, 17, 10, 10], title);
    t.same(boxes['s'], [0, 0, 10, 27], title);
  }
});

t.test('texts of a stack that is too low follow their overflow rules', async (t) => {
  for (const [overflow, height, codes] of [
    ['shrink', 50, []],
    ['ellipsis', 50, ['TEXT_TRUNCATED']],
    ['visible', 72, []],
  ] as const) {
    const inner = [text('t', '{{name}}', { width: 'fill', overflow }), rect('r', 'fill', 10)];
    const card = stack('s', inner, { width: 150, maxHeight: 60 });
    const { boxes, warnings } = layoutOf(card, { name: 'Ida Maria and all of her friends' });
    t.same([boxes['t'], warnings], [[0, 0, 150, height], codes], overflow);
  }
});

t.test('texts shrink together by the factor that the most crowded one needs', async (t) => {
  const columns = ['Ida', '{{name}}'].map((words, index) => {
    const layers = [text(`t${index}`, words, { width: 'fill', minSize: 5 })];
    return stack(`c${index}`, layers, { width: 'fill' });
  });
  const row = (shrink: string): Json =>
    stack('s', columns, { width: 200, direction: 'row', shrink });
  const name = 'Maximilian-Alexander';
  const each = layoutOf(row('each'), { name }).boxes;
  const together = layoutOf(row('together'), { name: 'Wolfeschlegelstein' }).boxes;
  t.same(each['t0'], [0, 0, 100, 24], 'a text that fits keeps its size');
  t.same(together['t0']?.[3], together['t1']?.[3], 'lines of both have one height');
  t.ok((together['t0']?.[3] ?? 0) < 20, `${together['t0']?.[3]} of 24 pixels`);
});

t.test('a bound size is a number: a word from a link leaves the layer out', async (t) => {
  const words = { variables: [aVariable('line', 'text', '30')] };
  const ofText = stack('s', [rect('b', '{{line}}', 10)]);
  t.throws(() => layoutOf(ofText, {}, words), /width is "30"/, 'a text is no size');
  const ofNumber = stack('s', [rect('a', '{{size}}', 10)]);
  t.same(layoutOf(ofNumber, { size: '55' }).boxes['a'], [0, 0, 55, 10]);
  const { boxes, warnings } = layoutOf(ofNumber, { size: 'hug' });
  t.equal(boxes['a'], undefined);
  t.same(warnings, ['VALUE_OUT_OF_RANGE']);
});

t.test('a stack in a stack is measured once for each question', async (t) => {
  const nested = (depth: number): Json =>
    stack(
      `s${depth}`,
      depth === 0
        ? [text('t', '{{name}}')]
        : [nested(depth - 1), rect(`r${depth}`, 'fill', 'fill')],
      { direction: depth % 2 === 0 ? 'row' : 'column', align: 'stretch', shrink: 'together' },
    );
  // Without it, each level would measure its layers several times: 4 ** 7 times at this depth.
  const outer = { ...nested(7), width: 100, height: 60 };
  const { boxes } = layoutOf(outer, { name: 'Maximilian Alexander' });
  t.same(boxes['s7'], [0, 0, 100, 60]);
});
