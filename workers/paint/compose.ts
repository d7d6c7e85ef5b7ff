/** Paints an item through a buffer, so that its effects apply to the item as one image. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import type { Filter, Shadow } from '#language/schema/paint.ts';
import type { DisplayItem, ImageRequest, SvgContent } from '../display-list.ts';
import { effectReach, itemBounds } from './bounds.ts';
import type { Matrix } from './geometry.ts';
import { transformRect } from './geometry.ts';
import { growRect } from './geometry.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import { drawsVectors } from './vector-canvas.ts';

/** A rectangle of whole device pixels. */
export interface PixelRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Whether an item must be painted in a buffer: it has an effect, or it is translucent or blended and has several
 * overlapping parts, which would show through each other.
 */
export function needsBuffer(item: DisplayItem): boolean {
  const { blur, filter, mask, shadows, opacity, blendMode } = item;
  if (blur > 0 || filter !== undefined || mask !== undefined || shadows.length > 0) return true;
  if (opacity === 1 && blendMode === 'normal') return false;
  return !isOneStroke(item);
}

function isOneStroke({ content, border }: DisplayItem): boolean {
  if (border !== undefined) return false;
  switch (content.kind) {
    case 'shape':
      return content.fill === undefined || content.stroke === undefined;
    case 'image':
    case 'svg':
      return true;
    case 'text':
      return (
        content.stroke === undefined && content.backgrounds.length + content.lines.length === 0
      );
    default:
      return false;
  }
}

/** Returns the engine's name of a blend mode. */
export function toBlend(blendMode: string): CompositeOperation {
  return blendMode === 'normal' ? 'source-over' : (blendMode as CompositeOperation);
}

/**
 * Paints the item into a buffer, applies its mask, filters and shadows, and draws the result on the canvas with its
 * opacity and blend mode. This is the order of CSS. Shadows are the last filter, so that they are those of the visible
 * item. The buffer covers the part of the canvas that the item can reach, and is released once it is drawn. Shadows of
 * large items are drawn in bands. On a canvas that keeps vectors, an item that has only shadows is painted over them as
 * vectors. Texts with other effects have invisible letters over their pixels.
 */
export function composeItem(
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
  paintPlain: PaintItem,
  paintItem: PaintItem,
): void {
  const area = deviceArea(context.getTransform(), context.canvas, item, paintContext.scale);
  if (!(area.width > 0 && area.height > 0)) return;
  const painted = createBuffer(context, area);
  paintPlain(painted, item, paintContext);
  if (item.mask !== undefined) {
    const mask = createBuffer(context, area);
    // The mask is painted with its opacity and effects, because all of them affect its alpha.
    paintItem(mask, item.mask, paintContext);
    layOver(painted, mask, 0, 0, { operation: 'destination-in' });
  }
  const filter = toFilter(item.filter, item.blur * paintContext.scale);
  const target = { operation: toBlend(item.blendMode), alpha: item.opacity };
  if (item.shadows.length === 0) {
    layOver(context, painted, area.x, area.y, { ...target, filter });
    paintInvisible(context, item, paintContext, paintPlain);
    return;
  }
  let filtered = painted;
  if (filter !== 'none') {
    filtered = createBuffer(context, area);
    layOver(filtered, painted, 0, 0, { filter });
  }
  const bands = drawsVectors(context) ? [area] : shadowBands(area, item, paintContext.scale);
  // This paints the buffer once for all bands, so that no curve is cut at the edge of a band.
  if (bands.length > 1) filtered.getImageData(0, 0, 1, 1);
  const isUnder = drawsVectors(context) && hasOnlyShadows(item);
  for (const band of bands) {
    const whole = createBuffer(context, band);
    const from = { canvas: filtered.canvas, top: area.y - band.y };
    for (const shadow of item.shadows.toReversed()) {
      castShadow(whole, from, shadow, item.rotation, paintContext.scale);
    }
    if (!isUnder) drawOver(whole, from);
    layOver(context, whole, band.x, band.y, isUnder ? {} : target);
  }
  filtered.canvas.dispose();
  if (isUnder) {
    paintPlain(context, item, paintContext);
    return;
  }
  paintInvisible(context, item, paintContext, paintPlain);
}

function hasOnlyShadows({ blur, filter, mask, opacity, blendMode }: DisplayItem): boolean {
  const isFiltered = blur > 0 || filter !== undefined || mask !== undefined;
  return !isFiltered && opacity === 1 && blendMode === 'normal';
}

/** Paints invisible letters over the pixels of a text, so that the text of a PDF can be selected. */
function paintInvisible(
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
  paintPlain: PaintItem,
): void {
  const { kind } = item.content;
  if (!drawsVectors(context) || (kind !== 'text' && kind !== 'path-text')) return;
  context.save();
  context.globalAlpha = 0;
  paintPlain(context, item, paintContext);
  context.restore();
}

/**
 * Returns the device pixels of the item that can affect a canvas of this size, including its effects. Pixels further
 * out are not visible. Within a group with effects, the canvas is the group's buffer, which is larger by the reach of
 * these effects. So reaches add up; `paintCost` bounds the cost of nested effects.
 */
