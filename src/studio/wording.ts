/** Texts for people: errors with what to do, notices, keys of the keyboard, and times relative to now. */
import type { Template } from '#language/schema/template.ts';
import type { ErrorDetail, PlatenError } from '../client/platen-client.ts';
import { findLayer, flattenLayers, nameOf } from './state/layers.ts';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

/** Lines of a list that are worth reading at once. */
const linesMax = 4;

/** The HTTP status of what a call rejected with; 0 when there was no answer, -1 when it is no error of a call. */
export function statusOf(error: unknown): number {
  return isCallError(error) ? error.status : -1;
}

/** Why a call failed. */
export interface Failure {
  /** One sentence a line: what is wrong, and what to do where the service does not say it. */
  text: string;
  /** Problems of the document, by paths such as `layers[2].fill`; an empty path is the document. */
  problems: readonly ErrorDetail[];
}

/** What a call rejected with, in words and as data. */
export function explainFailure(error: unknown): Failure {
  if (!isCallError(error)) {
    return { text: error instanceof Error ? error.message : String(error), problems: [] };
  }
  const { status, message } = error;
  const problems = error.details.map((detail) => ({ ...detail, path: pathInDocument(detail) }));
  return { text: serviceOutage[status] ?? sentencesOf(status, message, problems), problems };
}

/** What the studio itself finds wrong with a document, before it asks the service. */
export function failureOf(problems: readonly ErrorDetail[]): Failure {
  return { text: sentencesOf(400, '', problems), problems };
}

/** The words of `explainFailure` alone. */
export function explainError(error: unknown): string {
  return explainFailure(error).text;
}

/** Failures about which the service says nothing that helps, by status; 0: no answer. */
const serviceOutage: Readonly<Record<number, string>> = {
  0: 'The service does not answer. Check the connection; nothing is lost.',
  401: 'The key is no longer valid. Sign in again.',
};

function sentencesOf(status: number, message: string, problems: readonly ErrorDetail[]): string {
  if (status === 403) return `${message} Sign in with a key that may write.`;
  if (problems.length === 0) return message;
  return linesOf(problems.map(sentenceOf));
}

/** As many sentences as are worth reading at once. */
export function linesOf(sentences: readonly string[]): string {
  const more = sentences.length - linesMax;
  const rest = more > 0 ? [`And ${more} more.`] : [];
  return [...sentences.slice(0, linesMax), ...rest].join('\n');
}

/** A problem as a sentence that begins with its path. */
export function sentenceOf({ path, message }: ErrorDetail): string {
  return `${path === '' ? 'The document' : path} ${message}.`;
}

/** The service's path of a problem that has none. */
const documentPath = '(document)';
/** A preview has the document as a property of its body. */
const previewPrefix = 'template.';

function pathInDocument({ path }: ErrorDetail): string {
  if (path === documentPath) return '';
  return path.startsWith(previewPrefix) ? path.slice(previewPrefix.length) : path;
}

/** By its shape, so that this module needs nothing of the client at run time. */
function isCallError(error: unknown): error is PlatenError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** Ids of the layers that problems name, by path (the innermost layer) or by id, each once and in document order. */
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

// Keys, as the keyboard of the platform shows them.

/** What of a keyboard event counts. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

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
 * others. A sign that needs Shift on some keyboard (`?`, `+`) is matched by itself. With Shift or Alt a key may write
 * something else: a digit with Shift and a letter with Alt are matched by where they are.
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

/** The `code` of a key that has a letter or a digit on it. */
function codeOf(key: string): string | undefined {
  if (/^[0-9]$/.test(key)) return `Digit${key}`;
  return /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : undefined;
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

/** The date and the time of an ISO 8601 time, in the time zone of the browser. */
export function fullTime(iso: string): string {
  return new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

// Notices: short messages above the page.

export interface Notice {
  id: number;
  kind: 'info' | 'error';
  message: string;
  /** What the notice offers to do about it. */
  action?: { label: string; run: () => void };
}

/** Messages on the screen at a time; the oldest goes first. */
const noticesMax = 4;

/** Milliseconds that a message stays when it asks for nothing; an error stays until it is closed. */
const stayMs = 5000;

const list = signal<readonly Notice[]>([]);
let count = 0;

/** The messages that show now, the oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = list;

/** Shows a message; returns what takes it away again. The same words are never shown twice. */
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

/** Shows what a call rejected with, after what was being done: `notifyError('The image was not uploaded', error)`. */
export function notifyError(doing: string, error: unknown): void {
  notify(`${doing}: ${explainError(error)}`, { kind: 'error' });
}

/** Names the layers that an edit took the items of their list from: they look as the first item did. */
export function noteSettled(document: Template, ids: readonly string[]): void {
  const [layer] = ids.flatMap((id) => findLayer(document, id) ?? []);
  if (layer === undefined) return;
  const keeps = ids.length === 1 ? `${nameOf(layer)} keeps` : `${ids.length} layers keep`;
  notify(`${keeps} values of the first item in place of bindings that are gone.`);
}

/** Takes a message away. */
export function dismissNotice(id: number): void {
  list.value = list.value.filter((notice) => notice.id !== id);
}
