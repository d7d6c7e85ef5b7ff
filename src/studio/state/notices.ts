/** Short messages that come up over whatever is shown: what has happened, or what went wrong and what to do. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { explainError } from '../wording.ts';

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

/** Shows what a call rejected with, after what was being done: `notifyError('The picture was not uploaded', error)`. */
export function notifyError(doing: string, error: unknown): void {
  notify(`${doing}: ${explainError(error)}`, { kind: 'error' });
}

/** Takes a message away. */
export function dismissNotice(id: number): void {
  list.value = list.value.filter((notice) => notice.id !== id);
}
