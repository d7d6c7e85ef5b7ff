/** Styles that are toggled at a caret: the letters that are typed next there get them. */
import type { TextLayer } from '#language/schema/text.ts';
import { isStyled, styleRange, toggles } from './span-style.ts';
import type { TextRange, ToggledStyle } from './span-style.ts';

export class NextLook {
  /** Styles that the next letters have and the letter before them has not, or the reverse. */
  readonly #names = new Set<ToggledStyle>();
  #caret = 0;

  toggle(name: ToggledStyle, caret: number): void {
    this.#caret = caret;
    if (!this.#names.delete(name)) this.#names.add(name);
  }

  /** Whether a letter that is typed at a caret has a style. It has the look of the letter before it. */
  isOn(name: ToggledStyle, layer: TextLayer, caret: number): boolean {
    const letter = Math.max(0, caret - 1);
    return isStyled(layer, [letter, letter + 1], name) !== this.#names.has(name);
  }

  clear(): void {
    this.#names.clear();
  }

  /** Returns a change that styles the letters that `after` has and `before` has not. It applies once. */
  take(before: string, after: string): (layer: TextLayer) => void {
    const range = insertedAt(this.#caret, before, after);
    const names = [...this.#names];
    this.clear();
    return (layer) => {
      if (range === undefined) return;
      // The inserted letters have the look of the letter before them.
      for (const name of names) styleRange(layer, range, toggles[name](layer, range));
    };
  }
}

/** The range that `after` has more than `before` at the caret. Undefined for other changes. */
function insertedAt(caret: number, before: string, after: string): TextRange | undefined {
  if (after.length <= before.length) return undefined;
  const isThere = after.startsWith(before.slice(0, caret)) && after.endsWith(before.slice(caret));
  return isThere ? [caret, caret + after.length - before.length] : undefined;
}
