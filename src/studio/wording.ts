/** Texts for people: errors with what to do, keys of the keyboard, and times relative to now. */
import type { Template } from '#language/schema/template.ts';
import type { PlatenError } from '../client/platen-client.ts';
import { flattenLayers } from './state/layers.ts';

/** Lines of a list that are worth reading at once. */
const linesMax = 4;

/** The HTTP status of what a call rejected with; 0 when there was no answer, -1 when it is no error of a call. */
export function statusOf(error: unknown): number {
  return isCallError(error) ? error.status : -1;
}

/** One sentence a line: what is wrong, with the place in the document, and what to do where the service does not say. */
export function explainError(error: unknown): string {
  if (!isCallError(error)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0)
    return 'The service does not answer. Check the connection; nothing is lost.';
  if (error.status === 401) return 'The key is no longer valid. Sign in again.';
  if (error.status === 403) return `${error.message} Sign in with a key that may write.`;
  const lines = error.details.map(({ path, message }) => {
    const place = path.replace(/^template\./, '');
    return place.startsWith('(') || place === ''
      ? `The document ${message}.`
      : `${place} ${message}.`;
  });
  if (lines.length === 0) return error.message;
  const more = lines.length - linesMax;
  return [...lines.slice(0, linesMax), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

/** By its shape, so that this module needs nothing of the client at run time. */
function isCallError(error: unknown): error is PlatenError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Ids of the layers that a message names by their paths (`layers[2].layers[0]`) or in quotes (`"photo"`), each once. */
export function namedLayers(message: string, document: Pick<Template, 'layers'>): string[] {
  const paths = new Set(message.match(/layers\[\d+\](?:\.layers\[\d+\])*/g));
  const quoted = new Set(Array.from(message.matchAll(/["“”]([\w-]{1,64})["“”]/g), ([, id]) => id));
  return flattenLayers(document)
    .filter(({ layer, path }) => paths.has(path) || quoted.has(layer.id))
    .map(({ layer }) => layer.id);
}

// Keys, as the keyboard of the platform shows them.

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

// Times, relative to now.

const steps: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 days ago`, `yesterday`, `just now` for an ISO 8601 time. */
export function timeAgo(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  for (const [unit, length] of steps) {
    if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  }
  return 'just now';
}

/** The date and the time of an ISO 8601 time, where whoever reads it is. */
export function fullTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}
