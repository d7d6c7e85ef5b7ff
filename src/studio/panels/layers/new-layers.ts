/** Creates the layers that are drawn on the canvas, scaled to the canvas and centred on it. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import {
  findLayer,
  findPosition,
  flattenLayers,
  freshId,
  idsWithin,
  moveLayers,
  renewIds,
} from '../../state/layers.ts';
import type { DrawnKind } from '../../canvas/canvas-state.ts';
import { centerOf, placeImage } from '../../canvas/geometry.ts';
import { isColor } from '../fields/color-math.ts';

/** Kinds of the add menu: every layer type, and common compositions of layers. */
export type NewLayerKind = Layer['type'] | 'rating' | 'progress' | 'countdown';

/** Labels of the kinds. */
export const kindNames: Readonly<Record<NewLayerKind, string>> = {
  text: 'Text',
  image: 'Image',
  rect: 'Rectangle',
  ellipse: 'Ellipse',
  line: 'Line',
  polygon: 'Polygon',
  star: 'Star',
  path: 'Path',
  svg: 'SVG drawing',
  qr: 'QR code',
  barcode: 'Barcode',
  group: 'Group',
  stack: 'Stack',
  rating: 'Rating',
  progress: 'Progress bar',
  countdown: 'Countdown',
};

/** All kinds, in the order of the menu. */
export const newLayerKinds = Object.keys(kindNames) as NewLayerKind[];

/** Returns the label of a kind's action, such as `Add text`. */
export function addLabel(kind: NewLayerKind): string {
  const name = kindNames[kind];
  return `Add ${/^[A-Z]{2}/.test(name) ? name : name.toLowerCase()}`;
}

export const ink = '#22303c';
export const accent = '#e2603a';

/** The image of a new image layer: hills on a grey background. */
const placeholder = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice"><rect width="400" height="300" fill="#d9dee3"/><circle cx="118" cy="96" r="30" fill="#f4f6f8"/><path d="M0 300 L130 170 L210 240 L290 150 L400 260 V300 Z" fill="#b4bec8"/></svg>',
)}`;

/** Size of the placeholder. Like other images, it is scaled to a part of the canvas. */
const placeholderSize = { width: 400, height: 300 };

/** Adds a layer of a kind that is drawn, on top of the document. Returns its id. */
export function addDrawnLayer(draft: Template, kind: DrawnKind): string {
  return insertLayer(draft, newDrawnLayer(draft, kind));
}

/**
 * Inserts a new layer at the end of the selected stack, else on top of the document: a layer inside of a stack must not
 * draw others into it. Returns its id.
 */
export function insertLayer(
  draft: Template,
  layer: Layer,
  selection: readonly string[] = [],
): string {
  const stack = findLayer(draft, selection.at(-1) ?? '');
  const taken = new Set(flattenLayers(draft).map((position) => position.layer.id));
  const isTaken = idsWithin(layer).some((id) => taken.has(id));
  draft.layers.push(layer);
  if (isTaken) renewIds(draft, layer);
  if (stack?.type === 'stack') moveLayers(draft, [layer.id], stack.id, stack.layers.length);
  const position = findPosition(draft, layer.id);
  if (layer.type === 'text' && position?.group?.type === 'stack') {
    layer.width = position.group.direction === 'row' ? 'hug' : 'fill';
    layer.height = 'hug';
    delete layer.align;
  }
  return layer.id;
}

/** Returns a centred box. `width` and `height` are parts of `side`, limited to 0.9 of the canvas. */
export function boxOf(
  { width: canvasWidth, height: canvasHeight }: Template,
  width: number,
  height: number,
  side = Math.min(canvasWidth, canvasHeight),
): { x: number; y: number; width: number; height: number } {
  const box = {
    width: Math.max(1, Math.round(Math.min(canvasWidth * 0.9, side * width))),
    height: Math.round(Math.min(canvasHeight * 0.9, side * height)),
  };
  return {
    x: Math.round((canvasWidth - box.width) / 2),
    y: Math.round((canvasHeight - box.height) / 2),
    ...box,
  };
}

/** Width of the strokes of new layers, design pixels. */
export function strokeWidth({ width, height }: Template): number {
  return Math.max(1, Math.round(Math.min(width, height) / 120));
}

export function newDrawnLayer(draft: Template, kind: DrawnKind): Layer {
  const id = freshId(draft, kind);
  const canvas = { x: 0, y: 0, width: draft.width, height: draft.height };
  switch (kind) {
    case 'text':
      return newText(draft, id);
    case 'image':
      return {
        id,
        type: 'image',
        ...placeImage(draft, placeholderSize, centerOf(canvas)),
        src: placeholder,
      };
    case 'rect':
      return { id, type: 'rect', ...boxOf(draft, 0.5, 0.3), fill: accent };
    case 'ellipse':
      return { id, type: 'ellipse', ...boxOf(draft, 0.3, 0.3), fill: accent };
    case 'line': {
      const stroke = { color: ink, width: strokeWidth(draft) };
      return { id, type: 'line', ...boxOf(draft, 0.6, 0), stroke };
    }
    default:
      return kind satisfies never;
  }
}

export function newText(draft: Template, id: string): TextLayer {
  const { width, height } = draft;
  // On a wide canvas, a font size of a twentieth of the width, but at most a fifth of the height.
  const side = Math.max(Math.min(width, height), 12 * Math.min(width / 20, height / 5));
  const fontSize = Math.max(8, Math.round(side / 12));
  const box = boxOf(draft, 0.9, 0.16, side);
  // On a dark background, the colour of the topmost text is readable. A binding may be one of a list.
  const text = flattenLayers(draft).findLast(({ layer }) => layer.type === 'text')?.layer;
  return {
    id,
    type: 'text',
    ...box,
    text: 'New text',
    fontSize,
    fill: text !== undefined && 'fill' in text && isColor(text.fill) ? text.fill : ink,
    align: 'center',
    verticalAlign: 'middle',
  };
}
