/** Bitmaps of layers that follow a gesture until the exact image is there. */
import type { CanvasState, Carried } from '../canvas-state.ts';
import { batch } from '@preact/signals';
import { isStacked } from './stack-drop.ts';
import type { Box } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';

/** Layers that are about to be carried, where they are. */
export function liftedFrom({ editor }: CanvasState, ids: readonly string[]): Carried {
  const nowhere = { x: 0, y: 0 };
  const from = editor.document.value;
  const still = { delta: nowhere, angle: 0, center: nowhere };
  const manner = { isDropped: false, isFloating: false, isCopy: false, isInserting: false };
  return { ids, from, ...still, ...manner };
}

/**
 * Stretches the bitmap of layers from one box of the canvas to another. The layout of texts and stacks changes, and what is in a
 * stack moves others: these follow with the exact images alone.
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

/** What was carried stays on the screen until the exact image is there. */
export function drop({ carried, guides, hint, insertion }: CanvasState): void {
  batch(() => {
    guides.value = [];
    insertion.value = undefined;
    hint.value = undefined;
    if (carried.value !== undefined) carried.value = { ...carried.value, isDropped: true };
  });
}
