/** The state of a drag of layers. */
import { batch } from '@preact/signals';
import type { CanvasState, Carried } from '../canvas-state.ts';
import type { Editor } from '../../state/editor.ts';
import { selectedPositions } from '../commands.ts';
import { isStacked } from './stack-drop.ts';

/** The beginning of a drag of the selected layers. */
export function liftedFrom({ editor }: CanvasState): Carried {
  const layers = selectedPositions(editor);
  return {
    layers,
    ids: layers.map(({ id }) => id),
    from: editor.document.value,
    delta: { x: 0, y: 0 },
    isDropped: false,
    result: undefined,
    isFloating: layers.some((position) => isStacked(editor.document.value, position)),
    isCopy: false,
    isInserting: false,
  };
}

/** Ends a gesture. A drag lasts until the exact image of its result is shown. */
export function drop({ editor, carried, guides, hint, insertion }: CanvasState): void {
  batch(() => {
    guides.value = [];
    insertion.value = undefined;
    hint.value = undefined;
    if (carried.value === undefined) return;
    carried.value = { ...carried.value, isDropped: true, result: resultOf(editor) };
  });
}

/** Reverts a gesture. The image of dragged layers returns at once, before the exact frame arrives. */
export function takeBack({ editor, carried }: CanvasState): void {
  batch(() => {
    editor.cancelGesture();
    if (carried.value === undefined) return;
    carried.value = { ...carried.value, delta: { x: 0, y: 0 }, result: resultOf(editor) };
  });
}

/** What a drag has made: its image is no longer carried when an image shows it. */
function resultOf({ document, selection }: Editor): Carried['result'] {
  return { document: document.value, selection: selection.value };
}
