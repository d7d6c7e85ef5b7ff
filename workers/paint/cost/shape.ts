/** Estimates the time in which the paint engine draws shapes, lines and images, and clips with outlines. */
import { toRgba } from '#wire/color.ts';
import type { ColorFill, Stroke } from '#language/schema/paint.ts';
import type { DisplayItem, Outline, Rect } from '../../display-list.ts';
import { arrowSize } from '../bounds.ts';
import { isLaidSize } from '../fill.ts';
import { transformRect } from '../geometry.ts';
import type { Matrix } from '../geometry.ts';
import { growRect, toPath } from '../geometry.ts';
import {
  countDashes,
  dashesMax,
  fillUs,
  measureOutline,
  strokeWork,
  visibleArea,
  segmentsOf,
} from './path.ts';
import type { PathWork, Target, Segment } from './path.ts';
import {
  clippedRunNs,
  itemUs,
  pixelNs,
  segmentLengthUs,
  clipPairNs,
  coincidentNs,
} from './units.ts';
import { LRUCache } from 'lru-cache';

/** The target canvas of an item, and the state in which it is painted. */
export interface Ground {
  matrix: Matrix;
  target: Target;
  scale: number;
  /** Edges of all clips in one row. */
  clipEdges: number;
  /** Microseconds to intersect a further clip with the current clips. */
  clipUs: number;
  /** Nanoseconds that the blend mode adds to a pixel. */
  blendNs: number;
  /** Sum above which estimating stops, in microseconds. */
  usMax: number;
}

/** Returns the time to clip with an outline, and the ground with this clip. */
export function clipCost(outline: Outline, ground: Ground): { us: number; ground: Ground } {
  // Each clip is intersected with all current clips.
  const clipUs = ground.clipUs + intersectUs(outline);
  if (isUprightRect(outline, ground.matrix)) {
    return { us: itemUs + clipUs, ground: { ...ground, clipUs } };
  }
  const work = measureOutline(outline, ground.matrix, ground.target);
  const clipEdges = ground.clipEdges + work.edgeRows / Math.max(1, work.rows);
  return { us: fillUs(work) + clipUs, ground: { ...ground, clipEdges, clipUs } };
}

/** Whether the engine clips with this outline without runs. */
function isUprightRect(outline: Outline, { b, c }: Matrix): boolean {
  if (outline.kind !== 'rect' || b !== 0 || c !== 0) return false;
  return outline.radii.every((radius) => radius === 0);
}

export function shapeUs(
  { outline, fill, stroke, image }: DisplayItem['content'] & { kind: 'shape' },
  ground: Ground,
): number {
  let us = 0;
  if (image !== undefined) us += imageUs(outline, ground);
  else if (fill !== undefined && (typeof fill === 'string' || 'gradient' in fill)) {
    const ns = fillNs(fill) + laidNs(fill, outline, ground);
    us += areaUs(outline, ground, ns);
  }
  if (stroke === undefined || stroke.width === 0) return us;
  const work = measureOutline(outline, ground.matrix, ground.target);
  if (stroke.dash === undefined) return us + strokeUs(work, stroke, 0, ground);
  us += work.segments * segmentLengthUs;
  return us + strokeUs(work, stroke, toPath(outline).length, ground);
}

/** `length` is in design pixels; it only counts for a stroke with dashes. */
function strokeUs(work: PathWork, stroke: Stroke, length: number, ground: Ground): number {
  const counted = countDashes(length, stroke.dash);
  const dashes = counted > dashesMax ? 0 : counted;
  const outline = strokeWork(work, { stroke, scale: ground.scale, dashes }, ground.target);
  return workUs(outline, ground, pixelNs.solid);
}

