/** Pixels held in the form that the paint engine draws fastest. */
import { Canvas, ImageData } from 'skia-canvas';

/** Pixels ready to be drawn. The canvas belongs to whoever keeps it: draw from it, never on it. */
export interface Drawable {
  canvas: Canvas;
  widthPx: number;
  heightPx: number;
}

/** Copies RGBA bytes, not premultiplied, into a drawable: drawing an ImageData itself costs ten times as much, every time. */
export function toDrawable(
  rgba: Uint8Array | Uint8ClampedArray,
  widthPx: number,
  heightPx: number,
): Drawable {
  const canvas = new Canvas(widthPx, heightPx);
  canvas.gpu = false;
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  canvas.getContext('2d').putImageData(new ImageData(pixels, widthPx, heightPx), 0, 0);
  return { canvas, widthPx, heightPx };
}
