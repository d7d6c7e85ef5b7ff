/** The writings of dates, numbers and codes, of which a column has one. */
import { writtenOrder } from '#language/values/date-value.ts';
import { provenDecimal } from '#language/values/read-number.ts';

/**
 * Writings of dates and numbers. A column with two of a kind has cells that are read in another way than meant. A date of
 * `either` has two readings, with the day or the month first, and goes with both.
 */
export const writings = ['iso', 'dots', 'day', 'month', 'either', 'point', 'comma'] as const;
export type Writing = (typeof writings)[number];

/** An example of each writing, for messages. */
export const exampleOf: Readonly<Record<Writing, string>> = {
  iso: '2026-11-27',
  dots: '27.11.2026',
  day: '27/11/2026',
  month: '11/27/2026',
  either: '03/04/2026',
  point: '1,299.00',
  comma: '1.299,00',
};

export const dateWritings: readonly Writing[] = ['iso', 'dots', 'day', 'month', 'either'];
export const numberWritings: readonly Writing[] = ['point', 'comma'];

/** The writings of the same kind of value that a column of a writing must not have. */
export const otherWritings: Readonly<Record<Writing, readonly Writing[]>> = {
  iso: ['dots', 'day', 'month', 'either'],
  dots: ['iso', 'day', 'month', 'either'],
  day: ['iso', 'dots', 'month'],
  month: ['iso', 'dots', 'day'],
  either: ['iso', 'dots'],
  point: ['comma'],
  comma: ['point'],
};

/** Whether a cell may be a date or a number with a sign in it. */
const maybeWriting = /^\s*[^\p{L}]{0,4}\d{1,4}[-./,'’\s]\d/u;
const lengthMax = 40;

/** The writing of a date or of a number; undefined for a text, and for a number with two readings. */
export function writingOf(text: string): Writing | undefined {
  if (text.length > lengthMax || !maybeWriting.test(text)) return undefined;
  if (/^\s*\d{4}-\d{1,2}-\d{1,2}(?!\d)/.test(text)) return 'iso';
  if (/^\s*\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}(?!\d)/.test(text)) return 'dots';
  const order = writtenOrder(text);
  if (order !== undefined) return order;
  const decimal = /[.,]\d/.test(text) ? provenDecimal(text) : undefined;
  return decimal && (decimal === '.' ? 'point' : 'comma');
}

const digits = /^\d{1,20}$/;

/** Whether a text is digits alone, as a code is. */
export function isDigits(text: string): boolean {
  return digits.test(text);
}

/** Zeros that codes lose at most: more than two are rare, and a much shorter number is another one. */
const lostZerosMax = 2;

/** Whether codes of `length` digits are those of `expected` without zeros at the beginning. */
export function mayLackZeros(length: number, expected: number): boolean {
  return length < expected && length >= expected - lostZerosMax;
}

/** Lengths of product codes (GTIN), whose last digit is computed from the others. */
export const checkedLengths: readonly number[] = [8, 12, 13, 14];

/** Kinds of cells that are no other's: they show that a row is shifted by a cell. */
export type StrongKind = 'email' | 'web' | 'date';

/** Characters of an address at most: 64, @ and 255 of a domain. Web addresses that show a shift are short, too. */
const addressLengthMax = 320;

/** The kind of a cell, if it is a strong one. */
export function strongKindOf(text: string): StrongKind | undefined {
  if (text.length > addressLengthMax) return undefined;
  if (text.includes('@'))
    return /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/.test(text) ? 'email' : undefined;
  if (/^\s*https?:\/\//i.test(text)) return 'web';
  const isDate = /^\s*(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\1\d{2,4})(?!\d)/.test(text);
  return isDate ? 'date' : undefined;
}
