/** Lays out a new group or stack in the sizes of a template, where its layers lay before. */
import { isParent } from '#language/layer-tree.ts';
import type { Layer, ParentLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { insideCanvas } from '../../canvas/geometry.ts';
import type { Box, Point, Rect } from '../../canvas/geometry.ts';
import { anchorOf, positionOf } from '../layer-sizes.ts';
import type { Boxes, Sides } from '../layer-sizes.ts';
import { findLayer, findPosition, numberOf } from '../layers.ts';
import { positionsIn, viewOf } from '../sizes.ts';
import type { SizeName } from '../sizes.ts';
import { canvases, valuesOf, writeInSizes } from './size-values.ts';
import { arrangementOf, boxAround } from './stack-arrangement.ts';

/** The layers that were put into a new parent, and where. */
interface Wrapped {
  /** Id of the new group or stack. */
  parent: string;
  /** The layers before; one of them may have become the parent, or its fill. */
  ids: readonly string[];
  /** The document before. */
  before: Template;
  /** The size in which the parent was made, and the boxes in this size. */
  size: SizeName;
  boxes: Boxes;
}

/**
 * Lays out a new parent in each size but that in which it was made: round its layers, and inside the canvas. Returns the
 * sizes in which the layers of a new stack lay in another order: a stack has one order for all sizes.
 */
export function arrangeWrapped(draft: Template, wrapped: Wrapped): SizeName[] {
  const position = findPosition(draft, wrapped.parent);
  if (position === undefined || !isParent(position.layer)) return [];
  const { layer: parent, group } = position;
  const sizes = [...canvases(draft)];
  const boxes = new Map(
    sizes.map(([name, canvas]) => [name, boxIn(name, canvas, parent, wrapped)]),
  );
  const shown = new Map(sizes.map(([name]) => [name, viewOf(draft, name)]));
  const values = sizes.map(([name]) => {
    const view = shown.get(name) ?? draft;
    const origin = positionsIn(view).get(group?.id ?? '') ?? { x: 0, y: 0 };
    const now = valuesOf(findLayer(view, parent.id) ?? parent, namesOf(parent, group));
    const box = boxes.get(name);
    const next = { ...box, ...(box && fromOrigin(box, origin)) };
    return [name, { ...now, ...pick(next, Object.keys(now)) }] as const;
  });
  writeInSizes(parent, new Map(values), standards);
  if (parent.type === 'stack')
    return sizes.flatMap(([name]) => (boxes.get(name)?.isReordered === true ? [name] : []));
  for (const child of parent.layers) {
    const coordinates = sizes.map(([name]) => {
      const now = findLayer(shown.get(name) ?? draft, child.id) ?? child;
      const corner = positionsIn(viewOf(wrapped.before, name)).get(child.id);
      const box = boxes.get(name);
      const at = corner && box && fromOrigin(corner, box);
      return [name, { x: coordinate(now.x, at?.x), y: coordinate(now.y, at?.y) }] as const;
    });
    writeInSizes(child, new Map(coordinates));
  }
  return [];
}

/** Properties of a new parent that sizes set. */
function namesOf({ type }: ParentLayer, group: ParentLayer | undefined): string[] {
  const position = group?.type === 'stack' ? [] : ['x', 'y'];
  const sides = type === 'group' ? ['width', 'height'] : ['direction', 'gap', 'padding', 'align'];
  return [...position, ...sides];
}

function pick(values: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function fromOrigin({ x, y }: Point, origin: Point): Point {
  return { x: positionOf(x - origin.x), y: positionOf(y - origin.y) };
}

/** The new coordinate, unless a variable gives the present one. */
function coordinate(now: unknown, next: number | undefined): unknown {
  return typeof now === 'number' ? (next ?? now) : now;
}

/** Defaults of the properties of a stack, which a size needs if the base has another value. */
const standards = { direction: 'column', gap: 0, padding: 0, align: 'start' } as const;

interface ParentBox extends Rect, Partial<Record<keyof typeof standards, unknown>> {
  /** Whether the layers of a stack lay in another order. */
  isReordered?: boolean;
}

/** Box of the new parent from the corner of a canvas, with the properties of a stack. Undefined if it stays as it is. */
function boxIn(
  name: SizeName,
  canvas: Sides,
  parent: ParentLayer,
  { ids, before, size, boxes }: Wrapped,
): ParentBox | undefined {
  if (name === size) return undefined;
  const view = viewOf(before, name);
  const corners = positionsIn(view);
  const rectsOf = (wanted: readonly string[]): Box[] =>
    wanted.flatMap((id) => {
      const layer = findLayer(view, id);
      const corner = corners.get(id);
      return layer === undefined || corner === undefined ? [] : boxOf(layer, corner, boxes.get(id));
    });
  const children = parent.layers.map(({ id }) => id);
  const inside = rectsOf(children);
  // A stack has no layer's position to begin at.
  if (inside.length < children.length) return undefined;
  if (parent.type === 'group') return boxAround(inside);
  const rects = inside.map((rect) => ({ ...rect, rotation: 0 }));
  const outer = rectsOf(ids.filter((id) => !children.includes(id)));
  const around = boxAround([...rects, ...outer]);
  const isMirrored = isRightToLeft(before.lang ?? '');
  const { order, properties } = arrangementOf(
    rects,
    outer.length > 0 ? around : undefined,
    isMirrored,
  );
  const gaps = (rects.length - 1) * numberOf(properties.gap);
  const isRow = properties.direction === 'row';
  const length = (side: 'width' | 'height', isAlong: boolean): number => {
    const sides = rects.map((rect) => rect[side]);
    return isAlong ? sides.reduce((sum, each) => sum + each, gaps) : Math.max(...sides);
  };
  const long = {
    width: Math.max(around.width, length('width', isRow)),
    height: Math.max(around.height, length('height', !isRow)),
  };
  return {
    ...around,
    ...insideCanvas(canvas, { ...around, ...long }),
    ...standards,
    ...properties,
    isReordered: order.some((each, index) => each !== index),
  };
}

/** Box of a layer in a size. A side that hugs is as measured in the size of the edit. */
function boxOf(layer: Layer, corner: Point, measured: Box | undefined): Box {
  const { width, height } = layer;
  const sides = {
    width: typeof width === 'number' ? width : (measured?.width ?? 0),
    height: typeof height === 'number' ? height : (measured?.height ?? 0),
  };
  const anchor = anchorOf(layer);
  return {
    x: corner.x - anchor.x * sides.width,
    y: corner.y - anchor.y * sides.height,
    ...sides,
    rotation: numberOf(layer.rotation),
  };
}
