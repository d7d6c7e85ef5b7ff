/** Edits a document in one of its sizes: changes that a size may have go into `bySize`, and all sizes stay valid. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { boundNames, walkStrings } from '#language/bind/bindings.ts';
import { axes, canHug } from '#language/check/stack-rules.ts';
import type { Layer, ParentLayer } from '#language/schema/layers.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { documentInSize, overridesOf } from '#language/sizes.ts';
import { sizeProperties } from '#language/size-properties.ts';
import type { Point } from '../canvas/geometry.ts';
import { shareUnchanged } from './history.ts';
import { positionOf } from './layer-sizes.ts';
import { flattenLayers, numberOf } from './layers.ts';
import type { LayerPosition } from './layers.ts';
import { edit, itemScopes, settleItems } from './list-items.ts';
import type { Edited } from './list-items.ts';

/** The name of a size; undefined for the canvas of the document. */
export type SizeName = string | undefined;

/** Returns the document as an editor shows it in a size; the whole document for the canvas. */
export function viewOf(whole: Template, size: SizeName): Template {
  return size === undefined ? whole : (documentInSize(whole, size) ?? whole);
}

/** A document, the chosen size, and the document in that size. */
interface ShownDocument {
  whole: Signal<Template>;
  size: Signal<SizeName>;
  document: ReadonlySignal<Template>;
}

/** Returns the signals of a document, initially without a size. */
export function showInSize(first: Template): ShownDocument {
  const whole = signal(first);
  const size = signal<SizeName>(undefined);
  let shown = first;
  const document = computed(() => {
    const view = viewOf(whole.value, size.value);
    return (shown = size.value === undefined ? view : shareUnchanged(shown, view));
  });
  return { whole, size, document };
}

/** Whether a layer overrides a property in a size. */
export function isOverridden(whole: Template, id: string, size: string, property: string): boolean {
  const layer = flattenLayers(whole).find((position) => position.layer.id === id)?.layer;
  return layer !== undefined && Object.hasOwn(overridesOf(layer, size), property);
}

/** Changes a copy of the whole document by a recipe for the document in a size. */
export function editInSize(
  whole: Template,
  size: SizeName,
  recipe: (draft: Template) => void,
): Edited {
  const shown = viewOf(whole, size);
  const { document: edited, settled } = edit(shown, recipe);
  // A copy, because the caller may still refer to objects that the recipe made.
  const document = structuredClone(size === undefined ? edited : merge(whole, shown, edited, size));
  settleSizes(whole, document, edited, size);
  // Layers may bind items on the canvas or in other sizes that they do not bind in this size.
  const others = size === undefined ? [] : settleItems(document, itemScopes(whole));
  return { document, settled: [...new Set([...settled, ...others])] };
}

/** Returns the whole document with the changes of an edit in a size. */
function merge(whole: Template, shown: Template, edited: Template, size: string): Template {
  const wholeLayers = new Map(flattenLayers(whole).map(({ layer }) => [layer.id, layer]));
  const before = new Map(flattenLayers(shown).map(({ layer }) => [layer.id, layer]));
  const mergeLayers = (layers: readonly Layer[]): Layer[] =>
    layers.map((layer) => {
      const [stored, known] = [wholeLayers.get(layer.id), before.get(layer.id)];
      const isKnown = stored !== undefined && known?.type === layer.type;
      const merged = isKnown ? mergeLayer(stored, known, layer, size) : { ...layer };
      return 'layers' in layer
        ? ({ ...merged, layers: mergeLayers(layer.layers) } as Layer)
        : merged;
    });
  const { width, height } = edited;
  const merged = withChanges(whole, shown, edited, ['width', 'height', 'layers', 'sizes']);
  const sizes = (whole.sizes ?? []).map((each) =>
    each.name === size ? { ...each, width, height } : each,
  );
  const layers = mergeLayers(edited.layers);
  return { ...merged, sizes, layers, variables: variablesOf(whole, edited, layers) };
}

/** Returns the variables of the edit, and removed ones that the canvas or another size still binds. */
function variablesOf(whole: Template, edited: Template, layers: readonly Layer[]): Variable[] {
  const names = new Set(edited.variables.map(({ name }) => name));
  const removed = whole.variables.filter(({ name }) => !names.has(name));
  if (removed.length === 0) return edited.variables;
  const all = new Set(whole.variables.map(({ name }) => name));
  const texts = walkStrings(layers).map(([, text]) => text);
  const bound = new Set(texts.flatMap((text) => boundNames(text, all)));
  return [...edited.variables, ...removed.filter(({ name }) => bound.has(name))];
}

