/** Every keyboard shortcut of the studio, with its action and its label in the help sheet. */
import { isAppleKeyboard, matchesKeys } from './wording.ts';
import type { Editor } from './state/editor.ts';
import { canvasShortcuts } from './canvas/canvas-shortcuts.ts';
import { takesLayerKeys } from './canvas/gestures/layer-keys.ts';
import { focusPart } from './panels/parts.ts';

/** The editor and the dialogs that shortcuts act on. */
export interface ShortcutTarget {
  editor: Editor;
  openHelp: () => void;
  openPublish: () => void;
}

export interface Shortcut {
  group: 'Template' | 'Tools' | 'Edit' | 'Arrange' | 'View' | 'Pointer';
  label: string;
  /** Equivalent combinations in the form that `matchesKeys` reads; for `Pointer`, held keys and the press. */
  keys: readonly string[];
  /** Absent if the focused canvas or a panel handles the keys itself. */
  run?: (target: ShortcutTarget) => void;
  /** Whether the shortcut also works while a text field has the focus. */
  worksInFields?: boolean;
  /** Whether it moves from the focused element, so that it is no command of the palette. */
  movesFocus?: boolean;
}

// Keys that the panels handle themselves: rows for the table only.

/** A row of the table, compatible with `Shortcut`. */
interface PanelShortcut {
  group: 'Edit' | 'Arrange';
  label: string;
  keys: readonly string[];
}

/** In the order of the help sheet. */
const panelShortcuts: readonly PanelShortcut[] = [
  {
    group: 'Edit',
    label: 'Make dynamic or fixed, in the field of a property',
    keys: ['Alt+Enter'],
  },
  { group: 'Edit', label: 'Take the edit back, in the field of a number', keys: ['Escape'] },
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

const partShortcuts: readonly Shortcut[] = [
  {
    group: 'View',
    label: 'To the next part: bar, layers, canvas, properties',
    keys: ['F6'],
    run: () => focusPart(1),
    worksInFields: true,
    movesFocus: true,
  },
  {
    group: 'View',
    label: 'To the part before',
    keys: ['Shift+F6'],
    run: () => focusPart(-1),
    worksInFields: true,
    movesFocus: true,
  },
];

/** Label of the command palette. */
export const searchLabel = 'Search and commands';

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
  { group: 'Template', label: searchLabel, keys: ['Mod+K'] },
  {
    group: 'Template',
    label: 'Keyboard shortcuts',
    keys: ['?'],
    run: ({ openHelp }) => openHelp(),
  },
  { group: 'Edit', label: 'Undo', keys: ['Mod+Z'], run: ({ editor }) => editor.undo() },
  {
    group: 'Edit',
    label: 'Redo',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    run: ({ editor }) => editor.redo(),
  },
  ...canvasShortcuts,
  ...panelShortcuts,
  ...partShortcuts,
];

/** Elements in which the user types letters and signs. */
const fieldSelector = 'input, textarea, select, [contenteditable]';

/** Whether a shortcut changes layers by a key that other elements use, such as Delete, an arrow or a letter. */
function isLayerKey({ group }: Shortcut, { ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  const changesLayers = group === 'Edit' || group === 'Arrange';
  return changesLayers && !ctrlKey && !metaKey && key !== 'Escape';
}

/** Runs the shortcut of a key press; true if there was one. Shortcuts do not run while a dialog is open. */
export function runShortcut(event: KeyboardEvent, target: ShortcutTarget): boolean {
  if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return false;
  const element = event.target instanceof Element ? event.target : undefined;
  const isInField = element?.matches(fieldSelector) === true;
  // The list of layers handles arrow keys itself.
  if (event.key.startsWith('Arrow') && element?.closest('[role="tree"]')) return false;
  const isApple = isAppleKeyboard();
  const found = shortcuts.find(
    ({ keys, run, worksInFields }) =>
      run !== undefined &&
      (!isInField || worksInFields === true) &&
      keys.some((each) => matchesKeys(event, each, isApple)),
  );
  if (found === undefined) return false;
  if (isLayerKey(found, event) && !takesLayerKeys(event.target)) return false;
  event.preventDefault();
  found.run?.(target);
  return true;
}
