/** Reads colours as people and design programs write them. */

const hexColor = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const channels =
  /^rgba?\(\s*(\d{1,3}(?:\.\d{1,4})?)[\s,]+(\d{1,3}(?:\.\d{1,4})?)[\s,]+(\d{1,3}(?:\.\d{1,4})?)(?:[\s,/]+(\d{0,3}(?:\.\d{1,4})?)(%?))?\s*\)$/;

/** Upper bound of a written colour, in UTF-16 units. */
const lengthMax = 60;

/**
 * Returns a colour as `#` and hexadecimal digits in lower case; undefined for a text that is none. The `#` may be
 * missing, because an unencoded `#` would end a link. Also reads `0xff8800`, and `rgb()` with channels from 0 to 255.
 * `0xffff8800` is none: programs write its alpha first or last.
 */
export function readColor(text: string): string | undefined {
  if (text.length > lengthMax) return undefined;
  const plain = text.trim().toLowerCase().normalize('NFKC');
  const [, digits] = hexColor.exec(plain.replace(/^0x(?=(?:[\da-f]{3}){1,2}$)/, '')) ?? [];
  if (digits !== undefined) return `#${digits}`;
  const [, red, green, blue, alpha = '1', percent] = channels.exec(plain) ?? [];
  if (red === undefined) return undefined;
  return toHex(
    [Number(red), Number(green), Number(blue)],
    Number(alpha) / (percent === '%' ? 100 : 1),
  );
}

/** Returns `#rrggbb`, or `#rrggbbaa` for a colour that is not opaque. Rounds and clamps the channels. */
export function toHex(rgb: readonly [number, number, number], alpha: number): string {
  const digits = [...rgb, alpha * 255].map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.slice(0, digits[3] === 'ff' ? 3 : 4).join('')}`;
}
