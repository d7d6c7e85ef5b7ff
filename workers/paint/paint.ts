/** Paints a display list to pixels. */
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import type { ColorFill } from '#language/schema/paint.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import type { PaintedRegion } from './compose-letters.ts';
import { composeItem, needsBuffer, toBlend } from './compose.ts';
import type { Pixels } from '../pixels.ts';
import { toFillStyle, paintLargeGradient } from './fill.ts';
import { toPath } from './geometry.ts';
import type { PaintContext } from './compose.ts';
import { drawImage, paintBorder, paintImage, paintLine, paintShape } from './paint-shape.ts';
import { backgroundUs, canvasItemCost } from './cost/paint-cost.ts';
import { paintPathText, paintText } from './paint-text.ts';
import { imageSize, walkItems } from '../display-list.ts';
import { withRegions } from './region-canvases.ts';
import { checkWork, requireMs } from '../work-limit.ts';
import { pdfMs } from './cost/pdf.ts';
import { createVectorCanvas } from './vector-canvas.ts';

type Drawables = PaintContext['drawables'];

/**
 * Paints every item in order at `scale` device pixels per design pixel: vectors and text are drawn at this scale, not
 * stretched. `drawables` contains each image, decoded at the size at which it is drawn; a missing image is left out.
 * The caller owns the returned bytes.
 */
export function paint(list: DisplayList, drawables: Drawables, scale: number): Pixels {
  const { widthPx, heightPx } = imageSize(list, scale);
  const canvas = createCanvas(widthPx, heightPx);
  try {
    paintCanvas(canvas, list, drawables, scale);
    return readPixels(canvas.getContext('2d'));
  } finally {
    canvas.dispose();
  }
}

/**
 * Paints every item as `paint` does, as a PDF of one page with one point per device pixel. Vectors stay vectors
 * and text stays text, with the letters of its fonts; effects and images are pixels.
 */
export function paintPdf(
  list: DisplayList,
  drawables: Drawables,
  scale: number,
): Uint8Array<ArrayBuffer> {
  const { widthPx, heightPx } = imageSize(list, scale);
  const canvas = createVectorCanvas(widthPx, heightPx);
  try {
    paintCanvas(canvas, list, drawables, scale);
    checkWork();
    requireMs(pdfMs(list, drawables, scale), 'write as PDF');
    // Opaque images are JPEGs in the file.
    return new Uint8Array(canvas.toBufferSync('pdf', { quality: 1 }));
  } finally {
    canvas.dispose();
  }
}

function paintCanvas(canvas: Canvas, list: DisplayList, drawables: Drawables, scale: number): void {
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  if (list.background !== undefined) {
    const box = { x: 0, y: 0, width: list.width, height: list.height };
    paintBackground(context, list.background, box);
  }
  paintItems(context, list.items, { drawables, scale }, backgroundUs(list, scale));
}

/**
 * Paints items over `base`, which has the size of the whole image, and returns the pixels of each region, in whole
 * device pixels. No item is moved or cut at a region's edge, because the engine would round the anti-aliasing of curves
 * differently: the canvas is only read in parts. The caller owns the returned bytes.
 */
export function paintRegions(
  list: DisplayList,
  drawables: Drawables,
  scale: number,
  regions: readonly Rect[],
  base: Drawable,
): PaintedRegion[] {
  const keepsImages = [...walkItems(list.items)].some(
    (item) => needsBuffer(item) || item.content.kind === 'svg' || 'image' in item.content,
  );
  return withRegions(base, regions, keepsImages, (context) => {
    context.scale(scale, scale);
    paintItems(context, list.items, { drawables, scale });
    return regions.map((region) => {
      const { x, y, width: widthPx, height: heightPx } = region;
      const { data } = context.getImageData(x, y, widthPx, heightPx);
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      return { region, pixels: { data: bytes, widthPx, heightPx } };
    });
  });
}

/**
 * Estimated microseconds of recorded operations after which they are rasterised: the engine only records before. Usual
 * images take less time, so most are rasterised at once, when they are read.
 */
const recordedUsMax = 100_000;
const operationUsMax = templateLimits.layerPaintMsMax * 1000;

/** Paints the items of a canvas after recorded operations. Throws `TooExpensiveError` if painting takes too long. */
function paintItems(
  context: CanvasRenderingContext2D,
  items: readonly DisplayItem[],
  paintContext: PaintContext,
  recordedBeforeUs = 0,
): void {
  const { width, height } = context.canvas;
  let recordedUs = recordedBeforeUs;
  for (const item of items) {
    const { us } = canvasItemCost(item, { width, height }, paintContext.scale);
    // An expensive item is rasterised separately, so that no operation takes longer than the limit of an item.
    if (recordedUs > 0 && recordedUs + us > operationUsMax) {
      rasterise(context);
      recordedUs = 0;
    }
    paintItem(context, item, paintContext);
    recordedUs += us;
    if (recordedUs < recordedUsMax) continue;
    rasterise(context);
    recordedUs = 0;
  }
}

/** Rasterises all recorded operations once, by reading one pixel. */
function rasterise(context: CanvasRenderingContext2D): void {
  context.getImageData(0, 0, 1, 1);
  checkWork();
}

function paintBackground(context: CanvasRenderingContext2D, fill: ColorFill, box: Rect): void {
  if (typeof fill !== 'string' && paintLargeGradient(context, fill, box, box)) return;
  context.fillStyle = toFillStyle(context, fill, box);
  context.fillRect(box.x, box.y, box.width, box.height);
}

/**
 * Reads the whole canvas with `getImageData`, which rasterises each operation once. `toBufferSync` would rasterise the
 * whole recording again (measured in 4.0.0-rc1).
 */
function readPixels(context: CanvasRenderingContext2D): Pixels {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { data: bytes, widthPx: width, heightPx: height };
}

function createCanvas(widthPx: number, heightPx: number): Canvas {
  const canvas = new Canvas(widthPx, heightPx);
  canvas.gpu = false;
  return canvas;
}

/** Paints one item: directly onto the canvas if this is exact, else through a buffer. */
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
  // Reading the alpha sends all recorded operations to the engine, which takes 5 µs.
  if (item.opacity !== 1) context.globalAlpha *= item.opacity;
  if (item.blendMode !== 'normal') context.globalCompositeOperation = toBlend(item.blendMode);
  paintPlain(context, item, paintContext);
  context.restore();
}

/** Paints an item's content and border with rotation and clips, without effects. */
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
      const image = content.image && drawables.get(content.image.request);
      paintShape(context, content, box, image);
      return;
    }
    case 'image': {
      const drawable = drawables.get(content.image.request);
      if (drawable !== undefined) paintImage(context, content, drawable);
      return;
    }
    case 'svg': {
      const drawable = drawables.get(content);
      if (drawable !== undefined) drawImage(context, drawable, content.placed);
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
