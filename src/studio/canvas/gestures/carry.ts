/** Bitmaps of layers that follow a gesture until the exact frame is available. */
import type { CanvasState, Carried } from '../canvas-state.ts';
import { batch } from '@preact/signals';
import { isStacked } from './stack-drop.ts';
import type { Box } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';

/** Initial state of carried layers, at their current position. */
export function liftedFrom({ editor }: CanvasState, ids: readonly string[]): Carried {
  const nowhere = { x: 0, y: 0 };
  const from = editor.document.value;
  const still = { delta: nowhere, angle: 0, center: nowhere };
  const manner = { isDropped: false, isFloating: false, isCopy: false, isInserting: false };
  return { ids, from, ...still, ...manner };
}

/**
 * Returns a function that stretches the bitmap of layers from one box of the canvas to another. It does nothing for
 * texts, stacks and layers in stacks: resizing them changes the layout, which only exact frames show.
 */
export function stretching(
  state: CanvasState,
  positions: readonly LayerGeometry[],
): (from: Box, to: Box) => void {
  const { editor, carried } = state;
  const isLaidOut = positions.some(
    (position) =>
      ['text', 'stack'].includes(position.layer.type) || isStacked(editor.document.value, position),
  );
  if (isLaidOut) return () => undefined;
  const lifted = liftedFrom(
    state,
    positions.map(({ id }) => id),
  );
  return (from, to) => (carried.value = { ...lifted, stretch: { from, to } });
}

/** Ends a gesture. The carried bitmap stays on the screen until the exact frame is available. */
export function drop({ carried, guides, hint, insertion }: CanvasState): void {
  batch(() => {
    guides.value = [];
    insertion.value = undefined;
    hint.value = undefined;
    if (carried.value !== undefined) carried.value = { ...carried.value, isDropped: true };
  });
}
