/** Keeps decoded images and large gradients as drawables, bounded in bytes, and frees their pixels at a safe moment. */
import { LRUCache } from 'lru-cache';
import { processOptions } from '../process-options.ts';
import { Canvas, ImageData } from 'skia-canvas';

const drawablesBytesMaxDefault = 32 * 1024 * 1024;
const { drawablesBytesMax = drawablesBytesMaxDefault } = processOptions;
const drawablesMax = 1000;
const bytesPerPx = 4;

/**
 * Drawables that are no longer kept. A render may still paint them, so their pixels are freed when none runs; the
 * collector of JavaScript does not see native pixels and would let hundreds of megabytes wait.
 */
const leaving: Drawable[] = [];
let running = 0;

const kept = new LRUCache<string, Drawable>({
  max: drawablesMax,
  maxSize: drawablesBytesMax,
  sizeCalculation: bytesOf,
  dispose: (drawable) => leaving.push(drawable),
});

export function findDrawable(key: string): Drawable | undefined {
  return kept.get(key);
}

/** Takes over a drawable. One that is larger than the cache lasts as long as the renders that run. */
export function keepDrawable(key: string, drawable: Drawable): void {
  if (bytesOf(drawable) > drawablesBytesMax) leaving.push(drawable);
  else kept.set(key, drawable);
}

/** Runs a render; drawables that it finds or makes stay valid until it has ended. */
export async function withDrawables<Result>(render: () => Promise<Result>): Promise<Result> {
  running += 1;
  try {
    return await render();
  } finally {
    freeDrawables();
    running -= 1;
  }
}

/** Frees what is no longer kept, when no other render may paint it. Ends a part of a render that decodes images of its own. */
export function freeDrawables(): void {
  if (running <= 1) for (const { canvas } of leaving.splice(0)) canvas.dispose();
}

/** Bytes of the pixels that are kept. */
export function drawablesBytes(): number {
  return kept.calculatedSize;
}

function bytesOf({ widthPx, heightPx }: Drawable): number {
  return widthPx * heightPx * bytesPerPx;
}

// Pixels held in the form that the paint engine draws fastest.

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
