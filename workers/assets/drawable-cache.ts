/** Keeps decoded images and large gradients as drawables, bounded in bytes, and frees their pixels at a safe moment. */
import { LRUCache } from 'lru-cache';
import { threadOptions } from '../thread-options.ts';
import { Canvas, ImageData } from 'skia-canvas';
import { drawablesBytesMaxDefault } from '../shared/part-index.ts';

const { drawablesBytesMax = drawablesBytesMaxDefault } = threadOptions;
const drawablesMax = 1000;
const bytesPerPx = 4;
/**
 * A drawable that no render uses for this time is evicted. Base renders already contain most images of templates in
 * use, so renders rarely draw these again.
 */
const unusedMs = 60_000;
/** Minimum interval between two evictions of unused drawables. */
const evictEveryMs = 1000;
let evictedAtMs = 0;

/**
 * Evicted drawables. A running render may still paint them, so their pixels are freed when no other render runs.
 * JavaScript's garbage collector does not see native pixels and would leave hundreds of megabytes unfreed.
 */
const leaving: Drawable[] = [];
let running = 0;

const kept = new LRUCache<string, Drawable>({
  max: drawablesMax,
  maxSize: drawablesBytesMax,
  sizeCalculation: bytesOf,
  ttl: unusedMs,
  ttlResolution: 0,
  updateAgeOnGet: true,
  dispose: (drawable) => leaving.push(drawable),
});

export function findDrawable(key: string): Drawable | undefined {
  return kept.get(key);
}

/** Takes ownership of a drawable. A drawable larger than the cache is freed when the running renders end. */
export function keepDrawable(key: string, drawable: Drawable): void {
  if (bytesOf(drawable) > drawablesBytesMax) leaving.push(drawable);
  else kept.set(key, drawable);
}

/** Runs a render; drawables that it finds or adds stay valid until it ends. */
export async function withDrawables<Result>(render: () => Promise<Result>): Promise<Result> {
  running += 1;
  try {
    return await render();
  } finally {
    evictUnused();
    freeDrawables();
    running -= 1;
  }
}

function evictUnused(): void {
  const nowMs = performance.now();
  if (nowMs - evictedAtMs < evictEveryMs) return;
  evictedAtMs = nowMs;
  kept.purgeStale();
}

/**
 * Frees evicted drawables if no other render may paint them. Called at the end of a part of a render that decodes other
 * images than the rest.
 */
export function freeDrawables(): void {
  if (running <= 1) for (const { canvas } of leaving.splice(0)) canvas.dispose();
}

/** Bytes of the kept pixels. */
export function drawablesBytes(): number {
  return kept.calculatedSize;
}

function bytesOf({ widthPx, heightPx }: Drawable): number {
  return widthPx * heightPx * bytesPerPx;
}

// Pixels in the form that the paint engine draws fastest.

/** Pixels ready to be drawn. The canvas belongs to its cache: draw from it, never on it. */
export interface Drawable {
  canvas: Canvas;
  widthPx: number;
  heightPx: number;
}

/** Copies RGBA bytes, not premultiplied, into a drawable: each drawing of an ImageData costs ten times as much. */
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
