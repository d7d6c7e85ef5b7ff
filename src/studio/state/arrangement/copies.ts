/** Copies that were dragged in one size of a template: in the other sizes they lie as far from their originals. */
import type { Template } from '#language/schema/template.ts';
import { insideCanvas } from '../../canvas/geometry.ts';
import type { Point, Rect } from '../../canvas/geometry.ts';
import { positionOf } from '../layer-sizes.ts';
import { findPosition, numberOf } from '../layers.ts';
import { positionsIn, viewOf } from '../sizes.ts';
import type { SizeName } from '../sizes.ts';
import { canvases, writeInSizes } from './size-values.ts';

/** Moves each copy in all sizes but `size`. A copy of a layer inside the canvas stays inside the canvas. */
export function moveCopiesInSizes(
  draft: Template,
  copies: ReadonlyMap<string, string>,
  size: SizeName,
): void {
  for (const [original, id] of copies) {
    const position = findPosition(draft, id);
    const from = positionsIn(viewOf(draft, size));
    const [start, end] = [from.get(original), from.get(id)];
    if (position === undefined || start === undefined || end === undefined) continue;
    const delta = { x: end.x - start.x, y: end.y - start.y };
    const values = [...canvases(draft)].map(([name, canvas]) => {
      const view = viewOf(draft, name);
      const layer = findPosition(view, id)?.layer ?? position.layer;
      const corners = positionsIn(view);
      const at = corners.get(original);
      if (name === size || at === undefined) return [name, { x: layer.x, y: layer.y }] as const;
      const sides = { width: numberOf(layer.width), height: numberOf(layer.height) };
      const moved = { ...sides, x: at.x + delta.x, y: at.y + delta.y };
      const isFree = position.group !== undefined || !isInside({ ...at, ...sides }, canvas);
      const next = isFree ? moved : insideCanvas(canvas, moved);
      const origin = corners.get(position.group?.id ?? '') ?? { x: 0, y: 0 };
      return [name, fixed(layer, { x: next.x - origin.x, y: next.y - origin.y })] as const;
    });
    writeInSizes(position.layer, new Map<SizeName, { x?: unknown; y?: unknown }>(values));
  }
}

function isInside(rect: Rect, canvas: Pick<Rect, 'width' | 'height'>): boolean {
  const { x, y } = insideCanvas(canvas, rect);
  return x === Math.round(rect.x) && y === Math.round(rect.y);
}

/** The coordinates that no variable gives. */
function fixed(layer: { x?: unknown; y?: unknown }, { x, y }: Point): { x: unknown; y: unknown } {
  return {
    x: typeof layer.x === 'number' ? positionOf(x) : layer.x,
    y: typeof layer.y === 'number' ? positionOf(y) : layer.y,
  };
}
