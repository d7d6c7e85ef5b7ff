/** Selects the layers that a command has added. */
import type { Editor } from '../../state/editor.ts';
import { canvasOf } from '../canvas-state.ts';

/** Selects added layers. The tool becomes that for selecting, so that Enter edits the layer and adds no other. */
export function selectAdded(editor: Editor, ids: readonly string[]): void {
  const tool = canvasOf(editor)?.tool;
  if (tool !== undefined) tool.value = 'select';
  editor.selection.value = ids;
}
