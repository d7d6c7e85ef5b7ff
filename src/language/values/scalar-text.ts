/** Reads numbers and booleans as links and defaults write them. */

/** A decimal number: `19.90`, `-7`, `+7`, `.5`, `5.`. */
export const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Such a number with at most 15 digits on each side of its point: a double keeps no more. */
export const numberPattern = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;

/** The number that a text says; NaN for one that is no number, or has too many digits. */
export function parseNumberText(text: string): number {
  return numberPattern.test(text) ? Number(text) : Number.NaN;
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** The boolean that a text says in any case, undefined when it is none. */
export function parseBooleanText(text: string): boolean | undefined {
  return booleanWords.get(text.toLowerCase());
}
