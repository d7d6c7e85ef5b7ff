/** Finds a position for a new layer without a point. */
import type { Editor } from '../../state/editor.ts';
import { canvasOf, partInSight } from '../canvas-state.ts';
import { boundsOf, insideCanvas, touchesRect } from '../geometry.ts';
import type { Box, Point, Rect } from '../geometry.ts';
import { hasSurface, seenBoxes } from '../layer-geometry.ts';

/** Gap to other layers, as a part of the shorter side of the canvas. */
const gapPart = 1 / 40;

/** A layer that covers a larger part of the canvas is a background, which a new layer may cover. */
const backgroundMin = 0.5;

/** Maximum number of positions on an axis that are tried, the nearest first. */
const positionsMax = 60;

/**
 * Returns the position nearest to that of `rect` at which it overlaps no layer but backgrounds: in the visible part of
 * the canvas if it fits there. Without free space, the overlap is the smallest.
 */
export function freePosition(editor: Editor, rect: Rect): Point {
  const { width, height } = editor.document.value;
  const gap = Math.round(Math.min(width, height) * gapPart);
  const sight = partInSight(editor);
  const isInSight = rect.width <= sight.width && rect.height <= sight.height;
  const area = isInSight ? sight : { x: 0, y: 0, width, height };
  const others = boxesOf(editor).filter(
    (box) => box.width * box.height <= width * height * backgroundMin,
  );
  const start = insideCanvas(area, { ...rect, x: rect.x - area.x, y: rect.y - area.y });
  const from = { x: start.x + Math.ceil(area.x), y: start.y + Math.ceil(area.y) };
  const bounds = others.map((box) => ({ box, outer: boundsOf([box]) ?? box }));
  const tried = (axis: 'x' | 'y', side: 'width' | 'height'): number[] => {
    const edges = bounds.flatMap(({ outer }) => [
      outer[axis] - gap - rect[side],
      outer[axis] + outer[side] + gap,
    ]);
    const last = area[axis] + area[side] - rect[side];
    const inside = [...edges.map(Math.round), Math.ceil(area[axis]), Math.floor(last)].filter(
      (at) => at >= area[axis] && at <= last,
    );
    const distance = (at: number): number => Math.abs(at - from[axis]);
    const sorted = [...new Set(inside)].toSorted(
      (one, other) => distance(one) - distance(other) || other - one,
    );
    return [from[axis], ...sorted.slice(0, positionsMax)];
  };
  let best = { ...from, overlap: Infinity, distance: Infinity };
  const ys = tried('y', 'height');
  for (const x of tried('x', 'width')) {
    for (const y of ys) {
      const distance = Math.hypot(x - from.x, y - from.y);
      if (best.overlap === 0 && distance >= best.distance) continue;
      const grown = {
        x: x - gap,
        y: y - gap,
        width: rect.width + 2 * gap,
        height: rect.height + 2 * gap,
      };
      const overlap = bounds.reduce((sum, each) => sum + overlapOf(each, grown), 0);
      if (overlap < best.overlap || (overlap === best.overlap && distance < best.distance)) {
        best = { x, y, overlap, distance };
      }
    }
  }
  return { x: best.x, y: best.y };
}

/** Boxes of all layers with a surface. A layer that the newest report lacks counts, too. */
function boxesOf(editor: Editor): Box[] {
  const positions = canvasOf(editor)?.positions.value ?? [];
  return positions
    .filter((position) => hasSurface(position) && position.layer.visible !== false)
    .flatMap(seenBoxes);
}

/** Area that the bounds of a layer and a rectangle have in common; 0 if the turned layer does not touch it. */
function overlapOf({ box, outer }: { box: Box; outer: Rect }, rect: Rect): number {
  const width = Math.min(outer.x + outer.width, rect.x + rect.width) - Math.max(outer.x, rect.x);
  const height = Math.min(outer.y + outer.height, rect.y + rect.height) - Math.max(outer.y, rect.y);
  if (width <= 0 || height <= 0) return 0;
  return box.rotation === 0 || touchesRect(box, rect) ? width * height : 0;
}
