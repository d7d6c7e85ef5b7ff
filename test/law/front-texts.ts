/** Texts and value formats of the law of the front, near their limits. */
import * as fc from 'fast-check';

/** Letters that are expensive to fold, to encode or to format, and plain ones. */
export const letters = fc.constantFrom(
  'ẞ',
  'ﬃ',
  'İ',
  'Σ',
  'é',
  'e\u0301',
  '😀',
  'a',
  '%',
  '"',
  '1',
  ' ',
  'ab ',
  '漢',
);
export const long = fc
  .tuple(letters, fc.constantFrom(1, 20, 300, 1990))
  .map(([letter, length]) => letter.repeat(Math.ceil(length / letter.length)).slice(0, length));

/** Value formats with the arguments that cost most. */
export const formats = [
  'upper',
  'lower',
  'title',
  'name',
  'initials',
  'truncate:50',
  'default:none',
  'pad:9',
  'number',
  'currency:EUR',
  'percent',
  'date:full',
  'date:short',
  'time',
  'relative',
  'plural:one|other',
  'range:0,9,0,1',
];
