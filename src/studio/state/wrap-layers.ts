/** Puts layers into a new group or stack, and removes such a parent again. Works on a draft of `Editor.change`. */
import type {
  GroupLayer,
  Layer,
  ParentLayer,
  RectLayer,
  StackLayer,
} from '#language/schema/layers.ts';
import { isParent } from '#language/layer-tree.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import type { Box, Rect } from '../canvas/geometry.ts';
import { positionOf, settle } from './layer-sizes.ts';
import type { Boxes } from './layer-sizes.ts';
import {
  changeParent,
  dropLostMasks,
  findLayer,
  findPosition,
  freshId,
  levelsOf,
  moveLayers,
  numberOf,
  originOf,
  placedBox,
  removeLayers,
  topmostIds,
  unmeasured,
} from './layers.ts';
import type { LayerPosition } from './layers.ts';
import { arrangementOf, boxAround } from './arrangement/stack-arrangement.ts';

/**
 * Puts layers, also of several groups, into a new group at the position of the topmost layer. Its box encloses them.
 * Returns the group's id; undefined if none of the layers exists, or if the group would be nested deeper than the
 * format allows.
 */
export function groupLayers(
  draft: Template,
  ids: readonly string[],
  boxes: Boxes = unmeasured,
): string | undefined {
  const wanted = wrappable(draft, ids);
  const around = boxAround(wanted.map((position) => placedBox(draft, position, boxes)));
  const group: GroupLayer = { type: 'group', id: freshId(draft, 'group'), ...around, layers: [] };
  return wrap(draft, wanted, group, new Map(boxes).set(group.id, { ...around, rotation: 0 }));
}

/** Returns the layers that a new parent can contain, in paint order; empty if they would be nested too deep. */
function wrappable(draft: Template, ids: readonly string[]): LayerPosition[] {
  const wanted = topmostIds(draft, ids).flatMap((id) => findPosition(draft, id) ?? []);
  const depth = wanted.at(-1)?.depth ?? 0;
  const levels = Math.max(...wanted.map(({ layer }) => levelsOf(layer)));
  return depth + 1 + levels > templateLimits.nestingMax ? [] : wanted;
}

/** Puts layers, in this order, into the new `parent` at the position of the topmost layer. `boxes` has its box. */
function wrap(
  draft: Template,
  wanted: readonly LayerPosition[],
  parent: ParentLayer,
  boxes: Boxes,
): string | undefined {
  const ids = wanted.map(({ layer }) => layer.id);
  const top = findPosition(draft, topmostIds(draft, ids).at(-1) ?? '');
  if (top === undefined) return undefined;
  const to = originOf(draft, top.group, boxes);
  parent.x = positionOf(numberOf(parent.x) - to.x);
  parent.y = positionOf(numberOf(parent.y) - to.y);
  settle(parent, top.group, undefined);
  (top.group ?? draft).layers.splice(top.index + 1, 0, parent);
  // All in one move, so that a mask stays beside its layer.
  moveLayers(draft, ids, parent.id, 0, boxes);
  parent.layers = ids.flatMap((id) => findLayer(parent, id) ?? []);
  return parent.id;
}

/**
 * Replaces a group or a stack by its layers and returns their ids; empty for other layers. The layers look the same,
 * unless the group is rotated, blended or clipped: these effects are removed with the group.
 */
export function ungroup(draft: Template, id: string, boxes: Boxes = unmeasured): string[] {
  const position = findPosition(draft, id);
  if (position === undefined || !isParent(position.layer)) return [];
  const { layer: group, index } = position;
  for (const layer of group.layers) {
    changeParent(draft, { ...position, layer, group }, position.group, boxes);
  }
  const parent = position.group ?? draft;
  parent.layers.splice(index, 1, ...group.layers);
  dropLostMasks(draft);
  return group.layers.map((layer) => layer.id);
}

// Stacks: direction, gap, padding and alignment follow the boxes of the layers.

/**
 * Puts layers into a new stack, with the order and the gap of their boxes. Returns an id like `groupLayers`. A single
 * group becomes the stack. A rectangle below all other layers becomes the fill of the stack.
 */
