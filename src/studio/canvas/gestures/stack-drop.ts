/** Drags over stacks: finds the position in a stack for dragged layers, and applies the drop. */
import type { StackLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { duplicateLayers, findLayer, findPosition, moveLayers } from '../../state/layers.ts';
import type { CanvasState } from '../canvas-state.ts';
import { moveTo, turnTo } from '../edit-layers.ts';
import type { Box, Motion, Point, Rect } from '../geometry.ts';
import {
  applyMotion,
  centerOf,
  composeMotions,
  isInBox,
  motionOf,
  still,
  undoMotion,
} from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { drawnIn, fixedNumber } from '../layer-geometry.ts';
import { innerOf, linesOf, spanOf } from '../stack-spaces.ts';

/** A position in a stack. */
export interface StackDrop {
  stack: string;
  /** Index among the layers of the stack, before any layer is moved. */
  index: number;
  /** Ends of the line that shows the position, points of the canvas. */
  line: readonly [Point, Point];
}

/** Whether a stack positions the layer. */
export function isStacked(document: Template, { id }: Pick<LayerGeometry, 'id'>): boolean {
  return findPosition(document, id)?.group?.type === 'stack';
}

/**
 * The innermost stack under the pointer that may take the layers, or copies of them, and the position in it; undefined
 * without one.
 */
export function stackAt(
  { editor, positions }: CanvasState,
  point: Point,
  moving: readonly string[],
  isCopy = false,
): StackDrop | undefined {
  const { document, locked } = editor;
  const isLeft = (id: string): boolean => moving.includes(id) || locked.value.has(id);
  // A layer of a group moves within the group, even if the group is in a stack.
  const around = positions.value
    .filter(({ id }) => moving.includes(id) && !isStacked(document.value, { id }))
    .flatMap(({ groups }) => groups);
  const position = positions.value.findLast(
    ({ id, groups, layer, seen, isDrawn }) =>
      layer.type === 'stack' &&
      isDrawn &&
      !around.includes(id) &&
      ![id, ...groups].some(isLeft) &&
      isInBox(seen, point),
  );
  if (position?.layer.type !== 'stack') return undefined;
  const { layer: stack, box } = position;
  const motion = composeMotions(position.motion, motionOf(box));
  const drawn = drawnIn(positions.value, position);
  const children = isCopy ? drawn : drawn.filter(({ id }) => !moving.includes(id));
  const isMirrored = isRightToLeft(document.value.lang ?? '');
  const found = positionIn(stack, box, children, undoMotion(motion, point), isMirrored);
  const [start, end] = found.line;
  return {
    stack: position.id,
    index: found.index,
    line: [applyMotion(motion, start), applyMotion(motion, end)],
  };
}

interface Position {
  index: number;
  line: [Point, Point];
}

/** The position between the children that is nearest to a point, in the space of the stack. */
function positionIn(
  stack: StackLayer,
  box: Rect,
  children: readonly LayerGeometry[],
  at: Point,
  isMirrored: boolean,
): Position {
  const isRow = stack.direction === 'row';
  const inner = innerOf(stack, box);
  const lines = linesOf(stack, children);
  const gap = fixedNumber(stack.gap) ?? 0;
  const line = lines.find((each) => at.y <= spanOf(each, 'y').to + gap / 2) ?? lines.at(-1) ?? [];
  const members = isRow ? line : children;
  const [axis, side] = isRow ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const way = isRow && isMirrored ? -1 : 1;
  const next = members.findIndex(
    ({ box: each }) => (each[axis] + each[side] / 2 - at[axis]) * way > 0,
  );
  const before = next === -1 ? members.at(-1) : members[next - 1];
  const after = next === -1 ? undefined : members[next];
  // Edges that face the position, in the direction of the stack.
  const end = before && before.box[axis] + (way === 1 ? before.box[side] : 0);
  const start = after && after.box[axis] + (way === 1 ? 0 : after.box[side]);
  const first = inner[axis] + (way === 1 ? 0 : inner[side]);
  const middle =
    end !== undefined && start !== undefined
      ? (end + start) / 2
      : end !== undefined
        ? end + (way * gap) / 2
        : (start ?? first) - (start === undefined ? 0 : (way * gap) / 2);
  const isInLine = isRow && members.length > 0 && stack.wrap === true;
  const { from, to } = isInLine
    ? spanOf(members, 'y')
    : { from: inner.y, to: inner.y + inner.height };
  const ends: [Point, Point] = isRow
    ? [
        { x: middle, y: from },
        { x: middle, y: to },
      ]
    : [
        { x: inner.x, y: middle },
        { x: inner.x + inner.width, y: middle },
      ];
  const indexOf = (id: string): number => stack.layers.findIndex((layer) => layer.id === id);
  if (after !== undefined) return { index: indexOf(after.id), line: ends };
  return { index: before === undefined ? stack.layers.length : indexOf(before.id) + 1, line: ends };
}

/**
 * Moves layers that were dragged by `delta` into the stack of `target`. Without a target, layers leave their stacks:
 * they stay where they were dropped, after the outermost of these stacks. `positions` has all layers.
 */
export function dropLayers(
  draft: Template,
  moving: readonly LayerGeometry[],
  delta: Point,
  target: StackDrop | undefined,
  positions: readonly LayerGeometry[],
): void {
  const ids = moving.map(({ id }) => id);
  const boxes = new Map(positions.map(({ id, box }) => [id, box]));
  if (target !== undefined) {
    moveLayers(draft, ids, target.stack, target.index, boxes);
    return;
  }
  for (const position of moving) {
    if (!isStacked(draft, position)) {
      moveTo(draft, [position], delta);
      continue;
    }
    let outer = findPosition(draft, position.id);
    while (outer?.group?.type === 'stack') outer = findPosition(draft, outer.group.id);
    if (outer === undefined) continue;
    const parent = positions.find(({ id }) => id === outer?.group?.id);
    const motion = parent && composeMotions(parent.motion, motionOf(parent.box));
    const { seen } = position;
    const box = boxIn(motion ?? still, { ...seen, x: seen.x + delta.x, y: seen.y + delta.y });
    moveLayers(draft, [position.id], parent?.id, outer.index + 1, boxes.set(position.id, box));
    turnTo(findLayer(draft, position.id), box.rotation);
  }
}

/** Copies layers, drops the copies like `dropLayers`, and returns the ids of the copies. */
export function dropCopies(
  draft: Template,
  moving: readonly LayerGeometry[],
  delta: Point,
  target: StackDrop | undefined,
  positions: readonly LayerGeometry[],
): string[] {
  const stack = findLayer(draft, target?.stack ?? '');
  const layers = stack?.type === 'stack' ? stack.layers : [];
  const next = layers[target?.index ?? layers.length];
  const copies = moving.flatMap((position) =>
    duplicateLayers(draft, [position.id], 0).map((id) => ({ ...position, id })),
  );
  const index = next === undefined ? layers.length : layers.indexOf(next);
  dropLayers(draft, copies, delta, target && { ...target, index }, [...positions, ...copies]);
  return copies.map(({ id }) => id);
}

/** Converts a box on the canvas to the space that `motion` maps to the canvas. */
function boxIn(motion: Motion, seen: Box): Box {
  const center = undoMotion(motion, centerOf(seen));
  const { width, height } = seen;
  const corner = { x: center.x - width / 2, y: center.y - height / 2 };
  return { ...corner, width, height, rotation: seen.rotation - motion.angle };
}
