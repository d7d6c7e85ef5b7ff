/** Estimates what the paint engine takes to make a clip of an outline: it finds where each segment meets every other. */
import { LRUCache } from 'lru-cache';
import type { Outline } from '../../display-list.ts';
import { segmentsOf } from './path.ts';
import type { Segment } from './path.ts';
import { clipPairNs, coincidentNs } from './units.ts';

/** By path data, microseconds. */
const knownClips = new LRUCache<string, number>({ max: 500 });

/** Above every limit: what takes longer is not looked at further. */
const clipUsMax = 10_000_000;

/** Microseconds of making a clip of an outline. */
export function intersectUs(outline: Outline): number {
  if (outline.kind !== 'path') return 0;
  let us = knownClips.get(outline.data);
  if (us === undefined) {
    knownClips.set(outline.data, (us = pairsUs(segmentsOf(outline.data))));
  }
  return us;
}

/** A segment with its bounds. */
interface Bounded {
  points: Segment;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Whether all its points lie on one line. */
  isStraight: boolean;
  /** Segments found so far that run along it. */
  coincident: number;
}

/**
 * The work of all pairs whose bounds overlap or touch, an upper bound of those that cross, and of segments that run
 * along each other. All pairs are looked at, because a sample follows the order of the data: 8,000 segments without
 * an overlap take 40 ms.
 */
function pairsUs(segments: readonly Segment[]): number {
  const bounded = segments.map(toBounded).toSorted((one, other) => one.left - other.left);
  const pairUs = (segments.length * pairNs(segments)) / 1000;
  let us = 0;
  for (const [index, one] of bounded.entries()) {
    for (let next = index + 1; next < bounded.length; next += 1) {
      const other = bounded[next];
      if (other === undefined || other.left > one.right) break;
      if (other.top > one.bottom || one.top > other.bottom) continue;
      us += pairUs;
      if (!runsAlong(one, other)) continue;
      one.coincident += 1;
      other.coincident += 1;
    }
    us += (one.coincident ** 4 * coincidentNs) / 1000;
    if (us > clipUsMax) break;
  }
  return us;
}

/** Of the most expensive kind of segment. */
function pairNs(segments: readonly Segment[]): number {
  let numbers = 0;
  for (const { length } of segments) numbers = Math.max(numbers, length);
  if (numbers <= 4) return clipPairNs.line;
  return numbers <= 6 ? clipPairNs.quadratic : clipPairNs.cubic;
}

/** The engine takes points as equal whose difference is this part of their segment; it does so from 2e-5 on (measured). */
const tolerance = 1e-4;

function toBounded(points: Segment): Bounded {
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const bounds = { left, top, right: Math.max(...xs), bottom: Math.max(...ys) };
  return { points, ...bounds, isStraight: isOnLine(points, points), coincident: 0 };
}

/** Whether every point of one segment lies on the line from the first to the last point of another. */
function isOnLine(points: Segment, line: Segment): boolean {
  const [x0 = 0, y0 = 0] = line;
  const [x1 = 0, y1 = 0] = line.slice(-2);
  const length = Math.hypot(x1 - x0, y1 - y0);
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [(points[at] ?? 0) - x0, (points[at + 1] ?? 0) - y0];
    const area = Math.abs(x * (y1 - y0) - y * (x1 - x0));
    if (area > tolerance * length * Math.max(length, Math.hypot(x, y))) return false;
  }
  return true;
}

/** Whether two segments may have more than single points in common: lines on one line, or curves that fill the same bounds. */
function runsAlong(one: Bounded, other: Bounded): boolean {
  if (one.isStraight !== other.isStraight) return false;
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (one.isStraight) return width + height > 0 && isOnLine(one.points, other.points);
  const narrower = Math.min(one.right - one.left, other.right - other.left);
  const lower = Math.min(one.bottom - one.top, other.bottom - other.top);
  return width >= narrower / 2 && height >= lower / 2;
}
