/** Layers that keep the ratio of their sides when they are resized, by editor, until the page is closed. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Editor } from './editor.ts';

const locks = new WeakMap<Editor, Signal<ReadonlySet<string>>>();

function locksOf(editor: Editor): Signal<ReadonlySet<string>> {
  const known = locks.get(editor) ?? signal<ReadonlySet<string>>(new Set());
  locks.set(editor, known);
  return known;
}

/** Whether all the layers keep their ratio; false without layers. */
export function isRatioLocked(editor: Editor, ids: readonly string[]): boolean {
  const { value } = locksOf(editor);
  return ids.length > 0 && ids.every((id) => value.has(id));
}

export function lockRatio(editor: Editor, ids: readonly string[], keeps: boolean): void {
  const known = locksOf(editor);
  const others = [...known.value].filter((id) => !ids.includes(id));
  known.value = new Set(keeps ? [...others, ...ids] : others);
}
