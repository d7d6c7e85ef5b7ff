/** Refuses display lists that are too expensive to paint, before anything is painted. */
import type { DisplayList } from '../display-list.ts';
import { TooExpensiveError } from '../work-limit.ts';
import { paintCost } from './paint-cost.ts';
import type { ListCost } from './paint-cost.ts';

/** Most that painting may take by `paintCost`, which is an upper bound: typically twice what it takes. */
const paintMsMax = 1000;
/** Most that one layer of the canvas may take: the engine rasterises it in one operation, of 0.5 s or less in fact. */
const layerPaintMsMax = 700;
/** Bytes of all buffers at once. The canvas itself has at most 64 MiB. */
const bufferBytesMax = 256 * 1024 * 1024;

/** The cost of painting a list. Throws `TooExpensiveError` that names the most expensive layer. */
export function requireAffordable(list: DisplayList, scale: number): ListCost {
  const cost = paintCost(list, scale, paintMsMax * 1000);
  const { us, dearest, largest } = cost;
  const ms = Math.ceil(us / 1000);
  const layerMs = Math.ceil(dearest.us / 1000);
  if (largest.bytes > bufferBytesMax) {
    throw new TooExpensiveError(
      `needs ${toMegabytes(largest.bytes)} MB for the effects of a layer, at most ${toMegabytes(bufferBytesMax)}`,
      largest.layer,
    );
  }
  if (layerMs > layerPaintMsMax) {
    throw new TooExpensiveError(
      `takes ${layerMs} ms or more of processor time to paint for one layer, at most ${layerPaintMsMax}`,
      dearest.layer,
    );
  }
  if (ms > paintMsMax) {
    throw new TooExpensiveError(
      `takes ${ms} ms or more of processor time to paint, at most ${paintMsMax}; the most expensive layer takes ${layerMs}`,
      dearest.layer,
    );
  }
  return cost;
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
