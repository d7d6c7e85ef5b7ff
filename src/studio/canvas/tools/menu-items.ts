/** Items of the menu of the selected layers. */
import { isParent } from '#language/layer-tree.ts';
import type { Editor } from '../../state/editor.ts';
import { askForComment, hasComments } from '../../comments/comments.ts';
import { findLayer, nameOf } from '../../state/layers.ts';
import { canvasOf } from '../canvas-state.ts';
import { croppingOf, startCrop } from '../crop/crop.ts';
import { canvasShortcuts } from '../canvas-shortcuts.ts';
import { copySelected } from '../clipboard.ts';
import { removeSelected } from '../commands.ts';
import { allAt } from '../layer-geometry.ts';
import { hasCopiedStyle } from '../layer-style.ts';
import { laterCalls } from '../../later-calls.ts';
import { hitReachPx } from '../gestures/pointer.ts';
import { reachOf } from '../gestures/transform.ts';
import type { Point } from '../geometry.ts';
import { addTrack, mayAnimate } from '../../state/motion.ts';

export interface MenuItem {
  label: string;
  /** Tells items with the same label apart. */
  id?: string;
  /** The item opens another menu in this position. */
  opens?: boolean;
  /** Keys in the format of `keyLabels`. */
  keys?: string | undefined;
  isOff?: boolean;
  title?: string | undefined;
  run: () => void;
}

/** Groups of menu items. `at` is the pressed point of the canvas, where a paste puts its layers. */
export function layerMenu(editor: Editor, at?: Point): MenuItem[][] {
  const { document, selection, locked } = editor;
  const ids = selection.value;
  const layers = ids.flatMap((id) => findLayer(document.value, id) ?? []);
  const isNothing = layers.length === 0;
  const item = (label: string, changes: Partial<MenuItem> = {}): MenuItem => {
    const row = canvasShortcuts.find((shortcut) => shortcut.label === label);
    const run = (): void => row?.run?.({ editor });
    return { label, keys: row?.keys[0], isOff: isNothing, run, ...changes };
  };
  const isLocked = !isNothing && ids.every((id) => locked.value.has(id));
  const isHidden = !isNothing && layers.every(({ visible }) => visible === false);
  return [
    [
      item('Cut', { run: () => cut(editor) }),
      item('Copy', { run: () => copy(editor) }),
      item('Paste', {
        label: at === undefined ? 'Paste' : 'Paste here',
        isOff: false,
        run: () => laterCalls.run?.((code) => code.pasteClipboard(editor, at)),
      }),
      item('Duplicate'),
      item('Delete'),
    ],
    [item('Copy the style'), item('Paste the style', { isOff: isNothing || !hasCopiedStyle() })],
    [
      item('Bring to the front'),
      item('Bring forward'),
      item('Send backward'),
      item('Send to the back'),
    ],
    [item('Group'), item('Stack'), item('Ungroup', { isOff: !layers.some(isParent) })],
    [
      item('Lock, unlock', { label: isLocked ? 'Unlock' : 'Lock' }),
      item('Hide, show', { label: isHidden ? 'Show' : 'Hide' }),
    ],
    ...(layers.length === 1 && layers[0]?.type === 'image'
      ? [
          [
            item('Crop the image', { keys: 'Enter', ...cropItem(editor) }),
            item('Use as background', {
              run: () => laterCalls.run?.((code) => code.makeBackground(editor)),
            }),
          ],
        ]
      : []),
    [
      item('Animate', {
        isOff: layers.length !== 1 || !mayAnimate(document.value, ids[0] ?? ''),
        run: () => animate(editor, ids[0] ?? ''),
      }),
      item('Comment', {
        isOff: layers.length !== 1 || !hasComments(editor),
        run: () => askForComment(editor, ids[0] ?? ''),
      }),
    ],
    [
      item('Select all', { isOff: false }),
      item('Zoom to the selection'),
      item('Fit into the window', { isOff: false }),
    ],
    [item('Rulers and guides', { isOff: false }), item('Grid', { isOff: false })],
  ];
}

/** Items that select one of the layers at a point of the canvas, the topmost first, hidden behind others or locked. */
export function layersAt(editor: Editor, at: Point | undefined): MenuItem[] {
  const state = canvasOf(editor);
  if (state === undefined || at === undefined) return [];
  return allAt(state.positions.value, at, reachOf(state, hitReachPx)).map(
    ({ id, layer, groups }) => ({
      label: nameOf(layer),
      id,
      run: () => {
        state.entered.value = groups.at(-1);
        editor.selection.value = [id];
      },
    }),
  );
}

/** Adds an opacity track to the layer. The timeline then appears, in which it can be changed. */
function animate(editor: Editor, id: string): void {
  editor.change('Animate the layer', (draft) => void addTrack(draft, id, 'opacity'));
}

/** Off for an image that cannot be cropped, with the reason. */
function cropItem(editor: Editor): Pick<MenuItem, 'isOff' | 'title' | 'run'> {
  const state = canvasOf(editor);
  const found = croppingOf(editor, state?.selected.value[0]);
  return {
    isOff: typeof found !== 'object',
    title: typeof found === 'string' ? found : undefined,
    run: () => state && startCrop(state),
  };
}

function copy(editor: Editor): void {
  const text = copySelected(editor) ?? '';
  // Without TLS or permission, the copy can still be pasted in this tab.
  void navigator.clipboard?.writeText(text).catch(() => undefined);
}

function cut(editor: Editor): void {
  copy(editor);
  removeSelected(editor);
}