export function stackLayers(
  draft: Template,
  ids: readonly string[],
  boxes: Boxes = unmeasured,
): string | undefined {
  const wanted = wrappable(draft, ids);
  const [first, ...others] = wanted;
  if (first === undefined) return undefined;
  const isMirrored = isRightToLeft(draft.lang ?? '');
  const boxesOf = (positions: readonly LayerPosition[]): Rect[] =>
    positions.map((position) => unturned(placedBox(draft, position, boxes)));
  if (first.layer.type === 'group' && others.length === 0) {
    return groupToStack(draft, { ...first, layer: first.layer }, boxes, isMirrored);
  }
  const [firstBox = emptyRect, ...rest] = boxesOf(wanted);
  const ground = groundOf(first.layer, firstBox, rest);
  const inside = ground === undefined ? wanted : others;
  const arrangement = arrangementOf(boxesOf(inside), ground && firstBox, isMirrored);
  const around = ground === undefined ? boxAround(boxesOf(inside)) : firstBox;
  const stack: StackLayer = {
    type: 'stack',
    id: freshId(draft, 'stack'),
    x: around.x,
    y: around.y,
    width: 'hug',
    height: 'hug',
    ...arrangement.properties,
    layers: [],
    ...ground,
  };
  const ordered = arrangement.order.flatMap((index) => inside[index] ?? []);
  const measured = new Map(boxes).set(stack.id, { ...around, rotation: 0 });
  const id = wrap(draft, ordered, stack, measured);
  if (ground !== undefined) removeLayers(draft, [first.layer.id]);
  return id;
}

/** Converts a group to a stack of the same layers and effects. Returns the stack's id. */
function groupToStack(
  draft: Template,
  position: LayerPosition & { layer: GroupLayer },
  boxes: Boxes,
  isMirrored: boolean,
): string {
  const { layer: group, index } = position;
  const outer = placedBox(draft, position, boxes);
  const inside = group.layers.map((layer, at) => ({ ...position, layer, group, index: at }));
  const rects = inside.map((each) => unturned(placedBox(draft, each, boxes)));
  const { order, properties } = arrangementOf(rects, outer, isMirrored);
  const { layers: _, type: __, ...effects } = group;
  const sizes = { width: 'hug', height: 'hug' } as const;
  const stack: StackLayer = { ...effects, type: 'stack', ...sizes, ...properties, layers: [] };
  for (const each of inside) changeParent(draft, each, stack, boxes);
  stack.layers = order.flatMap((at) => group.layers[at] ?? []);
  (position.group ?? draft).layers.splice(index, 1, stack);
  settle(stack, position.group, undefined);
  return stack.id;
}

/** Returns a box without rotation, because a stack ignores the rotation of its layers. */
function unturned(box: Box): Rect {
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

const emptyRect: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Properties of a rectangle that a stack can replace, and those that mean the same on a stack. */
const groundNames = new Set(['id', 'name', 'type', 'x', 'y', 'width', 'height', 'fill']);
const keptNames = new Set(['fill', 'name', 'cornerRadius', 'border', 'shadow']);

/** Returns the properties that a stack takes from a rectangle below all other layers; undefined for other layers. */
function groundOf(
  layer: Layer,
  box: Rect,
  others: readonly Rect[],
): Pick<RectLayer, 'fill' | 'cornerRadius' | 'border' | 'shadow' | 'name'> | undefined {
  const holds = others.every(
    (other) =>
      other.x >= box.x - slackPx &&
      other.y >= box.y - slackPx &&
      other.x + other.width <= box.x + box.width + slackPx &&
      other.y + other.height <= box.y + box.height + slackPx,
  );
  const entries = Object.entries(layer);
  const isPlain = entries.every(([name]) => groundNames.has(name) || keptNames.has(name));
  if (layer.type !== 'rect' || others.length === 0 || !holds || !isPlain) return undefined;
  return Object.fromEntries(entries.filter(([name]) => keptNames.has(name)));
}

/** Distance by which a layer may extend beyond the rectangle below it, in design pixels. */
const slackPx = 1;
