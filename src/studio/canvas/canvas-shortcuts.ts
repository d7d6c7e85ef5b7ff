/** Keyboard shortcuts for the selection and the view, for the shortcut table and the menu of layers. */
import type { Editor } from '../state/editor.ts';
import { canvasOf, stepZoom, zoomToSelection } from './canvas-state.ts';
import {
  duplicateSelected,
  groupSelected,
  nudge,
  removeSelected,
  reorderSelected,
  selectAll,
  toggleLocked,
  toggleVisible,
  ungroupSelected,
} from './commands.ts';
import { boundsOf } from './geometry.ts';
import { withGuidesRound } from './guides/aids.ts';
import { copyStyle, pasteStyle } from './layer-style.ts';
import { tools } from './tools/tools.ts';

/** A row of the shortcut table, compatible with `Shortcut`. Labels of rows with `run` are unique. */
export interface CanvasShortcut {
  group: 'Tools' | 'Edit' | 'Arrange' | 'View' | 'Pointer';
  label: string;
  keys: readonly string[];
  /** Absent if the canvas handles the keys itself. */
  run?: (target: { editor: Editor }) => void;
}

/** Distance that an arrow key moves layers, without and with shift, design pixels. */
const nudgePx = 1;
const nudgeFarPx = 10;

const arrows = [
  ['ArrowLeft', -1, 0],
  ['ArrowRight', 1, 0],
  ['ArrowUp', 0, -1],
  ['ArrowDown', 0, 1],
] as const;

const directions = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

const nudges: CanvasShortcut[] = arrows.flatMap(([key, x, y]) => [
  {
    group: 'Arrange' as const,
    label: `Move ${directions[key]}, in a stack by one layer`,
    keys: [key],
    run: ({ editor }: { editor: Editor }) => nudge(editor, { x: x * nudgePx, y: y * nudgePx }),
  },
  {
    group: 'Arrange' as const,
    label: `Move ${directions[key]} by ${nudgeFarPx}`,
    keys: [`Shift+${key}`],
    run: ({ editor }: { editor: Editor }) =>
      nudge(editor, { x: x * nudgeFarPx, y: y * nudgeFarPx }),
  },
]);

function toggleAid(editor: Editor, name: 'hasRulers' | 'hasGrid'): void {
  const aids = canvasOf(editor)?.aids;
  if (aids !== undefined) aids.value = { ...aids.value, [name]: !aids.value[name] };
}

/** Adds guides at the edges of the selection. Removes all guides if nothing is selected. */
function addGuides(editor: Editor): void {
  const state = canvasOf(editor);
  if (state === undefined) return;
  const { aids, selected } = state;
  const bounds = boundsOf(selected.value.map(({ seen }) => seen));
  aids.value =
    bounds === undefined ? { ...aids.value, x: [], y: [] } : withGuidesRound(aids.value, bounds);
}

