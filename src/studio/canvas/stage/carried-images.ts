/** Images of the selected layers, and of what is below and above them. The stage moves the layers between the others. */
import type { PlatenClient } from '../../../client/platen-client.ts';
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { frameRequest } from '../../state/frames.ts';
import type { PreviewMoment, Values } from '../../state/frames.ts';
import { loadImage } from '../../state/load-image.ts';
import { findPosition, flattenLayers } from '../../state/layers.ts';
import type { LayerParent } from '../../state/layers.ts';
import { cornersOf } from '../geometry.ts';
import type { Box } from '../geometry.ts';

/** What the images show. */
export interface CarriedLayers {
  /** The document, by identity. */
  from: Template;
  ids: readonly string[];
  values: Values;
  moment: PreviewMoment;
}

/** The images, which the page has loaded. */
export interface CarriedImages extends CarriedLayers {
  below: HTMLImageElement;
  layers: HTMLImageElement;
  /** The layers again, for a drag of copies: the layers themselves stay. */
  copied: HTMLImageElement;
  /** Undefined if no layer is above. */
  above: HTMLImageElement | undefined;
  /**
   * Returns the matrix, in design pixels, that moves the image of the layers to their boxes in a later document.
   * Undefined if the documents differ in more than the boxes, no single matrix fits all layers, or the edge of the canvas
   * cuts the image. Sizes may differ if `isResizing`: strokes and corners are stretched until the frame arrives.
   */
  matrixTo(document: Template, seen: Boxes, isResizing: boolean): DOMMatrix | undefined;
}

/** Boxes on the canvas by id, design pixels. */
type Boxes = ReadonlyMap<string, Box>;

/**
 * Renders the images of layers of a valid copy of their document. `boxes` are those from which they move. Undefined if
 * the copy lacks a layer, or the images would not look the same together. Rejects like the client, and if an image is
 * broken.
 */
export async function drawCarried(
  client: PlatenClient,
  valid: Template,
  carried: CarriedLayers & { boxes: Boxes },
  signal: AbortSignal,
): Promise<CarriedImages | undefined> {
  const { from, ids, values, moment, boxes } = carried;
  const positions = ids.map((id) => findPosition(valid, id));
  // An unfinished layer is in no valid copy.
  if (positions.includes(undefined)) return undefined;
  const isInStack = positions.some((position) => position?.group?.type === 'stack');
  if (!isInStack && !canBeCarried(valid, ids)) return undefined;
  // Layers that leave a stack may change their position in the paint order. They are shown on top.
  const above = isInStack ? [] : layersAbove(valid, ids);
  const without = structuredClone(valid);
  for (const id of [...ids, ...above]) {
    const position = findPosition(without, id);
    // A stack would close the gap that a hidden layer leaves.
    if (position?.group?.type === 'stack') position.layer.opacity = 0;
    else if (position !== undefined) position.layer.visible = false;
  }
  /** Renders the document or only some layers, as images that several elements show. */
  const draw = async (
    template: Template,
    layers: { layers?: string[] },
    count = 1,
  ): Promise<HTMLImageElement[]> => {
    const { inline: _, ...frame } = frameRequest(template, values, moment);
    const request = { ...frame, ...layers, format: 'png' as const };
    const { bytes, contentType } = await client.preview(request, { signal });
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: contentType });
    const url = URL.createObjectURL(blob);
    const images = await Promise.all(Array.from({ length: count }, () => loadImage(url)));
    URL.revokeObjectURL(url);
    return images.filter((image) => image !== undefined);
  };
  const [[below], [layers, copied], [over]] = await Promise.all([
    draw(without, {}),
    draw(valid, { layers: [...ids] }, 2),
    above.length === 0 ? [] : draw(valid, { layers: above }),
  ]);
  if (!below || !layers || !copied) throw new Error('An image of the selected layers is broken.');
  const corners = [...boxes].flatMap(([id, box]) => (ids.includes(id) ? cornersOf(box) : []));
  const isWhole = corners.every(
    ({ x, y }) => x >= 0 && y >= 0 && x <= from.width && y <= from.height,
  );
  const matrixTo = (
    document: Template,
    seen: Boxes,
    isResizing: boolean,
  ): DOMMatrix | undefined => {
    const isMoved = isWhole && hasMovedOnly(from, document, new Set(ids), isResizing);
    return isMoved ? matrixBetween(ids, boxes, seen) : undefined;
  };
  return { ...carried, below, layers, copied, above: over, matrixTo };
}

/**
 * Ids of the layers that are painted after the topmost of the layers `ids`. The id of a group includes its layers.
 * Masks of other layers are left out, because they are not painted.
 */
