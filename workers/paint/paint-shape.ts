/** Paints shapes, lines with their arrow heads, images and borders. */
import { Path2D } from 'skia-canvas';
import type { CanvasRenderingContext2D } from 'skia-canvas';
import type { ColorFill, Stroke } from '#language/schema/paint.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import type { Arrow, DisplayContent, DisplayItem, Outline, Rect } from '../display-list.ts';
import { arrowSize } from './bounds.ts';
import { toFillStyle, paintLargeGradient } from './fill.ts';
import { toBorderRing, toPath } from './geometry.ts';
import { countDashes, dashesMax } from './cost/path.ts';

/**
 * Reach of the miter of an open head beyond its corner, in line widths: 0.5 divided by the sine of half the corner's
 * angle. The legs of the corner run 2 line widths aside, and 4 less this reach back.
 */
const openTip = 0.918;

/** Fills and strokes an outline; `drawable` is the image of an image fill. */
export function paintShape(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'shape' },
  box: Rect,
  drawable: Drawable | undefined,
): void {
  const path = toPath(content.outline);
  const { fill, stroke, image } = content;
  if (image !== undefined && drawable !== undefined) {
    context.save();
    context.clip(path);
    drawImage(context, drawable, image.placed);
    context.restore();
  } else if (fill !== undefined && (typeof fill === 'string' || 'gradient' in fill)) {
    fillOutline(context, content.outline, path, fill, box);
  }
  if (stroke !== undefined && stroke.width > 0) {
    // Measuring a path takes as long as drawing it.
    applyStroke(context, stroke, stroke.dash === undefined ? 0 : path.length);
    context.stroke(path);
  }
}

function fillOutline(
  context: CanvasRenderingContext2D,
  outline: Outline,
  path: Path2D,
  fill: ColorFill,
  box: Rect,
): void {
  const isUpright = outline.kind === 'rect' && outline.radii.every((radius) => radius === 0);
  if (isUpright && typeof fill !== 'string') {
    if (paintLargeGradient(context, fill, outline.rect, box)) return;
  }
  context.fillStyle = toFillStyle(context, fill, box);
  context.fill(path);
}

/** Draws an image inside its frame, mirrored by `flipX` and `flipY` of its look. */
export function paintImage(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'image' },
  drawable: Drawable,
): void {
  const { frame, look, image } = content;
  const { x, y, width, height } = frame.rect;
  context.save();
  context.clip(toPath(frame));
  context.translate(look.flipX ? 2 * x + width : 0, look.flipY ? 2 * y + height : 0);
  context.scale(look.flipX ? -1 : 1, look.flipY ? -1 : 1);
  drawImage(context, drawable, image.placed);
  context.restore();
}

/** Draws the whole image into a rectangle. It was decoded at the drawn size, so this copies pixels. */
export function drawImage(
  context: CanvasRenderingContext2D,
  drawable: Drawable,
  placed: Rect,
): void {
  context.imageSmoothingQuality = 'high';
  context.drawImage(drawable.canvas, placed.x, placed.y, placed.width, placed.height);
}

function applyStroke(context: CanvasRenderingContext2D, stroke: Stroke, length: number): void {
  context.strokeStyle = stroke.color;
  context.lineWidth = stroke.width;
  context.lineCap = stroke.cap ?? 'butt';
  context.lineJoin = stroke.join ?? 'miter';
  const { dash = [] } = stroke;
  context.setLineDash(countDashes(length, dash) > dashesMax ? [] : dash);
}

/** Draws a straight line that ends where its arrow heads begin. */
export function paintLine(
  context: CanvasRenderingContext2D,
  content: DisplayContent & { kind: 'line' },
): void {
  const [x1, y1, x2, y2] = content.points;
  const { stroke, startArrow, endArrow } = content;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  context.save();
  context.translate(x1, y1);
  context.rotate(angle);
  applyStroke(context, stroke, length);
  // The line ends inside its head, because a thick line would be visible beyond the tip.
  const cut = (arrow: Arrow): number => headLength(arrow, stroke.width);
  const path = new Path2D();
  path.moveTo(cut(startArrow), 0);
  path.lineTo(Math.max(cut(startArrow), length - cut(endArrow)), 0);
  context.stroke(path);
  paintArrow(context, endArrow, length, 1, stroke);
  paintArrow(context, startArrow, 0, -1, stroke);
  context.restore();
}

/** Returns the distance from the end of a line to the tip of its head. */
function headLength(arrow: Arrow, width: number): number {
  switch (arrow) {
    case 'none':
      return 0;
    case 'open':
      return width * openTip;
    default:
      return (width * arrowSize) / 2;
  }
}

/** Draws a head whose tip is at `tip` on the x axis and points along `direction`. */
function paintArrow(
  context: CanvasRenderingContext2D,
  arrow: Arrow,
  tip: number,
  direction: 1 | -1,
  stroke: Stroke,
): void {
  if (arrow === 'none') return;
  const size = stroke.width * arrowSize;
  const base = tip - direction * size;
  const path = new Path2D();
  context.fillStyle = stroke.color;
  context.setLineDash([]);
  if (arrow === 'circle') {
    path.arc(tip - (direction * size) / 2, 0, size / 2, 0, 2 * Math.PI);
    context.fill(path);
    return;
  }
  // The miter of an open head's stroke exceeds its corner, so the corner is moved back by this reach.
  const corner = arrow === 'open' ? tip - direction * stroke.width * openTip : tip;
  path.moveTo(base, -size / 2);
  path.lineTo(corner, 0);
  path.lineTo(base, size / 2);
  if (arrow === 'triangle') {
    path.closePath();
    context.fill(path);
  } else {
    context.lineJoin = 'miter';
    context.stroke(path);
  }
}

/** Paints an item's border around its box, or around its ellipse. */
export function paintBorder(context: CanvasRenderingContext2D, item: DisplayItem): void {
  const { border, box, radii, content } = item;
  if (border === undefined || border.width === 0) return;
  const isRound = content.kind === 'shape' && content.outline.kind === 'ellipse';
  context.fillStyle = border.color;
  context.fill(toBorderRing(border, box, radii, isRound ? 'ellipse' : 'rect'), 'evenodd');
}
