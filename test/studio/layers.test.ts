import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
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
import { group, rect } from './built-layers.ts';
import { documentOf } from './documents.ts';

function tree({ layers }: { layers: Layer[] }): unknown[] {
  return layers.map((layer) => (layer.type === 'group' ? [layer.id, ...tree(layer)] : layer.id));
}

t.test('layers are listed in paint order with their positions and paths', async (t) => {
  const inner = [rect('b'), group('h', [rect('c')])];
  const document = documentOf([rect('a'), group('g', inner), rect('d')]);
  const positions = flattenLayers(document).map(({ layer, depth, path }) => [
    layer.id,
    depth,
    path,
  ]);
  t.same(positions, [
    ['a', 0, 'layers[0]'],
    ['g', 0, 'layers[1]'],
    ['b', 1, 'layers[1].layers[0]'],
    ['h', 1, 'layers[1].layers[1]'],
    ['c', 2, 'layers[1].layers[1].layers[0]'],
    ['d', 0, 'layers[2]'],
  ]);
  t.same(topmostIds(document, ['c', 'h', 'a', 'nobody']), ['a', 'h']);
  t.equal(freshId(document, 'a'), 'a-2');
  t.equal(freshId(document, 'Größe 1'), 'Gr-e-1');
  t.match(freshId(document, 'x'.repeat(90)), /^x{59}$/);
});

t.test('a layer moves between lists without moving on the canvas', async (t) => {
  const filled = group('g', [rect('b', { x: 1, y: 2 })], { x: 10, y: 20 });
  const document = documentOf([rect('a', { x: 30, y: 40 }), filled, rect('d', { x: 0, y: 0 })]);
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
});

t.test('grouping and ungrouping are each other’s opposite', async (t) => {
  const at = (x: number, y: number): object => ({ x, y });
  const layers = (): Layer[] => [rect('a', at(10, 20)), rect('b', at(40, 60)), rect('c')];
  const document = documentOf(layers());
  const id = groupLayers(document, ['b', 'a']) ?? '';
  t.same(tree(document), [[id, 'a', 'b'], 'c']);
  t.match(findPosition(document, id)?.layer, { x: 10, y: 20, width: 70, height: 60 });
  t.match(findPosition(document, 'b')?.layer, { x: 30, y: 40 });
  t.same(ungroup(document, id), ['a', 'b']);
  t.same(document.layers, layers());
  t.equal(groupLayers(document, ['nobody']), undefined);
  t.same(ungroup(document, 'a'), []);
});

t.test('a mask goes with what it names, and a position that a variable gives stays', async (t) => {
  const document = documentOf([rect('a'), rect('b', { x: '{{left}}', y: 5, mask: 'a' })]);
  const [copy = ''] = duplicateLayers(document, ['b'], 10);
  t.same(tree(document), ['a', 'b', 'b-2']);
  t.match(findPosition(document, copy)?.layer, { x: '{{left}}', y: 15, mask: 'a' });
  removeLayers(document, ['a']);
  t.same(tree(document), ['b', 'b-2']);
  t.notOk(flattenLayers(document).some(({ layer }) => 'mask' in layer));
});

t.test('a copied group has ids of its own, and its masks stay inside', async (t) => {
  const document = documentOf([group('g', [rect('m'), rect('r', { mask: 'm' })])]);
  duplicateLayers(document, ['g'], 0);
  t.same(tree(document), [
    ['g', 'm', 'r'],
    ['g-2', 'm-2', 'r-2'],
  ]);
  t.equal(findPosition(document, 'r-2')?.layer.mask, 'm-2');
});

t.test('the box around layers holds the corners of turned ones', async (t) => {
  const turned = { x: 0, y: 0, width: 100, height: 20, rotation: 90 };
  t.same(boxAround([turned]), { x: 40, y: -40, width: 20, height: 100 });
  t.same(boxAround([]), { x: 0, y: 0, width: 0, height: 0 });
});
