/** The selection over undo and redo. */
import type { Template } from '#language/schema/template.ts';
import { flattenLayers } from './layers.ts';

/** Remembers what was selected in each document of the history. */
export class Selections {
  readonly #left = new WeakMap<Template, readonly string[]>();

  /**
   * What is selected once `next` replaces `shown`. Where undo or redo bring or take layers, it is what was selected in
   * `next` before; otherwise it stays, without layers that are gone. The same array if it stays whole.
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
