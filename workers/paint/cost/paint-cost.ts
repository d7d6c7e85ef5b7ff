/** Estimates the processor time and memory of painting a display list, by the operations of `paint`. */
import type { DisplayItem, DisplayList, Outline, Rect } from '../../display-list.ts';
import { deviceArea, needsBuffer } from '../compose.ts';
import { isLaidSize } from '../fill.ts';
import { rotateAbout } from '../geometry.ts';
import { growRect } from '../geometry.ts';
import { measureOutline } from './path.ts';
import type { Target } from './path.ts';
import { imageSize } from '../../display-list.ts';
import {
  areaUs,
  clipCost,
  clippedUs,
  fillNs,
  imageUs,
  lineUs,
  pixelsUs,
  shapeUs,
} from './shape.ts';
import type { Ground } from './shape.ts';
import { fontsOf, fontsUs, pathTextUs, textUs } from './text.ts';
import {
  blurPixelNs,
  bufferUs,
  expensiveBlendNs,
  itemUs,
  pixelNs,
  plainBlendNs,
  segmentLengthUs,
  segmentUs,
} from './units.ts';

/** Processor time and memory of painting. */
export interface PaintCost {
  /** Microseconds of processor time. */
  us: number;
  /** Bytes of the buffers that exist at the same time, besides the canvas. */
  bytes: number;
}

/** The cost of a list, its layer with the most processor time, and its layer with the largest buffers. */
export interface ListCost extends PaintCost {
  costliest: { layer: string; us: number };
  largest: { layer: string; bytes: number };
}

const nothing: PaintCost = { us: 0, bytes: 0 };
/**
 * Bytes per pixel of a buffer, which exists while its content is rasterised: measured 4.0 in nested groups. A mask
 * counts as two buffers.
 */
const bufferPixelBytes = 5;
const buffersOfMask = 2;
/** Further bytes per pixel for filters and shadows: measured 1 to 5, without the engine's caches. */
const filterPixelBytes = 6;

/** Cache of the costs of items: layers without values keep their items from render to render. */
const knownCosts = new WeakMap<DisplayItem, { target: Target; scale: number; cost: ItemCost }>();

/** The cost of an item of the canvas, and its fonts. */
interface ItemCost extends PaintCost {
  fonts: readonly string[];
}

/**
 * Returns the cost of painting `list` at `scale` device pixels per design pixel, in linear time. Once the cost exceeds
 * `usMax`, the rest of the list is left out: estimating takes up to a tenth of the time of painting.
 */
export function paintCost(list: DisplayList, scale: number, usMax = Infinity): ListCost {
  const { widthPx: width, heightPx: height } = imageSize(list, scale);
  const target = { width, height };
  const fonts = new Set<string>();
  let us = (width * height * pixelNs.canvas) / 1000 + backgroundUs(list, scale);
  let costliest = { layer: '', us: 0 };
  let largest = { layer: '', bytes: 0 };
  for (const item of list.items) {
    const { layer } = item;
    if (us > usMax) break;
    const cost = canvasItemCost(item, target, scale, usMax);
    us += cost.us;
    for (const font of cost.fonts) fonts.add(font);
    if (cost.us > costliest.us) costliest = { layer, us: cost.us };
    if (cost.bytes > largest.bytes) largest = { layer, bytes: cost.bytes };
  }
  return { us: us + fontsUs(fonts), bytes: largest.bytes, costliest, largest };
}

/** Returns the cost of the background in microseconds. */
export function backgroundUs(list: DisplayList, scale: number): number {
  const { background } = list;
  const { widthPx, heightPx } = imageSize(list, scale);
  const pixels = widthPx * heightPx;
  const isLaid = background !== undefined && typeof background !== 'string' && isLaidSize(pixels);
  return (pixels * (fillNs(background) + (isLaid ? pixelNs.laidGradient : 0))) / 1000;
}

/** Returns the cost of an item on a canvas of size `target`, without its fonts. Cached: items never change. */
export function canvasItemCost(
  item: DisplayItem,
  target: Target,
  scale: number,
  usMax = Infinity,
): ItemCost {
  const known = knownCosts.get(item);
  if (
    known?.scale === scale &&
    known.target.width === target.width &&
    known.target.height === target.height
  ) {
    return known.cost;
  }
  const matrix = { a: scale, b: 0, c: 0, d: scale, e: 0, f: 0 };
  const ground = { matrix, target, scale, clipEdges: 0, clipUs: 0, blendNs: 0, usMax };
  const cost = { ...itemCost(item, ground), fonts: fontsOf(item) };
  knownCosts.set(item, { target, scale, cost });
  return cost;
}

/** Cache of the costs of items in groups, by ground: a group with a value is a new object in each render. */
const knownParts = new WeakMap<DisplayItem, { ground: Ground; cost: PaintCost }>();

function partCost(item: DisplayItem, ground: Ground): PaintCost {
  const known = knownParts.get(item);
  if (known !== undefined && isSameGround(known.ground, ground)) return known.cost;
  const cost = itemCost(item, ground);
  knownParts.set(item, { ground, cost });
  return cost;
}

function isSameGround({ matrix: m, target: t, ...a }: Ground, b: Ground): boolean {
  const n = b.matrix;
  const isSameMatrix =
    m.a === n.a && m.b === n.b && m.c === n.c && m.d === n.d && m.e === n.e && m.f === n.f;
  const isSameTarget = t.width === b.target.width && t.height === b.target.height;
  const isSameCut = a.clipEdges === b.clipEdges && a.clipUs === b.clipUs;
  const isSameRest = a.scale === b.scale && a.blendNs === b.blendNs && a.usMax === b.usMax;
  return isSameMatrix && isSameTarget && isSameCut && isSameRest;
}

