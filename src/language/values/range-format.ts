/** Maps a number from one range to another, or to a colour between two colours. */
import { parseNumberText } from './scalar-text.ts';

/** `0,100,0,400`: the ends of the input range, and the result for each end. */
export interface ValueRange {
  from: readonly [number, number];
  /** Numbers or colours. */
  to: readonly [number, number] | readonly [string, string];
  /** Maximum digits after the point of a number. */
  decimals: number;
}

/** Maximum decimals of a result: 1/10,000 of a pixel is invisible. */
const decimalsMax = 4;

const colorPattern = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Parses the argument of `range`; undefined for an invalid one, or an empty input range. */
export function parseRange(argument: string): ValueRange | undefined {
  const [low = '', high = '', start = '', end = '', digits, ...rest] = argument
    .split(',')
    .map((part) => part.trim());
  const from = [parseNumberText(low), parseNumberText(high)] as const;
  if (rest.length > 0 || from.some(Number.isNaN) || from[0] === from[1]) return undefined;
  if (colorPattern.test(start) && colorPattern.test(end)) {
    return digits === undefined ? { from, to: [start, end], decimals: 0 } : undefined;
  }
  const to = [parseNumberText(start), parseNumberText(end)] as const;
  if (to.some(Number.isNaN) || !/^[0-4]$/.test(digits ?? '0')) return undefined;
  return { from, to, decimals: digits === undefined ? decimalsMax : Number(digits) };
}

/** Results of a range at its ends, which bound all others, and at a third of it, which is rarely whole. */
export function rangeSamples(
  range: ValueRange,
): readonly [low: string, high: string, between: string] {
  const [low, high] = range.from;
  return [mapRange(low, range), mapRange(high, range), mapRange(low + (high - low) / 3, range)];
}

/** The result for a number. A number outside of the range counts as the nearest end. */
export function mapRange(value: number, { from: [low, high], to, decimals }: ValueRange): string {
  const part = Math.min(1, Math.max(0, (value - low) / (high - low)));
  const [start, end] = to;
  if (typeof start === 'string') return mixColors(start, String(end), part);
  return String(Number((start + (Number(end) - start) * part).toFixed(decimals)) + 0);
}

/** A colour between two, channel by channel in sRGB. */
function mixColors(start: string, end: string, part: number): string {
  const [a, b] = [channelsOf(start), channelsOf(end)];
  const mixed = a.map((channel, index) => Math.round(channel + ((b[index] ?? 0) - channel) * part));
  const digits = mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('');
  return `#${digits.endsWith('ff') ? digits.slice(0, 6) : digits}`;
}

/** Red, green, blue and alpha, 0 to 255. */
function channelsOf(color: string): number[] {
  const short = color.slice(1);
  const long = short.length <= 4 ? short.replaceAll(/./g, '$&$&') : short;
  return [0, 2, 4, 6].map((at) => Number.parseInt(long.slice(at, at + 2) || 'ff', 16));
}