export function deviceArea(
  matrix: Matrix,
  { width, height }: { width: number; height: number },
  item: DisplayItem,
  scale: number,
): PixelRect {
  const canvas = growRect({ x: 0, y: 0, width, height }, effectReach(item) * scale);
  const bounds = transformRect(matrix, itemBounds(item));
  const left = floorToDither(Math.max(canvas.x, bounds.x - 1));
  const top = floorToDither(Math.max(canvas.y, bounds.y - 1));
  const right = Math.ceil(Math.min(canvas.x + canvas.width, bounds.x + bounds.width + 1));
  const bottom = Math.ceil(Math.min(canvas.y + canvas.height, bounds.y + bounds.height + 1));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Maximum bytes of a band. The engine uses four images of its size: the content, and steps of its shadows. */
const bandBytesMax = 20 * 1024 * 1024;
/** Minimum rows of a band per row of a shadow's reach: rows within the reach are blurred again for the next band. */
const bandRowsPerReach = 4;

/** Returns the area in full-width bands, in which the shadows of an item are drawn one after the other. */
export function shadowBands(area: PixelRect, item: DisplayItem, scale: number): PixelRect[] {
  const { width, height } = area;
  const reach = Math.max(1, effectReach(item) * scale);
  const wanted = Math.ceil((width * height * 4) / bandBytesMax);
  const count = Math.max(1, Math.min(wanted, Math.floor(height / (reach * bandRowsPerReach))));
  const rows = Math.ceil(height / count / 8) * 8;
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => {
    const top = index * rows;
    return { ...area, y: area.y + top, height: Math.min(rows, height - top) };
  });
}

/** The engine dithers gradients in squares of 8 pixels: a buffer that starts at a square has the canvas's pattern. */
function floorToDither(position: number): number {
  return Math.floor(position / 8) * 8;
}

/** Creates a transparent canvas over `area`, with the same design coordinates as the parent. */
function createBuffer(parent: CanvasRenderingContext2D, area: PixelRect): CanvasRenderingContext2D {
  const canvas = new Canvas(area.width, area.height);
  canvas.gpu = false;
  const context = canvas.getContext('2d');
  const { a, b, c, d, e, f } = parent.getTransform();
  context.setTransform(a, b, c, d, e - area.x, f - area.y);
  return context;
}

interface LayOptions {
  operation?: CompositeOperation;
  alpha?: number;
  filter?: string;
}

/** Draws a buffer on a canvas at device pixels and releases it: the engine keeps the drawn pixels. */
function layOver(
  context: CanvasRenderingContext2D,
  buffer: CanvasRenderingContext2D,
  x: number,
  y: number,
  { operation = 'source-over', alpha = 1, filter = 'none' }: LayOptions,
): void {
  context.save();
  context.resetTransform();
  context.globalAlpha *= alpha;
  context.globalCompositeOperation = operation;
  context.filter = filter;
  context.drawImage(buffer.canvas, x, y);
  context.restore();
  buffer.canvas.dispose();
}

/** A buffer, and the row of another buffer at which it starts. */
interface Placed {
  canvas: Canvas;
  top: number;
}

function drawOver(context: CanvasRenderingContext2D, { canvas, top }: Placed): void {
  context.save();
  context.resetTransform();
  context.drawImage(canvas, 0, top);
  context.restore();
}

/**
 * Draws only the shadow of a buffer: the buffer is drawn outside the canvas, and the shadow's offset moves it back.
 * The offset rotates with the layer and with the groups around it, as in CSS.
 */
function castShadow(
  context: CanvasRenderingContext2D,
  { canvas, top }: Placed,
  { x = 0, y = 0, blur = 0, color }: Shadow,
  rotation: number,
  scale: number,
): void {
  const away = canvas.width * 2 + 1000;
  const { a, b, c, d } = context.getTransform();
  const angle = (rotation * Math.PI) / 180;
  const turnedX = x * Math.cos(angle) - y * Math.sin(angle);
  const turnedY = x * Math.sin(angle) + y * Math.cos(angle);
  context.save();
  context.resetTransform();
  context.shadowColor = color;
  context.shadowOffsetX = a * turnedX + c * turnedY + away;
  context.shadowOffsetY = b * turnedX + d * turnedY;
  context.shadowBlur = blur * scale;
  context.drawImage(canvas, -away, top);
  context.restore();
}

/** Returns CSS filter functions in a fixed order, with the blur last; `blurPx` is in device pixels. */
function toFilter(filter: Filter | undefined, blurPx: number): string {
  const { brightness, contrast, saturate, grayscale, sepia, invert, hueRotate } = filter ?? {};
  const parts = [
    brightness === undefined ? '' : `brightness(${brightness})`,
    contrast === undefined ? '' : `contrast(${contrast})`,
    saturate === undefined ? '' : `saturate(${saturate})`,
    grayscale === undefined ? '' : `grayscale(${grayscale})`,
    sepia === undefined ? '' : `sepia(${sepia})`,
    invert === undefined ? '' : `invert(${invert})`,
    hueRotate === undefined ? '' : `hue-rotate(${hueRotate}deg)`,
    // CSS counts standard deviations; the engine takes a radius of two (measured in 4.0.0-rc1).
    blurPx > 0 ? `blur(${2 * blurPx}px)` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'none' : parts.join(' ');
}

// Inputs of every step of painting besides the item.

export interface PaintContext {
  /** Each image of the display list, decoded at the size at which it is drawn. */
  drawables: ReadonlyMap<ImageRequest | SvgContent, Drawable>;
  /** Device pixels per design pixel. */
  scale: number;
}

/** Paints an item on a canvas: all of it, or its content and border without its effects. */
type PaintItem = (
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
) => void;

type CompositeOperation = CanvasRenderingContext2D['globalCompositeOperation'];
