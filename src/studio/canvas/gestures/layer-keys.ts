/** Where plain keys act on layers: with the focus on the canvas or on the list of layers. */

/** Elements in which plain keys act on layers: the canvas with its bars, and the list of layers. */
const layerKeysSelector = '.canvas, [role="tree"]';

/** Elements that return the focus when they close. */
const passingSelector = 'dialog';

/** Whether plain keys act on layers while nothing has the focus. */
let isFree = true;

/**
 * Watches the focus until `signal` aborts. A focused element of a panel can disappear, or become disabled. The focus is
 * on nothing then, and the user still means the panel until a press on the page.
 */
export function watchFocus(signal: AbortSignal): void {
  isFree = true;
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target.closest(passingSelector) !== null) return;
    isFree = isInLayers(target);
  };
  // At the release, the press has moved the focus already. The element under the pointer can still disappear.
  const onRelease = (): void => {
    isFree ||= isNothing(document.activeElement);
  };
  globalThis.addEventListener('focusin', onFocus, { signal, capture: true });
  globalThis.addEventListener('mouseup', onRelease, { signal, capture: true });
}

/** Whether plain keys act on layers while `target` has the focus. Other elements may use them, or do nothing. */
export function takesLayerKeys(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || isNothing(target)) return isFree;
  return isInLayers(target);
}

function isInLayers(element: Element): boolean {
  return element.closest(layerKeysSelector) !== null;
}

function isNothing(element: Element | null): boolean {
  return element === null || element.matches('html, body');
}
