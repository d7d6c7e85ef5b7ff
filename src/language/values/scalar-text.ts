/** Reads numbers and booleans as links and defaults write them. */

/** A decimal number: `19.90`, `-7`, `+7`, `.5`, `5.`. */
export const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** A decimal number with at most 15 digits on each side of its point: a double keeps no more. */
export const numberPattern = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;

/** The number of a text; NaN for an invalid number or too many digits. */
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

/** The boolean of a text, in any case; undefined for any other text. */
export function parseBooleanText(text: string): boolean | undefined {
  return booleanWords.get(text.toLowerCase());
}
