/** The keys that work on the selection and the view: rows for the studio's table of shortcuts. */
import type { Editor } from '../state/editor.ts';
import { stepZoom } from './canvas-state.ts';
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

/** A row of the table, as `Shortcut` of the studio wants it. */
export interface CanvasShortcut {
  group: 'Edit' | 'Arrange' | 'View' | 'Pointer';
  label: string;
  keys: readonly string[];
  /** Absent: the canvas answers the keys itself. */
  run?: (target: { editor: Editor }) => void;
}

/** Design pixels of a press of an arrow key, and of one with shift. */
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
    label: `Move ${directions[key]}`,
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

/** In the order of the help sheet. */
export const canvasShortcuts: readonly CanvasShortcut[] = [
  { group: 'Edit', label: 'Copy, cut, paste', keys: ['Mod+C', 'Mod+X', 'Mod+V'] },
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
  { group: 'Edit', label: 'Select all', keys: ['Mod+A'], run: ({ editor }) => selectAll(editor) },
  {
    group: 'Edit',
    label: 'Select nothing, leave a group',
    keys: ['Escape'],
    run: ({ editor }) => (editor.selection.value = []),
  },
  { group: 'Edit', label: 'Edit the text, step into the group', keys: ['Enter'] },
  { group: 'Arrange', label: 'Group', keys: ['Mod+G'], run: ({ editor }) => groupSelected(editor) },
  {
    group: 'Arrange',
    label: 'Ungroup',
    keys: ['Mod+Shift+G'],
    run: ({ editor }) => ungroupSelected(editor),
  },
  {
    group: 'Arrange',
    label: 'Forward, backward',
    keys: [']'],
    run: ({ editor }) => reorderSelected(editor, 1),
  },
  {
    group: 'Arrange',
    label: 'Backward',
    keys: ['['],
    run: ({ editor }) => reorderSelected(editor, -1),
  },
  {
    group: 'Arrange',
    label: 'To the front',
    keys: ['Mod+]'],
    run: ({ editor }) => reorderSelected(editor, 'front'),
  },
  {
    group: 'Arrange',
    label: 'To the back',
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
  { group: 'View', label: '100 %', keys: ['1'], run: ({ editor }) => (editor.zoom.value = 1) },
  {
    group: 'View',
    label: 'Fit into the window',
    keys: ['0'],
    run: ({ editor }) => (editor.zoom.value = 0),
  },
  { group: 'Pointer', label: 'Zoom', keys: ['Mod+wheel'] },
  { group: 'Pointer', label: 'Move the view', keys: ['Space+drag', 'wheel'] },
  { group: 'Pointer', label: 'Select several', keys: ['Shift+click'] },
  { group: 'Pointer', label: 'Select the layer below', keys: ['Alt+click'] },
  { group: 'Pointer', label: 'Edit the text, step into the group', keys: ['double click'] },
  { group: 'Pointer', label: 'Add a picture', keys: ['drop a file', 'Mod+V'] },
  { group: 'Pointer', label: 'Drag without snapping', keys: ['Mod+drag'] },
  {
    group: 'Pointer',
    label: 'Keep the direction, the ratio, or steps of 15°',
    keys: ['Shift+drag'],
  },
  { group: 'Pointer', label: 'Resize from the centre', keys: ['Alt+drag'] },
];
