/** Texts for users: errors with a remedy, notices, names of keys, and times relative to now. */
import type { Template } from '#language/schema/template.ts';
import type { ErrorDetail, PlatenError } from '../client/platen-client.ts';
import { pathWords } from './panels/fields/labels.ts';
import { findLayer, flattenLayers, nameOf } from './state/layers.ts';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

/** Lines of an error at most. */
const linesMax = 4;

/** Returns the HTTP status of a call's error; 0 without a response, -1 for other errors. */
export function statusOf(error: unknown): number {
  return isCallError(error) ? error.status : -1;
}

/** The failure of a call. */
export interface Failure {
  /** One sentence per line: the cause, and the remedy if the service does not name it. */
  text: string;
  /** Problems of the document, by paths such as `layers[2].fill`; an empty path is the document. */
  problems: readonly ErrorDetail[];
  /** The document would have fewer problems if its text variables had limits. */
  isTooLong?: boolean;
}

/** Converts the error of a call to a text and a list of problems. */
export function explainFailure(error: unknown): Failure {
  if (!isCallError(error)) {
    return { text: error instanceof Error ? error.message : String(error), problems: [] };
  }
  const { status, message } = error;
  const problems = error.details.map((detail) => ({
    ...detail,
    path: pathInDocument(detail),
    message: plainMessage(detail.message),
  }));
  return { text: serviceOutage[status] ?? sentencesOf(status, message, problems), problems };
}

/** Returns the failure for problems that the studio finds in a document before a request. */
export function failureOf(problems: readonly ErrorDetail[]): Failure {
  const plain = problems.map((problem) => ({
    ...problem,
    message: plainMessage(problem.message),
  }));
  return { text: sentencesOf(400, '', plain), problems: plain };
}

/** Replaces terms of the API in a message: a designer sees no options of links, and no arrays. */
function plainMessage(message: string): string {
  return message
    .replace(/^is an array of (\d+)/, (_, count: string) =>
      count === '0' ? 'is an empty list' : `is a list of ${count}`,
    )
    .replace('without _version', 'without a version');
}

/** Returns the text of `explainFailure`. */
export function explainError(error: unknown): string {
  return explainFailure(error).text;
}

/** Texts for failures without a helpful message of the service, by status; 0 for no response. */
const serviceOutage: Readonly<Record<number, string>> = {
  0: 'The service does not answer. Check the connection; nothing is lost.',
  401: 'The key is no longer valid. Sign in again.',
};

function sentencesOf(status: number, message: string, problems: readonly ErrorDetail[]): string {
  if (status === 403) return `${message} Sign in with a key that may write.`;
  if (problems.length === 0) return message;
  return linesOf(problems.map(sentenceOf));
}

/** Joins at most `linesMax` sentences, and counts the rest. */
export function linesOf(sentences: readonly string[]): string {
  const more = sentences.length - linesMax;
  const rest = more > 0 ? [`And ${more} more.`] : [];
  return [...sentences.slice(0, linesMax), ...rest].join('\n');
}

/** Returns a problem as a sentence: its path in words, or the name of a variable for the problem of its value. */
export function sentenceOf({ path, message }: ErrorDetail): string {
  if (isValuePath(path)) return `The value of “${path.slice(valuesPrefix.length)}” ${message}.`;
  return `${path === '' ? 'The template' : pathWords(path)} ${message}.`;
}

/** A preview has the values by the names of their variables. */
const valuesPrefix = 'values.';

/** Whether a problem concerns one or all layers as a whole, as a limit of the layout does. */
export function isOfLayers({ path }: ErrorDetail): boolean {
  return /(^|\.)layers(\[\d+\])?$/.test(path);
}

/** Whether a problem is of a value, and not of the document. */
export function isValuePath(path: string): boolean {
  return path.startsWith(valuesPrefix);
}

/** Returns the first problem of the value of a variable. */
export function valueProblem(
  failure: Failure | undefined,
  variable: string,
): ErrorDetail | undefined {
  return failure?.problems.find(({ path }) => isWithin(path, `${valuesPrefix}${variable}`));
}

/** The service's path of a problem of the whole document. */
const documentPath = '(document)';
/** A preview has the document as a property of its body. */
const previewPrefix = 'template.';

function pathInDocument({ path }: ErrorDetail): string {
  if (path === documentPath) return '';
  return path.startsWith(previewPrefix) ? path.slice(previewPrefix.length) : path;
}

/** Checks the shape, so that this module does not import the client at run time. */
function isCallError(error: unknown): error is PlatenError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Returns the ids of the layers that problems name by path (the innermost) or id, each once, in document order. */
export function namedLayers(
  problems: readonly ErrorDetail[],
  document: Pick<Template, 'layers'>,
): string[] {
  const layers = flattenLayers(document);
  const ids = new Set(problems.flatMap((problem) => problem.layers ?? []));
  for (const problem of problems) {
    const around = layers.filter(({ path }) => isWithin(problem.path, path));
    const innermost = around.toSorted((one, other) => other.path.length - one.path.length)[0];
    if (innermost !== undefined) ids.add(innermost.layer.id);
  }
  return layers.flatMap(({ layer }) => (ids.has(layer.id) ? [layer.id] : []));
}

