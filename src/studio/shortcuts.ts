/** Every keyboard shortcut of the studio: what the keys do, and what the help sheet says. */
import { isAppleKeyboard, matchesKeys } from './wording.ts';
import type { Editor } from './state/editor.ts';
import { stepZoom } from './canvas/canvas-state.ts';
import { tools } from './canvas/tools/tools.ts';
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
} from './canvas/commands.ts';

// Keys that work on the selection and the view: rows of the table.

/** A row of the table, as `Shortcut` of the studio wants it. */
export interface CanvasShortcut {
  group: 'Tools' | 'Edit' | 'Arrange' | 'View' | 'Pointer';
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

/** In the order of the help sheet. */
export const canvasShortcuts: readonly CanvasShortcut[] = [
  ...tools.map(({ name, key }) => ({ group: 'Tools' as const, label: name, keys: [key] })),
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
  { group: 'Pointer', label: 'Add an image', keys: ['drop a file', 'Mod+V'] },
  { group: 'Pointer', label: 'Drag without snapping, and into no stack', keys: ['Mod+drag'] },
  {
    group: 'Pointer',
    label: 'Keep the direction, the ratio, or steps of 15°',
    keys: ['Shift+drag'],
  },
  { group: 'Pointer', label: 'Resize from the centre', keys: ['Alt+drag'] },
  {
    group: 'Pointer',
    label: 'Padding of opposite sides, with shift of all',
    keys: ['Alt+drag'],
  },
  { group: 'Pointer', label: 'Hug the content, on a handle', keys: ['double click'] },
  { group: 'Pointer', label: 'Fill the stack, on a handle', keys: ['Alt+double click'] },
];

// The table.

/** What shortcuts act on. */
export interface ShortcutTarget {
  editor: Editor;
  openHelp: () => void;
  openPublish: () => void;
}

export interface Shortcut {
  group: 'Template' | 'Tools' | 'Edit' | 'Arrange' | 'View' | 'Pointer';
  label: string;
  /** Combinations that do the same, as `matchesKeys` reads them; with a pointer, what is held and pressed. */
  keys: readonly string[];
  /** Absent: the canvas answers the keys itself, when it has the focus. */
  run?: (target: ShortcutTarget) => void;
  /** Also while a text field has the focus. */
  worksInFields?: boolean;
}

// Keys that the panels handle themselves: rows for the table only.

/** A row of the table, as `Shortcut` of the studio wants it. */
interface PanelShortcut {
  group: 'Edit' | 'Arrange';
  label: string;
  keys: readonly string[];
}

/** In the order of the help sheet. */
const panelShortcuts: readonly PanelShortcut[] = [
  { group: 'Edit', label: 'Rename, in the list of layers', keys: ['F2'] },
  {
    group: 'Arrange',
    label: 'Order, in the list of layers',
    keys: ['Alt+ArrowUp', 'Alt+ArrowDown'],
  },
  {
    group: 'Arrange',
    label: 'Out of a group, into the one below',
    keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'],
  },
];

/** In the order of the help sheet. */
export const shortcuts: readonly Shortcut[] = [
  {
    group: 'Template',
    label: 'Save the draft now',
    keys: ['Mod+S'],
    run: ({ editor }) => void editor.save(),
    worksInFields: true,
  },
  {
    group: 'Template',
    label: 'Publish',
    keys: ['Mod+Enter'],
    run: ({ openPublish }) => openPublish(),
    worksInFields: true,
  },
  { group: 'Template', label: 'This sheet', keys: ['?'], run: ({ openHelp }) => openHelp() },
  { group: 'Edit', label: 'Undo', keys: ['Mod+Z'], run: ({ editor }) => editor.undo() },
  {
    group: 'Edit',
    label: 'Redo',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    run: ({ editor }) => editor.redo(),
  },
  ...canvasShortcuts,
  ...panelShortcuts,
];

/** Elements that take letters and signs for themselves. */
const fieldSelector = 'input, textarea, select, [contenteditable]';

/** Where arrow keys move between the elements themselves. */
const listSelector = '.side, .top-bar';

/** Does what a press asks for; true when it was one of the table's. A dialog that is open keeps its keys. */
export function runShortcut(event: KeyboardEvent, target: ShortcutTarget): boolean {
  if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return false;
  const element = event.target instanceof Element ? event.target : undefined;
  const isInField = element?.matches(fieldSelector) === true;
  if (event.key.startsWith('Arrow') && element?.closest(listSelector)) return false;
  const isApple = isAppleKeyboard();
  const found = shortcuts.find(
    ({ keys, run, worksInFields }) =>
      run !== undefined &&
      (!isInField || worksInFields === true) &&
      keys.some((each) => matchesKeys(event, each, isApple)),
  );
  if (found === undefined) return false;
  event.preventDefault();
  found.run?.(target);
  return true;
}
