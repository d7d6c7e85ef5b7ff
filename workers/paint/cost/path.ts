/** Estimates the time in which the paint engine fills, strokes and dashes an outline. */
import { LRUCache } from 'lru-cache';
import { Path2D } from 'skia-canvas';
import type { Stroke } from '#language/schema/paint.ts';
import type { Outline, Rect } from '../../display-list.ts';
import type { Matrix } from '../geometry.ts';
import { transformRect } from '../geometry.ts';
import { dashUs, edgePairNs, edgeRowNs, segmentUs } from './units.ts';

/** Width and height of the target canvas in device pixels. */
export interface Target {
  width: number;
  height: number;
}

/** An outline on a canvas. */
export interface PathWork {
  segments: number;
  /** Sum over all edges of the rows of the canvas that they cross. */
  edgeRows: number;
  /** Rows of the canvas between the topmost and the lowest edge. */
  rows: number;
  /** Upper bound of the length in device pixels. */
  lengthPx: number;
  /** Area of the bounds on the canvas, in device pixels. */
  area: number;
}

/** End point and control points of each segment, design pixels: `[x, y, x, y, …]`. */
export type Segment = readonly number[];

/** Cache of segments by path data, in coordinates of the path: the same shape is often drawn many times. */
const knownSegments = new LRUCache<string, readonly Segment[]>({
  max: 500,
  maxSize: 100_000,
  sizeCalculation: (segments) => 1 + segments.length,
});

/** An ellipse has four curves, a round rectangle four lines and four curves. */
const curvesOfEllipse = 4;

/** Returns the part of a device rectangle on the canvas. */
export function visibleRect(rect: Rect, { width, height }: Target): Rect {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(width, rect.x + rect.width) - x),
    height: Math.max(0, Math.min(height, rect.y + rect.height) - y),
  };
}

/** Returns the area of a design rectangle on the canvas, in device pixels. */
export function visibleArea(rect: Rect, matrix: Matrix, target: Target): number {
  const { width, height } = visibleRect(transformRect(matrix, rect), target);
  return width * height;
}

/** Measures an outline on a canvas. */
export function measureOutline(outline: Outline, matrix: Matrix, target: Target): PathWork {
  if (outline.kind !== 'path') return measureSimple(outline, matrix, target);
  const { data, scaleX, scaleY, rect } = outline;
  const { a, b, c, d, e, f } = matrix;
  const placed = {
    a: a * scaleX,
    b: b * scaleX,
    c: c * scaleY,
    d: d * scaleY,
    e: a * rect.x + c * rect.y + e,
    f: b * rect.x + d * rect.y + f,
  };
  return measureSegments(segmentsOf(data), placed, target);
}

/** Measures a rectangle or an ellipse as two sides, without regard to its corners. */
function measureSimple({ kind, rect }: Outline, matrix: Matrix, target: Target): PathWork {
  const device = transformRect(matrix, rect);
  const { width, height } = visibleRect(device, target);
  return {
    segments: 2 * curvesOfEllipse,
    edgeRows: width === 0 ? 0 : 2 * (height + (kind === 'rect' ? 0 : 2)),
    rows: height,
    lengthPx: 2 * (device.width + device.height),
    area: width * height,
  };
}

export function segmentsOf(data: string): readonly Segment[] {
  let segments = knownSegments.get(data);
  if (segments === undefined) {
    knownSegments.set(data, (segments = toSegments(new Path2D(data))));
  }
  return segments;
}

/** Returns each segment of a path with its start point. */
function toSegments(path: Path2D): Segment[] {
  const segments: Segment[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [verb, ...numbers] of path.edges as unknown as [string, ...number[]][]) {
    if (verb === 'moveTo') {
      [startX = 0, startY = 0] = numbers;
      [x, y] = [startX, startY];
      continue;
    }
    // A conic's last number is its weight.
    const points = verb === 'conicCurveTo' ? numbers.slice(0, -1) : numbers;
    const segment = verb === 'closePath' ? [x, y, startX, startY] : [x, y, ...points];
    segments.push(segment);
    [x = 0, y = 0] = segment.slice(-2);
  }
  return segments;
}

