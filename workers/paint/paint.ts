/** Paints a display list to pixels. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import type { ColorFill } from '#shared/paint-schemas.ts';
import type { Drawable } from '../assets/drawable.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import { composeItem, needsBuffer, toBlend } from './compose.ts';
import type { Pixels } from '../pixels.ts';
import { isOpaque } from '../pixels.ts';
import { toFillStyle } from './fill.ts';
import { paintLargeGradient } from './gradient-cache.ts';
import { toPath } from './outline.ts';
import type { PaintContext } from './paint-context.ts';
import { drawPicture, paintBorder, paintImage, paintLine, paintShape } from './paint-shape.ts';
import { paintPathText } from './paint-path-text.ts';
import { paintText } from './paint-text.ts';
import { pictureSize } from './picture-size.ts';

type Drawables = PaintContext['drawables'];

/**
 * Paints every item in order at `scale` device pixels a design pixel: vectors and text are drawn at
 * the scale, not stretched to it. `drawables` holds each picture decoded at the size at which it is
 * drawn; one that is not there is left out. The caller owns the returned bytes.
 */
export function paint(list: DisplayList, drawables: Drawables, scale: number): Pixels {
  const canvas = createCanvas(list, scale);
  try {
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    if (list.background !== undefined) {
      const box = { x: 0, y: 0, width: list.width, height: list.height };
      paintBackground(context, list.background, box);
    }
    for (const item of list.items) paintItem(context, item, { drawables, scale });
    return { data: readPixels(canvas), widthPx: canvas.width, heightPx: canvas.height };
  } finally {
    canvas.dispose();
  }
}

/**
 * Paints what lies in `regions` of whole device pixels, on top of `base`, a picture as
 * large as the whole: the pixels that the whole picture has there, a picture a region. The canvas is as large as the whole and no item is cut at a
 * region's edge, because the engine anti-aliases a curve that was moved or cut with other rounding; it
 * is only read in parts. The caller owns the returned bytes.
 */
export function paintRegions(
  list: DisplayList,
  drawables: Drawables,
  scale: number,
  regions: readonly Rect[],
  base: Drawable,
): { region: Rect; pixels: Pixels }[] {
  const context = emptyContext(list, scale);
  try {
    context.save();
    context.beginPath();
    for (const { x, y, width, height } of regions) context.rect(x, y, width, height);
    context.clip();
    context.drawImage(base.canvas, 0, 0);
    context.restore();
    context.scale(scale, scale);
    for (const item of list.items) paintItem(context, item, { drawables, scale });
    return regions.map((region) => {
      const { x, y, width: widthPx, height: heightPx } = region;
      const { data } = context.getImageData(x, y, widthPx, heightPx);
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      return { region, pixels: { data: bytes, widthPx, heightPx } };
    });
  } finally {
    // Lets go of the pictures that were drawn.
    context.reset();
  }
}

/** The canvas of the last regions that were painted: a new one costs 0.7 ms, most of it for the fonts that it could draw. */
let kept: Canvas | undefined;

function emptyContext(list: DisplayList, scale: number): CanvasRenderingContext2D {
  const { widthPx, heightPx } = pictureSize(list, scale);
  if (kept?.width !== widthPx || kept.height !== heightPx) {
    kept?.dispose();
    kept = createCanvas(list, scale);
  }
  return kept.getContext('2d');
}

function paintBackground(context: CanvasRenderingContext2D, fill: ColorFill, box: Rect): void {
  if (typeof fill !== 'string' && paintLargeGradient(context, fill, box, box)) return;
  context.fillStyle = toFillStyle(context, fill, box);
  context.fillRect(box.x, box.y, box.width, box.height);
}

/** An opaque picture is the same premultiplied or not, and read in half the time as it is. */
function readPixels(canvas: Canvas): Uint8Array {
  const premultiplied = canvas.toBufferSync('raw', { premultiplied: true });
  const read = isOpaque(premultiplied) ? premultiplied : canvas.toBufferSync('raw');
  return new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
}

function createCanvas(list: DisplayList, scale: number): Canvas {
  const { widthPx, heightPx } = pictureSize(list, scale);
  const canvas = new Canvas(widthPx, heightPx);
  canvas.gpu = false;
  return canvas;
}

/** Paints one item: straight onto the canvas where that is exact, else through a buffer of its own. */
export function paintItem(
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
): void {
  if (item.opacity === 0) return;
  if (needsBuffer(item)) {
    composeItem(context, item, paintContext, paintPlain, paintItem);
    return;
  }
  context.save();
  context.globalAlpha *= item.opacity;
  if (item.blendMode !== 'normal') context.globalCompositeOperation = toBlend(item.blendMode);
  paintPlain(context, item, paintContext);
  context.restore();
}

/** Paints an item's content and border, turned and cut, without its effects. */
function paintPlain(
  context: CanvasRenderingContext2D,
  item: DisplayItem,
  paintContext: PaintContext,
): void {
  context.save();
  const { box, rotation, clip } = item;
  if (rotation !== 0) {
    const centerX = box.x + box.width / 2;
    const centerY = box.y + box.height / 2;
    context.translate(centerX, centerY);
    context.rotate((rotation * Math.PI) / 180);
    context.translate(-centerX, -centerY);
  }
  if (clip !== undefined) context.clip(toPath(clip));
  context.save();
  if (item.frame !== undefined) context.clip(toPath(item.frame));
  paintContent(context, item, paintContext);
  context.restore();
  paintBorder(context, item);
  context.restore();
}

function paintContent(
  context: CanvasRenderingContext2D,
  { content, box }: DisplayItem,
  paintContext: PaintContext,
): void {
  const { drawables } = paintContext;
  switch (content.kind) {
    case 'shape': {
      const picture = content.image && drawables.get(content.image.request);
      paintShape(context, content, box, picture);
      return;
    }
    case 'image': {
      const drawable = drawables.get(content.image.request);
      if (drawable !== undefined) paintImage(context, content, drawable);
      return;
    }
    case 'svg': {
      const drawable = drawables.get(content);
      if (drawable !== undefined) drawPicture(context, drawable, content.placed);
      return;
    }
    case 'line':
      paintLine(context, content);
      return;
    case 'text':
      paintText(context, content);
      return;
    case 'path-text':
      paintPathText(context, content);
      return;
    case 'group':
      for (const child of content.items) paintItem(context, child, paintContext);
      return;
    default:
      content satisfies never;
  }
}
