/** Whether the last digit of a product number (GTIN: EAN-13, EAN-8, UPC-A, ITF-14) is that of the others (ISO/IEC 15420). */
export function hasCheckDigit(number: string): boolean {
  return checkDigitOf(number.slice(0, -1)) === number.at(-1);
}

/** The check digit that follows the digits of a product number. */
export function checkDigitOf(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const weight = (digits.length - index) % 2 === 1 ? 3 : 1;
    sum += weight * Number(digits.charAt(index));
  }
  return String((10 - (sum % 10)) % 10);
}
