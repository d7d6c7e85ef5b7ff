import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import {
  duplicateLayers,
  findPosition,
  flattenLayers,
  freshId,
  moveLayers,
  removeLayers,
  topmostIds,
} from '../../src/studio/state/layers.ts';
import { boxAround } from '../../src/studio/state/arrangement/stack-arrangement.ts';
import { groupLayers, ungroup } from '../../src/studio/state/wrap-layers.ts';

function rect(id: string, x = 0, y = 0, more: Partial<Layer> = {}): Layer {
  return { type: 'rect', id, x, y, width: 10, height: 10, ...more } as Layer;
}

function group(id: string, layers: Layer[], x = 0, y = 0): Layer {
  return { type: 'group', id, x, y, width: 50, height: 50, layers };
}

function template(layers: Layer[]): Template {
  return { format: 1, name: 'T', width: 100, height: 100, variables: [], layers };
}

function tree({ layers }: { layers: Layer[] }): unknown[] {
  return layers.map((layer) => (layer.type === 'group' ? [layer.id, ...tree(layer)] : layer.id));
}

t.test('layers are listed in paint order with their positions and paths', (t) => {
  const document = template([
    rect('a'),
    group('g', [rect('b'), group('h', [rect('c')])]),
    rect('d'),
  ]);
  const positions = flattenLayers(document);
  t.same(
    positions.map(({ layer, depth, path }) => [layer.id, depth, path]),
    [
      ['a', 0, 'layers[0]'],
      ['g', 0, 'layers[1]'],
      ['b', 1, 'layers[1].layers[0]'],
      ['h', 1, 'layers[1].layers[1]'],
      ['c', 2, 'layers[1].layers[1].layers[0]'],
      ['d', 0, 'layers[2]'],
    ],
  );
  t.same(topmostIds(document, ['c', 'h', 'a', 'nobody']), ['a', 'h']);
  t.equal(freshId(document, 'a'), 'a-2');
  t.equal(freshId(document, 'Größe 1'), 'Gr-e-1');
  t.match(freshId(document, 'x'.repeat(90)), /^x{59}$/);
  t.end();
});

t.test('a layer moves between lists without moving on the canvas', (t) => {
  const document = template([rect('a', 30, 40), group('g', [rect('b', 1, 2)], 10, 20), rect('d')]);
  moveLayers(document, ['a'], 'g', 1);
  t.same(tree(document), [['g', 'b', 'a'], 'd']);
  t.match(findPosition(document, 'a')?.layer, { x: 20, y: 20 });
  moveLayers(document, ['b', 'd'], undefined, 0);
  t.same(tree(document), ['b', 'd', ['g', 'a']]);
  t.match(findPosition(document, 'b')?.layer, { x: 11, y: 22 });
  moveLayers(document, ['g'], 'g', 0);
  t.same(tree(document), ['b', 'd', ['g', 'a']], 'a group is never moved into itself');
  moveLayers(document, ['b'], undefined, 2);
  t.same(tree(document), ['d', 'b', ['g', 'a']], 'the index is that before the layer is taken out');
  t.end();
});

t.test('grouping and ungrouping are each other’s opposite', (t) => {
  const layers = (): Layer[] => [rect('a', 10, 20), rect('b', 40, 60), rect('c')];
  const document = template(layers());
  const id = groupLayers(document, ['b', 'a']) ?? '';
  t.same(tree(document), [[id, 'a', 'b'], 'c']);
  t.match(findPosition(document, id)?.layer, { x: 10, y: 20, width: 40, height: 50 });
  t.match(findPosition(document, 'b')?.layer, { x: 30, y: 40 });
  t.same(ungroup(document, id), ['a', 'b']);
  t.same(document.layers, layers());
  t.equal(groupLayers(document, ['nobody']), undefined);
  t.same(ungroup(document, 'a'), []);
  t.end();
});

t.test('a mask goes with what it names, and a position that a variable gives stays', (t) => {
  const bound = { ...rect('b', 5, 5, { mask: 'a' }), x: '{{left}}' } as unknown as Layer;
  const document = template([rect('a'), bound]);
  const [copy = ''] = duplicateLayers(document, ['b'], 10);
  t.same(tree(document), ['a', 'b', 'b-2']);
  t.match(findPosition(document, copy)?.layer, { x: '{{left}}', y: 15, mask: 'a' });
  removeLayers(document, ['a']);
  t.same(tree(document), ['b', 'b-2']);
  t.notOk(flattenLayers(document).some(({ layer }) => 'mask' in layer));
  t.end();
});

t.test('a copied group has ids of its own, and its masks stay inside', (t) => {
  const document = template([group('g', [rect('m'), rect('r', 0, 0, { mask: 'm' })])]);
  duplicateLayers(document, ['g'], 0);
  t.same(tree(document), [
    ['g', 'm', 'r'],
    ['g-2', 'm-2', 'r-2'],
  ]);
  t.equal(findPosition(document, 'r-2')?.layer.mask, 'm-2');
  t.end();
});

t.test('the box around layers holds the corners of turned ones', (t) => {
  t.same(boxAround([{ x: 0, y: 0, width: 100, height: 20, rotation: 90 }]), {
    x: 40,
    y: -40,
    width: 20,
    height: 100,
  });
  t.same(boxAround([]), { x: 0, y: 0, width: 0, height: 0 });
  t.end();
});