export function layersAbove(document: LayerParent, ids: readonly string[]): string[] {
  const carried = new Set(ids);
  const masks = new Set(flattenLayers(document).map(({ layer }) => layer.mask));
  /** Whether `layers` has a carried layer. Adds the ids of layers above it to `above`, the topmost first. */
  const collect = (layers: readonly Layer[], above: string[]): boolean => {
    for (const layer of layers.toReversed()) {
      if (carried.has(layer.id)) return true;
      const inside: string[] = [];
      if (isParent(layer) && collect(layer.layers, inside)) {
        above.push(...inside);
        return true;
      }
      if (!masks.has(layer.id)) above.push(layer.id);
    }
    return false;
  };
  const above: string[] = [];
  return collect(document.layers, above) ? above.toReversed() : [];
}

/** Properties of a group that only holds layers. Others, such as an opacity, apply to all its layers as one image. */
const plainGroup = new Set(
  'id type name x y width height rotation layers locked visible bySize'.split(' '),
);

/**
 * Whether images of layers look as the document when they are put together. Blend modes and masks need other layers in
 * the same image. So do groups with effects. A stack that hugs a group would close the gap of a hidden layer in it.
 */
function canBeCarried(document: LayerParent, ids: readonly string[]): boolean {
  const all = flattenLayers(document);
  const isMixed = all.some(({ layer }) => (layer.blendMode ?? 'normal') !== 'normal' || layer.mask);
  if (isMixed) return false;
  const positions = new Map(all.map((each) => [each.layer.id, each]));
  return ids.every((id) => {
    let group = positions.get(id)?.group;
    while (group?.type === 'group' && Object.keys(group).every((name) => plainGroup.has(name))) {
      group = positions.get(group.id)?.group;
    }
    return group === undefined;
  });
}

// The matrix between the boxes of layers in two documents.

/** Farthest that a corner may be from where the matrix of the layers has it, design pixels. */
const cornerSlackPx = 0.5;

/** The matrix between boxes. Undefined if none fits all of them, or a box is missing. */
function matrixBetween(ids: readonly string[], from: Boxes, to: Boxes): DOMMatrix | undefined {
  const pairs = ids.flatMap((id) => {
    const [before, after] = [from.get(id), to.get(id)];
    return before === undefined || after === undefined ? [] : [{ before, after }];
  });
  const [largest] = pairs.toSorted((one, other) => areaOf(other.before) - areaOf(one.before));
  if (largest === undefined || pairs.length < ids.length) return undefined;
  const matrix = spaceOf(largest.after).multiply(spaceOf(largest.before).inverse());
  const fits = pairs.every(({ before, after }) => {
    const corners = cornersOf(after);
    return cornersOf(before).every((corner, index) => {
      const { x, y } = matrix.transformPoint(corner);
      const wanted = corners[index] ?? corner;
      return Math.hypot(x - wanted.x, y - wanted.y) <= cornerSlackPx;
    });
  });
  return fits ? matrix : undefined;
}

function areaOf({ width, height }: Box): number {
  return width * height;
}

/** Maps a square of side 1 about the origin to a box. A side of 0, as of a line, stays. */
function spaceOf({ x, y, width, height, rotation }: Box): DOMMatrix {
  return new DOMMatrix()
    .translate(x + width / 2, y + height / 2)
    .rotate(rotation)
    .scale(width || 1, height || 1);
}

/** Whether two documents differ only in the boxes of layers. Text and stacks keep their size, which changes the layout. */
function hasMovedOnly(
  from: Template,
  to: Template,
  ids: ReadonlySet<string>,
  isResizing: boolean,
): boolean {
  const isMoved = (before: Layer, after: Layer | undefined, isInStack: boolean): boolean => {
    if (before === after) return true;
    if (after === undefined || before.id !== after.id) return false;
    const inside = isParent(before) && isParent(after) ? ([before, after] as const) : undefined;
    if (!ids.has(before.id)) {
      const rest = hasSameRest(before, after, ['layers', 'bySize']);
      return rest && inside !== undefined && areMoved(...inside);
    }
    const isLaidOut = before.type === 'text' || before.type === 'stack';
    const isResized = before.width !== after.width || before.height !== after.height;
    if (isInStack || (isResized && (isLaidOut || !isResizing))) return false;
    const changed = ['x', 'y', 'width', 'height', 'rotation', 'bySize'];
    // The layers of a group are scaled with it.
    return hasSameRest(before, after, isResized ? [...changed, 'layers'] : changed);
  };
  const areMoved = (before: LayerParent & { type?: string }, after: LayerParent): boolean =>
    before.layers.length === after.layers.length &&
    before.layers.every((layer, index) =>
      isMoved(layer, after.layers[index], before.type === 'stack'),
    );
  return hasSameRest(from, to, ['layers', 'sizes']) && areMoved(from, to);
}

/** Whether two objects have the same properties, by identity, except for some. Documents share what is unchanged. */
function hasSameRest(one: object, other: object, except: readonly string[]): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const name of except) names.delete(name);
  return [...names].every((name) => Object.is(Reflect.get(one, name), Reflect.get(other, name)));
}