/** Whether `path` is `outer` or a path inside it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

// Key combinations, with the key names of the platform.

/** The properties of a keyboard event that are matched. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Labels of keys whose `key` is no readable name. */
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
 * Whether a press is the combination `keys`: `Mod+Shift+Z`, `?`, `Delete`. `Mod` is ⌘ on Apple keyboards and Ctrl on
 * others. A sign such as `?` or `+`, which needs Shift on some keyboards, matches with or without Shift. With Shift
 * or Alt, a key may write another character, so that digits and letters also match by `code`.
 */
export function matchesKeys(press: KeyPress, keys: string, isApple: boolean): boolean {
  const parts = keys.split(/\+(?=.)/);
  const key = parts.at(-1) ?? '';
  const needs = (name: string): boolean => parts.slice(0, -1).includes(name);
  const [mod, other] = isApple ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  const code = needs('Shift') || needs('Alt') ? codeOf(key) : undefined;
  return (
    (press.key.toLowerCase() === key.toLowerCase() ||
      (code !== undefined && press.code === code)) &&
    mod === needs('Mod') &&
    !other &&
    press.altKey === needs('Alt') &&
    (isSign || press.shiftKey === needs('Shift'))
  );
}

/** Whether a key press asks for the context menu. */
export function asksForMenu({ key, shiftKey }: KeyPress): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

/** Returns the `code` of a key with a letter or a digit; undefined for other keys. */
function codeOf(key: string): string | undefined {
  if (/^[0-9]$/.test(key)) return `Digit${key}`;
  return /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : undefined;
}

/** Returns the labels of the keys of a combination. */
export function keyLabels(keys: string, isApple: boolean): string[] {
  return keys.split(/\+(?=.)/).map((part) => {
    if (part === 'Mod') return isApple ? '⌘' : 'Ctrl';
    if (part === 'Shift') return isApple ? '⇧' : 'Shift';
    if (part === 'Alt') return isApple ? '⌥' : 'Alt';
    return keyNames[part] ?? part;
  });
}

/** Returns a combination in a text: `Ctrl+B`, and `⌘B` for an Apple keyboard. */
export function keysText(keys: string, isApple = isAppleKeyboard()): string {
  return keyLabels(keys, isApple).join(isApple ? '' : '+');
}

/** Whether the platform has an Apple keyboard. */
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

/** Returns `3 days ago`, `yesterday` or `just now` for an ISO 8601 time. */
export function timeAgo(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  for (const [unit, length] of steps) {
    if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  }
  return 'just now';
}

/** Returns the date and the time of an ISO 8601 time, in the time zone of the browser. */
export function fullTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

// Notices: short messages above the page.

export interface Notice {
  id: number;
  kind: 'info' | 'error';
  message: string;
  /** The action that the notice offers. */
  action?: { label: string; run: () => void };
}

/** Notices shown at most; the oldest is removed first. */
const noticesMax = 4;

/** Time for which an info notice stays, in ms. An error stays until it is closed. */
const stayMs = 5000;

const list = signal<readonly Notice[]>([]);
let count = 0;

/** The notices that are shown now, the oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = list;

/** Shows a notice, in place of one with the same message. Returns a function that removes the notice. */
export function notify(
  message: string,
  { kind = 'info', action }: { kind?: Notice['kind']; action?: Notice['action'] } = {},
): () => void {
  count += 1;
  const id = count;
  const others = list.value.filter((notice) => notice.message !== message);
  const notice: Notice = { id, kind, message, ...(action === undefined ? {} : { action }) };
  list.value = [...others, notice].slice(-noticesMax);
  const dismiss = (): void => dismissNotice(id);
  if (kind === 'info') setTimeout(dismiss, stayMs);
  return dismiss;
}

/** Shows the error of a call after what failed: `notifyError('The image was not uploaded', error)`. */
export function notifyError(doing: string, error: unknown): void {
  notify(`${doing}: ${explainError(error)}`, { kind: 'error' });
}

/** Notifies about layers that lost the items of their list in an edit, and keep the values of the first item. */
export function noteSettled(document: Template, ids: readonly string[]): void {
  const [layer] = ids.flatMap((id) => findLayer(document, id) ?? []);
  if (layer === undefined) return;
  const keeps = ids.length === 1 ? `${nameOf(layer)} keeps` : `${ids.length} layers keep`;
  notify(`${keeps} values of the first item in place of bindings that are gone.`);
}

/** Removes a notice. */
export function dismissNotice(id: number): void {
  list.value = list.value.filter((notice) => notice.id !== id);
}
