/** The text of a field while it is typed: a text with a problem stays in the field, and changes nothing. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** A text as a value, or the problem with it, as a sentence. */
type Reading = { value: string } | { problem: string };

/** Returns a value, or its problem if there is one. */
export function reading(value: string, problem: string | undefined): Reading {
  return problem === undefined ? { value } : { problem };
}

interface TypedText {
  /** The text that the field shows. */
  text: string;
  /** Whether the user has typed since the field was last left. */
  isTyping: boolean;
  /** The problem of the text; undefined for a text that is the value. */
  problem: string | undefined;
  take: (typed: string) => void;
  leave: () => void;
}

/**
 * Follows what is typed. `read` returns the value of a text, or the problem. Another value from outside replaces what
 * was typed.
 */
export function useTypedText(
  value: string,
  read: (typed: string) => Reading,
  change: (value: string) => void,
): TypedText {
  const [kept, setKept] = useState<{ text: string; of: string } | undefined>(undefined);
  const [isTyping, setTyping] = useState(false);
  // An emptied field stays empty, although a link without a value has the default.
  const isKept = kept !== undefined && (kept.of === value || kept.text === '');
  const text = isKept ? kept.text : value;
  const found = text === '' ? { value: '' } : read(text);
  const take = (typed: string): void => {
    const next = typed === '' ? { value: '' } : read(typed);
    const of = 'value' in next ? next.value : value;
    setKept({ text: typed, of });
    setTyping(true);
    if (of !== value) change(of);
  };
  const leave = (): void => {
    setTyping(false);
    if ('value' in found) setKept(undefined);
  };
  return { text, isTyping, problem: 'problem' in found ? found.problem : undefined, take, leave };
}

/** The message below a field, which names it in `aria-describedby`. */
export function problemNote(id: string, problem: string | undefined): VNode | null {
  if (problem === undefined) return null;
  return (
    <p id={problemId(id)} class="p-problem">
      {problem}
    </p>
  );
}

/** ARIA attributes of a field with the id `id`, for its problem or for an error that is shown elsewhere. */
export function problemMarks(
  id: string,
  problem: string | undefined,
  isInvalid: boolean | undefined,
): { 'aria-invalid': boolean | undefined; 'aria-describedby': string | undefined } {
  return {
    'aria-invalid': problem === undefined ? isInvalid : true,
    'aria-describedby': problem === undefined ? undefined : problemId(id),
  };
}

function problemId(id: string): string {
  return `${id}-problem`;
}
