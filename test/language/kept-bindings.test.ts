import t from 'tap';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { listText } from '#language/values/list-value.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';

const list = {
  name: 'items',
  type: 'list',
  fields: [{ name: 'title', type: 'text', value: '' }],
  value: [],
} as const satisfies Template['variables'][number];

function aDocument(layer: Record<string, unknown>): Template {
  const variables = [list, aVariable('words', 'text', '')];
  return aTemplate({ variables, layers: [layer] }) as unknown as Template;
}

function itemsOf(count: number): string {
  const items = Array.from({ length: count }, (_, index) => new Map([['title', `Item ${index}`]]));
  return listText(items, list);
}

/** A document whose only layer repeats another one. */
function repeating(type: string, properties: Record<string, unknown>): Template {
  const repeat = { list: 'items', max: 200 };
  return aDocument(aLayer('stack', { repeat, layers: [aLayer(type, properties)] }));
}

/** The layers that a document's only stack is drawn with. */
function drawnItems(document: Template, count: number): readonly Layer[] {
  const [stack] = resolveLayers(document, new Map([['items', itemsOf(count)]])).layers;
  return stack?.type === 'stack' ? stack.layers : [];
}

t.test('layers of items stay the same objects, and share what they do not bind', async (t) => {
  const visibleWhen = { variable: 'words', set: false };
  const document = repeating('text', { text: '{{item.title}}', visibleWhen });
  const two = drawnItems(document, 2);
  t.match(two, [
    { id: 'a:1', text: 'Item 0' },
    { id: 'a:2', text: 'Item 1' },
  ]);
  const three = drawnItems(document, 3);
  t.equal(three.length, 3);
  t.ok(two.every((layer, index) => layer === three[index]));
  t.ok(three.every((layer) => layer.visibleWhen === visibleWhen));
});

t.test('layers within a layer that repeats have ids of their own, as masks too', async (t) => {
  const layers = [aLayer('rect', { id: 'm' }), aLayer('rect', { id: 'r', mask: 'm' })];
  t.match(drawnItems(repeating('group', { layers }), 2)[1], {
    id: 'a:2',
    layers: [{ id: 'm:2' }, { id: 'r:2', mask: 'm:2' }],
  });
  t.match(layers[1], { id: 'r', mask: 'm' }, 'the document stays as it is');
});

t.test('the bytes of copies are bounded: those used least recently are made again', async (t) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60_000)}</svg>`;
  const documents = Array.from({ length: 4 }, () => repeating('svg', { svg }));
  const firsts = documents.map((document) => drawnItems(document, 200)[0]);
  const again = documents.toReversed().map((document) => drawnItems(document, 200)[0]);
  t.equal(again[0], firsts[3]);
  t.not(again[3], firsts[0]);
  t.same(again[3], firsts[0]);
});

t.test('what layers were bound to is bounded in the same way', async (t) => {
  const values = new Map([['words', 'x'.repeat(2000)]]);
  const text = '{{words}}'.repeat(800);
  const documents = Array.from({ length: 12 }, () => aDocument(aLayer('text', { text })));
  const firsts = documents.map((document) => resolveLayers(document, values).layers[0]);
  const again = documents.toReversed().map((document) => resolveLayers(document, values).layers[0]);
  t.equal(again[0], firsts[11]);
  t.not(again[11], firsts[0]);
  t.ok(again[11]?.type === 'text' && again[11].text?.length === 1_600_000);
});
