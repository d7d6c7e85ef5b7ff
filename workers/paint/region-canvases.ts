/** Canvases on which regions are painted over kept pixels. They keep their pixels from render to render. */
import { LRUCache } from 'lru-cache';
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import type { Drawable } from '../assets/drawable-cache.ts';
import type { Rect } from '../display-list.ts';

/** A canvas as large as an image. Outside of painted regions it has pixels of earlier renders. */
interface RegionCanvas {
  context: CanvasRenderingContext2D;
  /** Renders since the canvas was empty. */
  renders: number;
  /** Images drawn since then, which the canvas keeps alive. */
  bases: Set<Drawable>;
}

/**
 * A canvas keeps everything that was drawn on it until it is emptied. Emptying it after each render takes 0.3 ms at
 * 1200 × 630: the engine frees its pixels and clears new ones.
 */
const rendersMax = 16;
const basesMax = 4;

/** Upper bound of the bytes of all canvases; a banner at scale 3 has 26 MB. */
const keptBytesMax = 32 * 1024 * 1024;
const bytesPerPx = 4;

/** Canvases by size: a new canvas takes 0.7 ms, mostly for its fonts. */
const canvases = new LRUCache<string, RegionCanvas>({
  max: 8,
  maxSize: keptBytesMax,
  sizeCalculation: ({ context: { canvas } }) => canvas.width * canvas.height * bytesPerPx,
  dispose: ({ context }) => context.canvas.dispose(),
});

/**
 * Paints on a canvas as large as `base`, which shows the pixels of `base` in `regions` and anything elsewhere. `paint`
 * reads the result. `keepsImages` is whether `paint` draws images or buffers, which the canvas would keep alive.
 */
export function withRegions<Result>(
  base: Drawable,
  regions: readonly Rect[],
  keepsImages: boolean,
  paint: (context: CanvasRenderingContext2D) => Result,
): Result {
  const known = openCanvas(base);
  const { context, bases } = known;
  let isPainted = false;
  try {
    for (const region of regions) copyBase(context, base, region);
    context.save();
    const result = paint(context);
    context.restore();
    isPainted = true;
    return result;
  } finally {
    bases.add(base);
    known.renders += 1;
    const isFull = known.renders >= rendersMax || bases.size >= basesMax;
    if (!isPainted || keepsImages || isFull) {
      // Releases the images that were drawn.
      context.reset();
      bases.clear();
      known.renders = 0;
    }
  }
}

/**
 * Copies one region. One clip of two rectangles takes 0.3 ms more, because the engine rasterises it as a path; a part
 * that `drawImage` cuts out takes 0.1 ms more.
 */
function copyBase(context: CanvasRenderingContext2D, base: Drawable, region: Rect): void {
  const { x, y, width, height } = region;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.clearRect(x, y, width, height);
  context.drawImage(base.canvas, 0, 0);
  context.restore();
}

function openCanvas({ widthPx, heightPx }: Drawable): RegionCanvas {
  const key = `${widthPx}x${heightPx}`;
  const known = canvases.get(key);
  if (known !== undefined) return known;
  const canvas = new Canvas(widthPx, heightPx);
  canvas.gpu = false;
  // The engine would otherwise free the pixels of a canvas that is not read for a while.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const created = { context, renders: 0, bases: new Set<Drawable>() };
  canvases.set(key, created);
  return created;
}
