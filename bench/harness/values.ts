/** The values of links in a measurement: the same for the same number, and a different text for each number. */
import { createRandom, randomText } from '../stages/random-text.ts';

/** The measured samples, and the text in them that differs for every contact. */
export const changedText = { 'welcome-banner': 'name', 'product-card': 'title' } as const;
export type MeasuredTemplate = keyof typeof changedText;

/** Letters before those of the number: a name of 8 to 12 characters fits its line at full size in every sample. */
const randomLengthMin = 4;
const randomLengthSpread = 5;

/** Letters that encode the number: 26⁴ different ones, more than any run needs. */
const numberLetters = 4;

/** Count of numbers with a unique name. */
export const namesMax = 26 ** numberLetters;

/** Returns a name that no other number below `namesMax` has, so that no cache can contain it. */
export function nameOf(number: number): string {
  const random = createRandom(number);
  const length = randomLengthMin + Math.floor(random() * randomLengthSpread);
  const letters = Array.from(randomText(random, length).replaceAll(' ', 'e'));
  for (let index = 0, left = number; index < numberLetters; index += 1) {
    letters.push(String.fromCodePoint(97 + (left % 26)));
    left = Math.floor(left / 26);
  }
  const [first = '', ...rest] = letters;
  return first.toUpperCase() + rest.join('');
}

/** Returns path and query of a link with a unique text. `extension` requests another format than the template's. */
export function linkOf(template: MeasuredTemplate, number: number, extension = ''): string {
  return `/v1/render/${template}${extension}?${changedText[template]}=${nameOf(number)}`;
}
