/** Fills of the template language as styles of the paint engine; large gradients are cached as pixels. */
import type { CanvasGradient, CanvasRenderingContext2D } from 'skia-canvas';
import type { ColorFill, Gradient } from '#language/schema/paint.ts';
import { toRgba } from '#wire/color.ts';
import type { Rgba } from '#wire/color.ts';
import type { Rect } from '../display-list.ts';
import { Canvas } from 'skia-canvas';
import { drawsVectors } from './vector-canvas.ts';
import { findDrawable, keepDrawable, toDrawable } from '../assets/drawable-cache.ts';

/** Returns a CSS colour, or a gradient that spans `box`. */
export function toFillStyle(
  context: CanvasRenderingContext2D,
  fill: ColorFill,
  box: Rect,
): string | CanvasGradient {
  if (typeof fill === 'string') return fill;
  const gradient = toGradient(context, fill, box);
  for (const { offset, color } of stopsFor(context, fill)) gradient.addColorStop(offset, color);
  return gradient;
}

/**
 * Returns the stops of a gradient. On a vector canvas a conic gradient has at most one stop at its end, in the engine's
 * single precision. Further stops are not visible, and with transparent colours the engine's PDF writer computes for
 * seconds and aborts.
 */
function stopsFor(context: CanvasRenderingContext2D, fill: Gradient): ColorStop[] {
  const stops = toStops(fill);
  if (fill.gradient !== 'conic' || !drawsVectors(context)) return stops;
  const last = stops.findIndex(({ offset }) => Math.fround(offset) >= 1);
  return last === -1 ? stops : stops.slice(0, last + 1);
}

interface ColorStop {
  offset: number;
  color: string;
}

function toGradient(context: CanvasRenderingContext2D, fill: Gradient, box: Rect): CanvasGradient {
  if (fill.gradient === 'linear') return toLinear(context, fill.angle ?? 180, box);
  const x = box.x + box.width * (fill.centerX ?? 0.5);
  const y = box.y + box.height * (fill.centerY ?? 0.5);
  if (fill.gradient === 'conic') {
    // The engine starts at three o'clock, CSS at twelve.
    return context.createConicGradient((((fill.angle ?? 0) - 90) * Math.PI) / 180, x, y);
  }
  const radius = (Math.hypot(box.width, box.height) / 2) * (fill.radius ?? 1);
  return context.createRadialGradient(x, y, 0, x, y, radius);
}

/** Follows CSS Images 3, 3.1.1: the gradient line is as long as needed for the corners to have the end colours. */
function toLinear(
  context: CanvasRenderingContext2D,
  angleDegrees: number,
  box: Rect,
): CanvasGradient {
  const angle = (angleDegrees * Math.PI) / 180;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const half = (Math.abs(box.width * Math.sin(angle)) + Math.abs(box.height * Math.cos(angle))) / 2;
  const shiftX = Math.sin(angle) * half;
  const shiftY = -Math.cos(angle) * half;
  return context.createLinearGradient(x - shiftX, y - shiftY, x + shiftX, y + shiftY);
}

/** Number of steps of a fade between two opacities. */
const fadeSteps = 16;

/**
 * Returns stops by CSS Images 3, 3.4.3 and 3.4.2: no stop is before the previous one, and colours mix premultiplied, so
 * that red fades to `#0000` without darkening. The engine mixes colour and opacity separately, so a fade between two
 * opacities has stops in between.
 */
function toStops({ stops }: Gradient): ColorStop[] {
  const result: ColorStop[] = [];
  let last: { offset: number; rgba: Rgba } | undefined;
  for (const stop of stops) {
    const offset = Math.max(last?.offset ?? 0, stop.offset);
    const rgba = toRgba(stop.color);
    if (last !== undefined && last.rgba[3] !== rgba[3]) {
      for (let step = 0; step <= fadeSteps; step += 1) {
        const part = step / fadeSteps;
        const between = last.offset + (offset - last.offset) * part;
        result.push({ offset: between, color: mix(last.rgba, rgba, part) });
      }
    }
    result.push({ offset, color: stop.color });
    last = { offset, rgba };
  }
  return result;
}

/** Returns the premultiplied mixture of two colours; `part` is the share of the second one. */
function mix(from: Rgba, to: Rgba, part: number): string {
  const alpha = from[3] * (1 - part) + to[3] * part;
  const channel = (index: 0 | 1 | 2): number => {
    if (alpha === 0) return part === 0 ? to[index] : from[index];
    return (from[index] * from[3] * (1 - part) + to[index] * to[3] * part) / alpha;
  };
  return `rgba(${channel(0)}, ${channel(1)}, ${channel(2)}, ${alpha})`;
}

// A cache of large gradients as pixels: the engine takes 5 ms to draw one of 1200 × 630, and 0.5 ms to copy its pixels.

/** Maximum device pixels of a gradient that is drawn as pixels: 32 MB. */
const laidPixelsMax = 8 * 1024 * 1024;
/** Minimum device pixels of a gradient that is worth caching. */
const keptPixelsMin = 100_000;
/** The engine dithers in squares of 8 pixels: cached pixels must be drawn at the same position in a square. */
const ditherPx = 8;

/** Whether a gradient of this many device pixels is drawn as pixels, if it is upright and inside the canvas. */
export function isLaidSize(pixels: number): boolean {
  return pixels >= keptPixelsMin && pixels <= laidPixelsMax;
}

/**
 * Fills an upright rectangle with a gradient that spans `box`. Returns false and paints nothing if the rectangle is
 * small, rotated or partly outside the canvas, or if the canvas keeps vectors. The result depends only on rectangle and
 * position, so that an image is painted the same way each time.
 */
export function paintLargeGradient(
  context: CanvasRenderingContext2D,
  fill: Gradient,
  rect: Rect,
  box: Rect,
): boolean {
  if (drawsVectors(context)) return false;
  const { a, b, c, d, e, f } = context.getTransform();
  const { width, height } = context.canvas;
  const left = a * rect.x + e;
  const top = d * rect.y + f;
  const right = left + a * rect.width;
  const bottom = top + d * rect.height;
  const isInside = left >= 0 && top >= 0 && right <= width && bottom <= height;
  const pixels = (right - left) * (bottom - top);
  if (b !== 0 || c !== 0 || a <= 0 || !isInside || !isLaidSize(pixels)) return false;
  const x = Math.floor(left / ditherPx) * ditherPx;
  const y = Math.floor(top / ditherPx) * ditherPx;
  const placed = [left - x, top - y, box.x - rect.x, box.y - rect.y].map((part) => part.toFixed(3));
  const key = `gradient ${JSON.stringify([fill, placed, rect.width, rect.height, box.width, box.height, a, d])}`;
  let drawable = findDrawable(key);
  if (drawable === undefined) {
    const canvas = new Canvas(Math.ceil(right - x), Math.ceil(bottom - y));
    canvas.gpu = false;
    const tileContext = canvas.getContext('2d');
    tileContext.setTransform(a, 0, 0, d, e - x, f - y);
    tileContext.fillStyle = toFillStyle(tileContext, fill, box);
    tileContext.fillRect(rect.x, rect.y, rect.width, rect.height);
    drawable = toDrawable(canvas.toBufferSync('raw'), canvas.width, canvas.height);
    canvas.dispose();
    keepDrawable(key, drawable);
  }
  context.save();
  context.resetTransform();
  context.drawImage(drawable.canvas, x, y);
  context.restore();
  return true;
}
