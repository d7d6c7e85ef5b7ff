/** The values of links in a measurement: the same for the same number, and a different text for each number. */
import { createRandom, randomText } from '../stages/random-text.ts';
import { nameOf } from './names.ts';

/** The samples in their order in a mixed load, each with the text that differs between its links. */
export const changedText = {
  'countdown-banner': 'headline',
  'event-ticket': 'name',
  hello: 'name',
  'product-card': 'title',
  quote: 'author',
  'welcome-banner': 'name',
} as const;
export type Sample = keyof typeof changedText;
export const samples = Object.keys(changedText) as Sample[];

/** The two banners that the service and its peers draw; `headline-banner` is published by the bench. */
export type Banner = 'welcome-banner' | 'headline-banner';

/** Links that differ in their text, numbered from `from` on: the templates in turn, each with one name after another. */
export interface UniqueLinks {
  templates: readonly (Sample | Banner)[];
  /** Requests another format than the template's; may be empty. */
  extension: string;
  from: number;
}

/** Returns path and query of the link with this index, counted from 0. */
export function uniqueLink({ templates, extension, from }: UniqueLinks, index: number): string {
  const template = templates[index % templates.length] ?? 'hello';
  return linkOf(template, from + Math.floor(index / templates.length), extension);
}

/** Returns path and query of a link with the full name of this number. */
export function linkOf(template: Sample | Banner, number: number, extension = ''): string {
  const variable = template === 'headline-banner' ? 'name' : changedText[template];
  return `/v1/render/${template}${extension}?${variable}=${encodeURIComponent(nameOf(number))}`;
}

/** Letters before those of the number: a word of 8 to 12 characters fits its line at full size in every sample. */
const randomLengthMin = 4;
const randomLengthSpread = 5;

/** Letters that encode the number: 26⁴ different ones, more than any run needs. */
const numberLetters = 4;

/** Returns one short word of Latin letters that no other number below 26⁴ has. */
export function shortWordOf(number: number): string {
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
