/** Estimates what the paint engine takes to draw shapes, lines and images, and to cut with outlines. */
import { toRgba } from '#wire/color.ts';
import type { ColorFill, Stroke } from '#language/schema/paint.ts';
import type { DisplayItem, Outline, Rect } from '../../display-list.ts';
import { arrowSize } from '../bounds.ts';
import { isLaidSize } from '../gradient-cache.ts';
import { transformRect } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { growRect, toPath } from '../outline.ts';
import { countDashes, dashesMax, fillUs, measureOutline, strokeWork, visibleArea } from './path.ts';
import type { PathWork, Target } from './path.ts';
import { intersectUs } from './clip.ts';
import { clippedRunNs, itemUs, pixelNs, segmentLengthUs } from './units.ts';

/** The canvas that an item is painted on, and how. */
export interface Ground {
  matrix: Matrix;
  target: Target;
  scale: number;
  /** Edges of all clips in one row. */
  clipEdges: number;
  /** Microseconds that one more clip takes to be intersected with those in force. */
  clipUs: number;
  /** Nanoseconds that the blend mode adds to a pixel. */
  blendNs: number;
  /** Where to stop adding. */
  usMax: number;
}

/** What cutting with an outline takes, and the canvas with it. */
export function clipCost(outline: Outline, ground: Ground): { us: number; ground: Ground } {
  // Each clip is intersected with all that are in force.
  const clipUs = ground.clipUs + intersectUs(outline);
  if (isUprightRect(outline, ground.matrix)) {
    return { us: itemUs + clipUs, ground: { ...ground, clipUs } };
  }
  const work = measureOutline(outline, ground.matrix, ground.target);
  const clipEdges = ground.clipEdges + work.edgeRows / Math.max(1, work.rows);
  return { us: fillUs(work) + clipUs, ground: { ...ground, clipEdges, clipUs } };
}

/** What the engine cuts with without keeping runs. */
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

/** `length` in design pixels, where the stroke has dashes. */
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

/** An image inside its frame. */
export function imageUs(frame: Outline, ground: Ground): number {
  const { us, ground: framed } = clipCost(frame, ground);
  return us + pixelsUs(frame.rect, framed, pixelNs.image);
}

export function pixelsUs(rect: Rect, ground: Ground, ns: number): number {
  const pixels = visibleArea(rect, ground.matrix, ground.target);
  return (pixels * (ns + ground.blendNs)) / 1000 + clippedUs(ground.target.height, ground);
}

/** Filling an outline. */
export function areaUs(outline: Outline, ground: Ground, ns: number): number {
  return workUs(measureOutline(outline, ground.matrix, ground.target), ground, ns);
}

function workUs(work: PathWork, ground: Ground, ns: number): number {
  const pixels = (work.area * (ns + ground.blendNs)) / 1000;
  return fillUs(work) + pixels + clippedUs(work.rows, ground);
}

/** Painting so many rows through the runs of the clips. */
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

/** What a large gradient takes that `paintLargeGradient` keeps as pixels, when it is painted for the first time. */
function laidNs(fill: ColorFill, outline: Outline, { matrix, target }: Ground): number {
  if (typeof fill === 'string' || !isUprightRect(outline, matrix)) return 0;
  const { width, height } = transformRect(matrix, outline.rect);
  const pixels = visibleArea(outline.rect, matrix, target);
  // Rounding aside, all of it is on the canvas.
  return width * height < pixels + 1 && isLaidSize(pixels) ? pixelNs.laidGradient : 0;
}
