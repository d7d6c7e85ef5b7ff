/** Pasted layers keep their bindings, and land in sight. */
import t from 'tap';
import type { Test } from 'tap';
import type { ListField, ListVariable, Template } from '#language/schema/template.ts';
import { bringVariables, copySelected, pasteLayers } from '../../src/studio/canvas/clipboard.ts';
import { group, rect, stack, template, text, valid } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';

const title: ListField = { name: 'title', type: 'text', value: 'Thing' };
const price: ListField = { name: 'price', type: 'number', value: '1' };

function items(fields: ListField[], value: ListVariable['value']): ListVariable {
  return { name: 'items', type: 'list', fields, value };
}

/** A list of titles, and a stack that repeats it with prices. */
const cart = stack('cart', [text('sum', '{{item.price}}')], {
  x: 0,
  y: 0,
  width: 200,
  repeat: { list: 'items', max: 3 },
});

function pastedInto(known: ListVariable, brought: ListVariable): Template {
  const draft = { ...template([]), variables: [known], layers: [structuredClone(cart)] };
  bringVariables(draft, ['cart'], structuredClone([brought]));
  return valid(draft);
}

t.test('a list of the same name gets the fields that it lacks, with their values', async (t) => {
  const known = items([title], [{ title: 'Tea' }, { title: 'Cup' }, { title: 'Pot' }]);
  const brought = items([price], [{ price: '3' }, {}]);
  const { variables, layers } = pastedInto(known, brought);
  t.same(variables, [
    items([title, price], [{ title: 'Tea', price: '3' }, { title: 'Cup' }, { title: 'Pot' }]),
  ]);
  t.match(layers, [{ repeat: { list: 'items' } }]);
});

t.test('a list with a field of another type, or too many of them, is a new one', async (t) => {
  const words: ListField = { name: 'price', type: 'text', value: 'free' };
  const many = Array.from({ length: 20 }, (_, at) => ({ ...title, name: `field ${at}` }));
  for (const known of [items([words], []), items(many, [])]) {
    const brought = items([price], [{ price: '3' }]);
    const { variables, layers } = pastedInto(known, brought);
    t.same(variables, [known, { ...brought, name: 'items2' }]);
    t.match(layers, [{ repeat: { list: 'items2' } }]);
  }
});

t.test('a clock comes along into a document without a deadline', async (t) => {
  const clock = { until: '{{end}}', zone: 'Europe/Berlin' };
  const end = { name: 'end', type: 'date', value: '2099-01-01' } as const;
  const contact = { name: 'contact', type: 'text', value: '' } as const;
  const broughtTo = (words: string, more: Partial<Template>, from: Template['clock']): Template => {
    const layers = [text('days', words, { x: 0, y: 0 })];
    const draft = { ...template([]), ...structuredClone(more), layers };
    bringVariables(draft, ['days'], structuredClone([end, contact]), structuredClone(from));
    return valid(draft);
  };
  const pasted = (more: Partial<Template>): Template =>
    broughtTo('{{countdown.days}} d', more, clock);
  t.match(pasted({}), { clock, variables: [end] });
  t.same(pasted({ clock: { zone: 'Asia/Tokyo' } }).clock, { ...clock, zone: 'Asia/Tokyo' });
  const other = pasted({ clock: { until: 'friday 18:00' } });
  t.same([other.clock, other.variables], [{ until: 'friday 18:00' }, []], 'its own counts');
  const share = (more: Partial<Template>): Template =>
    broughtTo('{{share}}', more, { ...clock, per: '{{contact}}' });
  t.match(share({ clock: { until: 'friday 18:00' } }), {
    clock: { until: 'friday 18:00', per: '{{contact}}' },
    variables: [contact],
  });
  t.match(share({}), { clock: { until: '{{end}}', per: '{{contact}}' } });
  const known = { name: 'end', type: 'text', value: 'soon' } as const;
  t.match(pasted({ variables: [known] }), {
    clock: { until: '{{end2}}' },
    variables: [known, { name: 'end2', type: 'date' }],
  });
});

/** Copies layers of a canvas and pastes them on another, or on their own; returns the latter. */
async function pasteFrom(
  t: Test,
  [ids, layers, more]: [ids: string[], layers: object[], more?: object],
  [toLayers, toMore]: [layers: object[], more?: object] = [[]],
): ReturnType<typeof openEditor> {
  const from = await openEditor(t, layers, more);
  from.select(...ids);
  const copied = copySelected(from.editor) ?? '';
  const to = await openEditor(t, toLayers, toMore);
  // The canvas of another template has another name.
  pasteLayers(to.editor, copied.replace('"uid":"opened"', '"uid":"other"'));
  return to;
}

const side = { width: 100, height: 60 };

t.test('a stack that repeats brings its list, and a countdown its clock', async (t) => {
  const from = { variables: [items([title, price], [{ title: 'Tea', price: '3' }])] };
  const to = { variables: [items([title], [{ title: 'Cup' }])] };
  const canvas = await pasteFrom(t, [['cart'], [cart], from], [[], to]);
  t.match(canvas.find('sum'), { text: '{{item.price}}' });
  const fields = [{ name: 'title' }, { name: 'price' }];
  t.match(canvas.editor.document.value.variables, [{ fields }]);
  const clock = { until: '2099-01-01T00:00:00Z' };
  const left = text('left', '{{countdown.days}} d', { x: 0, y: 0 });
  const other = await pasteFrom(t, [['left'], [left], { clock }]);
  t.match(other.editor.document.value, { clock, layers: [{ text: '{{countdown.days}} d' }] });
});

