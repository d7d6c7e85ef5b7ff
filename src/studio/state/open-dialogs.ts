/** Which dialogs are open, one over the other: all but the top one are out of reach, messages included. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

const open = signal<readonly string[]>([]);

/** The dialog that can be used now; undefined when it is the page. */
export const topDialog: ReadonlySignal<string | undefined> = computed(() => open.value.at(-1));

/** Puts a dialog over the others; returns what takes it away. */
export function enterDialog(id: string): () => void {
  open.value = [...open.value, id];
  return () => {
    open.value = open.value.filter((other) => other !== id);
  };
}
