/** Converts the digits of other scripts to ASCII, so that one set of patterns reads numbers and dates. */

/** Invisible marks of direction and the space of no width, which programs put around numbers and addresses. */
export const directionMarks = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A decimal digit of any script; ٠ (Arabic), ० (Devanagari), ０ (full width). */
const otherDigit = /(?![0-9])\p{Nd}/gu;
const anyOtherDigit = /(?![0-9])\p{Nd}/u;

/** First and last of the mathematical digits: five sets of ten without a gap. */
const [mathematicalFirst, mathematicalLast] = [0x1d7ce, 0x1d7ff];

/** Returns `text` with the digits of every script as 0 to 9. */
export function plainDigits(text: string): string {
  if (!anyOtherDigit.test(text)) return text;
  return text.replaceAll(otherDigit, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));
}

/** The value of a decimal digit. Each set begins at a code point that ends in 0 or 6. */
function valueOf(codePoint: number): number {
  if (codePoint >= mathematicalFirst && codePoint <= mathematicalLast) {
    return (codePoint - mathematicalFirst) % 10;
  }
  const start = codePoint - (codePoint % 16);
  return anyOtherDigit.test(String.fromCodePoint(start))
    ? codePoint - start
    : codePoint - start - 6;
}
