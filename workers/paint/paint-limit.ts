/** Refuses display lists that are too expensive to paint, before anything is painted. */
import { templateLimits } from '#shared/template-limits.ts';
import type { DisplayList } from '../display-list.ts';
import { TooExpensiveError } from '../work-limit.ts';
import { paintCost } from './paint-cost.ts';
import type { ListCost } from './paint-cost.ts';

const { paintMsMax, layerPaintMsMax, effectBytesMax } = templateLimits;

/** The cost of painting a list. Throws `TooExpensiveError` that names the most expensive layer. */
export function requireAffordable(list: DisplayList, scale: number): ListCost {
  const cost = paintCost(list, scale, paintMsMax * 1000);
  const { us, dearest, largest } = cost;
  const ms = Math.ceil(us / 1000);
  const layerMs = Math.ceil(dearest.us / 1000);
  if (largest.bytes > effectBytesMax) {
    throw new TooExpensiveError(
      `needs ${toMegabytes(largest.bytes)} MB for the effects of a layer, at most ${toMegabytes(effectBytesMax)}`,
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
