/** Finds, copies, moves and removes layers. Functions that change a document take a draft of `Editor.change`. */
import { isParent } from '#language/layer-tree.ts';
import type { Layer, ParentLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Box, Point } from '../canvas/geometry.ts';
import { fixSizes, settle, shift, shiftInSizes } from './layer-sizes.ts';
import type { Boxes } from './layer-sizes.ts';

/** An object with layers: the document, a group or a stack. */
export interface LayerParent {
  layers: Layer[];
}

/** A layer with its path and group. */
export interface LayerPosition {
  layer: Layer;
  /** The group or stack around the layer; undefined if the document is the parent. */
  group: ParentLayer | undefined;
  /** Index in the list of the parent, the bottom layer first. */
  index: number;
  /** Number of groups and stacks around the layer. */
  depth: number;
  /** Path in errors of the service, such as `layers[2].layers[0]`. */
  path: string;
}

/** Returns every layer in paint order (the bottom one first); a group comes before its children. */
export function flattenLayers(document: LayerParent): LayerPosition[] {
  const positions: LayerPosition[] = [];
  const walk = (
    parent: LayerParent,
    group: ParentLayer | undefined,
    depth: number,
    path: string,
  ) => {
    for (const [index, layer] of parent.layers.entries()) {
      const layerPath = `${path}layers[${index}]`;
      positions.push({ layer, group, index, depth, path: layerPath });
      if (isParent(layer)) walk(layer, layer, depth + 1, `${layerPath}.`);
    }
  };
  walk(document, undefined, 0, '');
  return positions;
}

/** Returns the layer with an id, at any depth. */
export function findLayer(document: LayerParent, id: string): Layer | undefined {
  return findPosition(document, id)?.layer;
}

/** Returns the layer with an id, at any depth, with its path and group. */
export function findPosition(document: LayerParent, id: string): LayerPosition | undefined {
  return flattenLayers(document).find(({ layer }) => layer.id === id);
}

/** Returns the document or the group that contains the layer; undefined if there is no such layer. */
export function parentOf<Document extends LayerParent>(
  document: Document,
  id: string,
): Document | ParentLayer | undefined {
  const position = findPosition(document, id);
  return position === undefined ? undefined : (position.group ?? document);
}

/** Returns the ids of a layer and of all layers in it. */
export function idsWithin(layer: Layer): string[] {
  const inside = isParent(layer) ? layer.layers.flatMap(idsWithin) : [];
  return [layer.id, ...inside];
}

/** Returns those of `ids` that exist and are in no group of `ids`, in paint order. */
export function topmostIds(document: LayerParent, ids: readonly string[]): string[] {
  const wanted = new Set(ids);
  const covered = new Set<string>();
  return flattenLayers(document).flatMap(({ layer, group }) => {
    if (group !== undefined && covered.has(group.id)) {
      covered.add(layer.id);
      return [];
    }
    if (!wanted.has(layer.id)) return [];
    covered.add(layer.id);
    return [layer.id];
  });
}

/** Longest id, in characters (`layerFrame.id`). */
const idLengthMax = 64;

/** Returns an unused id: `prefix`, or `prefix` with the first free number (`text-2`). */
export function freshId(document: LayerParent, prefix: string): string {
  const taken = new Set(flattenLayers(document).map(({ layer }) => layer.id));
  const clean = prefix.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, idLengthMax - 5) || 'layer';
  let id = clean;
  for (let count = 2; taken.has(id); count += 1) id = `${clean}-${count}`;
  return id;
}

/** Removes layers with their children, and references to them as a mask. */
export function removeLayers(draft: LayerParent, ids: readonly string[]): void {
  const gone = new Set(ids);
  const clear = (parent: LayerParent): void => {
    parent.layers = parent.layers.filter(({ id }) => !gone.has(id));
    for (const layer of parent.layers) {
      if (layer.mask !== undefined && gone.has(layer.mask)) delete layer.mask;
      if (isParent(layer)) clear(layer);
    }
  };
  clear(draft);
}

/**
 * Moves layers, in paint order, to `index` in the list of `target`: the id of a group or stack, or undefined for the
 * document. `index` counts before the move. Layers keep their position on the canvas, except in a stack or if a group
 * between is rotated. A layer from a stack gets the position and the sizes of its box in `boxes`. A parent is never
 * moved into itself, nor deeper than the format allows. Masks that are no longer siblings of their layer are removed.
 */
export function moveLayers(
  draft: Template,
  ids: readonly string[],
  target: string | undefined,
  index: number,
  boxes: Boxes = unmeasured,
): void {
  const found = target === undefined ? undefined : findPosition(draft, target);
  const group = found !== undefined && isParent(found.layer) ? found.layer : undefined;
  if (target !== group?.id) return;
  const parent = group ?? draft;
  const inside = found === undefined ? 0 : found.depth + 1;
  const moving = topmostIds(draft, ids).flatMap((id) => {
    const position = findPosition(draft, id);
    if (position === undefined) return [];
    const holdsTarget = target !== undefined && idsWithin(position.layer).includes(target);
    const isTooDeep = inside + levelsOf(position.layer) > templateLimits.nestingMax;
    return holdsTarget || isTooDeep ? [] : [position];
  });
  const layers = moving.map(({ layer }) => layer);
  const before = parent.layers.slice(0, index).filter((layer) => !layers.includes(layer)).length;
  for (const position of moving) changeParent(draft, position, group, boxes);
  for (const { layer, group: old } of moving) {
    const list = old ?? draft;
    list.layers = list.layers.filter((each) => each !== layer);
  }
  parent.layers.splice(before, 0, ...layers);
  dropLostMasks(draft);
}

/** A target in a list of layers. `group` is undefined for the document; `index` counts before layers are moved. */
export interface Drop {
  group: string | undefined;
  index: number;
}

