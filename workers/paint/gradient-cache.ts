/** Keeps large gradients as pixels: the engine takes 5 ms for one of 1200 × 630, and half of one to lay its pixels. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import type { Gradient } from '#language/schema/paint.ts';
import { findDrawable, keepDrawable } from '../assets/drawable-cache.ts';
import { toDrawable } from '../assets/drawable-cache.ts';
import type { Rect } from '../display-list.ts';
import { toFillStyle } from './fill.ts';

/** Device pixels of the largest gradient that is laid as pixels: 32 MB. */
const laidPixelsMax = 8 * 1024 * 1024;
/** Device pixels from which keeping one pays. */
const keptPixelsMin = 100_000;
/** The engine dithers in squares of 8 pixels: pixels are laid only where they have the same place in them. */
const ditherPx = 8;

/** Whether a gradient of so many device pixels is laid as pixels, where it lies upright inside of the canvas. */
export function isLaidSize(pixels: number): boolean {
  return pixels >= keptPixelsMin && pixels <= laidPixelsMax;
}

/**
 * Fills an upright rectangle with a gradient that runs through `box`. False, and nothing is painted, when
 * it is small, turned, or reaches over the canvas. Always or never for the same rectangle at the same
 * place, so that one picture is painted alike each time.
 */
export function paintLargeGradient(
  context: CanvasRenderingContext2D,
  fill: Gradient,
  rect: Rect,
  box: Rect,
): boolean {
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
    const own = canvas.getContext('2d');
    own.setTransform(a, 0, 0, d, e - x, f - y);
    own.fillStyle = toFillStyle(own, fill, box);
    own.fillRect(rect.x, rect.y, rect.width, rect.height);
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
