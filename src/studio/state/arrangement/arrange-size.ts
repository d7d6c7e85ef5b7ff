/** Arranges layers of one canvas on the canvas of another size: layers that span it or touch an edge still do. */
import { wholeBinding } from '#language/bind/bindings.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { Template } from '#language/schema/template.ts';
import { sizeProperties } from '#language/size-properties.ts';
import { lengthMaxPx, positionOf } from '../layer-sizes.ts';
import type { Sides } from '../layer-sizes.ts';
import { flattenLayers } from '../layers.ts';
import type { LayerPosition } from '../layers.ts';
import { setOverride } from '../sizes.ts';
import { stackColumns } from './stacked-columns.ts';

/** Properties in design pixels that scale with the layer. */
const lengths = [
  'x',
  'y',
  'width',
  'height',
  'minWidth',
  'maxWidth',
  'minHeight',
  'maxHeight',
  'fontSize',
  'minSize',
  'gap',
] as const;

/** Bounds of font sizes in the schema, in design pixels. */
const letterSizes: Readonly<Record<string, readonly [least: number, most: number]>> = {
  fontSize: [1, 2000],
  minSize: [1, 2000],
};

const axes = [
  { start: 'x', length: 'width' },
  { start: 'y', length: 'height' },
] as const;

/** Scales all layers to fit into the size. Values from a variable or the layout stay. */
export function arrangeInSize(draft: Template, size: TemplateSize): void {
  const columns = hasBoundLength(draft)
    ? undefined
    : stackColumns(draft, size, scaleOf(draft, size));
  for (const root of draft.layers) {
    const stacked = columns?.get(root.id);
    for (const position of flattenLayers({ layers: [root] })) {
      const { layer } = position;
      const values =
        stacked === undefined
          ? arranged(position, draft, size)
          : { ...scaledLengths(layer, stacked.scale), ...(layer === root && stacked.box) };
      for (const [name, value] of Object.entries(values)) {
        setOverride(layer, size.name, name, value === Reflect.get(layer, name) ? undefined : value);
      }
    }
  }
}

/** Whether a variable sets a length: the length is then the same at every scale. */
function hasBoundLength(draft: Template): boolean {
  return flattenLayers(draft).some(({ layer }) =>
    lengths.some((name) => {
      const value: unknown = Reflect.get(layer, name);
      return typeof value === 'string' && wholeBinding(value) !== undefined;
    }),
  );
}

function scaleOf(from: Sides, to: Sides): number {
  return Math.min(to.width / from.width, to.height / from.height);
}

/** Returns the values of a layer of the canvas `from` that fit it into the canvas `to`. */
export function arranged(
  { layer, group }: Pick<LayerPosition, 'layer' | 'group'>,
  from: Sides,
  to: Sides,
): Record<string, unknown> {
  const scale = scaleOf(from, to);
  const scaled = scaledLengths(layer, scale);
  return group === undefined ? { ...scaled, ...placed(from, to, layer, scale) } : scaled;
}

function scaledLengths(layer: Layer, scale: number): Record<string, unknown> {
  const allowed = new Set(sizeProperties(layer.type));
  const scaled: Record<string, unknown> = {};
  for (const name of lengths) {
    const value: unknown = Reflect.get(layer, name);
    if (allowed.has(name) && typeof value === 'number') {
      const [least, most] = letterSizes[name] ?? [-lengthMaxPx, lengthMaxPx];
      scaled[name] = Math.min(most, Math.max(least, scaledBy(value, scale)));
    }
  }
  if (layer.type === 'stack') scaled['padding'] = scaledPadding(layer.padding, scale);
  return scaled;
}

/** Scales a padding: one number, or one for each side. */
function scaledPadding(padding: unknown, scale: number): unknown {
  if (typeof padding === 'number') return scaledBy(padding, scale);
  if (!Array.isArray(padding) || scale === 1) return padding;
  return padding.map((each: unknown) => (typeof each === 'number' ? scaledBy(each, scale) : each));
}

/** Returns the position of a layer on the canvas, and the sides that span the canvas. */
function placed(canvas: Sides, size: Sides, layer: Layer, scale: number): Record<string, number> {
  const box: Record<string, number> = {};
  const isTurned = layer.rotation !== undefined && layer.rotation !== 0;
  for (const { start, length } of axes) {
    const at: unknown = layer[start];
    const long: unknown = layer[length];
    if (typeof at !== 'number') continue;
    const end = typeof long === 'number' && !isTurned ? at + long : undefined;
    const isAtEnd = end !== undefined && end >= canvas[length];
    const rest = size[length] - canvas[length] * scale;
    if (isAtEnd && at <= 0 && !('layers' in layer)) {
      box[start] = 0;
      box[length] = size[length];
    } else {
      const offset =
        isAtEnd && at > 0 ? rest : end !== undefined && at <= 0 && !isAtEnd ? 0 : rest / 2;
      box[start] = positionOf(offset + at * scale);
    }
  }
  return box;
}

/** Scales and rounds to whole pixels, below 10 to hundredths, within the bounds of the schema. */
function scaledBy(value: number, scale: number): number {
  const scaled = Math.min(lengthMaxPx, Math.max(-lengthMaxPx, value * scale));
  return Math.abs(scaled) < 10 ? Math.round(scaled * 100) / 100 : Math.round(scaled);
}
