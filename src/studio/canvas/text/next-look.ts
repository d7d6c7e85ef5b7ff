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
    return isStyled(layer, letterBefore(caret), name) !== this.#names.has(name);
  }

  clear(): void {
    this.#names.clear();
  }

  /**
   * Returns a change that styles the letters that `after` has more than `before`, the text of `layer`. It applies once.
   */
  take(layer: TextLayer | undefined, before: string, after: string): (draft: TextLayer) => void {
    const range = insertedAt(this.#caret, before, after);
    const letter = letterBefore(this.#caret);
    const looks = [...this.#names].map((name) => layer && toggles[name](layer, letter));
    this.clear();
    return (draft) => {
      if (range === undefined) return;
      for (const look of looks) if (look !== undefined) styleRange(draft, range, look);
    };
  }
}

/** The range of the letter before a caret, or of the first letter. */
function letterBefore(caret: number): TextRange {
  const letter = Math.max(0, caret - 1);
  return [letter, letter + 1];
}

/** The range that `after` has more than `before` at the caret. Undefined for other changes. */
function insertedAt(caret: number, before: string, after: string): TextRange | undefined {
  if (after.length <= before.length) return undefined;
  const isThere = after.startsWith(before.slice(0, caret)) && after.endsWith(before.slice(caret));
  return isThere ? [caret, caret + after.length - before.length] : undefined;
}
