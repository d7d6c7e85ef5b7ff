/** Moves the focus between the parts of the editor. */

const canvas = '.canvas-window';

/** The parts in reading order, each with the element that gets the focus before its first control. */
const parts: ReadonlyArray<readonly [part: string, preferred: string]> = [
  ['.top-bar', ''],
  ['.side.left', '[role="tree"] [tabindex="0"]'],
  ['.centre', canvas],
  // The text of a text layer is edited most, and stands behind its position and size.
  ['.side.right', '.p-row[data-field="text"] textarea'],
];

/** The canvas; null if the page has none, as on a narrow screen. */
export function canvasElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>(canvas);
}

/** Focuses the canvas, so that its keys act on the selected layer. */
export function focusCanvas(): void {
  canvasElement()?.focus();
}

/** Whether the canvas, or the text that is edited on it, has the focus. */
export function isCanvasFocused(): boolean {
  return document.activeElement?.closest(canvas) != null;
}

const controls = 'button, input, select, textarea, a[href], [tabindex]';

/** Focuses the next part that has controls, or the one before with `step` -1. */
export function focusPart(step: 1 | -1): void {
  const targets = parts.flatMap(([selector, preferred]) => {
    const part = document.querySelector(selector);
    const target = part === null ? undefined : targetIn(part, preferred);
    return part === null || target === undefined ? [] : [{ part, target }];
  });
  const at = targets.findIndex(({ part }) => part.contains(document.activeElement));
  const next = at === -1 && step === -1 ? -1 : at + step;
  targets.at(next % targets.length)?.target.focus();
}

function targetIn(part: Element, preferred: string): HTMLElement | undefined {
  const first = preferred === '' ? null : part.querySelector<HTMLElement>(preferred);
  const others = [...part.querySelectorAll<HTMLElement>(controls)];
  return [...(first === null ? [] : [first]), ...others].find(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.checkVisibility(),
  );
}
