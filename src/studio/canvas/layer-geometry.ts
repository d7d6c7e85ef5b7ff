/**
 * Boxes of the layers of a document on the canvas. The document gives fixed values. The report gives values that are
 * bound, that grow or hug, or that a stack sets.
 */
import { itemsMax } from '#language/bind/list-items.ts';
import { isParent } from '#language/layer-tree.ts';
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { itemLayerId } from '#language/uid.ts';
import type { PreviewReport } from '../../client/platen-client.ts';
import type { BehindFrame } from '../panels/behind-frame.ts';
import { anchorOf, grownAbove } from '../state/layer-sizes.ts';
import type { Boxes } from '../state/layer-sizes.ts';
import type { Box, Motion, Point, Rect } from './geometry.ts';
import { boundsOf, composeMotions, isInBox, motionOf, moveBox, still } from './geometry.ts';

/** The box of a layer on the canvas. Lengths are design pixels. */
export interface LayerGeometry {
  id: string;
  layer: Layer;
  /** Ids of the groups that contain the layer, the outermost first. */
  groups: readonly string[];
  /** From the corner of the canvas as if no group were turned: resizing and turning happen in this space. */
  box: Box;
  /** Motion from the space of `box` to the canvas, caused by turned groups. */
  motion: Motion;
  /** The box as seen on the canvas, with the rotation of all groups. */
  seen: Box;
  /** The last render shows the layer: it is not hidden, not left out, and no mask of another layer. */
  isDrawn: boolean;
  /** Boxes of a repeated layer in the items after the first that show it. */
  copies: readonly ItemBox[];
}

/** A box of a layer in one item of a list. */
export interface ItemBox extends Pick<LayerGeometry, 'box' | 'seen'> {
  /** Number of the item, from 1. */
  number: number;
}

type ReportedLayer = PreviewReport['layers'][number];

/** The space in which the layers of one parent are positioned. */
interface ParentSpace extends Pick<LayerGeometry, 'motion' | 'groups'> {
  /** The corner of the parent. */
  origin: Point;
  /** How far the parent has moved since the report. */
  shift: Point;
  /** Number of a list's item after the first. */
  item?: number;
}

/** Geometry of all layers in paint order, a group before its layers. Without a report, bound positions are 0. */
export function placeLayers(
  document: Template,
  report: PreviewReport | undefined,
): LayerGeometry[] {
  const reported = new Map(report?.layers.map((layer) => [layer.id, layer]));
  const positions: LayerGeometry[] = [];
  const copies = new Map<string, ItemBox[]>();
  const walk = (layers: readonly Layer[], space: ParentSpace): void => {
    const { origin, shift, motion, groups, item } = space;
    for (const layer of layers) {
      // For a layer that is drawn for each item of a list, uses the first item.
      const first = reported.get(layer.id) ?? reported.get(itemLayerId(layer.id, 1));
      const known = item === undefined ? first : reported.get(itemLayerId(layer.id, item));
      if (item !== undefined && known === undefined) continue;
      const { id } = layer;
      const box = boxOf(layer, origin, shift, known?.box);
      const seen = moveBox(motion, box);
      if (item === undefined) {
        const isDrawn = known !== undefined && layer.visible !== false;
        const further: ItemBox[] = [];
        copies.set(id, further);
        positions.push({ id, layer, groups, box, motion, seen, isDrawn, copies: further });
      } else copies.get(id)?.push({ number: item, box, seen });
      if (!isParent(layer)) continue;
      // The report may be older than the document, so reported positions move along with the parent.
      const inner =
        known === undefined ? shift : { x: box.x - known.box.x, y: box.y - known.box.y };
      const turned = composeMotions(motion, motionOf(box));
      const inside = {
        ...space,
        origin: box,
        shift: inner,
        motion: turned,
        groups: [...groups, id],
      };
      walk(layer.layers, inside);
      if (layer.type === 'stack' && item === undefined && report !== undefined) {
        for (const number of furtherItems(layer)) walk(layer.layers, { ...inside, item: number });
      }
    }
  };
  const corner = { x: 0, y: 0 };
  walk(document.layers, { origin: corner, shift: corner, motion: still, groups: [] });
  return positions;
}

/** Numbers of the items that a stack may draw after the first. */
function furtherItems({ repeat }: StackLayer): number[] {
  if (repeat === undefined) return [];
  return Array.from({ length: itemsMax(repeat) - 1 }, (_, index) => index + 2);
}

function boxOf(
  layer: Layer,
  origin: Point,
  shift: Point,
  reported: ReportedLayer['box'] | undefined,
): Box {
  const x = fixedNumber(layer.x);
  const y = fixedNumber(layer.y);
  const width = fixedNumber(layer.width) ?? reported?.width ?? 0;
  const fixedHeight = fixedNumber(layer.height) ?? reported?.height ?? 0;
  const grows = layer.type === 'text' && layer.overflow === 'grow';
  const height = grows ? Math.max(fixedHeight, reported?.height ?? 0) : fixedHeight;
  const top = grownAbove(layer, height);
  const anchor = anchorOf(layer);
  const measured = reported && { x: reported.x + shift.x, y: reported.y + shift.y };
  return {
    x: x === undefined ? (measured?.x ?? origin.x) : origin.x + x - anchor.x * width,
    y: y === undefined ? (measured?.y ?? origin.y) : origin.y + y - anchor.y * height - top,
    width,
    height,
    rotation: fixedNumber(layer.rotation ?? 0) ?? reported?.rotation ?? 0,
  };
}

