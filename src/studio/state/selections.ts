/** The selection over undo and redo, and the layers that it leaves out. */
import { computed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import { flattenLayers } from './layers.ts';

/** Stores the selection of each document of the history. */
export class Selections {
  readonly #left = new WeakMap<Template, readonly string[]>();

  /**
   * Returns the selection after `next` replaces `shown`. If undo or redo adds or removes layers, it is the selection
   * that `next` had before; else the current one. Missing layers are left out. The same array if none is missing.
   */
  replace(shown: Template, next: Template, selection: readonly string[]): readonly string[] {
    this.#left.set(shown, selection);
    const before = this.#left.get(next);
    const ids = idsOf(next);
    const isBack = before !== undefined && !hasSame(ids, idsOf(shown));
    const wanted = isBack ? before : selection;
    const selected = wanted.filter((id) => ids.has(id));
    return selected.length < wanted.length ? selected : wanted;
  }
}

function idsOf(document: Template): Set<string> {
  return new Set(flattenLayers(document).map(({ layer }) => layer.id));
}

function hasSame(ids: Set<string>, others: Set<string>): boolean {
  return ids.size === others.size && [...ids].every((id) => others.has(id));
}

/** Ids of the locked layers of a document. The set is replaced only if they change. */
export function lockedLayers(document: () => Template): ReadonlySignal<ReadonlySet<string>> {
  let known = new Set<string>();
  return computed(() => {
    const locked = flattenLayers(document()).filter(({ layer }) => layer.locked === true);
    const ids = new Set(locked.map(({ layer }) => layer.id));
    if (!hasSame(ids, known)) known = ids;
    return known;
  });
}
