/** Converts colours of the template language to the values of a picker, and back. */

import { toHex } from '#language/values/read-color.ts';

/** Hue in degrees, saturation and brightness from 0 to 1, alpha from 0 to 1. */
export interface Hsva {
  hue: number;
  saturation: number;
  brightness: number;
  alpha: number;
}

const colorPattern = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Whether a text is a colour of the template language. */
export function isColor(text: unknown): text is string {
  return typeof text === 'string' && colorPattern.test(text);
}

/** Red, green and blue from 0 to 255 and alpha from 0 to 1, of a colour that passes `isColor`. */
export function channelsOf(color: string): [red: number, green: number, blue: number, a: number] {
  const digits = color.slice(1);
  const long = digits.length <= 4 ? digits.replaceAll(/./g, '$&$&') : digits;
  const channel = (index: number): number => Number.parseInt(long.slice(index, index + 2), 16);
  return [channel(0), channel(2), channel(4), long.length === 8 ? channel(6) / 255 : 1];
}

/** Converts a colour that passes `isColor`. A grey has hue 0. */
export function toHsva(color: string): Hsva {
  const [red, green, blue, alpha] = channelsOf(color);
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  return {
    hue: hueOf([red, green, blue], most, spread),
    saturation: most === 0 ? 0 : spread / most,
    brightness: most / 255,
    alpha,
  };
}

function hueOf([red, green, blue]: number[], most: number, spread: number): number {
  if (spread === 0) return 0;
  const [r, g, b] = [red ?? 0, green ?? 0, blue ?? 0];
  if (most === r) return (((g - b) / spread + 6) % 6) * 60;
  return most === g ? ((b - r) / spread + 2) * 60 : ((r - g) / spread + 4) * 60;
}

/** Returns the nearest colour with 8 bits per channel. */
export function fromHsva({ hue, saturation, brightness, alpha }: Hsva): string {
  const channel = (shift: number): number => {
    const position = (shift + hue / 60) % 6;
    const part = Math.max(0, Math.min(position, 4 - position, 1));
    return 255 * brightness * (1 - saturation * part);
  };
  return toHex([channel(5), channel(3), channel(1)], alpha);
}

/** The colours of a document, each once, the most used first; at most `most`. */
export function documentColors(document: unknown, most: number): string[] {
  const counts = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (isColor(value)) {
      const [red, green, blue, alpha] = channelsOf(value);
      const color = toHex([red, green, blue], alpha);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(document);
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.slice(0, most).map(([color]) => color);
}

/** A stop of a gradient in the document. Its properties may be bindings. */
export interface Stop {
  offset: unknown;
  color: unknown;
}

/** Returns CSS that approximates a colour or a gradient of the service; undefined for other fills. */
export function cssPaint(fill: unknown): string | undefined {
  if (isColor(fill)) return fill;
  if (typeof fill !== 'object' || fill === null) return undefined;
  const { gradient, angle, centerX, centerY, stops } = fill as Record<string, unknown>;
  if (!Array.isArray(stops)) return undefined;
  const list = (stops as Stop[])
    .map(({ offset, color }) => `${isColor(color) ? color : '#888888'} ${number(offset, 0) * 100}%`)
    .join(', ');
  const position = `${number(centerX, 0.5) * 100}% ${number(centerY, 0.5) * 100}%`;
  if (gradient === 'linear') return `linear-gradient(${number(angle, 180)}deg, ${list})`;
  if (gradient === 'radial') return `radial-gradient(farthest-corner at ${position}, ${list})`;
  return `conic-gradient(from ${number(angle, 0)}deg at ${position}, ${list})`;
}

function number(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}

/** Returns the colour for a new stop at an offset from 0 to 1, by linear interpolation of the channels. */
export function colorBetween(stops: readonly Stop[], offset: number): string {
  const known = stops
    .flatMap((stop) =>
      isColor(stop.color) ? [{ at: number(stop.offset, 0), of: stop.color }] : [],
    )
    .toSorted((one, other) => one.at - other.at);
  const before = known.findLast(({ at }) => at <= offset) ?? known[0];
  const after = known.find(({ at }) => at >= offset) ?? known.at(-1);
  if (before === undefined || after === undefined) return '#888888';
  const part = after.at === before.at ? 0 : (offset - before.at) / (after.at - before.at);
  const [from, to] = [channelsOf(before.of), channelsOf(after.of)];
  const mix = (index: 0 | 1 | 2 | 3): number => from[index] + (to[index] - from[index]) * part;
  return toHex([mix(0), mix(1), mix(2)], mix(3));
}
