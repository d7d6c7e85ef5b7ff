/** Reads numbers and booleans as links and defaults write them. */

import { plainDigits } from './plain-digits.ts';

/** A decimal number: `19.90`, `-7`, `+7`, `.5`, `5.`. */
export const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** A decimal number with at most 15 digits on each side of its point: a double keeps no more. */
export const numberPattern = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/;

/** The number of a text; NaN for an invalid number or too many digits. */
export function parseNumberText(text: string): number {
  return numberPattern.test(text) ? Number(text) : Number.NaN;
}

/** Words for true and false: of programs, of spreadsheets in their languages, and of forms. */
const trueWords =
  'true 1 yes y on ja oui si sí sim tak ano áno igen da да так evet ναι हाँ نعم はい 是 예 wahr vrai vero verdadero verdadeiro waar prawda sann sand tosi kyllä pravda истина igaz doğru';
const falseWords =
  'false 0 no n off nein non não nee nie nej nei ne nem нет ні hayır όχι नहीं لا いいえ 否 아니요 falsch faux falso onwaar fałsz falsk epätosi ei nepravda ложь hamis yanlış';

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...trueWords.split(' ').map((word) => [word, true] as const),
  ...falseWords.split(' ').map((word) => [word, false] as const),
]);

/** The boolean of a text, in any case and with the digits of any script; undefined for any other text. */
export function parseBooleanText(text: string): boolean | undefined {
  return booleanWords.get(plainDigits(text.normalize('NFC').toLowerCase()));
}
