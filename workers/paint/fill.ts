/** Turns a colour fill of the template language into what the paint engine takes. */
import type { CanvasGradient, CanvasRenderingContext2D } from 'skia-canvas';
import type { ColorFill, Gradient } from '#shared/paint-schemas.ts';
import type { Rect } from '../display-list.ts';

/** A CSS colour or a gradient that runs through `box`. */
export function toFillStyle(
  context: CanvasRenderingContext2D,
  fill: ColorFill,
  box: Rect,
): string | CanvasGradient {
  if (typeof fill === 'string') return fill;
  const gradient = toGradient(context, fill, box);
  for (const { offset, color } of fill.stops) gradient.addColorStop(offset, color);
  return gradient;
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

/** CSS Images 3, 3.1.1: the line is just long enough for the corners to have the end colours. */
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
