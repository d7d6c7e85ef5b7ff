/** The caret of a text field: passes chips as one sign, and selects in the direction of the paragraph. */
import { chipAround, chipBeside, chipsOf, outsideChips, wholeChips } from './chip-caret.ts';
import type { Chip, Ends, Movement } from './chip-caret.ts';
import type { CaretField, Touch } from './caret-field.ts';
import { isAppleKeyboard } from '../../wording.ts';

/** Units of text for deletions by more than a letter, by the type of the input. */
const deletedUnits: readonly [type: RegExp, unit: string][] = [
  [/Word/, 'word'],
  [/SoftLine/, 'lineboundary'],
  [/HardLine/, 'paragraphboundary'],
];

const movements: Readonly<Record<string, Movement>> = {
  ArrowUp: 'lines',
  ArrowDown: 'lines',
  PageUp: 'lines',
  PageDown: 'lines',
  Home: 'end',
  End: 'end',
};

/** Letters of scripts from right to left, and the marks of that direction. */
const rightToLeft =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Letters, and the marks of both directions. */
const strong = /[\p{L}\u200E\u200F\u061C]/u;

/** Follows the caret of one field while it is shown. */
export class TextCaret {
  readonly #field: CaretField;
  readonly #touch: (touch: Touch | undefined) => void;
  readonly #endStep: () => void;
  /** The start of the chip whose letters are edited. The caret moves in it until it leaves it. */
  #open: number | undefined;
  #before = 0;
  #movement: Movement = 'along';
  #isPressed = false;
  #isComposing = false;
  #removes = false;
  /** The chip beside the caret whose formats are shown. */
  touched: Touch | undefined;

  /** `endStep` is called before and after a chip is removed, which is a step of the history. */
  constructor(field: CaretField, touch: (touch: Touch | undefined) => void, endStep: () => void) {
    this.#field = field;
    this.#touch = touch;
    this.#endStep = endStep;
  }

