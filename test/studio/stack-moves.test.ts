/** What moves into stacks, out of them and between groups stays a valid document, and where it is seen. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { addLayer } from '../../src/studio/panels/layers/add-layers.ts';
import { dropOn, shownPositions, stepOf } from '../../src/studio/panels/layers/order.ts';
import { findLayer, findPosition, moveLayers, parentOf } from '../../src/studio/state/layers.ts';
import { edit } from '../../src/studio/state/list-items.ts';
import { groupLayers, stackLayers, ungroup } from '../../src/studio/state/wrap-layers.ts';
import { group, problemsOf, rect, stack, template, text } from './built-layers.ts';
import { listOf } from './documents.ts';
import { boxesOf } from './measured-boxes.ts';

/** Boxes of some layers, to the tenth of a pixel. */
function seen(document: Template, ids: readonly string[]): Record<string, number[]> {
  const boxes = boxesOf(document);
  return Object.fromEntries(
    ids.map((id) => {
      const { x, y, width, height } = boxes.get(id) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
      return [id, [x, y, width, height].map((each) => Math.round(each * 10) / 10)];
    }),
  );
}

/** Ids of the layers beside one, and its own. */
function idsAround(document: Template, id: string): string[] | undefined {
  return parentOf(document, id)?.layers.map((layer) => layer.id);
}

const card = (): Template =>
  template([
    rect('free', { x: 5, y: 250 }),
    stack(
      'card',
      [
        text('title', 'Amanda Miller', { fontSize: 24 }),
        text('line', 'Gold member since 2019', { width: 'fill' }),
        stack('row', [rect('dot', { height: 'fill', minHeight: 4 }), text('chip', 'New')], {
          direction: 'row',
          gap: 4,
          wrap: true,
        }),
      ],
      { x: 50, y: 40, width: 150, gap: 6, padding: [10, 8, 12, 14] },
    ),
    group('box', [rect('in', { x: 10, y: 10 })], { x: 250, y: 100 }),
  ]);

t.test('what leaves a stack is seen where it was, at the size that it had', async (t) => {
  for (const [id, target] of [
    ['title', undefined],
    ['line', undefined],
    ['line', 'box'],
    ['dot', undefined],
    ['chip', 'box'],
    ['row', 'box'],
  ] as const) {
    const document = card();
    const before = seen(document, [id]);
    moveLayers(document, [id], target, 0, boxesOf(document));
    t.same(problemsOf(document), [], id);
    t.same(seen(document, [id]), before, `${id} in ${target ?? 'the document'}`);
    t.type(findLayer(document, id)?.width, 'number');
  }
});

t.test('what comes into a stack loses its position and its mask', async (t) => {
  const document = template([
    rect('m', { x: 0, y: 0 }),
    rect('r', { x: 5, y: 5, mask: 'm' }),
    text('hugs', 'Hello', { x: 90, y: 5, align: 'center' }),
    stack('s', [rect('a')], { x: 100, y: 100 }),
  ]);
  moveLayers(document, ['r', 'hugs'], 's', 0, boxesOf(document));
  t.same(problemsOf(document), []);
  t.same(idsAround(document, 'r'), ['r', 'hugs', 'a']);
  t.same(findLayer(document, 'r'), rect('r'));
  t.match(findLayer(document, 'hugs'), { width: 'hug', height: 'hug' });
  moveLayers(document, ['a'], 's', 0, boxesOf(document));
  t.same(findLayer(document, 'a'), rect('a'), 'another order changes nothing else');
});

t.test('a text that hugs moves between groups by its position', async (t) => {
  const hugging = { x: 200, y: 50, align: 'center', verticalAlign: 'bottom' };
  const document = template([text('t', 'Hello', hugging), group('g', [], { x: 30, y: 20 })]);
  const before = seen(document, ['t']);
  moveLayers(document, ['t'], 'g', 0, boxesOf(document));
  t.match(findLayer(document, 't'), { x: 170, y: 30, width: 'hug' });
  t.same(seen(document, ['t']), before);
});

t.test('layers become the stack that arranges them as they lie', async (t) => {
  const document = template([
    rect('c', { x: 60, y: 100, width: 50 }),
    rect('a', { x: 60, y: 20, width: 100 }),
    rect('b', { x: 60, y: 60, width: 70 }),
  ]);
  const before = seen(document, ['a', 'b', 'c']);
  const id = stackLayers(document, ['a', 'b', 'c'], boxesOf(document)) ?? '';
  t.match(document.layers, [{ id, type: 'stack', x: 60, y: 20, gap: 20, width: 'hug' }]);
  t.same(idsAround(document, 'a'), ['a', 'b', 'c']);
  t.same(problemsOf(document), []);
  t.same(seen(document, ['a', 'b', 'c']), before);
  t.same(ungroup(document, id, boxesOf(document)), ['a', 'b', 'c']);
  t.same(problemsOf(document), []);
  t.same(seen(document, ['a', 'b', 'c']), before, 'and are free again where they are');
});