function itemCost(item: DisplayItem, ground: Ground): PaintCost {
  if (item.opacity === 0) return nothing;
  if (needsBuffer(item)) return composeCost(item, ground);
  return plainCost(item, { ...ground, blendNs: blendNs(item.blendMode) });
}

/** Follows `composeItem`: a buffer for the item, one for its mask, and those of its filters and shadows. */
function composeCost(item: DisplayItem, ground: Ground): PaintCost {
  const { matrix, scale } = ground;
  const area = deviceArea(matrix, ground.target, item, scale);
  if (!(area.width > 0 && area.height > 0)) return { us: bufferUs, bytes: 0 };
  const pixels = area.width * area.height;
  const inner: Ground = {
    matrix: { ...matrix, e: matrix.e - area.x, f: matrix.f - area.y },
    target: area,
    scale,
    clipEdges: 0,
    clipUs: 0,
    blendNs: 0,
    usMax: ground.usMax,
  };
  const content = plainCost(item, inner);
  let ns = pixels * (pixelNs.buffer + blendNs(item.blendMode));
  let us = bufferUs + content.us;
  let buffers = 1;
  let { bytes } = content;
  if (item.mask !== undefined) {
    const mask = itemCost(item.mask, inner);
    us += bufferUs + mask.us;
    ns += pixels * (pixelNs.buffer + pixelNs.mask);
    bytes = Math.max(bytes, mask.bytes);
    buffers += buffersOfMask;
  }
  const filterNs = filterPixelNs(item, scale);
  ns += pixels * filterNs;
  const hasShadows = item.shadows.length > 0;
  if (hasShadows) {
    const further = filterNs > 0 ? 2 : 1;
    buffers += further;
    us += further * bufferUs;
    ns += pixels * pixelNs.buffer * further;
  }
  for (const { blur = 0 } of item.shadows) {
    us += bufferUs;
    ns += pixels * (pixelNs.sharpShadow + blurPixelNs((blur / 2) * scale));
  }
  const filterBytes = filterNs > 0 || hasShadows ? filterPixelBytes : 0;
  return {
    us: us + ns / 1000 + clippedUs(area.height, ground),
    bytes: bytes + pixels * (buffers * bufferPixelBytes + filterBytes),
  };
}

function filterPixelNs({ blur, filter }: DisplayItem, scale: number): number {
  const functions = filter === undefined ? 0 : Object.keys(filter).length;
  const filterNs = functions === 0 ? 0 : pixelNs.filterBase + functions * pixelNs.filterFunction;
  return filterNs + blurPixelNs(blur * scale);
}

/** Follows `paintPlain`: rotation, clips, content and border. */
function plainCost(item: DisplayItem, outer: Ground): PaintCost {
  const { box, rotation, clip, frame, border } = item;
  let ground = outer;
  if (rotation !== 0) ground = { ...outer, matrix: rotateAbout(outer.matrix, box, rotation) };
  let us = itemUs;
  for (const outline of [clip, frame]) {
    if (outline === undefined) continue;
    const cut = clipCost(outline, ground);
    us += cut.us;
    ({ ground } = cut);
  }
  if (border !== undefined && border.width > 0) {
    const ring = growRect(box, border.width);
    us += areaUs({ kind: 'ellipse', rect: ring }, ground, pixelNs.solid) * 2;
  }
  const content = contentCost(item, ground);
  return { us: us + content.us, bytes: content.bytes };
}

function contentCost(item: DisplayItem, ground: Ground): PaintCost {
  const { content } = item;
  switch (content.kind) {
    case 'shape':
      return { us: shapeUs(content, ground), bytes: 0 };
    case 'image':
      return { us: imageUs(content.frame, ground), bytes: 0 };
    case 'svg':
      return { us: pixelsUs(content.placed, ground, pixelNs.image), bytes: 0 };
    case 'line':
      return { us: lineUs(content, ground), bytes: 0 };
    case 'text': {
      // The box of a text that clips is one more clip.
      let us = textUs(content, ground) + (content.clips ? ground.clipUs : 0);
      for (const { rect, fill } of [...content.backgrounds, ...content.lines]) {
        us += areaUs({ kind: 'ellipse', rect }, ground, fillNs(fill));
      }
      return { us, bytes: 0 };
    }
    case 'path-text': {
      const outline = pathTextOutline(content);
      const { segments, lengthPx } = measureOutline(outline, ground.matrix, ground.target);
      const length = lengthPx / ground.scale;
      return {
        us: segments * (segmentUs + segmentLengthUs) + pathTextUs(content, length, ground),
        bytes: 0,
      };
    }
    case 'group':
      return groupCost(content.items, ground);
    default:
      return content satisfies never;
  }
}

function groupCost(items: readonly DisplayItem[], ground: Ground): PaintCost {
  let us = 0;
  let bytes = 0;
  for (const item of items) {
    if (us > ground.usMax) break;
    const cost = partCost(item, ground);
    us += cost.us;
    bytes = Math.max(bytes, cost.bytes);
  }
  return { us, bytes };
}

function pathTextOutline({ data, box }: { data: string; box: Rect }): Outline {
  return { kind: 'path', rect: { ...box, width: 0, height: 0 }, data, scaleX: 1, scaleY: 1 };
}

function blendNs(blendMode: string): number {
  return expensiveBlendNs.get(blendMode) ?? plainBlendNs;
}