export function lineUs(
  { points: [x1, y1, x2, y2], stroke }: DisplayItem['content'] & { kind: 'line' },
  ground: Ground,
): number {
  const rect = {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
  const work = measureOutline({ kind: 'ellipse', rect }, ground.matrix, ground.target);
  const head = growRect({ ...rect, width: 0, height: 0 }, (stroke.width * arrowSize) / 2);
  const heads = 2 * areaUs({ kind: 'ellipse', rect: head }, ground, pixelNs.solid);
  return heads + strokeUs(work, stroke, Math.hypot(x2 - x1, y2 - y1), ground);
}

/** Returns the time to draw an image inside its frame. */
export function imageUs(frame: Outline, ground: Ground): number {
  const { us, ground: framed } = clipCost(frame, ground);
  return us + pixelsUs(frame.rect, framed, pixelNs.image);
}

export function pixelsUs(rect: Rect, ground: Ground, ns: number): number {
  const pixels = visibleArea(rect, ground.matrix, ground.target);
  return (pixels * (ns + ground.blendNs)) / 1000 + clippedUs(ground.target.height, ground);
}

/** Returns the time to fill an outline; `ns` is per pixel. */
export function areaUs(outline: Outline, ground: Ground, ns: number): number {
  return workUs(measureOutline(outline, ground.matrix, ground.target), ground, ns);
}

function workUs(work: PathWork, ground: Ground, ns: number): number {
  const pixels = (work.area * (ns + ground.blendNs)) / 1000;
  return fillUs(work) + pixels + clippedUs(work.rows, ground);
}

/** Returns the time to paint these rows through the runs of the clips. */
export function clippedUs(rows: number, { clipEdges }: Ground): number {
  return (rows * clipEdges * clippedRunNs) / 1000;
}

export function fillNs(fill: ColorFill | undefined): number {
  if (fill === undefined) return 0;
  if (typeof fill === 'string') return pixelNs.solid;
  let fades = 0;
  for (const [index, { color }] of fill.stops.entries()) {
    const before = fill.stops[index - 1]?.color ?? color;
    if (toRgba(before)[3] !== toRgba(color)[3]) fades += 1;
  }
  return pixelNs.gradient + fades * pixelNs.gradientFade;
}

/** Returns the ns per pixel of the first paint of a large gradient, which `paintLargeGradient` keeps as pixels. */
function laidNs(fill: ColorFill, outline: Outline, { matrix, target }: Ground): number {
  if (typeof fill === 'string' || !isUprightRect(outline, matrix)) return 0;
  const { width, height } = transformRect(matrix, outline.rect);
  const pixels = visibleArea(outline.rect, matrix, target);
  // Except for rounding, the whole gradient is on the canvas.
  return width * height < pixels + 1 && isLaidSize(pixels) ? pixelNs.laidGradient : 0;
}

// Estimates the time in which the paint engine makes a clip of an outline: it intersects all pairs of segments.

/** Cache of microseconds by path data. */
const knownClips = new LRUCache<string, number>({ max: 500 });

/** Above every limit: estimating stops here. */
const clipUsMax = 10_000_000;

/** Returns the microseconds to make a clip of an outline. */
function intersectUs(outline: Outline): number {
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
  /** Whether all points of the segment are on one line. */
  isStraight: boolean;
  /** Number of segments found so far that run along this one. */
  coincident: number;
}

/**
 * Returns the work of all pairs whose bounds overlap or touch, an upper bound of the pairs that cross, and of segments
 * that run along each other. Checks all pairs, because a sample would depend on the order of the data: 8,000 segments
 * without an overlap take 40 ms.
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

/** Returns the ns of a pair of the most expensive kind of segment. */
function pairNs(segments: readonly Segment[]): number {
  let numbers = 0;
  for (const { length } of segments) numbers = Math.max(numbers, length);
  if (numbers <= 4) return clipPairNs.line;
  return numbers <= 6 ? clipPairNs.quadratic : clipPairNs.cubic;
}

/** Share of a segment below which the engine may take points as equal; it does so below 2e-5 (measured). */
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

/** Whether two segments may share more than single points: lines on one line, or curves with about equal bounds. */
function runsAlong(one: Bounded, other: Bounded): boolean {
  if (one.isStraight !== other.isStraight) return false;
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (one.isStraight) return width + height > 0 && isOnLine(one.points, other.points);
  const narrower = Math.min(one.right - one.left, other.right - other.left);
  const lower = Math.min(one.bottom - one.top, other.bottom - other.top);
  return width >= narrower / 2 && height >= lower / 2;
}
