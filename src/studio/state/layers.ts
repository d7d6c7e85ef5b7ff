/** Finds, adds, moves, groups and removes layers of a document; what changes it works on a draft of `Editor.change`. */
import { isParent } from '#language/schema/layers.ts';
import type { GroupLayer, Layer, ParentLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';

/** What has layers: the document, or a group. */
export interface LayerParent {
  layers: Layer[];
}

/** A layer with its path and group. */
export interface LayerPlace {
  layer: Layer;
  /** Undefined: the document itself. */
  group: ParentLayer | undefined;
  /** In the list of its parent, the bottom layer first. */
  index: number;
  /** 0 at the top level. */
  depth: number;
  /** As the service names it in errors: `layers[2].layers[0]`. */
  path: string;
}

/** Every layer in paint order (the bottom one first); a group stands before its children. */
export function flattenLayers(document: LayerParent): LayerPlace[] {
  const places: LayerPlace[] = [];
  const walk = (
    parent: LayerParent,
    group: ParentLayer | undefined,
    depth: number,
    path: string,
  ) => {
    for (const [index, layer] of parent.layers.entries()) {
      const own = `${path}layers[${index}]`;
      places.push({ layer, group, index, depth, path: own });
      if (isParent(layer)) walk(layer, layer, depth + 1, `${own}.`);
    }
  };
  walk(document, undefined, 0, '');
  return places;
}

/** The layer of this id, at any depth. */
export function findLayer(document: LayerParent, id: string): Layer | undefined {
  return findPlace(document, id)?.layer;
}

/** The layer of an id with its path and group. */
export function findPlace(document: LayerParent, id: string): LayerPlace | undefined {
  return flattenLayers(document).find(({ layer }) => layer.id === id);
}

/** The document or the group whose list holds the layer; undefined when there is no such layer. */
export function parentOf<Document extends LayerParent>(
  document: Document,
  id: string,
): Document | ParentLayer | undefined {
  const place = findPlace(document, id);
  return place === undefined ? undefined : (place.group ?? document);
}

/** Ids of a layer and of everything in it. */
export function idsWithin(layer: Layer): string[] {
  const inside = isParent(layer) ? layer.layers.flatMap(idsWithin) : [];
  return [layer.id, ...inside];
}

/** Those of `ids` that exist and are in no group that is itself among them, in paint order. */
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

/** Characters of an id (`layerFrame.id`). */
const idLengthMax = 64;

/** An id that no layer has: `prefix`, or it with the first free number (`text-2`). */
export function freshId(document: LayerParent, prefix: string): string {
  const taken = new Set(flattenLayers(document).map(({ layer }) => layer.id));
  const clean = prefix.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, idLengthMax - 5) || 'layer';
  let id = clean;
  for (let count = 2; taken.has(id); count += 1) id = `${clean}-${count}`;
  return id;
}

/** Removes layers with all that is in them, and what named them as a mask. */
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
 * Moves layers, in their paint order, to `index` of the list of `target` (a group's id, or undefined for the document):
 * the index before any of them is taken out. They stay where they are on the canvas, unless a group between is turned;
 * a group is never moved into itself. A mask that is no longer beside its layer is dropped.
 */
export function moveLayers(
  draft: Template,
  ids: readonly string[],
  target: string | undefined,
  index: number,
): void {
  const parent = target === undefined ? draft : findLayer(draft, target);
  if (parent === undefined || !('layers' in parent)) return;
  const moving = topmostIds(draft, ids).flatMap((id) => {
    const layer = findLayer(draft, id);
    const holdsTarget =
      target !== undefined && layer !== undefined && idsWithin(layer).includes(target);
    return layer === undefined || holdsTarget ? [] : [layer];
  });
  const before = parent.layers.slice(0, index).filter((layer) => !moving.includes(layer)).length;
  const to = target === undefined ? origin : offsetOf(draft, target, true);
  for (const layer of moving) {
    const from = offsetOf(draft, layer.id, false);
    shift(layer, from.x - to.x, from.y - to.y);
  }
  for (const layer of moving) {
    const old = parentOf(draft, layer.id);
    if (old !== undefined) old.layers = old.layers.filter((each) => each !== layer);
  }
  parent.layers.splice(before, 0, ...moving);
  dropLostMasks(draft);
}

/**
 * Puts layers into a new group, where the topmost of them was, with the box around them; returns its id, or undefined
 * when none of the layers exists. Layers of several groups come together at the position of the topmost.
 */
export function groupLayers(draft: Template, ids: readonly string[]): string | undefined {
  const wanted = topmostIds(draft, ids);
  const place = findPlace(draft, wanted.at(-1) ?? '');
  if (place === undefined) return undefined;
  const target = place.group?.id;
  moveLayers(draft, wanted, target, place.index + 1);
  const parent = place.group ?? draft;
  const inside = parent.layers.filter(({ id }) => wanted.includes(id));
  const box = boxAround(inside);
  for (const layer of inside) {
    shift(layer, -box.x, -box.y);
  }
  const at = parent.layers.findIndex(({ id }) => id === inside[0]?.id);
  const group: GroupLayer = { type: 'group', id: freshId(draft, 'group'), ...box, layers: inside };
  parent.layers = parent.layers.filter((layer) => !inside.includes(layer));
  parent.layers.splice(at, 0, group);
  dropLostMasks(draft);
  return group.id;
}

/**
 * Puts a group's layers in its place and returns their ids; none when it is no group. They stay where they are, unless
 * the group is turned, blended or cut: such effects belong to the group and go with it.
 */
export function ungroup(draft: Template, id: string): string[] {
  const place = findPlace(draft, id);
  if (place?.layer.type !== 'group') return [];
  const { layer: group, index } = place;
  for (const layer of group.layers) {
    shift(layer, numberOf(group.x), numberOf(group.y));
  }
  const parent = place.group ?? draft;
  parent.layers.splice(index, 1, ...group.layers);
  dropLostMasks(draft);
  return group.layers.map((layer) => layer.id);
}

/**
 * Copies layers, each above its original and `offsetPx` right and down of it, with ids of their own; returns the
 * copies' ids.
 */
export function duplicateLayers(
  draft: Template,
  ids: readonly string[],
  offsetPx: number,
): string[] {
  return topmostIds(draft, ids).flatMap((id) => {
    const place = findPlace(draft, id);
    if (place === undefined) return [];
    const copy = structuredClone(place.layer);
    shift(copy, offsetPx, offsetPx);
    (place.group ?? draft).layers.splice(place.index + 1, 0, copy);
    renewIds(draft, copy);
    return [copy.id];
  });
}

/** Gives a layer that stands in the draft, and all within it, ids that no other layer has; masks inside follow. */
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
  for (const { layer: each } of flattenLayers({
    layers: isParent(layer) ? layer.layers : [],
  })) {
    if (each.mask !== undefined) each.mask = renamed.get(each.mask) ?? each.mask;
  }
}

