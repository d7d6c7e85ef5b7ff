/** Snap targets of a gesture: the canvas, other layers, guides and the grid. */
import type { CanvasState } from '../canvas-state.ts';
import type { SnapTargets } from '../gestures/snapping.ts';
import { snapTargets } from '../layer-geometry.ts';
import { gridPx, guideRects } from './aids.ts';

/** Snap targets for a gesture on the layers with the ids `moving`. */
export function targetsIn(
  { aids, editor, positions }: CanvasState,
  moving: readonly string[],
): SnapTargets {
  const document = editor.document.value;
  const layers = snapTargets(positions.value, new Set(moving), document);
  return {
    rects: [...layers, ...guideRects(aids.value, document)],
    grid: aids.value.hasGrid ? gridPx : undefined,
  };
}
