/** What keys and menus do to rulers, guides and the grid. */
import type { Editor } from '../../state/editor.ts';
import { canvasOf } from '../canvas-state.ts';
import { boundsOf } from '../geometry.ts';
import { withGuidesRound } from './aids.ts';

export function toggleAid(editor: Editor, name: 'hasRulers' | 'hasGrid'): void {
  const aids = canvasOf(editor)?.aids;
  if (aids !== undefined) aids.value = { ...aids.value, [name]: !aids.value[name] };
}

/** Guides at the edges of the selection; without one they are removed. */
export function addGuides(editor: Editor): void {
  const state = canvasOf(editor);
  if (state === undefined) return;
  const { aids, selected } = state;
  const bounds = boundsOf(selected.value.map(({ seen }) => seen));
  aids.value =
    bounds === undefined ? { ...aids.value, x: [], y: [] } : withGuidesRound(aids.value, bounds);
}