function findWithin(layer: Layer, id: string): Layer | undefined {
  return findLayer({ layers: [layer] }, id);
}

/** The box around layers as they stand in their list, turned ones with their corners; design pixels. */
export function boxAround(
  layers: ReadonlyArray<Pick<Layer, 'x' | 'y' | 'width' | 'height' | 'rotation'>>,
): { x: number; y: number; width: number; height: number } {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const layer of layers) {
    const [x, y] = [numberOf(layer.x), numberOf(layer.y)];
    const [width, height] = [numberOf(layer.width), numberOf(layer.height)];
    const rotation = numberOf(layer.rotation);
    const angle = (rotation * Math.PI) / 180;
    const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const halfWidth = (width * cos + height * sin) / 2;
    const halfHeight = (width * sin + height * cos) / 2;
    left = Math.min(left, x + width / 2 - halfWidth);
    right = Math.max(right, x + width / 2 + halfWidth);
    top = Math.min(top, y + height / 2 - halfHeight);
    bottom = Math.max(bottom, y + height / 2 + halfHeight);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
}

interface Offset {
  x: number;
  y: number;
}

const origin: Offset = { x: 0, y: 0 };

/** Where the list that a layer stands in begins on the canvas, or, `inside`, the list of the layer. */
function offsetOf(document: LayerParent, id: string, inside: boolean): Offset {
  const place = findPlace(document, id);
  if (place === undefined) return origin;
  const outer = place.group === undefined ? origin : offsetOf(document, place.group.id, true);
  if (!inside) return outer;
  return { x: outer.x + numberOf(place.layer.x), y: outer.y + numberOf(place.layer.y) };
}

/** A mask is a layer of the same list. */
function dropLostMasks(parent: LayerParent): void {
  const ids = new Set(parent.layers.map(({ id }) => id));
  for (const layer of parent.layers) {
    if (layer.mask !== undefined && !ids.has(layer.mask)) delete layer.mask;
    if (isParent(layer)) dropLostMasks(layer);
  }
}

/** Moves a layer; a coordinate that is bound to a variable stays. */
function shift(layer: Layer, right: number, down: number): void {
  if (typeof layer.x === 'number') layer.x = round(layer.x + right);
  if (typeof layer.y === 'number') layer.y = round(layer.y + down);
}

/** A number of the document; 0 for one that a variable gives, whatever its type says. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Design pixels to the hundredth: finer than any eye, and short in the document. */
function round(px: number): number {
  return Math.round(px * 100) / 100;
}

/** Letters of a text that stand for its layer. */
const excerptMax = 40;

/** The name of the layer, or a text's first words, or its id. */
export function nameOf(layer: Layer): string {
  if (layer.name !== undefined && layer.name !== '') return layer.name;
  if (layer.type !== 'text') return layer.id;
  const text = layer.text ?? (layer.spans ?? []).map((span) => span.text).join('');
  const excerpt = text.replaceAll(/\s+/g, ' ').trim().slice(0, excerptMax);
  return excerpt === '' ? layer.id : excerpt;
}
