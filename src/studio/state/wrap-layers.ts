/** Puts layers into a new group or stack, and takes such a parent away again; works on a draft of `Editor.change`. */
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
import { arrangementOf, boxAround } from './stack-arrangement.ts';

/**
 * Puts layers into a new group, where the topmost of them was, with the box around them; returns its id, or undefined
 * when none of the layers exists, or they lie as deep as the format allows. Layers of several groups come together at the
 * position of the topmost.
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

/** Layers that can get a parent of their own, in paint order. None if one of them lies too deep. */
function wrappable(draft: Template, ids: readonly string[]): LayerPosition[] {
  const wanted = topmostIds(draft, ids).flatMap((id) => findPosition(draft, id) ?? []);
  const depth = wanted.at(-1)?.depth ?? 0;
  const levels = Math.max(...wanted.map(({ layer }) => levelsOf(layer)));
  return depth + 1 + levels > templateLimits.nestingMax ? [] : wanted;
}

/** Puts layers, in this order, into `parent`, which is new and comes where the topmost of them is; `boxes` has its box. */
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
  // At once: a mask stays beside its layer.
  moveLayers(draft, ids, parent.id, 0, boxes);
  parent.layers = ids.flatMap((id) => findLayer(parent, id) ?? []);
  return parent.id;
}

/**
 * Puts the layers of a group or a stack in its place and returns their ids; none when it is neither. They stay where they
 * are, unless the group is turned, blended or cut: such effects belong to the group and go with it.
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

// Stacks: their direction, gap, padding and alignment follow the boxes of what comes into them.

/**
 * Puts layers into a new stack, in the order and with the gap in which they lie; returns its id, as `groupLayers`. A group
 * alone becomes the stack. A rectangle under all others becomes its fill.
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

/** Makes a group a stack of the same layers and effects. */
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

/** A stack makes space for a layer as if it were not turned. */
function unturned(box: Box): Rect {
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

const emptyRect: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Properties of a rectangle that mean the same on a stack. */
const groundNames = new Set(['id', 'name', 'type', 'x', 'y', 'width', 'height', 'fill']);
const keptNames = new Set(['fill', 'name', 'cornerRadius', 'border', 'shadow']);

/** What a stack takes over from a rectangle that lies under all others; undefined of another layer. */
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

/** Design pixels by which a layer may reach over the rectangle under it. */
const slackPx = 1;
