/** Warnings of the studio itself: texts that the edge of the canvas cuts, and layers without a size. */
import t from 'tap';
import { zeroSizeWarning } from '../../src/studio/state/layer-sizes.ts';
import type { PreviewReport } from '../../src/client/platen-client.ts';
import { textsOutside } from '../../src/studio/samples/outside-text.ts';

type LayerReport = PreviewReport['layers'][number];
type Line = NonNullable<LayerReport['text']>['lines'][number];

const canvas = { width: 200, height: 100 };

/** A text of 20 px with one line, in a box round it. */
function reported(id: string, line: Partial<Line>, more: Partial<LayerReport> = {}): LayerReport {
  const { x = 20, y = 50, width = 100, text = 'Hello' } = line;
  const box = { x, y: y - 20, width, height: 26, rotation: 0 };
  const drawn = { text, lines: [{ x, y, width, text }], fontSize: 20, missingGlyphs: [] };
  const report = { id, type: 'text', box, text: { ...drawn, overflow: 'none' as const } };
  return { ...report, warnings: [], ...more };
}

t.test('a line beyond an edge of the canvas is found', async (t) => {
  const outside = (layer: LayerReport, ...others: LayerReport[]): boolean =>
    textsOutside({ layers: [layer, ...others] }, { ...canvas, layers: [] }).length > 0;
  t.equal(outside(reported('a', {})), false);
  t.equal(outside(reported('a', { x: 120 })), true, 'at the right');
  t.equal(outside(reported('a', { x: 101 })), false, 'a side bearing has no ink');
  t.equal(outside(reported('a', { x: -10 })), true, 'at the left');
  t.equal(outside(reported('a', { y: 5 })), true, 'at the top');
  t.equal(outside(reported('a', { y: 106 })), true, 'at the bottom');
  t.equal(outside(reported('a', { x: 300 })), false, 'a parked layer');
  t.equal(outside(reported('a', { x: 300 }, { group: 'card' })), true, 'a layer of a stack');
  t.equal(outside(reported('a', { x: 120, text: ' ' })), false, 'a line without letters');
  const box = { x: 20, y: 30, width: 160, height: 26 };
  const turned = { box: { ...box, rotation: 90 } };
  t.equal(outside(reported('a', { width: 160 }, turned)), true, 'a turned text');
  t.equal(outside(reported('a', { width: 90, x: 55 }, turned)), false);
  const group = { id: 'g', type: 'group', box: { ...box, rotation: 90 }, warnings: [] };
  t.equal(outside(reported('a', { x: 120 }, { group: 'g' }), group), false, 'in a turned group');
});

t.test('copies count as their layer, and texts without positions do not count', async (t) => {
  const layer = { id: 'a', type: 'text', width: 100, height: 26, text: 'Hello' } as const;
  const layers = [reported('a:1', { x: 120 }), reported('a:2', { x: 120 })];
  t.same(textsOutside({ layers }, { ...canvas, layers: [layer] }), ['a', 'a']);
  const onPath = { ...layer, path: 'M0 0H99' };
  t.same(textsOutside({ layers }, { ...canvas, layers: [onPath] }), []);
  const animation = { type: 'motion' as const, seconds: 2, tracks: [] };
  t.same(textsOutside({ layers }, { ...canvas, layers: [layer], animation }), []);
});

t.test('a surface of width or height 0 has a warning', async (t) => {
  const box = { id: 'a', x: 20, y: 20, width: 80, height: 0 };
  const stroke = { color: '#d64933', width: 4 };
  t.match(zeroSizeWarning({ ...box, type: 'rect' }), /^its height is 0/);
  t.match(zeroSizeWarning({ ...box, type: 'rect', width: 0 }), /^its width is 0/);
  t.equal(zeroSizeWarning({ ...box, type: 'rect', height: 9 }), undefined);
  t.equal(zeroSizeWarning({ ...box, type: 'rect', visible: false }), undefined);
  t.equal(zeroSizeWarning({ ...box, type: 'rect', stroke }), undefined, 'its stroke is drawn');
  t.equal(zeroSizeWarning({ ...box, type: 'line', stroke }), undefined);
});
