/** Parses the colours of the template language. */

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** The channels of `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, which the schema has checked. */
export function toRgba(color: string): Rgba {
  const digits = color.slice(1);
  const isLong = digits.length >= 6;
  const channel = (index: number): number => {
    const text = isLong ? digits.slice(index * 2, index * 2 + 2) : (digits[index] ?? '').repeat(2);
    return text === '' ? 255 : Number.parseInt(text, 16);
  };
  return [channel(0), channel(1), channel(2), channel(3) / 255];
}
