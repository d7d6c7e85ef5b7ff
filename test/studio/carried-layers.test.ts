/** Which layers an image of their own may show while a frame is late, and which lie above them. */
import t from 'tap';
import type { PlatenClient } from '../../src/client/platen-client.ts';
import { drawCarried, layersAbove } from '../../src/studio/canvas/stage/carried-images.ts';
import { group, rect, stack, template } from './built-layers.ts';

t.test('above carried layers lies what is painted after the topmost of them', async (t) => {
  const layers = [
    rect('a'),
    group('g', [rect('in'), rect('over', { mask: 'shape' }), rect('shape')]),
    rect('b'),
    group('h', [rect('far')]),
  ];
  t.same(layersAbove({ layers }, ['a']), ['g', 'b', 'h'], 'a group stands for what is in it');
  t.same(layersAbove({ layers }, ['in']), ['over', 'b', 'h'], 'a mask is painted nowhere');
  t.same(layersAbove({ layers }, ['a', 'b']), ['h']);
  t.same(layersAbove({ layers }, ['h']), []);
});

t.test('what needs other layers in the same image is drawn by the service alone', async (t) => {
  const asked = new Error('asked');
  const client = { preview: () => Promise.reject(asked) } as unknown as PlatenClient;
  const at = { x: 0, y: 0 };
  const over = rect('over', at);
  const drawn = (layers: readonly object[], variables: readonly object[] = []) => {
    const from = template(layers, { variables });
    const carried = { from, ids: ['over'], values: {}, moment: {}, boxes: new Map() };
    return drawCarried(client, from, carried, new AbortController().signal);
  };
  const items = { name: 'items', type: 'list', fields: [{ name: 'a', type: 'text', value: '' }] };
  const cases: Record<string, readonly object[]> = {
    'a blend mode': [rect('ground', at), { ...over, blendMode: 'multiply' }],
    'a blend mode elsewhere': [rect('ground', { ...at, blendMode: 'multiply' }), over],
    'a mask': [{ ...over, mask: 'mask' }, rect('mask', at)],
    'the opacity of a group': [group('g', [over], { ...at, opacity: 0.5 })],
    'a stack that hugs': [stack('s', [group('g', [over])], at)],
    'a list': [stack('s', [group('g', [over])], { ...at, repeat: { list: 'items', max: 3 } })],
  };
  for (const [name, layers] of Object.entries(cases)) {
    t.equal(await drawn(layers, [{ ...items, value: [{ a: 'b' }] }]), undefined, name);
  }
  await t.rejects(drawn([rect('ground', at), over]), asked, 'free layers have images');
  await t.rejects(drawn([group('g', [over], { ...at, rotation: 30 })]), asked, 'in groups, too');
  await t.rejects(drawn([stack('s', [rect('over')], at)]), asked, 'and alone in a stack');
});