t.test('a rectangle under all others becomes the fill and the padding of the stack', async (t) => {
  const document = template([
    rect('ground', { x: 10, y: 10, width: 200, height: 60, fill: '#eceff4', cornerRadius: 8 }),
    rect('a', { x: 30, y: 20, height: 40 }),
    rect('b', { x: 80, y: 30 }),
  ]);
  const before = seen(document, ['a', 'b']);
  const id = stackLayers(document, ['ground', 'a', 'b'], boxesOf(document)) ?? '';
  t.match(document.layers, [
    {
      id,
      direction: 'row',
      gap: 10,
      align: 'center',
      padding: [10, 90, 10, 20],
      fill: '#eceff4',
      cornerRadius: 8,
      layers: [{ id: 'a' }, { id: 'b' }],
    },
  ]);
  t.same(seen(document, ['a', 'b']), before);
  t.same(seen(document, [id]), { [id]: [10, 10, 200, 60] });
});

t.test('a group alone becomes a stack; in a language from right to left rows begin there', (t) => {
  const inside = [rect('a', { x: 10, y: 20 }), rect('b', { x: 60, y: 20 })];
  const effects = { x: 40, y: 40, width: 110, height: 60, opacity: 0.5 };
  for (const [lang, order] of [
    ['en', ['a', 'b']],
    ['ar', ['b', 'a']],
  ] as const) {
    const document = template([group('g', structuredClone(inside), effects)], { lang });
    const before = seen(document, ['a', 'b']);
    t.equal(stackLayers(document, ['g'], boxesOf(document)), 'g');
    const row = { type: 'stack', direction: 'row', gap: 10, padding: [20, 10, 20, 10] };
    t.match(document.layers, [{ ...row, opacity: 0.5, x: 40 }]);
    t.same(idsAround(document, 'a'), order, lang);
    t.same(problemsOf(document), []);
    t.same(seen(document, ['a', 'b']), before, lang);
  }
  t.end();
});

t.test('layers of a stack are grouped and stacked in it', async (t) => {
  for (const join of [groupLayers, stackLayers]) {
    const document = card();
    const before = seen(document, ['title', 'line']);
    const id = join(document, ['title', 'line'], boxesOf(document)) ?? '';
    t.equal(findPosition(document, id)?.group?.id, 'card');
    t.same(problemsOf(document), [], join.name);
    t.same(seen(document, ['title', 'line']).title, before.title, join.name);
  }
});

t.test('the tree shows the layers of a stack from the first to the last, and steps so', (t) => {
  const document = card();
  const shown = shownPositions(document, new Set()).map(({ layer }) => layer.id);
  t.same(shown, ['box', 'in', 'card', 'title', 'line', 'row', 'dot', 'chip', 'free']);
  t.same(stepOf(document, 'line', 'up'), { group: 'card', index: 0 });
  t.same(stepOf(document, 'line', 'down'), { group: 'card', index: 3 });
  t.equal(stepOf(document, 'title', 'up'), undefined);
  t.equal(stepOf(document, 'row', 'down'), undefined);
  t.same(stepOf(document, 'line', 'into'), { group: 'row', index: 2 });
  t.same(dropOn(document, ['free'], 'line', 0.2), { group: 'card', index: 1 });
  t.same(dropOn(document, ['free'], 'line', 0.8), { group: 'card', index: 2 });
  t.end();
});

t.test('what is added while a stack is selected comes into it', async (t) => {
  const document = card();
  const text1 = addLayer(document, 'text', ['card']);
  t.match(findPosition(document, text1), { index: 3, group: { id: 'card' } });
  t.match(findLayer(document, text1), { width: 'fill', height: 'hug' });
  const added = addLayer(document, 'rect', ['dot']);
  t.equal(findPosition(document, added)?.group, undefined, 'a layer of a stack draws none into it');
  const top = addLayer(document, 'rect', ['in']);
  t.equal(findPosition(document, top)?.group, undefined, 'a group takes nothing by itself');
  t.same(problemsOf(document), []);
});

t.test('in a stack of another list, a binding to a field of another type gets its value', (t) => {
  const title = ['text', 'Tea'] as const;
  const variables = [
    listOf('items', { part: ['number', '0.5'], title }, [{ part: '0.5' }]),
    listOf('others', { part: ['text', 'half'], title }, [{ part: 'half' }]),
  ];
  const from = [rect('r', { opacity: '{{item.part}}' }), text('t', '{{item.title}}')];
  const stacks = [
    stack('s', from, { x: 0, y: 0, repeat: { list: 'items', max: 3 } }),
    stack('o', [rect('a')], { x: 200, y: 0, repeat: { list: 'others', max: 3 } }),
  ];
  const { document } = edit(template(stacks, { variables }), (draft) =>
    moveLayers(draft, ['r', 't'], 'o', 0, boxesOf(draft)),
  );
  t.same(problemsOf(document), []);
  t.equal(findPosition(document, 'r')?.group?.id, 'o');
  t.match(findLayer(document, 'r'), { opacity: 0.5 });
  t.match(findLayer(document, 't'), { text: '{{item.title}}' });
  t.end();
});

t.test('words of the first item that look like a binding are none outside of the list', (t) => {
  const variables = [listOf('items', { title: ['text', ''] }, [{ title: '{{gone}}' }])];
  const repeated = { x: 0, y: 0, repeat: { list: 'items', max: 3 } };
  const made = stack('s', [text('t', '{{item.title}}'), rect('a')], repeated);
  const before = template([made], { variables });
  const { document } = edit(before, (draft) =>
    moveLayers(draft, ['t'], undefined, 0, boxesOf(draft)),
  );
  t.match(findLayer(document, 't'), { text: '{ {gone}}' });
  t.same(problemsOf(document), []);
  t.end();
});