  /** Listens to the field. Returns what ends it. */
  listen(): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    const { element } = this.#field;
    // Before the handlers of the field, which read the selection.
    const first = { signal, capture: true };
    element.addEventListener('keydown', (event) => this.#press(event), first);
    element.addEventListener('beforeinput', (event) => this.#beforeInput(event), first);
    element.addEventListener('input', () => this.#typed(), { signal });
    element.addEventListener('compositionstart', () => (this.#isComposing = true), { signal });
    const composed = (): void => {
      this.#isComposing = false;
      this.placed();
    };
    element.addEventListener('compositionend', composed, { signal });
    const pressed = (): void => {
      this.#isPressed = true;
      this.#movement = 'pointer';
    };
    element.addEventListener('pointerdown', pressed, { signal });
    const released = (): void => {
      if (!this.#isPressed) return;
      this.#isPressed = false;
      this.#settle();
    };
    for (const name of ['pointerup', 'pointercancel']) {
      document.addEventListener(name, released, { signal });
    }
    document.addEventListener('selectionchange', () => this.#settle(), { signal });
    return () => stop.abort();
  }

  /** Takes the selection that code set or that typing left. In a chip, the letters of the chip are then edited. */
  placed(): void {
    const ends = this.#field.read();
    this.#before = ends.focus;
    this.#open = chipAround(this.#allChips(), ends)?.from;
  }

  /** Treats the caret at an edge of a chip as if a press in the chip had moved it there. */
  touch(touch: Touch | undefined): void {
    this.touched = touch;
    this.#touch(touch);
  }

  #typed(): void {
    if (this.#isComposing) return;
    this.placed();
    this.touch(undefined);
    if (this.#removes) this.#endStep();
    this.#removes = false;
  }

  #allChips(): Chip[] {
    const { hasChips, parts } = this.#field;
    return hasChips ? chipsOf(parts()) : [];
  }

  /** The chips, except one whose letters are edited. */
  #chips(): Chip[] {
    return this.#allChips().filter(({ from }) => from !== this.#open);
  }

  /** Moves the selection out of chips. */
  #settle(): void {
    const { element, read, select } = this.#field;
    if (this.#isComposing || this.#isPressed || document.activeElement !== element) return;
    const now = read();
    if (chipAround(this.#allChips(), now)?.from !== this.#open) this.#open = undefined;
    const ends = outsideChips(this.#chips(), now, this.#before, this.#movement);
    const isMoved = ends.anchor !== now.anchor || ends.focus !== now.focus;
    if (isMoved) select(ends);
    this.#before = ends.focus;
    const isTouch = isMoved && ends.anchor === ends.focus && this.#movement === 'pointer';
    if (isTouch) this.touch({ caret: ends.focus, inside: now.focus });
    else if (this.touched !== undefined && ends.focus !== this.touched.caret) this.touch(undefined);
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || this.#isComposing) return;
    // The `selectionchange` event of the previous key may not have arrived yet.
    this.#settle();
    this.#movement = movements[event.key] ?? (event.metaKey ? 'end' : 'along');
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') this.#pressArrow(event);
  }

  #pressArrow(event: KeyboardEvent): void {
    const { read, select } = this.#field;
    const { anchor, focus } = read();
    const unit = unitOf(event);
    if (unit === undefined || (anchor !== focus && !event.shiftKey)) return;
    const { isLeftward, isWrong } = this.#direction(focus);
    const isForward = (event.key === 'ArrowRight') !== isLeftward;
    const corrects = event.shiftKey && isWrong;
    const chip = unit === 'character' ? chipBeside(this.#chips(), focus, isForward) : undefined;
    if (chip !== undefined) {
      const edge = isForward ? chip.to : chip.from;
      // The browser moves over the last letter, because only its own movements scroll.
      const next = corrects ? edge : edge + (isForward ? -1 : 1);
      select({ anchor: event.shiftKey ? anchor : next, focus: next });
    } else if (corrects) {
      getSelection()?.modify('extend', isForward ? 'forward' : 'backward', unit);
      this.#settle();
    }
    if (corrects) event.preventDefault();
  }

  /** The direction of the paragraph at an index, and whether Shift with an arrow selects in another one. */
  #direction(at: number): { isLeftward: boolean; isWrong: boolean } {
    const { element, parts } = this.#field;
    const { direction, unicodeBidi } = getComputedStyle(element);
    const isBlockLeftward = direction === 'rtl';
    // Chromium moves the caret in the direction of the paragraph, and selects in that of the block.
    const isParagraphLeftward =
      unicodeBidi === 'plaintext' ? isRightToLeftParagraph(parts().join(''), at) : undefined;
    return {
      isLeftward: isParagraphLeftward ?? isBlockLeftward,
      isWrong: isParagraphLeftward !== undefined && isParagraphLeftward !== isBlockLeftward,
    };
  }

  /** Selects what a deletion removes if it would cut a chip. */
  #beforeInput({ inputType, isComposing }: InputEvent): void {
    if (!inputType.startsWith('delete') || isComposing || this.#isComposing) return;
    const { read, select } = this.#field;
    const now = read();
    const chips = this.#chips();
    if (chips.length === 0) return;
    const isCaret = now.anchor === now.focus;
    const removed = isCaret ? this.#removedAt(chips, now, inputType) : now;
    const start = Math.min(removed.anchor, removed.focus);
    const end = Math.max(removed.anchor, removed.focus);
    this.#removes = chips.some(({ from, to }) => from < end && start < to);
    if (this.#removes) this.#endStep();
    if (isCaret) select(this.#removes ? removed : now);
  }

  #removedAt(chips: readonly Chip[], now: Ends, inputType: string): Ends {
    const isForward = inputType.endsWith('Forward');
    const unit = deletedUnits.find(([type]) => type.test(inputType))?.[1];
    if (unit !== undefined) {
      getSelection()?.modify('extend', isForward ? 'forward' : 'backward', unit);
      return wholeChips(chips, this.#field.read());
    }
    const chip = chipBeside(chips, now.focus, isForward);
    return chip === undefined ? now : { anchor: chip.from, focus: chip.to };
  }
}

/** Returns the unit by which an arrow moves; undefined for other combinations. */
function unitOf({ ctrlKey, altKey, metaKey }: KeyboardEvent): string | undefined {
  if (!ctrlKey && !altKey && !metaKey) return 'character';
  if (!isAppleKeyboard()) return ctrlKey && !altKey && !metaKey ? 'word' : undefined;
  if (ctrlKey) return undefined;
  return metaKey ? 'lineboundary' : 'word';
}

/** Returns whether the paragraph at an index is from right to left, by its first letter; undefined without letters. */
function isRightToLeftParagraph(text: string, at: number): boolean | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const letter = strong.exec(text.slice(start, end === -1 ? undefined : end))?.[0];
  return letter === undefined ? undefined : rightToLeft.test(letter);
}
