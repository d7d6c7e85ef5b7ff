import t from 'tap';
import type { StackLayer } from '#language/schema/layers.ts';
import type { LayerGeometry } from '../../src/studio/canvas/layer-geometry.ts';
import { drawnIn, placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import type { SpaceName, StackSpace } from '../../src/studio/canvas/stack-spaces.ts';
import { dragSpace, spacesOf } from '../../src/studio/canvas/stack-spaces.ts';
import { rect, stack, template } from './built-layers.ts';
import { reportOf } from './measured-boxes.ts';

function spacesIn(more: Partial<StackLayer>, lang = 'en'): Array<[SpaceName, ...number[]]> {
  const document = template([stack('s', [], { x: 10, y: 10, ...more })], { lang });
  const positions = placeLayers(document, reportOf(document));
  const [position] = positions as [LayerGeometry & { layer: StackLayer }];
  const spaces: StackSpace[] = spacesOf(position.layer, position.box, drawnIn(positions, position));
  return spaces.map(({ name, area: { x, y, width, height } }) => [name, x, y, width, height]);
}

t.test('a stack has a space at each side and between its layers', async (t) => {
  const layers = [rect('a'), rect('b'), rect('c')];
  t.same(spacesIn({ gap: 6, padding: [1, 2, 3, 4], layers }), [
    ['padding-0', 10, 10, 46, 1],
    ['padding-1', 54, 11, 2, 72],
    ['padding-2', 10, 83, 46, 3],
    ['padding-3', 10, 11, 4, 72],
    ['gap-y', 14, 31, 40, 6],
    ['gap-y', 14, 57, 40, 6],
  ]);
  for (const lang of ['en', 'ar']) {
    const row = spacesIn(
      { direction: 'row', gap: 6, layers: [rect('a'), rect('b', { width: 60 })] },
      lang,
    );
    const x = lang === 'en' ? 50 : 70;
    t.same(row.slice(4), [['gap-x', x, 10, 6, 20]], lang);
  }
});

t.test('a row that wraps has gaps in its lines and between them', async (t) => {
  const layers = [rect('a'), rect('b'), rect('c')];
  t.same(spacesIn({ direction: 'row', wrap: true, width: 90, gap: 5, layers }).slice(4), [
    ['gap-x', 50, 10, 5, 20],
    ['gap-y', 10, 30, 90, 5],
  ]);
});

t.test('what a variable or the free space gives is not dragged', async (t) => {
  const layers = [rect('a'), rect('b')];
  const bound = { gap: '{{gap}}', padding: '{{gap}}' } as unknown as Partial<StackLayer>;
  const made = stack('s', layers, { width: 40, height: 90, ...bound }) as StackLayer;
  t.same(spacesOf(made, { x: 0, y: 0, width: 40, height: 90 }, []), []);
  t.equal(spacesIn({ height: 90, justify: 'between', layers }).length, 4);
});

t.test('a drag changes a gap or the padding of a side, its opposite or all', async (t) => {
  const before = stack('s', [], { gap: 4, padding: [1, 2, 3, 4] }) as StackLayer;
  const dragged = (
    name: SpaceName,
    x: number,
    y: number,
    options: Partial<Parameters<typeof dragSpace>[4]> = {},
  ): Partial<StackLayer> => {
    const after = structuredClone(before);
    dragSpace(after, before, name, { x, y }, { sides: 'one', isMirrored: false, ...options });
    return after;
  };
  t.match(dragged('gap-y', 9, 2.4), { gap: 6 });
  t.match(dragged('gap-x', 3, 9), { gap: 7 });
  t.match(dragged('gap-x', -3, 9, { isMirrored: true }), { gap: 7 });
  t.notOk('gap' in dragged('gap-y', 0, -9), 'none is the default');
  t.match(dragged('padding-0', 0, 5), { padding: [6, 2, 3, 4] });
  t.match(dragged('padding-1', -5, 0), { padding: [1, 7, 3, 4] });
  t.match(dragged('padding-2', 0, -5), { padding: [1, 2, 8, 4] });
  t.match(dragged('padding-3', 5, 0), { padding: [1, 2, 3, 9] });
  t.match(dragged('padding-3', 5, 0, { sides: 'opposite' }), { padding: [1, 9, 3, 9] });
  t.match(dragged('padding-3', 5, 0, { sides: 'all' }), { padding: 9 });
  t.notOk('padding' in dragged('padding-3', -5, 0, { sides: 'all' }));
});
