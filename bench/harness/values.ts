/** The values that links carry in a measurement: the same for the same number, and a different text for each number. */
import { createRandom, randomText } from '../stages/random-text.ts';

/** The samples that are measured, and the text in them that is different for every reader. */
export const changedText = { 'welcome-banner': 'name', 'product-card': 'title' } as const;
export type MeasuredTemplate = keyof typeof changedText;

/** Letters before the number's own: a name of 8 to 12 characters fits its line at the full size in every sample. */
const randomLengthMin = 4;
const randomLengthSpread = 5;

/** Letters that spell the number: 26⁴ of them differ, more than any run asks for. */
const ownLetters = 4;

/** How many numbers have a name of their own. */
export const namesMax = 26 ** ownLetters;

/** A name that no other number below `namesMax` has, so that no cache can know it. */
export function nameOf(number: number): string {
  const random = createRandom(number);
  const length = randomLengthMin + Math.floor(random() * randomLengthSpread);
  const letters = Array.from(randomText(random, length).replaceAll(' ', 'e'));
  for (let index = 0, left = number; index < ownLetters; index += 1) {
    letters.push(String.fromCodePoint(97 + (left % 26)));
    left = Math.floor(left / 26);
  }
  const [first = '', ...rest] = letters;
  return first.toUpperCase() + rest.join('');
}

/** Path and query of a link with one text of its own. `extension` asks for another format than the template's. */
export function linkOf(template: MeasuredTemplate, number: number, extension = ''): string {
  return `/v1/render/${template}${extension}?${changedText[template]}=${nameOf(number)}`;
}