/** All shortcuts of the canvas, in the order of the help sheet. */
export const canvasShortcuts: readonly CanvasShortcut[] = [
  ...tools.map(({ name, key }) => ({ group: 'Tools' as const, label: name, keys: [key] })),
  { group: 'Edit', label: 'Cut', keys: ['Mod+X'] },
  { group: 'Edit', label: 'Copy', keys: ['Mod+C'] },
  { group: 'Edit', label: 'Paste', keys: ['Mod+V'] },
  {
    group: 'Edit',
    label: 'Duplicate',
    keys: ['Mod+D'],
    run: ({ editor }) => duplicateSelected(editor),
  },
  {
    group: 'Edit',
    label: 'Delete',
    keys: ['Delete', 'Backspace'],
    run: ({ editor }) => removeSelected(editor),
  },
  {
    group: 'Edit',
    label: 'Copy the style',
    keys: ['Mod+Alt+C'],
    run: ({ editor }) => copyStyle(editor),
  },
  {
    group: 'Edit',
    label: 'Paste the style',
    keys: ['Mod+Alt+V'],
    run: ({ editor }) => pasteStyle(editor),
  },
  { group: 'Edit', label: 'Select all', keys: ['Mod+A'], run: ({ editor }) => selectAll(editor) },
  {
    group: 'Edit',
    label: 'Select nothing, leave a group',
    keys: ['Escape'],
    run: ({ editor }) => (editor.selection.value = []),
  },
  { group: 'Edit', label: 'Edit the text, crop the image, step into the group', keys: ['Enter'] },
  { group: 'Edit', label: 'Menu of the selection', keys: ['Shift+F10', 'right click'] },
  { group: 'Arrange', label: 'Group', keys: ['Mod+G'], run: ({ editor }) => groupSelected(editor) },
  {
    group: 'Arrange',
    label: 'Stack',
    keys: ['Shift+A'],
    run: ({ editor }) => groupSelected(editor, 'stack'),
  },
  {
    group: 'Arrange',
    label: 'Ungroup',
    keys: ['Mod+Shift+G'],
    run: ({ editor }) => ungroupSelected(editor),
  },
  {
    group: 'Arrange',
    label: 'Bring forward',
    keys: [']'],
    run: ({ editor }) => reorderSelected(editor, 1),
  },
  {
    group: 'Arrange',
    label: 'Send backward',
    keys: ['['],
    run: ({ editor }) => reorderSelected(editor, -1),
  },
  {
    group: 'Arrange',
    label: 'Bring to the front',
    keys: ['Mod+]'],
    run: ({ editor }) => reorderSelected(editor, 'front'),
  },
  {
    group: 'Arrange',
    label: 'Send to the back',
    keys: ['Mod+['],
    run: ({ editor }) => reorderSelected(editor, 'back'),
  },
  {
    group: 'Arrange',
    label: 'Lock, unlock',
    keys: ['Mod+L'],
    run: ({ editor }) => toggleLocked(editor),
  },
  {
    group: 'Arrange',
    label: 'Hide, show',
    keys: ['Mod+Shift+H'],
    run: ({ editor }) => toggleVisible(editor),
  },
  ...nudges,
  { group: 'View', label: 'Larger', keys: ['+', '='], run: ({ editor }) => stepZoom(editor, 1) },
  { group: 'View', label: 'Smaller', keys: ['-'], run: ({ editor }) => stepZoom(editor, -1) },
  {
    group: 'View',
    label: 'Zoom to the selection',
    keys: ['Shift+2'],
    run: ({ editor }) => zoomToSelection(editor),
  },
  {
    group: 'View',
    label: '100 %',
    keys: ['1', 'Shift+0'],
    run: ({ editor }) => (editor.zoom.value = 1),
  },
  {
    group: 'View',
    label: 'Fit into the window',
    keys: ['0', 'Shift+1'],
    run: ({ editor }) => (editor.zoom.value = 0),
  },
  {
    group: 'View',
    label: 'Rulers and guides',
    keys: ['Shift+R'],
    run: ({ editor }) => toggleAid(editor, 'hasRulers'),
  },
  {
    group: 'View',
    label: 'Grid',
    keys: ['Shift+G'],
    run: ({ editor }) => toggleAid(editor, 'hasGrid'),
  },
  {
    group: 'View',
    label: 'Guides round the selection, or none',
    keys: ['Shift+E'],
    run: ({ editor }) => addGuides(editor),
  },
  { group: 'Pointer', label: 'Zoom', keys: ['Mod+wheel'] },
  { group: 'Pointer', label: 'Move the view', keys: ['Space+drag', 'wheel'] },
  { group: 'Pointer', label: 'Select several', keys: ['Shift+click'] },
  { group: 'Pointer', label: 'Select the layer below', keys: ['Alt+click'] },
  { group: 'Pointer', label: 'Drag a copy', keys: ['Alt+drag'] },
  { group: 'Pointer', label: 'Distances to the layer below the pointer', keys: ['Alt'] },
  {
    group: 'Pointer',
    label: 'Edit the text, crop the image, step into the group',
    keys: ['double click'],
  },
  { group: 'Pointer', label: 'Add an image', keys: ['drop a file', 'Mod+V'] },
  { group: 'Pointer', label: 'Drag without snapping, and into no stack', keys: ['Mod+drag'] },
  {
    group: 'Pointer',
    label: 'Keep the direction, the ratio (free it for an image), or steps of 15°',
    keys: ['Shift+drag'],
  },
  { group: 'Pointer', label: 'Resize from the centre', keys: ['Alt+drag'] },
  {
    group: 'Pointer',
    label: 'Padding of opposite sides, with shift of all',
    keys: ['Alt+drag'],
  },
  {
    group: 'Pointer',
    label: 'Change a handle by one, with shift by ten',
    keys: ['ArrowUp', 'ArrowDown'],
  },
  { group: 'Pointer', label: 'Hug the content, on a handle', keys: ['double click'] },
  { group: 'Pointer', label: 'Fill the stack, on a handle', keys: ['Alt+double click'] },
];
