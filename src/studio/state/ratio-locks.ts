/**
 * Whether layers keep the ratio of their sides when they are resized: images do, others do not. A choice for a layer is
 * kept by editor until the page is closed.
 */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Editor } from './editor.ts';
import { findLayer } from './layers.ts';

const choices = new WeakMap<Editor, Signal<ReadonlyMap<string, boolean>>>();

function choicesOf(editor: Editor): Signal<ReadonlyMap<string, boolean>> {
  const known = choices.get(editor) ?? signal<ReadonlyMap<string, boolean>>(new Map());
  choices.set(editor, known);
  return known;
}

/** Whether all the layers keep their ratio; false without layers. */
export function isRatioLocked(editor: Editor, ids: readonly string[]): boolean {
  const { value } = choicesOf(editor);
  const isImage = (id: string): boolean => findLayer(editor.document.value, id)?.type === 'image';
  return ids.length > 0 && ids.every((id) => value.get(id) ?? isImage(id));
}

export function lockRatio(editor: Editor, ids: readonly string[], keeps: boolean): void {
  const known = choicesOf(editor);
  known.value = new Map([...known.value, ...ids.map((id) => [id, keeps] as const)]);
}
