/** Estimates what painting a template costs, so that no document keeps a worker busy for long. */
import type { Layer } from './layer-schemas.ts';
import type { Template } from './template-schema.ts';
import { templateLimits } from './template-limits.ts';

/**
 * Cost of a pixel beside a blur's 1, which is 9 to 15 ns (measured on 16 megapixels, one core): gradients
 * and pictures 6 ns, plain fills 1 ns, the buffer of what is see-through, masked or blended 1 ns.
 */
const richWeight = 1 / 2;
const plainWeight = 1 / 8;
const bufferWeight = 1 / 8;

/** Largest scale that a link may ask for. */
const scaleMax = 3;
/** Standard deviations that a blur reaches, 3, and as many again that the engine works on around them. */
const blurReach = 6;

/**
 * The painting of all layers, counted in blurred device pixels at the largest scale that the canvas
 * allows. What a value may change counts as the whole canvas.
 */
export function paintCost(template: Template): number {
  const { width, height, layers } = template;
  const scale = Math.sqrt(templateLimits.pixelsMax / (width * height));
  const largest = Math.min(scaleMax, Math.max(1, scale));
  return sumLayers(layers, width, height) * largest * largest;
}

function sumLayers(layers: readonly Layer[], width: number, height: number): number {
  let sum = 0;
  for (const layer of layers) {
    sum += layerCost(layer, width, height);
    if (layer.type === 'group') sum += sumLayers(layer.layers, width, height);
  }
  return sum;
}

function layerCost(layer: Layer, width: number, height: number): number {
  const { blur = 0, filter, mask, opacity = 1, blendMode = 'normal' } = layer;
  const shadows = [layer.shadow ?? []].flat();
  const passes = (blur === 0 ? 0 : 1) + (filter === undefined ? 0 : 1) + shadows.length;
  const isApart = passes > 0 || mask !== undefined || opacity !== 1 || blendMode !== 'normal';
  const reach = Math.max(
    numberOr(blur, 200) * blurReach,
    ...shadows.map(({ blur: radius = 0 }) => (numberOr(radius, 200) / 2) * blurReach),
  );
  const [boxWidth, boxHeight] = reachedBox(layer, width, height);
  const area = Math.min(width, boxWidth) * Math.min(height, boxHeight);
  const reached =
    (Math.min(width, boxWidth) + 2 * reach) * (Math.min(height, boxHeight) + 2 * reach);
  return area * contentWeight(layer) + reached * (passes + (isApart ? bufferWeight : 0));
}

function contentWeight(layer: Layer): number {
  if (layer.type === 'group') return 0;
  if (layer.type === 'image' || layer.type === 'svg') return richWeight;
  return 'fill' in layer && typeof layer.fill === 'object' ? richWeight : plainWeight;
}

/** A layer's box; what turns, holds others or leaves its box counts as the whole canvas. */
function reachedBox(layer: Layer, width: number, height: number): [width: number, height: number] {
  const isFree = layer.type === 'group' || layer.type === 'path';
  if (isFree || (layer.rotation ?? 0) !== 0) return [width, height];
  return [numberOr(layer.width, width), numberOr(layer.height, height)];
}

/** Bound properties are strings in a document that is not resolved. */
function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}
