/** Completes a text after `{{`: variables, fields of items, and formats with their arguments. */
import type { Variable } from '#language/schema/template.ts';
import { valueFormats } from '#language/values/value-formats.ts';
import { wordOf } from '../fields/labels.ts';

/** One completion. */
export interface Offer {
  /** The text that is shown and written. */
  text: string;
  /** The type of a variable, or the meaning of a format. */
  hint: string;
  /** Index of the argument in `text`; undefined for an offer without an argument. */
  argumentAt?: number;
}

/** Offers for a caret, and the part of the text that one of them replaces. */
export interface Completion {
  from: number;
  to: number;
  offers: Offer[];
}

/** Offers shown at most, without the offer of a new variable. */
const offersMax = 30;

/** Returns the offers at the caret, a new variable last; undefined outside a binding and without offers. */
export function completionAt(
  text: string,
  caret: number,
  variables: readonly Variable[],
): Completion | undefined {
  const before = text.slice(0, caret);
  const open = before.lastIndexOf('{{');
  const inside = before.slice(open + 2);
  if (open === -1 || /[{}\n]/.test(inside)) return undefined;
  const bar = inside.lastIndexOf('|');
  const part = inside.slice(bar + 1);
  const typed = part.trimStart();
  const from = caret - typed.length;
  const known = bar === -1 ? namesOf(variables) : formatOffers;
  const word = typed.toLowerCase();
  const begins = known.filter((offer) => offer.text.toLowerCase().startsWith(word));
  // Finds fields of items by their name without `item.`.
  const holds = known.filter(
    (offer) => !begins.includes(offer) && offer.text.toLowerCase().includes(`.${word}`),
  );
  const name = typed.trimEnd();
  const isNew = bar === -1 && name !== '' && !variables.some((each) => each.name === name);
  const created = isNew ? [{ text: name, hint: 'create this variable' }] : [];
  const offers = [...begins, ...holds].slice(0, offersMax).concat(created);
  const isWritten = offers.some((offer) => offer.text === typed && !created.includes(offer));
  return offers.length === 0 || isWritten ? undefined : { from, to: caret, offers };
}

function namesOf(variables: readonly Variable[]): Offer[] {
  return variables
    .filter(({ type }) => type !== 'list')
    .map(({ name, type }) => ({ text: name, hint: wordOf('type', type).toLowerCase() }));
}

const formatOffers: readonly Offer[] = Object.entries(valueFormats).map(
  ([name, { sample, meaning, argument }]) => {
    if (sample === '') return { text: name, hint: meaning };
    const hint = argument === undefined ? meaning : `${meaning}; ${argument}`;
    return { text: `${name}:${sample}`, hint, argumentAt: name.length + 1 };
  },
);

/** A text and its selection, in UTF-16 indices. */
export interface Completed {
  text: string;
  selection: [from: number, to: number];
}

/** Writes an offer and closes its binding; the argument of a format is selected, so that another can be typed. */
export function complete(text: string, { from, to }: Completion, offer: Offer): Completed {
  const rest = text.slice(to);
  const closing = /^\s*(?:\||\}\})/.test(rest) ? '' : '}}';
  const end = from + offer.text.length;
  const written = `${text.slice(0, from)}${offer.text}${closing}${rest}`;
  if (offer.argumentAt !== undefined) {
    return { text: written, selection: [from + offer.argumentAt, end] };
  }
  const after = closing === '' ? end : end + closing.length;
  return { text: written, selection: [after, after] };
}