function measureSegments(segments: readonly Segment[], matrix: Matrix, target: Target): PathWork {
  const { a, b, c, d, e, f } = matrix;
  let [edgeRows, lengthPx] = [0, 0];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const segment of segments) {
    let [segmentTop, segmentBottom, segmentLeft] = [Infinity, -Infinity, Infinity];
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let index = 0; index < segment.length; index += 2) {
      const designX = segment[index] ?? 0;
      const designY = segment[index + 1] ?? 0;
      const x = a * designX + c * designY + e;
      const y = b * designX + d * designY + f;
      if (index > 0) lengthPx += Math.hypot(x - lastX, y - lastY);
      [lastX, lastY] = [x, y];
      segmentTop = Math.min(segmentTop, y);
      segmentBottom = Math.max(segmentBottom, y);
      segmentLeft = Math.min(segmentLeft, x);
      right = Math.max(right, x);
    }
    left = Math.min(left, segmentLeft);
    top = Math.min(top, segmentTop);
    bottom = Math.max(bottom, segmentBottom);
    // The engine drops edges to the right of the canvas and keeps edges to the left.
    if (segmentLeft > target.width) continue;
    const rows = Math.min(target.height, segmentBottom) - Math.max(0, segmentTop);
    // A curve may go up and down again.
    if (rows > 0) edgeRows += (rows + 1) * (segment.length > 4 ? 2 : 1);
  }
  if (segments.length === 0) return { segments: 0, edgeRows: 0, rows: 0, lengthPx: 0, area: 0 };
  const bounds = { x: left, y: top, width: right - left, height: bottom - top };
  const visible = visibleRect(bounds, target);
  return {
    segments: segments.length,
    edgeRows,
    rows: visible.height,
    lengthPx,
    area: visible.width * visible.height,
  };
}

/** Returns the microseconds to scan convert these edges in rows of the canvas. */
export function scanUs(edgeRows: number, rows: number): number {
  const edgesOfRow = edgeRows / Math.max(1, rows);
  return (edgeRows * (edgeRowNs + edgePairNs * edgesOfRow)) / 1000;
}

/** Returns the microseconds to fill an outline, without its pixels. */
export function fillUs({ segments, edgeRows, rows }: PathWork): number {
  return segments * segmentUs + scanUs(edgeRows, rows);
}

/** Maximum dashes and gaps of a line. A line with more of them is drawn solid. */
export const dashesMax = 10_000;

/** Returns the number of dashes and gaps along a length in the units of `dash`. */
export function countDashes(length: number, dash: readonly number[] = []): number {
  const pattern = dash.reduce((sum, part) => sum + part, 0);
  return dash.length === 0 ? 0 : (length * dash.length) / pattern;
}

/** A stroke on a canvas. */
export interface StrokeSetting {
  stroke: Stroke;
  /** Device pixels per design pixel. */
  scale: number;
  /** Dashes and gaps of the whole stroke. */
  dashes: number;
}

/**
 * Returns the outline of a stroke along a path, and the pixels that it can cover. The outline has both sides of each
 * segment, a join at each corner, and both sides of each dash.
 */
export function strokeWork(
  work: PathWork,
  { stroke: { width, join, dash = [] }, scale, dashes }: StrokeSetting,
  target: Target,
): PathWork {
  const widthPx = width * scale;
  const joins = work.segments * Math.min(widthPx, target.height) * (join === 'round' ? 3 : 1);
  const longestPx = Math.max(0, ...dash) * scale;
  const ofDashes = dashes * Math.min(target.height, widthPx + longestPx);
  return {
    segments: work.segments * 2 + (dashes * dashUs) / segmentUs,
    edgeRows: 2 * work.edgeRows + joins + ofDashes,
    rows: Math.min(target.height, work.rows + widthPx),
    lengthPx: work.lengthPx,
    area: Math.min(target.width * target.height, (work.lengthPx + widthPx) * widthPx),
  };
}