/**
 * Returns the target in a stack for new layers: the end of the selected stack, or the index after the selected layer
 * of a stack. A selected stack in `itself` is no target, because it is added again.
 */
export function stackFor(
  document: Template,
  selection: readonly string[],
  itself: readonly string[] = [],
): Drop | undefined {
  const position = findPosition(document, selection.at(-1) ?? '');
  if (position === undefined) return undefined;
  const { layer, group, index } = position;
  if (layer.type === 'stack' && !itself.includes(layer.id)) {
    return { group: layer.id, index: layer.layers.length };
  }
  return group?.type === 'stack' ? { group: group.id, index: index + 1 } : undefined;
}

/** Converts a layer's position and sizes to another parent, so that the layer stays at its position on the canvas. */
export function changeParent(
  draft: Template,
  { layer, group: old }: LayerPosition,
  parent: ParentLayer | undefined,
  boxes: Boxes,
): void {
  if (old === parent) return;
  const from = originOf(draft, old, boxes);
  const to = originOf(draft, parent, boxes);
  const box = boxOnCanvas(layer, from, boxes);
  const local = { ...box, x: box.x - to.x, y: box.y - to.y };
  if (old?.type === 'stack' && parent?.type !== 'stack') fixSizes(layer, local);
  else shift(layer, from.x - to.x, from.y - to.y);
  settle(layer, parent, local);
}

/**
 * Copies layers with new ids. Each copy is above its original, `offsetPx` design pixels to the right and down.
 * Returns the ids of the copies.
 */
export function duplicateLayers(
  draft: Template,
  ids: readonly string[],
  offsetPx: number,
): string[] {
  return topmostIds(draft, ids).flatMap((id) => {
    const position = findPosition(draft, id);
    if (position === undefined) return [];
    const copy = structuredClone(position.layer);
    shiftInSizes(copy, offsetPx);
    (position.group ?? draft).layers.splice(position.index + 1, 0, copy);
    renewIds(draft, copy);
    return [copy.id];
  });
}

/** Gives a layer of the draft and all layers in it unused ids, and updates the references between them. */
export function renewIds(draft: LayerParent, layer: Layer): void {
  const renamed = new Map<string, string>();
  for (const id of idsWithin(layer)) {
    const inside = findWithin(layer, id);
    if (inside === undefined) continue;
    inside.id = '';
    const fresh = freshId(draft, id.replace(/-\d+$/, ''));
    inside.id = fresh;
    renamed.set(id, fresh);
  }
  for (const { layer: each } of flattenLayers({ layers: [layer] })) {
    if (each.mask !== undefined && each !== layer) each.mask = renamed.get(each.mask) ?? each.mask;
    const repeat = each.type === 'stack' ? each.repeat : undefined;
    if (repeat?.more !== undefined) repeat.more = renamed.get(repeat.more) ?? repeat.more;
  }
}

function findWithin(layer: Layer, id: string): Layer | undefined {
  return findLayer({ layers: [layer] }, id);
}

export const unmeasured: Boxes = new Map();

/** Returns the point of the canvas from which the layers of a parent are positioned. */
export function originOf(
  document: LayerParent,
  parent: ParentLayer | undefined,
  boxes: Boxes,
): Point {
  const position = findPosition(document, parent?.id ?? '');
  return position === undefined ? { x: 0, y: 0 } : placedBox(document, position, boxes);
}

/** Returns the box of a layer on the canvas: the measured one, or else the one in the document. */
export function placedBox(document: LayerParent, position: LayerPosition, boxes: Boxes): Box {
  const { layer, group } = position;
  return boxes.get(layer.id) ?? boxOnCanvas(layer, originOf(document, group, boxes), boxes);
}

function boxOnCanvas(layer: Layer, origin: Point, boxes: Boxes): Box {
  const { x, y, width, height, rotation } = layer;
  const layerPath = { x: origin.x + numberOf(x), y: origin.y + numberOf(y) };
  const sizes = { width: numberOf(width), height: numberOf(height) };
  return boxes.get(layer.id) ?? { ...layerPath, ...sizes, rotation: numberOf(rotation) };
}

/** Makes a layer valid in its parent after one of its properties was changed. */
export function settleIn(draft: Template, position: LayerPosition, boxes: Boxes): void {
  const { x, y, ...box } = placedBox(draft, position, boxes);
  const to = originOf(draft, position.group, boxes);
  settle(position.layer, position.group, { ...box, x: x - to.x, y: y - to.y });
}

/** Returns the levels of nested groups and stacks in a layer, the layer included. */
export function levelsOf(layer: Layer): number {
  return isParent(layer) ? 1 + Math.max(0, ...layer.layers.map(levelsOf)) : 0;
}

/** Removes references to masks that are not in the same list as their layer. */
export function dropLostMasks(parent: LayerParent): void {
  const ids = new Set(parent.layers.map(({ id }) => id));
  for (const layer of parent.layers) {
    if (layer.mask !== undefined && !ids.has(layer.mask)) delete layer.mask;
    if (isParent(layer)) dropLostMasks(layer);
  }
}

/** Returns a number of the document; 0 for a binding or an absent value. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Letters at most of a text that names its layer. */
const excerptMax = 40;

/** Returns the name of a layer, or else the start of its text, or else its id. */
export function nameOf(layer: Layer): string {
  if (layer.name !== undefined && layer.name !== '') return layer.name;
  if (layer.type !== 'text') return layer.id;
  const text = layer.text ?? (layer.spans ?? []).map((span) => span.text).join('');
  const excerpt = text.replaceAll(/\s+/g, ' ').trim().slice(0, excerptMax);
  return excerpt === '' ? layer.id : excerpt;
}
