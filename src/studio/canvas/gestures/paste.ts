/** Paste and drop on the canvas: image files become image layers, and layers use the clipboard. */
import type { Editor } from '../../state/editor.ts';
import { canvasOf } from '../canvas-state.ts';
import type { CanvasState } from '../canvas-state.ts';
import { isInBox } from '../geometry.ts';
import type { Point } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { splitBinding, wholeBinding } from '../../panels/variables/variables.ts';
import { pointAt } from './gestures.ts';
import { laterCalls } from '../../later-calls.ts';
import { copySelected } from '../clipboard.ts';
import { pasteText } from '../paste-text.ts';
import type { PasteOptions } from '../paste-text.ts';
import { removeSelected } from '../commands.ts';

/** Listens for dropped and pasted images until the returned function is called. */
export function watchImages(state: CanvasState, element: HTMLElement): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const { dropTarget } = state;
  let pointer: Point | undefined;
  element.addEventListener(
    'pointermove',
    (event) => {
      pointer = pointAt(state, element, event);
    },
    { signal },
  );
  element.addEventListener('pointerleave', () => (pointer = undefined), { signal });
  element.addEventListener(
    'dragover',
    (event) => {
      if (!holdsImage(event.dataTransfer)) return;
      event.preventDefault();
      const count = [...(event.dataTransfer?.items ?? [])].filter(
        ({ kind }) => kind === 'file',
      ).length;
      const image = count > 1 ? undefined : replacedAt(state, pointAt(state, element, event));
      dropTarget.value = image ?? 'canvas';
    },
    { signal },
  );
  globalThis.addEventListener('dragover', refuse, { signal });
  globalThis.addEventListener('drop', refuse, { signal });
  element.addEventListener('dragleave', () => (dropTarget.value = undefined), { signal });
  element.addEventListener(
    'drop',
    (event) => {
      dropTarget.value = undefined;
      const { dataTransfer } = event;
      if (dataTransfer === null || !holdsImage(dataTransfer)) return;
      event.preventDefault();
      takeDrop(state, dataTransfer, pointAt(state, element, event));
    },
    { signal },
  );
  document.addEventListener(
    'paste',
    (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // If the event is prevented, `watchClipboard` has pasted layers already.
      if (event.defaultPrevented || files.length === 0 || isInField(event)) return;
      event.preventDefault();
      const { width, height } = state.editor.document.value;
      const isOn =
        pointer !== undefined && isInBox({ x: 0, y: 0, width, height, rotation: 0 }, pointer);
      takeFiles(state, files, isOn ? pointer : undefined);
    },
    { signal },
  );
  return () => listening.abort();
}

/** Refuses files dropped outside the canvas. Otherwise the browser leaves the studio and opens the file. */
function refuse(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

function holdsImage(transfer: DataTransfer | null): boolean {
  return transfer?.types.some((type) => type === 'Files' || type === 'text/uri-list') === true;
}

/** The selected image at a point, which a drop replaces. Undefined if the studio cannot change its source. */
function replacedAt({ editor, selected }: CanvasState, point: Point): LayerGeometry | undefined {
  const [position, ...others] = selected.value;
  if (position?.layer.type !== 'image' || others.length > 0) return undefined;
  const { name } = splitBinding(wholeBinding(position.layer.src) ?? '');
  const { variables } = editor.document.value;
  const isOpen =
    name === '' || variables.some((each) => each.name === name && each.type === 'image');
  const isFree = isOpen && !editor.locked.value.has(position.id);
  return isFree && isInBox(position.seen, point) ? position : undefined;
}

function takeDrop(state: CanvasState, transfer: DataTransfer, at: Point): void {
  const files = [...transfer.files];
  const address = transfer.getData('text/uri-list').split(/\r?\n/)[0] ?? '';
  const replaced = files.length > 1 ? undefined : replacedAt(state, at)?.id;
  if (files.length > 0) takeFiles(state, files, at, replaced);
  else if (address !== '')
    laterCalls.run?.((code) => code.addAddress(state, address, at, replaced));
}

/**
 * Uploads image files and adds a layer for each. The first one lies about the point `at`, if there is one. With the id
 * of an image layer in `replaced`, the only file becomes its image.
 */
export function takeFiles(
  state: CanvasState,
  files: readonly File[],
  at?: Point,
  replaced?: string,
): void {
  laterCalls.run?.((code) => code.addFiles(state, files, at, replaced));
}

// Layers use the browser's clipboard events, which need no permission.

/** Listens for copied, cut and pasted layers until the returned function is called. */
export function watchClipboard(editor: Editor): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const copy = (event: ClipboardEvent): boolean => {
    if (isInField(event)) return false;
    const text = copySelected(editor);
    if (text === undefined) return false;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    return true;
  };
  document.addEventListener('copy', copy, { signal });
  document.addEventListener(
    'cut',
    (event) => {
      if (copy(event)) removeSelected(editor);
    },
    { signal },
  );
  document.addEventListener(
    'paste',
    (event) => {
      if (isInField(event)) return;
      const { clipboardData } = event;
      // A program that copies an image may add a text. The image has priority.
      if (clipboardData === null || clipboardData.files.length > 0) return;
      const [text, html] = ['text/plain', 'text/html'].map((type) => clipboardData.getData(type));
      if (pasteClip(editor, text ?? '', { html })) event.preventDefault();
    },
    { signal },
  );
  return () => listening.abort();
}

/** A text that is only SVG markup, as design programs copy it. */
const svgPattern = /^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>][^]*<\/svg>\s*$/i;

/** Adds the content of a text: SVG markup as an image, else layers or words. False if nothing was added. */
export function pasteClip(editor: Editor, text: string, options: PasteOptions = {}): boolean {
  const state = canvasOf(editor);
  if (state === undefined || !svgPattern.test(text)) return pasteText(editor, text, options);
  const drawing = new File([text.trim()], 'Drawing.svg', { type: 'image/svg+xml' });
  takeFiles(state, [drawing], options.at);
  return true;
}

/** Whether the browser handles the clipboard itself: in fields and dialogs, and for selected text. */
function isInField(event: Event): boolean {
  // The path of the event, because a field may already have replaced the element under the caret.
  const isField = event
    .composedPath()
    .some(
      (each) =>
        each instanceof Element && each.matches('input, textarea, [contenteditable], dialog'),
    );
  return isField || getSelection()?.isCollapsed === false;
}