/** Merges changes of a layer: properties that a size may change into `bySize`, the others into the layer. */
function mergeLayer(stored: Layer, before: Layer, after: Layer, size: string): Layer {
  const names = sizeProperties(after.type);
  const overrides: Record<string, unknown> = { ...overridesOf(stored, size) };
  for (const name of names) {
    const value: unknown = Reflect.get(after, name);
    if (isSame(value, Reflect.get(before, name))) continue;
    // A removed property has the layer's base value again.
    if (value === undefined || isSame(value, Reflect.get(stored, name))) delete overrides[name];
    else overrides[name] = value;
  }
  const merged = withChanges(stored, before, after, [...names, 'layers', 'bySize']);
  return { ...merged, bySize: { ...stored.bySize, [size]: overrides } };
}

/** Returns `stored` with the differences between `before` and `after`, except in the properties `except`. */
function withChanges<Value extends object>(
  stored: Value,
  before: Value,
  after: Value,
  except: readonly string[],
): Value {
  const changed = { ...stored } as Record<string, unknown>;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value: unknown = Reflect.get(after, name);
    if (except.includes(name) || isSame(value, Reflect.get(before, name))) continue;
    if (value === undefined) delete changed[name];
    else changed[name] = value;
  }
  return changed as Value;
}

/** Whether two values of a document are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

// After an edit, every size is a valid document, and shows what it showed before.

/**
 * Makes each layer of `document` valid in its parent, in all sizes. A layer with another parent than in `before` keeps
 * its position on the canvas of each size. `edited` is the document in the size of the edit.
 */
function settleSizes(
  before: Template,
  document: Template,
  edited: Template,
  editedSize: SizeName,
): void {
  const names = new Set((document.sizes ?? []).map(({ name }) => name));
  const shown = new Map(flattenLayers(edited).map(({ layer }) => [layer.id, layer]));
  const parents = new Map(flattenLayers(before).map(({ layer, group }) => [layer.id, group?.id]));
  const origins = new Map(
    [undefined, ...names].map((size) => [size, positionsIn(viewOf(before, size))] as const),
  );
  for (const position of flattenLayers(document)) {
    const { layer, group } = position;
    if (layer.bySize !== undefined) dropSizes(layer, names);
    const wholeLayers = shown.get(layer.id) ?? layer;
    settleLayer(layer, wholeLayers, group);
    const isMoved = parents.has(layer.id) && parents.get(layer.id) !== group?.id;
    if (isMoved && group?.type !== 'stack') {
      for (const size of [undefined, ...names]) {
        const at = size === editedSize ? undefined : origins.get(size)?.get(layer.id);
        moveInSize(document, position, size, at, wholeLayers);
      }
    }
    for (const size of names) settleSize(layer, size, group);
    if (layer.bySize !== undefined && Object.keys(layer.bySize).length === 0) delete layer.bySize;
  }
}

/** Returns the corners of layers on the canvas by id, without layers that a stack positions. */
export function positionsIn(document: Template): ReadonlyMap<string, Point> {
  const positions = new Map<string, Point>();
  for (const { layer, group } of flattenLayers(document)) {
    if (group?.type === 'stack') continue;
    const origin = (group && positions.get(group.id)) ?? { x: 0, y: 0 };
    positions.set(layer.id, {
      x: origin.x + numberOf(layer.x),
      y: origin.y + numberOf(layer.y),
    });
  }
  return positions;
}

/** Removes overrides of sizes that the document lacks, of a pasted layer or after a size was deleted. */
function dropSizes(layer: Layer, names: ReadonlySet<string>): void {
  const known = Object.entries(layer.bySize ?? {}).filter(
    ([name, overrides]) => names.has(name) && Object.keys(overrides).length > 0,
  );
  layer.bySize = Object.fromEntries(known);
}

