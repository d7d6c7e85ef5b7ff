/** The digits of barcodes as people write them: what is cut, what is wrong, and what a reader finds in their place. */
import { checkDigitOf, hasCheckDigit } from '#language/check-digit.ts';
import type { BarcodeLayer } from '#language/schema/layers.ts';

type Kind = BarcodeLayer['kind'];

/** Digits of product numbers, with the check digit that the encoder adds to a shorter one. */
const numberLengths: Readonly<Partial<Record<Kind, number>>> = { ean13: 13, ean8: 8, upca: 12 };
/** Zeros at the beginning that a number has lost at most: more are rare, and a shorter number is another one. */
const lostZerosMax = 3;

/** Spaces and hyphens, as in `978-0-201-37962-4`. No kind of digits has them. */
const separators = /[\s\u00AD\u2010-\u2015\u2212-]+/gu;
const onlyDigits = /^\d+$/;

/** A value as it is encoded, or why it cannot be. */
export type CodeValue =
  | {
      value: string;
      /** Why readers may find another number than is meant, and the remedy. */
      doubt?: string;
    }
  | { problem: string };

/** Cuts what stands round the digits of a number, and finds numbers that are another product's. */
export function codeValue(kind: Kind, given: string): CodeValue {
  const length = numberLengths[kind];
  if (length === undefined && kind !== 'interleaved2of5') return { value: given };
  const value = given.replaceAll(separators, '');
  if (!onlyDigits.test(value)) return { value: given.trim() };
  if (length !== undefined) return productNumber(value, length);
  if (value.length % 2 === 0) return { value };
  const doubt = `readers find "0${value}", because this kind holds pairs of digits; write it so`;
  return { value, doubt };
}

function productNumber(value: string, length: number): CodeValue {
  if (value.length === length && !hasCheckDigit(value)) {
    const expected = checkDigitOf(value.slice(0, -1));
    const problem = `its value ends in ${value.at(-1)}, and the check digit of the others is ${expected}: correct the number`;
    return { problem };
  }
  // No product number has a zero and then the beginning of a book's (ISBN).
  const isBook = length === 13 && /^97[89]/.test(value);
  if (isBook || value.length >= length || value.length < length - lostZerosMax) return { value };
  const whole = value.padStart(length, '0');
  if (!hasCheckDigit(whole)) return { value };
  const lost = `${whole} without the zeros that a spreadsheet takes: write all ${length} digits`;
  if (value.length < length - 1) {
    return { problem: `its value has ${value.length} digits, and is ${lost}` };
  }
  // One number of ten looks so by chance, and is meant without its check digit.
  return {
    value,
    doubt: `the code is of ${value}${checkDigitOf(value)}; its value may be ${lost}`,
  };
}