/** Boxes of all layers by id, from the corner of the canvas as if no group were turned. */
export function measuredBoxes({ document, frame }: Pick<BehindFrame, 'document' | 'frame'>): Boxes {
  const positions = placeLayers(document.value, frame.value?.report);
  return new Map(positions.map(({ id, box }) => [id, box]));
}

/** The value if it is a number. Undefined for a property that a variable or a keyword such as `hug` sets. */
export function fixedNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The drawn layers of a group or stack, in their order. */
export function drawnIn(
  positions: readonly LayerGeometry[],
  { id }: Pick<LayerGeometry, 'id'>,
): LayerGeometry[] {
  // A report that has only a warning has an empty box.
  const hasBox = ({ box }: LayerGeometry): boolean => box.width > 0 || box.height > 0;
  return positions.filter(
    (position) => position.isDrawn && position.groups.at(-1) === id && hasBox(position),
  );
}

/** All boxes that a stack draws, in layout order. The boxes of a list come item by item. */
export function flowIn(
  positions: readonly LayerGeometry[],
  { id, layer }: Pick<LayerGeometry, 'id' | 'layer'>,
): Pick<LayerGeometry, 'box'>[] {
  const more = layer.type === 'stack' ? layer.repeat?.more : undefined;
  const boxes = drawnIn(positions, { id }).flatMap((child) => [
    { number: child.id === more ? Infinity : 1, box: child.box },
    ...child.copies,
  ]);
  return boxes.toSorted((one, other) => one.number - other.number);
}

/** All boxes of a layer on the canvas: one, or one for each item of a list. */
export function seenBoxes({ seen, copies }: LayerGeometry): Box[] {
  return [seen, ...copies.map((copy) => copy.seen)];
}

/** Options of hit tests. */
export interface PickOptions {
  locked: ReadonlySet<string>;
  /** The innermost group that was entered by a double click. */
  entered?: string | undefined;
  /** Design pixels round a thin layer that count as hit. */
  reach: number;
}

/**
 * Ids of the layers that can be selected at a point, the topmost first: layers of the canvas, or of the entered group.
 * A hit on a layer of another group selects that group.
 */
export function pickAt(
  positions: readonly LayerGeometry[],
  point: Point,
  { locked, entered, reach }: PickOptions,
): string[] {
  const found = new Set<string>();
  for (const position of positions.toReversed()) {
    if (!hasSurface(position) || !canBePicked(position, locked)) continue;
    if (isHit(position, point, reach)) found.add(selectableOf(position, entered));
  }
  return [...found];
}

/** The layer under the point, however deep in groups. */
export function pickDeepest(
  positions: readonly LayerGeometry[],
  point: Point,
  options: Omit<PickOptions, 'entered'>,
): LayerGeometry | undefined {
  return positions.findLast(
    (position) =>
      hasSurface(position) &&
      canBePicked(position, options.locked) &&
      isHit(position, point, options.reach),
  );
}

/** All layers at a point, the topmost first, at any depth, locked ones too. */
export function allAt(
  positions: readonly LayerGeometry[],
  point: Point,
  reach: number,
): LayerGeometry[] {
  const isAt = (position: LayerGeometry): boolean =>
    position.isDrawn && hasSurface(position) && isHit(position, point, reach);
  return positions.filter(isAt).toReversed();
}

/** Ids of the layers that a marquee touches, in paint order. */
export function pickIn(
  positions: readonly LayerGeometry[],
  touches: (box: Box) => boolean,
  { locked, entered }: Omit<PickOptions, 'reach'>,
): string[] {
  const found = new Set<string>();
  for (const position of positions) {
    if (!hasSurface(position) || !canBePicked(position, locked)) continue;
    if (seenBoxes(position).some(touches)) found.add(selectableOf(position, entered));
  }
  return positions.filter(({ id }) => found.has(id)).map(({ id }) => id);
}

function isHit(position: LayerGeometry, point: Point, reach: number): boolean {
  return seenBoxes(position).some((box) => isInBox(box, point, reach));
}

/** Whether the layer itself can be hit. A group is hit only through its layers; a stack also if it has a fill. */
export function hasSurface({ layer }: LayerGeometry): boolean {
  return !isParent(layer) || (layer.type === 'stack' && layer.fill !== undefined);
}

function canBePicked({ id, groups, isDrawn }: LayerGeometry, locked: ReadonlySet<string>): boolean {
  return isDrawn && ![id, ...groups].some((each) => locked.has(each));
}

/** Id of the outermost group of a layer inside the entered group, or of the layer itself. */
function selectableOf({ id, groups }: LayerGeometry, entered: string | undefined): string {
  const depth = entered === undefined ? -1 : groups.indexOf(entered);
  return groups[depth + 1] ?? id;
}

/** Rectangles to which moving layers snap: the canvas, and all drawn layers that are not part of them. */
export function snapTargets(
  positions: readonly LayerGeometry[],
  moving: ReadonlySet<string>,
  { width, height }: { width: number; height: number },
): Rect[] {
  const others = positions.filter(
    ({ id, groups, isDrawn }) => isDrawn && ![id, ...groups].some((each) => moving.has(each)),
  );
  const holds = new Set(
    positions.filter(({ id }) => moving.has(id)).flatMap(({ groups }) => groups),
  );
  const rects = others
    .filter(({ id }) => !holds.has(id))
    .flatMap(({ seen }) => boundsOf([seen]) ?? []);
  return [{ x: 0, y: 0, width, height }, ...rects];
}
