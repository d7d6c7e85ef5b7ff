/** Layers that lose the items of a list keep the values of the first. */
import t from 'tap';
import { imageNames } from '#language/layers.ts';
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import {
  removeVariable,
  renameVariable,
  usesOf,
} from '../../src/studio/panels/variables/variables.ts';
import {
  duplicateLayers,
  findLayer,
  moveLayers,
  removeLayers,
} from '../../src/studio/state/layers.ts';
import { copySelected, pasteLayers } from '../../src/studio/canvas/clipboard.ts';
import { addressNames } from '../../src/studio/state/fixed-values.ts';
import { edit } from '../../src/studio/state/list-items.ts';
import { groupLayers, ungroup } from '../../src/studio/state/wrap-layers.ts';
import { validTemplate } from '../helpers/render.ts';
import { rect, stack, text } from './built-layers.ts';
import { documentOf, listOf } from './documents.ts';
import { openEditor } from './opened-editor.ts';

/** A stack that repeats `items`, and one that repeats `guests`. */
function cart(layers: Layer[], repeat: Partial<StackLayer['repeat']> = {}): Template {
  const box = { x: 0, y: 0, width: 200 };
  const tea = { title: 'Tea & cake', price: '24.50', tone: '#ff0000', isNew: 'true' };
  const fields = {
    title: ['text', 'Thing'],
    price: ['number', '1'],
    tone: ['color', '#333333'],
    isNew: ['boolean', 'false'],
    photo: ['image', ''],
  } as const;
  const items = [{ ...tea, photo: 'https://a.b/c?d' }, { title: 'Cup' }, { title: 'Pot' }];
  const variables = [
    listOf('items', fields, items),
    listOf('guests', { title: ['text', ''] }, [{ title: 'Ada' }]),
    { name: 'who', type: 'text', value: 'friend' },
    { name: 'limit', type: 'number', value: '20' },
  ];
  const stacks = [
    stack('cart', layers, { ...box, repeat: { list: 'items', max: 2, ...repeat } }),
    stack('table', [text('guest', '{{item.title}}')], { ...box, repeat: { list: 'guests' } }),
  ];
  return validTemplate(documentOf(stacks, { variables }));
}

/** The layer after it was moved out of the stack, in a document that is valid. */
function movedOut(layer: Layer): Layer {
  const { document, settled } = edit(cart([layer]), (draft) =>
    moveLayers(draft, [layer.id], undefined, 0),
  );
  t.same(settled, [layer.id]);
  const moved = findLayer(validTemplate(document), layer.id);
  if (moved === undefined) throw new Error('no layer');
  return moved;
}

t.test('what leaves a stack that repeats keeps the values of the first item', async (t) => {
  const words =
    '{{who}}: {{item.title}}, {{item.price | currency:EUR}}, {{item.number}} of {{item.more}}';
  t.match(movedOut(text('a', words, { fill: '{{item.tone}}', visible: '{{item.isNew}}' })), {
    text: '{{who}}: Tea & cake, €24.50, 1 of 1',
    fill: '#ff0000',
    visible: true,
  });
  const [from, to] = ['{{item.tone}}', '#000'].map((color, offset) => ({ offset, color }));
  const fill = { gradient: 'linear', stops: [from, to] };
  const width = '{{item.price | range:0,49,0,100}}';
  t.match(movedOut(rect('bar', { width, opacity: '{{item.number}}', fill })), {
    width: 50,
    opacity: 1,
    fill: { stops: [{ color: '#ff0000' }, {}] },
  });
  const address = 'https://example.com/{{item.title}}.png';
  const image = (src: string): object => movedOut(rect('i', { type: 'image', src }));
  t.match(image(address), { src: 'https://example.com/Tea%20%26%20cake.png' });
  t.match(image('{{item.photo}}'), { src: 'https://a.b/c?d' });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{{item.title}}</text></svg>';
  const drawn = svg.replace('{{item.title}}', 'Tea &amp; cake');
  t.match(movedOut(rect('s', { type: 'svg', svg })), { svg: drawn });
});

t.test('a layer that is cut and pasted beside its stack keeps the first item', async (t) => {
  const { layers, variables } = cart([rect('bar'), text('a', '{{item.title}} {{who}}')]);
  const canvas = await openEditor(t, layers, { variables });
  canvas.select('a');
  const copied = copySelected(canvas.editor) ?? '';
  canvas.keys('Delete');
  pasteLayers(canvas.editor, copied);
  t.match(canvas.find(canvas.selected[0] ?? ''), { text: 'Tea & cake {{who}}', x: 0, y: 20 });
});

