import t from 'tap';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { listText } from '#language/values/list-value.ts';

const list = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: '' }],
  value: [],
} as const satisfies Template['variables'][number];

function aDocument(layers: Layer[]): Template {
  const variables: Template['variables'] = [list, { name: 'words', type: 'text', value: '' }];
  return { format: 1, name: 'Kept', width: 100, height: 100, variables, layers };
}

function itemsOf(count: number): string {
  const items = Array.from({ length: count }, (_, index) => new Map([['title', `Item ${index}`]]));
  return listText(items, list);
}

function aStack(layers: unknown[]): StackLayer {
  const repeat = { list: 'items', max: 200 };
  const box = { x: 0, y: 0, width: 99, height: 99 };
  return { id: 's', type: 'stack', ...box, repeat, layers: layers as StackLayer['layers'] };
}

/** The layers that a document's only stack is drawn with. */
function drawnItems(document: Template, count: number): readonly Layer[] {
  const [stack] = resolveLayers(document, new Map([['items', itemsOf(count)]])).layers;
  return stack?.type === 'stack' ? stack.layers : [];
}

t.test(
  'the layers of items are the same objects in each render, and share what they do not bind',
  (t) => {
    const visibleWhen = { variable: 'words', set: false };
    const text = { id: 't', type: 'text', text: '{{item.title}}', width: 9, height: 9 } as const;
    const document = aDocument([aStack([{ ...text, visibleWhen }])]);
    const two = drawnItems(document, 2);
    t.match(two, [
      { id: 't:1', text: 'Item 0' },
      { id: 't:2', text: 'Item 1' },
    ]);
    const three = drawnItems(document, 3);
    t.equal(three.length, 3);
    t.ok(two.every((layer, index) => layer === three[index]));
    t.ok(three.every((layer) => layer.visibleWhen === visibleWhen));
    t.end();
  },
);

t.test('layers within a layer that repeats have ids of their own, and masks beside them', (t) => {
  const box = { x: 0, y: 0, width: 9, height: 9 };
  const group = {
    id: 'g',
    type: 'group',
    ...box,
    layers: [
      { id: 'm', type: 'rect', ...box },
      { id: 'r', type: 'rect', ...box, mask: 'm' },
    ],
  } as const;
  const document = aDocument([aStack([group])]);
  t.match(drawnItems(document, 2)[1], {
    id: 'g:2',
    layers: [{ id: 'm:2' }, { id: 'r:2', mask: 'm:2' }],
  });
  t.match(group.layers[1], { id: 'r', mask: 'm' }, 'the document stays as it is');
  t.end();
});

t.test(
  'copies that were used least recently are made again, so that their bytes are bounded',
  (t) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60_000)}</svg>`;
    const documents = Array.from({ length: 4 }, () =>
      aDocument([aStack([{ id: 'v', type: 'svg', svg, width: 9, height: 9 }])]),
    );
    const firsts = documents.map((document) => drawnItems(document, 200)[0]);
    const again = documents.toReversed().map((document) => drawnItems(document, 200)[0]);
    t.equal(again[0], firsts[3]);
    t.not(again[3], firsts[0]);
    t.same(again[3], firsts[0]);
    t.end();
  },
);

t.test('what layers were bound to is bounded in the same way', (t) => {
  const values = new Map([['words', 'x'.repeat(2000)]]);
  const text = '{{words}}'.repeat(800);
  const documents = Array.from({ length: 12 }, () =>
    aDocument([{ id: 't', type: 'text', text, x: 0, y: 0, width: 9, height: 9 }]),
  );
  const firsts = documents.map((document) => resolveLayers(document, values).layers[0]);
  const again = documents.toReversed().map((document) => resolveLayers(document, values).layers[0]);
  t.equal(again[0], firsts[11]);
  t.not(again[11], firsts[0]);
  t.ok(again[11]?.type === 'text' && again[11].text?.length === 1_600_000);
  t.end();
});
