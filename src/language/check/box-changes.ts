/** Finds changes of a document that need no check: boxes of its layers in any size, which gestures and arrow keys change. */
import type { TNumber, TNumberOptions } from 'typebox';
import { walkLayers } from '../layer-tree.ts';
import { layerFrame } from '../schema/layer-base.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import type { TemplateProblem } from './template-problems.ts';

const [width] = layerFrame.width.anyOf;
const [height] = layerFrame.height.anyOf;

/** The schemas of the numbers of a layer that gestures and arrow keys change. */
const boxNumbers: Readonly<Record<string, TNumber>> = {
  x: layerFrame.x,
  y: layerFrame.y,
  width,
  height,
  rotation: layerFrame.rotation,
};

/** Whether the value of a property is a number of a box within its bounds. */
function isBoxNumber(name: string, value: unknown): value is number {
  const { minimum = Infinity, maximum = -Infinity }: TNumberOptions = { ...boxNumbers[name] };
  return typeof value === 'number' && value >= minimum && value <= maximum;
}

/** Returns the numbers of the box of a layer that are within their bounds. */
export function boxOf(layer: object): Readonly<Record<string, number>> {
  const numbers = Object.keys(boxNumbers).flatMap((name) => {
    const value: unknown = Reflect.get(layer, name);
    return isBoxNumber(name, value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(numbers);
}

/** A layer before and after a change of its box, and the names of the properties that differ. */
interface Moved {
  now: Layer;
  before: Layer;
  names: readonly string[];
}

/** A document, its valid copy and its problems. */
export interface ValidCopy {
  source: Template;
  /** The source itself if it is valid, or if no valid copy is known. */
  document: Template;
  problems: readonly TemplateProblem[];
}

/**
 * Returns the valid copy of a document that differs from the source of `previous` in boxes of layers alone. Undefined
 * for other documents, and where the previous copy has another box or no such layer: they need a check, which takes 7
 * to 30 ms for 200 layers, before each frame of a gesture.
 */
export function moveBoxes(source: Template, previous: ValidCopy): ValidCopy | undefined {
  const { source: before, document: copy, problems } = previous;
  const moved = new Map<string, Moved>();
  const isMoved = isSame(source, before, (name, now, earlier) => {
    return name === 'layers' && findMoved(now, earlier, moved);
  });
  if (!isMoved) return undefined;
  if (copy === before) return { source, document: source, problems };
  const copied = new Map(Array.from(walkLayers(copy.layers), ([, layer]) => [layer.id, layer]));
  for (const { before: earlier, names } of moved.values()) {
    const layer = copied.get(earlier.id);
    const isAsBefore = names.every((name) => isEqual(valueAt(layer, name), valueAt(earlier, name)));
    if (layer === undefined || !isAsBefore) return undefined;
  }
  return { source, document: { ...copy, layers: withMoved(copy.layers, moved) }, problems };
}

/** Adds the layers whose boxes differ to `moved`. Returns whether the lists differ in nothing else. */
function findMoved(now: unknown, before: unknown, moved: Map<string, Moved>): boolean {
  if (!Array.isArray(now) || !Array.isArray(before) || now.length !== before.length) return false;
  return now.every((layer: Layer, index) => {
    const earlier = before[index] as Layer;
    const names: string[] = [];
    const isMoved = isSame(layer, earlier, (name, value, old) => {
      if (name === 'layers') return findMoved(value, old, moved);
      names.push(name);
      return name === 'bySize' ? hasMovedSizes(value, old) : isBoxNumbers(name, value, old);
    });
    if (names.length > 0) moved.set(layer.id, { now: layer, before: earlier, names });
    return isMoved;
  });
}

/** Whether the overrides of a layer differ in numbers of its box alone. */
function hasMovedSizes(now: unknown, before: unknown): boolean {
  if (!isRecord(now) || !isRecord(before)) return false;
  return isSame(now, before, (_size, overrides, earlier) => {
    return isRecord(overrides) && isRecord(earlier) && isSame(overrides, earlier, isBoxNumbers);
  });
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isBoxNumbers(name: string, now: unknown, before: unknown): boolean {
  return isBoxNumber(name, now) && isBoxNumber(name, before);
}

function withMoved(layers: readonly Layer[], moved: ReadonlyMap<string, Moved>): Layer[] {
  return layers.map((layer) => {
    const { now, names = [] } = moved.get(layer.id) ?? {};
    const values = names.map((name) => [name, valueAt(now, name)]);
    const inside = 'layers' in layer ? { layers: withMoved(layer.layers, moved) } : {};
    return { ...layer, ...Object.fromEntries(values), ...inside } as Layer;
  });
}

/** Whether two numbers, or the overrides of two layers, are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (isRecord(one) && JSON.stringify(one) === JSON.stringify(other));
}

function valueAt(layer: Layer | undefined, name: string): unknown {
  return layer && Reflect.get(layer, name);
}

/** Whether two objects have the same properties, apart from those that `mayDiffer` accepts. */
function isSame(
  now: object,
  before: object,
  mayDiffer: (name: string, now: unknown, before: unknown) => boolean,
): boolean {
  if (now === before) return true;
  const names = Object.keys(now);
  if (names.length !== Object.keys(before).length) return false;
  return names.every((name) => {
    const [value, earlier] = [Reflect.get(now, name), Reflect.get(before, name)];
    return value === earlier || mayDiffer(name, value, earlier);
  });
}
