/** Flat shapes for illustrations: closed curves, circles and strokes, filled on a film with paint. */
import type { Film } from './film.ts';
import { clamp, type Triple } from './light.ts';

/** A place in the drawing's own units. */
export type Spot = readonly [number, number];

/** Which samples of a film a shape covers: 1 covered, 0 not; same size as the film. */
export type Mask = Uint8Array;

/** A film with the number of its pixels in one unit of the drawing. */
export interface Sheet {
  readonly film: Film;
  readonly perUnit: number;
}

/**
 * Spots from a text like `10,20 30,40!`; the mark `!` makes a corner. Every spot is moved by `x` and `y` after its
 * first number was multiplied by `flip`.
 */
export function spots(text: string, x = 0, y = 0, flip = 1): readonly Spot[] {
  return text.split(' ').flatMap((part) => {
    const [across = 0, down = 0] = part.replace('!', '').split(',').map(Number);
    const spot: Spot = [x + flip * across, y + down];
    return part.endsWith('!') ? [spot, spot] : [spot];
  });
}

/** Points of a closed curve through `line`; a spot given twice in a row makes a corner there. */
export function closedCurve(line: readonly Spot[]): readonly Spot[] {
  return curve(line, true);
}

/** Points of an open curve through `line`. */
export function openCurve(line: readonly Spot[]): readonly Spot[] {
  return curve(line, false);
}

function curve(line: readonly Spot[], closed: boolean): readonly Spot[] {
  const count = line.length;
  const points: Spot[] = [];
  const spotAt = (index: number): Spot =>
    line[closed ? (index + count) % count : clamp(index, 0, count - 1)] ?? [0, 0];
  for (let k = 0; k < (closed ? count : count - 1); k++) {
    const [a, b, c, d] = [spotAt(k - 1), spotAt(k), spotAt(k + 1), spotAt(k + 2)];
    // Between the two spots of a corner nothing is drawn.
    if (b[0] === c[0] && b[1] === c[1]) continue;
    const part = (axis: 0 | 1, t: number): number =>
      0.5 *
      (2 * b[axis] +
        (c[axis] - a[axis]) * t +
        (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t * t +
        (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t * t * t);
    for (let step = 0; step < 16; step++) points.push([part(0, step / 16), part(1, step / 16)]);
  }
  if (!closed) points.push(spotAt(count - 1));
  return points;
}

/** Points of an ellipse, turned by `turn` radians. */
export function ellipse(
  x: number,
  y: number,
  wide: number,
  high: number,
  turn = 0,
): readonly Spot[] {
  return Array.from({ length: 96 }, (_, k): Spot => {
    const angle = (k / 96) * 2 * Math.PI;
    const [u, v] = [wide * Math.cos(angle), high * Math.sin(angle)];
    return [
      x + u * Math.cos(turn) - v * Math.sin(turn),
      y + u * Math.sin(turn) + v * Math.cos(turn),
    ];
  });
}

/** Adds the inside of a closed line (even–odd rule) to `mask`. */
export function fillLine(
  sheet: Sheet,
  points: readonly Spot[],
  mask: Mask = emptyMask(sheet),
): Mask {
  const { width, height } = sheet.film;
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / sheet.perUnit;
    const crossings: number[] = [];
    let last = points.at(-1) ?? [0, 0];
    for (const spot of points) {
      if (spot[1] > y !== last[1] > y) {
        crossings.push(last[0] + ((y - last[1]) / (spot[1] - last[1])) * (spot[0] - last[0]));
      }
      last = spot;
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(0, Math.round((crossings[k] ?? 0) * sheet.perUnit));
      const to = Math.min(width, Math.round((crossings[k + 1] ?? 0) * sheet.perUnit));
      if (to > from) mask.fill(1, row * width + from, row * width + to);
    }
  }
  return mask;
}

/** Adds a stroke along `points` to `mask`; its width goes from `start` to `end` and its tips are round. */
export function strokeLine(
  sheet: Sheet,
  points: readonly Spot[],
  start: number,
  end: number,
  mask: Mask = emptyMask(sheet),
): Mask {
  const count = points.length;
  const circle = Array.from({ length: 24 }, (_, k): Spot => {
    const angle = (k / 24) * 2 * Math.PI;
    return [Math.cos(angle) / 2, Math.sin(angle) / 2];
  });
  for (const [index, spot] of points.entries()) {
    const next = points[index + 1] ?? spot;
    const wide = start + ((end - start) * index) / Math.max(1, count - 1);
    const pieces = Math.ceil((Math.hypot(next[0] - spot[0], next[1] - spot[1]) * 3) / wide) + 1;
    for (let piece = 0; piece < pieces; piece++) {
      const [x, y] = [
        spot[0] + ((next[0] - spot[0]) * piece) / pieces,
        spot[1] + ((next[1] - spot[1]) * piece) / pieces,
      ];
      fillBand(
        sheet,
        circle.map(([u, v]): Spot => [x + u * wide, y + v * wide]),
        y - wide,
        y + wide,
        mask,
      );
    }
  }
  return mask;
}

function fillBand(
  sheet: Sheet,
  points: readonly Spot[],
  low: number,
  high: number,
  mask: Mask,
): void {
  const { width, height } = sheet.film;
  const last = Math.min(height, Math.ceil(high * sheet.perUnit));
  for (let row = Math.max(0, Math.floor(low * sheet.perUnit)); row < last; row++) {
    const y = (row + 0.5) / sheet.perUnit;
    let [left, right] = [Infinity, -Infinity];
    let before = points.at(-1) ?? [0, 0];
    for (const spot of points) {
      if (spot[1] > y !== before[1] > y) {
        const x = before[0] + ((y - before[1]) / (spot[1] - before[1])) * (spot[0] - before[0]);
        left = Math.min(left, x);
        right = Math.max(right, x);
      }
      before = spot;
    }
    if (right <= left) continue;
    const from = Math.max(0, Math.round(left * sheet.perUnit));
    mask.fill(
      1,
      row * width + from,
      row * width + Math.min(width, Math.round(right * sheet.perUnit)),
    );
  }
}

/** A mask that covers nothing. */
export function emptyMask(sheet: Sheet): Mask {
  return new Uint8Array(sheet.film.width * sheet.film.height);
}

/** What both masks cover. */
export function both(a: Mask, b: Mask): Mask {
  return a.map((value, at) => value & (b[at] ?? 0));
}

/** What the first mask covers and the second does not. */
export function without(a: Mask, b: Mask): Mask {
  return a.map((value, at) => value & ~(b[at] ?? 0));
}

/** Lays paint over what a mask covers; `paint` gives light at a place, `cover` 0–1 how much of it hides. */
export function lay(
  sheet: Sheet,
  mask: Mask,
  paint: Triple | ((x: number, y: number) => Triple),
  cover: number | ((x: number, y: number) => number) = 1,
): void {
  const { width, light } = sheet.film;
  for (let at = 0; at < mask.length; at++) {
    if (mask[at] === 0) continue;
    const x = ((at % width) + 0.5) / sheet.perUnit;
    const y = (Math.floor(at / width) + 0.5) / sheet.perUnit;
    const colour = typeof paint === 'function' ? paint(x, y) : paint;
    const share = typeof cover === 'function' ? clamp(cover(x, y), 0, 1) : cover;
    for (const c of [0, 1, 2] as const) {
      light[at * 3 + c] = (light[at * 3 + c] ?? 0) * (1 - share) + colour[c] * share;
    }
  }
}
