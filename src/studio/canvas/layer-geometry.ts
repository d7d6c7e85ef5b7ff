/**
 * Where each layer of a document lies on the canvas: from the document, and from the report for what is bound, grows, hugs
 * or is positioned by a stack.
 */
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { itemLayerId } from '#language/uid.ts';
import type { PreviewReport } from '../../client/platen-client.ts';
import type { Editor } from '../state/editor.ts';
import { anchorOf, grownAbove } from '../state/layer-sizes.ts';
import type { Boxes } from '../state/layer-sizes.ts';
import type { Box, Motion, Point, Rect } from './geometry.ts';
import { boundsOf, composeMotions, isInBox, motionOf, moveBox, still } from './geometry.ts';

/** The box of a layer on the canvas. Lengths are design pixels. */
export interface LayerGeometry {
  id: string;
  layer: Layer;
  /** Ids of the groups that it is in, the outermost first. */
  groups: readonly string[];
  /** From the corner of the canvas as if no group were turned: resizing and turning happen in this space. */
  box: Box;
  /** What the turned groups do to that space. */
  motion: Motion;
  /** As it is seen on the canvas. */
  seen: Box;
  /** The last render shows it: it is neither hidden, nor left out, nor the mask of another. */
  isDrawn: boolean;
}

type ReportedLayer = PreviewReport['layers'][number];

/** Every layer in paint order, a group before what is in it. Without a report what is bound lies at the corner. */
export function placeLayers(
  document: Template,
  report: PreviewReport | undefined,
): LayerGeometry[] {
  const reported = new Map(report?.layers.map((layer) => [layer.id, layer]));
  const positions: LayerGeometry[] = [];
  const walk = (
    layers: readonly Layer[],
    origin: Point,
    shift: Point,
    motion: Motion,
    groups: readonly string[],
  ): void => {
    for (const layer of layers) {
      // Of a layer that is drawn for each item of a list, the first.
      const known = reported.get(layer.id) ?? reported.get(itemLayerId(layer.id, 1));
      const box = boxOf(layer, origin, shift, known?.box);
      const isDrawn = known !== undefined && layer.visible !== false;
      positions.push({
        id: layer.id,
        layer,
        groups,
        box,
        motion,
        seen: moveBox(motion, box),
        isDrawn,
      });
      if (!isParent(layer)) continue;
      // The report may be older than the document: what it positions goes along with its parent.
      const inner =
        known === undefined ? shift : { x: box.x - known.box.x, y: box.y - known.box.y };
      walk(layer.layers, box, inner, composeMotions(motion, motionOf(box)), [...groups, layer.id]);
    }
  };
  const corner = { x: 0, y: 0 };
  walk(document.layers, corner, corner, still, []);
  return positions;
}

/** `shift`: how far the parent has moved since the report. */
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

/** The boxes of all layers by their ids, from the corner of the canvas as if no group were turned. */
export function measuredBoxes({ document, frame }: Pick<Editor, 'document' | 'frame'>): Boxes {
  const positions = placeLayers(document.value, frame.value?.report);
  return new Map(positions.map(({ id, box }) => [id, box]));
}

/** Undefined for a property that a variable sets, whatever its type says. */
export function fixedNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** What is drawn of the layers of a group or stack, in their order. */
export function drawnIn(
  positions: readonly LayerGeometry[],
  { id }: Pick<LayerGeometry, 'id'>,
): LayerGeometry[] {
  // A report of a warning alone has no box.
  const hasBox = ({ box }: LayerGeometry): boolean => box.width > 0 || box.height > 0;
  return positions.filter(
    (position) => position.isDrawn && position.groups.at(-1) === id && hasBox(position),
  );
}

/** What a click could mean: which layers are left alone, and into which group one has stepped. */
export interface PickOptions {
  locked: ReadonlySet<string>;
  /** The innermost group that was entered by a double click. */
  entered?: string | undefined;
  /** Design pixels round a thin layer that count as hit. */
  reach: number;
}

/**
 * Ids of what can be selected at a point, the topmost first: layers of the canvas, or of the group that was entered;
 * a layer inside another group stands for that group.
 */
export function pickAt(
  positions: readonly LayerGeometry[],
  point: Point,
  { locked, entered, reach }: PickOptions,
): string[] {
  const found = new Set<string>();
  for (const position of positions.toReversed()) {
    if (!hasSurface(position) || !canBePicked(position, locked)) continue;
    if (isInBox(position.seen, point, reach)) found.add(selectableOf(position, entered));
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
      isInBox(position.seen, point, options.reach),
  );
}

/** What a frame drawn round layers selects, in paint order: whatever it touches. */
export function pickIn(
  positions: readonly LayerGeometry[],
  touches: (box: Box) => boolean,
  { locked, entered }: Omit<PickOptions, 'reach'>,
): string[] {
  const found = new Set<string>();
  for (const position of positions) {
    if (!hasSurface(position) || !canBePicked(position, locked)) continue;
    if (touches(position.seen)) found.add(selectableOf(position, entered));
  }
  return positions.filter(({ id }) => found.has(id)).map(({ id }) => id);
}

/** Groups are hit where their layers are, stacks also at their fill. */
function hasSurface({ layer }: LayerGeometry): boolean {
  return !isParent(layer) || (layer.type === 'stack' && layer.fill !== undefined);
}

function canBePicked({ id, groups, isDrawn }: LayerGeometry, locked: ReadonlySet<string>): boolean {
  return isDrawn && ![id, ...groups].some((each) => locked.has(each));
}

/** Its outermost group outside of what was entered, or itself. */
function selectableOf({ id, groups }: LayerGeometry, entered: string | undefined): string {
  const depth = entered === undefined ? -1 : groups.indexOf(entered);
  return groups[depth + 1] ?? id;
}

/** What selected layers could be drawn to: the canvas, and every other drawn layer outside of them. */
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
