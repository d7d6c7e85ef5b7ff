/** Rejects display lists that are too expensive before they are painted, and bounds the memory of a render. */
import { templateLimits } from '#language/limits/template-limits.ts';
import type { DisplayList } from '../../display-list.ts';
import { requireMs, TooExpensiveError } from '../../work-limit.ts';
import { paintCost } from './paint-cost.ts';
import { imageSize, walkImages, walkSvgs } from '../../display-list.ts';
import type { ListCost } from './paint-cost.ts';

const { paintMsMax, layerPaintMsMax, renderBytesMax } = templateLimits;

/** Bytes per pixel of the canvas: a raster and its copy. Encoding takes 13 bytes, but images are freed by then. */
const canvasPixelBytes = 8;
/**
 * Bytes per pixel of a decoded image: the engine's copy, and its raster from the first drawing on. While an image is
 * decoded, the pixels of the decoder are the second copy. A third one, while the engine rasterises, counts as part of
 * its caches.
 */
const decodedPixelBytes = 8;
/** Pixels that decoded images may always have. */
export const decodedPixelsMin = 16 * 1024 * 1024;
/** Upper bound of the bytes of decoded images, if canvas and effects leave as much. */
const decodedBytesMax = 256 * 1024 * 1024;

/**
 * Returns the maximum of decoded pixels of all images and drawings of a list; above it, each is decoded smaller.
 * `decoderBytes` is the memory of the decoder, which exists before anything is painted, and `heldBytes` that of other
 * frames.
 */
export function decodedPixelsMax(
  list: DisplayList,
  scale: number,
  { decoderBytes, heldBytes }: { decoderBytes: number; heldBytes: number },
): number {
  const painting = canvasBytes(list, scale) + paintCost(list, scale).bytes + heldBytes;
  const left = renderBytesMax - Math.max(painting, decoderBytes);
  return Math.max(decodedPixelsMin, Math.min(decodedBytesMax, left) / decodedPixelBytes);
}

/** Bytes that are reserved for the images and drawings of a list: those of 8 to 16 megapixels, by their drawn size. */
function reservedBytes(list: DisplayList, scale: number): number {
  let pixels = 0;
  for (const { request } of walkImages(list.items))
    pixels += request.width * request.height * scale ** 2;
  for (const { svg } of walkSvgs(list.items))
    pixels += svg.placed.width * svg.placed.height * scale ** 2;
  const reserved = Math.min(Math.max(pixels, decodedPixelsMin / 2), decodedPixelsMin);
  return reserved * decodedPixelBytes;
}

function canvasBytes(list: DisplayList, scale: number): number {
  const { widthPx, heightPx } = imageSize(list, scale);
  return widthPx * heightPx * canvasPixelBytes;
}

/**
 * Returns the cost of painting a list, while an animation holds `heldBytes` for its frames. Throws a
 * `TooExpensiveError` with the most expensive layer, and as `requireMs` if painting would end too late.
 */
export function requireAffordable(list: DisplayList, scale: number, heldBytes = 0): ListCost {
  const cost = paintCost(list, scale, paintMsMax * 1000);
  const { us, costliest, largest } = cost;
  const ms = Math.ceil(us / 1000);
  const layerMs = Math.ceil(costliest.us / 1000);
  const bytesLeft =
    renderBytesMax - canvasBytes(list, scale) - reservedBytes(list, scale) - heldBytes;
  if (bytesLeft < 0) {
    throw new TooExpensiveError(
      `needs ${toMegabytes(heldBytes)} MB for its frames, at most ${toMegabytes(heldBytes + bytesLeft)}: ask for fewer (_frames) or a smaller _scale`,
    );
  }
  if (largest.bytes > bytesLeft) {
    throw new TooExpensiveError(
      `needs ${toMegabytes(largest.bytes)} MB for the effects of a layer, at most ${toMegabytes(bytesLeft)}`,
      largest.layer,
    );
  }
  if (layerMs > layerPaintMsMax) {
    throw new TooExpensiveError(
      `takes ${layerMs} ms or more of processor time to paint for one layer, at most ${layerPaintMsMax}`,
      costliest.layer,
    );
  }
  if (ms > paintMsMax) {
    throw new TooExpensiveError(
      `takes ${ms} ms or more of processor time to paint, at most ${paintMsMax}; the most expensive layer takes ${layerMs}`,
      costliest.layer,
    );
  }
  requireMs(ms, 'paint');
  return cost;
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