/** Makes the base values of a layer valid in its parent, with values from the size of the edit. */
function settleLayer(layer: Layer, shown: Layer, group: ParentLayer | undefined): void {
  const inStack = group?.type === 'stack';
  for (const { size, min, max } of axes) {
    const value = layer[size];
    if ((value === 'fill' && !inStack) || (value === 'hug' && !canHug(layer))) {
      layer[size] = shown[size];
    }
    if (layer[size] === 'hug' || layer[size] === 'fill') continue;
    delete layer[min];
    delete layer[max];
  }
  if (layer.type === 'stack' && layer.direction !== 'row') delete layer.wrap;
  for (const name of ['x', 'y'] as const) {
    if (inStack) delete layer[name];
    else layer[name] ??= shown[name] ?? 0;
  }
}

/** Moves a layer with a new parent to its previous point in a size; without `at`, to the position from the edit. */
function moveInSize(
  document: Template,
  { layer, group }: LayerPosition,
  size: SizeName,
  at: Point | undefined,
  shown: Layer,
): void {
  const origin = (group && positionsIn(viewOf(document, size)).get(group.id)) ?? { x: 0, y: 0 };
  for (const name of ['x', 'y'] as const) {
    const next = at === undefined ? shown[name] : positionOf(at[name] - origin[name]);
    const now: unknown = size === undefined ? layer[name] : overridesOf(layer, size)[name];
    // A bound coordinate stays.
    if (next === undefined || typeof now === 'string') continue;
    if (size === undefined) layer[name] = next;
    else setOverride(layer, size, name, next === layer[name] ? undefined : next);
  }
}

/** Removes overrides of a size that the parent or the other properties do not allow. */
function settleSize(layer: Layer, size: string, group: ParentLayer | undefined): void {
  const inStack = group?.type === 'stack';
  const drop = (name: string): void => setOverride(layer, size, name, undefined);
  const read = (name: string): unknown => overridesOf(layer, size)[name];
  if (inStack) for (const name of ['x', 'y']) drop(name);
  for (const { size: side, min, max } of axes) {
    const value = read(side);
    if ((value === 'fill' && !inStack) || (value === 'hug' && !canHug(layer))) drop(side);
    const used = read(side) ?? layer[side];
    if (used === 'hug' || used === 'fill') continue;
    for (const limit of [min, max]) drop(limit);
  }
  if (layer.type !== 'stack' || (read('direction') ?? layer.direction) === 'row') return;
  if (read('wrap') === true) drop('wrap');
  if (layer.wrap === true) setOverride(layer, size, 'wrap', false);
}

/** Sets an override of a layer in a size; undefined removes it. */
export function setOverride(layer: Layer, size: string, name: string, value: unknown): void {
  const { [name]: _, ...others } = overridesOf(layer, size);
  const overrides = value === undefined ? others : { ...others, [name]: value };
  const { [size]: __, ...sizes } = layer.bySize ?? {};
  if (Object.keys(overrides).length === 0) {
    if (layer.bySize !== undefined) layer.bySize = sizes;
  } else {
    layer.bySize = { ...layer.bySize, [size]: overrides };
  }
}

// The sizes themselves.

/** Adds a size without overrides: all layers are as on the canvas of the document. */
export function addSize(draft: Template, size: TemplateSize): void {
  draft.sizes = [...(draft.sizes ?? []), size];
}

/** Changes the canvas or the name of a size, also in the layers. The name must be free. */
export function changeSize(draft: Template, from: string, to: TemplateSize): void {
  draft.sizes = (draft.sizes ?? []).map((size) => (size.name === from ? to : size));
  for (const { layer } of flattenLayers(draft)) {
    if (layer.bySize === undefined || !Object.hasOwn(layer.bySize, from)) continue;
    layer.bySize = Object.fromEntries(
      Object.entries(layer.bySize).map(([name, wholeLayers]) => [
        name === from ? to.name : name,
        wholeLayers,
      ]),
    );
  }
}

/** Deletes a size. The surrounding edit removes the size's overrides. */
export function deleteSize(draft: Template, name: string): void {
  const left = (draft.sizes ?? []).filter((size) => size.name !== name);
  if (left.length === 0) delete draft.sizes;
  else draft.sizes = left;
}

/** Removes a layer's override of a property in a size. */
export function resetInSize(draft: Template, id: string, size: string, property: string): void {
  const layer = flattenLayers(draft).find((position) => position.layer.id === id)?.layer;
  if (layer !== undefined) setOverride(layer, size, property, undefined);
}
