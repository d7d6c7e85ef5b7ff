/**
 * Whether layers keep the ratio of their sides when they are resized: images and drawings do, others do not. The browser
 * stores the choices for the layers of each template.
 */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Layer } from '#language/schema/layers.ts';
import { behindFrame } from '../panels/behind-frame.ts';
import type { Editor } from './editor.ts';
import { findLayer } from './layers.ts';

/** Choices by layer id. */
type Choices = ReadonlyMap<string, boolean>;

const choices = new WeakMap<Editor, Signal<Choices>>();

const keyOf = ({ uid }: Editor): string => `platen-studio-ratio:${uid}`;

function choicesOf(editor: Editor): Signal<Choices> {
  const known = choices.get(editor) ?? signal(readChoices(editor));
  choices.set(editor, known);
  return known;
}

function readChoices(editor: Editor): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(editor)) ?? '{}') as object;
    return new Map(Object.entries(kept).map(([id, keeps]) => [id, keeps === true]));
  } catch {
    return new Map();
  }
}

/** Whether a layer keeps its ratio without a choice. A drawing does, unless its markup says that it stretches. */
export function hasRatio(layer: Layer | undefined): boolean {
  if (layer?.type === 'svg') return !/Ratio\s*=\s*["']none/.test(layer.svg);
  return layer?.type === 'image';
}

/** Whether all the layers keep their ratio; false without layers. */
export function isRatioLocked(editor: Editor, ids: readonly string[]): boolean {
  const { value } = choicesOf(editor);
  const { value: document } = behindFrame(editor).document;
  return ids.length > 0 && ids.every((id) => value.get(id) ?? hasRatio(findLayer(document, id)));
}

/** Stores the choice for the layers, and removes the entries of deleted layers. Ignores failures of the storage. */
export function lockRatio(editor: Editor, ids: readonly string[], keeps: boolean): void {
  const known = choicesOf(editor);
  known.value = new Map([...known.value, ...ids.map((id) => [id, keeps] as const)]);
  const stored = [...known.value].filter(([id]) => findLayer(editor.document.value, id));
  try {
    localStorage.setItem(keyOf(editor), JSON.stringify(Object.fromEntries(stored)));
  } catch {
    // The storage is full or blocked. The choices then last until the page is closed.
  }
}