t.test('variables come along with those of their lookups, and get free names', async (t) => {
  const box = { x: 900, y: 700, width: 200, height: 40 };
  const words = text('t', '{{code}} {{name}} {{row}} {{name2}}', box);
  const variables = [
    { name: 'code', type: 'text', value: 'A-113', from: 'seats.{{key}}.code' },
    { name: 'key', type: 'text', value: '8f2c' },
    { name: 'row', type: 'text', value: 'B', from: 'seats.{{name}}.row' },
    { name: 'name', type: 'number', value: '7' },
    { name: 'name2', type: 'text', value: 'Bo' },
    { name: 'other', type: 'text', value: '' },
  ];
  const [code, key, row, name, name2] = variables;
  const large = { width: 1200, height: 800, variables, fonts: ['Caveat'] };
  const known = [{ name: 'name', type: 'text', value: 'friend' }];
  const to: [object[], object] = [[text('t', 'Hi', box)], { variables: known }];
  const canvas = await pasteFrom(t, [['t'], [words], large], to);
  const { document } = canvas.editor;
  t.match(canvas.find('t-2'), { text: '{{code}} {{name3}} {{row}} {{name2}}', x: 100, y: 130 });
  t.same(document.value.fonts, ['Caveat']);
  t.same(document.value.variables, [
    ...known,
    code,
    key,
    { ...row, from: 'seats.{{name3}}.row' },
    { ...name, name: 'name3' },
    name2,
  ]);
});

t.test('layers that hug or bind their position land in the middle as drawn', async (t) => {
  const sides = [rect('s0', side), rect('s1', side)];
  const row = stack('row', sides, { direction: 'row', x: 380, y: 290 });
  const pasted = await pasteFrom(t, [['row'], [row]]);
  t.match(pasted.find('row'), { x: 100, y: 120, width: 'hug' });
  const variables = [{ name: 'left', type: 'number', value: '900' }];
  const bound = rect('bound', { ...side, x: '{{left}}', y: 40 });
  const other = await pasteFrom(t, [['bound'], [bound], { variables }]);
  t.match(other.find('bound'), { x: 150, y: 120 });
});

t.test('layers of turned groups stay where they are seen', async (t) => {
  const sides = { width: 100, height: 100 };
  const inside = rect('in', { ...side, x: 0, y: 0, rotation: 10 });
  const pile = stack('pile', [rect('piled', side)], { ...sides, x: 0, y: 0 });
  const turned = group('turned', [inside, pile], { ...sides, x: 150, y: 100, rotation: 90 });
  // The middle, (200, 130), is seen at (220, 150).
  const seen = { x: 170, y: 120, width: 100, height: 60 };
  t.match((await pasteFrom(t, [['in'], [turned]])).find('in'), { ...seen, rotation: 100 });
  t.match((await pasteFrom(t, [['piled'], [turned]])).find('piled'), { ...seen, rotation: 90 });
});

t.test('a layer whose middle is out of sight lands in the middle of what is seen', async (t) => {
  const edge = rect('edge', { x: -75, y: 10, width: 80, height: 40 });
  const far = rect('far', { x: 300, y: 200 });
  const canvas = await openEditor(t, [edge, far]);
  const { editor, state } = canvas;
  canvas.select('edge');
  const copied = copySelected(editor) ?? '';
  pasteLayers(editor, copied);
  t.match(canvas.find('edge-2'), { x: 160, y: 130 }, 'of the canvas');
  state.view.value = { zoom: 4, x: -800, y: -600 };
  pasteLayers(editor, copied);
  t.match(canvas.find('edge-3'), { x: 260, y: 205 }, 'of what the window shows');
  pasteLayers(editor, copied, { x: 50, y: 60 });
  t.match(canvas.find('edge-4'), { x: 10, y: 40 }, 'or at the point of the menu');
  canvas.select('far');
  pasteLayers(editor, copySelected(editor) ?? '');
  t.match(canvas.find('far-2'), { x: 310, y: 210 }, 'one in sight stays');
  const wide = rect('wide', { x: 120, y: 20, width: 360 });
  const other = await pasteFrom(t, [['wide'], [wide], { width: 600 }]);
  t.match(other.find('wide'), { x: 40, y: 20 }, 'one of a larger canvas lies inside');
});

t.test('layers of stacks are pasted after themselves, or beside with their box', async (t) => {
  const layers = [rect('one', side), text('two', 'Amanda', { fontSize: 20 })];
  const card = stack('card', layers, { x: 40, y: 40, width: 200 });
  const canvas = await openEditor(t, [rect('free', { ...side, x: 20, y: 230 }), card]);
  const { editor } = canvas;
  const copyAndPaste = (id: string, on = id): void => {
    canvas.select(id);
    const copied = copySelected(editor) ?? '';
    canvas.select(on);
    pasteLayers(editor, copied);
  };
  copyAndPaste('two');
  t.same(canvas.order('card'), ['one', 'two', 'two-2']);
  t.match(canvas.find('two-2'), { width: 'hug', height: 'hug' });
  copyAndPaste('two', 'free');
  t.match(canvas.find('two-3'), { x: 50, y: 110, width: Number, height: 24 });
  copyAndPaste('card');
  t.match(canvas.find('card-2'), { x: 50, y: 50, height: 'hug' }, 'not into itself');
});