t.test('conditions on an item are answered with the first, others stay', async (t) => {
  const shown = (visibleWhen: object): Layer => movedOut(text('a', '{{who}}', { visibleWhen }));
  const isGuest = { variable: 'who', set: true };
  const isExpensive = { variable: 'item.price', greaterThan: '{{limit}}' };
  const isCheap = { variable: 'item.price', lessThan: 20 };
  t.equal(shown(isExpensive).visibleWhen, undefined);
  t.same(shown([isGuest, isExpensive]).visibleWhen, isGuest);
  t.same(shown({ any: [isCheap, isGuest] }).visibleWhen, { any: [isGuest] });
  const either = shown({ any: [isExpensive, isGuest] }).visibleWhen;
  t.equal(either, undefined, 'one that holds is enough');
  const both = shown({ all: [{ not: isCheap }, { not: isGuest }] }).visibleWhen;
  t.same(both, { all: [{ not: isGuest }] });
  t.match(shown({ not: isExpensive }), { visible: false, visibleWhen: undefined });
  t.same(shown({ variable: 'limit', lessThan: '{{item.price}}' }).visibleWhen, undefined);

  const spans = [
    { text: 'Hi {{who}}', visibleWhen: isGuest },
    { text: ' {{item.title}}', visibleWhen: { variable: 'item.isNew', equals: 'true' } },
    { text: ' cheap', visibleWhen: isCheap },
  ];
  const left = (parts: object[]): unknown =>
    (movedOut(rect('a', { type: 'text', spans: parts })) as { spans?: unknown }).spans;
  t.same(left(spans), [spans[0], { text: ' Tea & cake' }]);
  t.same(left(spans.slice(2)), [{ text: '' }]);
});

t.test('a layer keeps its bindings while an item gives them', async (t) => {
  const document = cart([text('a', '{{item.title}} {{who}}'), text('b', '{{item.price}}')]);
  const grouped = edit(document, (draft) => void groupLayers(draft, ['a', 'b']));
  t.same(grouped.settled, []);
  t.match(findLayer(grouped.document, 'a'), { text: '{{item.title}} {{who}}' });
  const moved = edit(document, (draft) => moveLayers(draft, ['a', 'b'], 'table', 0));
  t.same(moved.settled, ['b'], 'guests have a title, too');
  t.match(findLayer(moved.document, 'a'), { text: '{{item.title}} {{who}}' });
  t.match(findLayer(moved.document, 'b'), { text: '24.50' });
  const unknown = text('new', '{{item.colour}}', { x: 0, y: 0 });
  const written = edit(document, (draft) => void draft.layers.push(unknown));
  t.same(findLayer(written.document, 'new'), unknown, 'for the service to name');
});

t.test('a stack that no longer repeats shows the first item', async (t) => {
  const document = cart([text('a', '{{item.title}}'), text('rest', '+{{item.more}}')], {
    more: 'rest',
  });
  for (const [name, recipe] of Object.entries({
    ended: (draft: Template) => delete (draft.layers[0] as StackLayer).repeat,
    ungrouped: (draft: Template) => ungroup(draft, 'cart'),
    deleted: (draft: Template) => removeVariable(draft, 'items'),
    within: (draft: Template) => moveLayers(draft, ['cart'], 'table', 0),
  })) {
    const after = edit(document, recipe).document;
    validTemplate(after);
    // Guests have a title, too, and a number of those that are not drawn.
    const [title, rest] =
      name === 'within' ? ['{{item.title}}', '+{{item.more}}'] : ['Tea & cake', '+1'];
    t.match(findLayer(after, 'a'), { text: title }, name);
    t.match(findLayer(after, 'rest'), { text: rest }, name);
  }
  const removed = edit(document, (draft) => removeLayers(draft, ['rest'])).document;
  t.same((removed.layers[0] as StackLayer).repeat, { list: 'items', max: 2 });
  validTemplate(removed);
  const copied = edit(document, (draft) => void duplicateLayers(draft, ['cart'], 10)).document;
  t.match(validTemplate(copied).layers[1], { id: 'cart-2', repeat: { more: 'rest-2' } });
});

t.test('a list is renamed in the stacks that repeat it', async (t) => {
  const document = cart([text('a', '{{item.title}}')]);
  t.same(
    usesOf(document, 'items').map(({ id, path }) => [id, path.join('.')]),
    [['cart', 'repeat.list']],
  );
  const { document: renamed, settled } = edit(document, (draft) =>
    renameVariable(draft, 'items', 'rows'),
  );
  t.same(settled, []);
  t.match(validTemplate(renamed).layers[0], {
    repeat: { list: 'rows' },
    layers: [{ text: '{{item.title}}' }],
  });
});

t.test('the studio knows the properties with addresses of images', async (t) => {
  t.same([...addressNames].toSorted(), [...imageNames].toSorted());
});
