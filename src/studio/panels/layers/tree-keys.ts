/**
 * The keys of the layer tree: arrows move and open, Alt with arrows orders, Enter edits on the canvas, F2 renames, Delete
 * removes.
 */
import { canvasOf } from '../../canvas/canvas-state.ts';
import { enterSelected } from '../../canvas/gestures/keys.ts';
import { focusCanvas } from '../parts.ts';
import { measuredBoxes } from '../../canvas/layer-geometry.ts';
import type { Editor } from '../../state/editor.ts';
import { moveLayers, removeLayers, topmostIds } from '../../state/layers.ts';
import { stepOf } from './order.ts';
import type { OrderStep } from './order.ts';

/** Steps by arrow key, with Alt. */
const orderKeys: Readonly<Record<string, OrderStep>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'into',
};

interface KeyContext {
  editor: Editor;
  shown: readonly string[];
  focusRow: (id: string) => void;
  rename: (id: string) => void;
  toggle: (isClosed: boolean) => void;
}

/** Handles a key on the row of a layer. Returns false for keys without a meaning in the tree. */
export function pressTreeKey(event: KeyboardEvent, id: string, context: KeyContext): boolean {
  const { editor, shown, focusRow, rename, toggle } = context;
  const step = orderKeys[event.key];
  if (event.altKey && step !== undefined) {
    const drop = stepOf(editor.document.value, id, step);
    if (drop === undefined) return true;
    const ids = editor.selection.value.includes(id) ? editor.selection.value : [id];
    const boxes = measuredBoxes(editor);
    editor.change('Order layers', (draft) =>
      moveLayers(draft, topmostIds(draft, ids), drop.group, drop.index, boxes),
    );
    return true;
  }
  const at = shown.indexOf(id);
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown': {
      const next = shown[at + (event.key === 'ArrowUp' ? -1 : 1)];
      if (next !== undefined) focusRow(next);
      return true;
    }
    case 'Home':
    case 'End': {
      const next = event.key === 'Home' ? shown[0] : shown.at(-1);
      if (next !== undefined) focusRow(next);
      return true;
    }
    case 'ArrowLeft':
    case 'ArrowRight':
      toggle(event.key === 'ArrowLeft');
      return true;
    case 'F2':
      rename(id);
      return true;
    case 'Enter':
      enterFromTree(editor);
      return true;
    case 'Delete':
    case 'Backspace':
      editor.change('Delete', (draft) => removeLayers(draft, editor.selection.value));
      return true;
    default:
      return false;
  }
}

/** Does what Enter does on the canvas, which gets the focus. */
function enterFromTree(editor: Editor): void {
  const state = canvasOf(editor);
  if (state === undefined) return;
  focusCanvas();
  enterSelected(state);
}
