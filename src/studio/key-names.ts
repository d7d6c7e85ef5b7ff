/** Key combinations as the table of shortcuts writes them: matched to presses, and shown as the machine's keyboard names them. */

/** What of a keyboard event counts. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Names of keys whose `key` is not what people call them. */
const keyNames: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Delete: 'Del',
  Escape: 'Esc',
};

/**
 * Whether a press is the combination `keys`: `Mod+Shift+Z`, `?`, `Delete`. `Mod` is ⌘ on Apple's keyboards and Ctrl on
 * others. A sign that needs Shift on some keyboard (`?`, `+`) is matched by itself.
 */
export function matchesKeys(press: KeyPress, keys: string, isApple: boolean): boolean {
  const parts = keys.split(/\+(?=.)/);
  const key = parts.at(-1) ?? '';
  const needs = (name: string): boolean => parts.slice(0, -1).includes(name);
  const [mod, other] = isApple ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    press.key.toLowerCase() === key.toLowerCase() &&
    mod === needs('Mod') &&
    !other &&
    press.altKey === needs('Alt') &&
    (isSign || press.shiftKey === needs('Shift'))
  );
}

/** The keys of a combination by the names that stand on them. */
export function keyLabels(keys: string, isApple: boolean): string[] {
  return keys.split(/\+(?=.)/).map((part) => {
    if (part === 'Mod') return isApple ? '⌘' : 'Ctrl';
    if (part === 'Shift') return isApple ? '⇧' : 'Shift';
    if (part === 'Alt') return isApple ? '⌥' : 'Alt';
    return keyNames[part] ?? part;
  });
}

/** Whether this machine has Apple's keys. */
export function isAppleKeyboard(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
